#pragma once

#include "answer.hpp"
#include "channel.hpp"
#include "cpictures.h"

/// Decodes the picture in a request's first block, and writes it, coded anew, into the file that is its second.
/// False, with the reason, when it can't be done.
bool recode(const Channel &channel, const wire::Request &request, Answer &answer, cpictures_reason *reason);
