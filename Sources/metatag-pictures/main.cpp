/// Decodes and encodes pictures. A separate program, because loading the codecs takes longer than the rest
/// of a small run, and reading metadata doesn't need them.
#include <cstdio>
#include <cstdlib>

#include "recoding.hpp"
#include "service.hpp"

namespace {
wire::Status reply(const Channel &channel, const wire::Request &request, Answer &answer, char (&reason)[256]) {
  if (request.task != wire::Task::recode) std::_Exit(EXIT_FAILURE);
  cpictures_reason why{};
  if (recode(channel, request, answer, &why)) return wire::Status::done;
  std::snprintf(reason, sizeof reason, "%s", why.text);
  return why.is_unsupported ? wire::Status::unsupported : wire::Status::unreadable;
}
}  // namespace

int main(int count, char **arguments) {
  return Service{
      "metatag-pictures", Purpose::pictures, nullptr, cpictures_decoders, cpictures_encoders, reply}.run(count, arguments);
}
