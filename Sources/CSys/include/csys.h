#pragma once

#include "csys_socket.h"
