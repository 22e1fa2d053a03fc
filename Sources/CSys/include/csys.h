#pragma once
#include "csys_digest.h"
#include "csys_file.h"
