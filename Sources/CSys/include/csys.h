#pragma once
#include "csys_hash.h"
