#pragma once
#include "csys_zip.h"
