#pragma once

#include "answer.hpp"
#include "channel.hpp"
#include "cpictures.h"

/// Decodes the picture in a request's first block and encodes it into the file in its second. Returns false with the
/// reason on failure.
bool recode(const Channel &channel, const wire::Request &request, Answer &answer, cpictures_reason *reason);
