#pragma once

#include <cstring>
#include <memory>

#include "wire.hpp"

/// An answer under construction, with a maximum length.
class Answer {
 public:
  /// Discards the answer so far.
  void start() { count_ = 0; overflowed_ = false; }

  void bytes(const void *bytes, size_t count) {
    if (overflowed_ || count > wire::longest_answer - count_) {
      overflowed_ = true;
      return;
    }
    std::memcpy(storage_.get() + count_, bytes, count);
    count_ += count;
  }

  template <typename Number>
  void number(Number number) { bytes(&number, sizeof number); }

  void counted(const void *data, size_t count) {
    number(static_cast<uint32_t>(count));
    bytes(data, count);
  }

  /// Reserves space for a number that is known later, and returns its position.
  template <typename Number>
  size_t reserve() {
    number(Number{0});
    return count_ - sizeof(Number);
  }

  template <typename Number>
  void fill(size_t at, Number number) {
    if (!overflowed_) std::memcpy(storage_.get() + at, &number, sizeof number);
  }

  bool overflowed() const { return overflowed_; }
  const uint8_t *data() const { return storage_.get(); }
  size_t count() const { return count_; }

 private:
  // Not zeroed: pages that are never written take no memory.
  std::unique_ptr<uint8_t[]> storage_{new uint8_t[wire::longest_answer]};
  size_t count_ = 0;
  bool overflowed_ = false;
};
