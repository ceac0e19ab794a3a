// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A call into a plug-in: the control of floating point that simulations run
// under, what it says of errors, and what it must not do, each with a sentence.

#ifndef REPRISE_SIM_PLUGINS_FOREIGN_CALL_H_
#define REPRISE_SIM_PLUGINS_FOREIGN_CALL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "include/reprise/simulation.h"

namespace reprise::sim {

// How the sentence begins that says so.
inline constexpr std::string_view kFloatControlChanged =
    "it changed the control of floating point";

// The setting of floating point that simulations run under, while it lives.
class [[nodiscard]] ForeignFloatControl {
 public:
  ForeignFloatControl();
  ~ForeignFloatControl();
  ForeignFloatControl(const ForeignFloatControl&) = delete;
  ForeignFloatControl& operator=(const ForeignFloatControl&) = delete;

  // INTERNAL: it was changed.
  static absl::Status Check();

 private:
  const uint64_t caller_;
};

// Some bytes of ours that a plug-in writes into, and others behind them, which
// it must leave.
template <size_t kSize>
class GuardedText {
 public:
  GuardedText() { std::memset(bytes_.data() + kSize, kGuard, kGuardBytes); }

  char* data() { return bytes_.data(); }
  static constexpr uint32_t size() { return kSize; }

  // What is in front of the first zero.
  std::string Text() const {
    const std::string_view all(bytes_.data(), kSize);
    return std::string(all.substr(0, all.find('\0')));
  }

  // INTERNAL: it wrote behind them.
  absl::Status Check(std::string_view what) const {
    // At each tick, so it has to be cheap: the first is a guard, and each the
    // same as the one before it.
    const char* const guard = bytes_.data() + kSize;
    if (guard[0] == kGuard &&
        std::memcmp(guard, guard + 1, kGuardBytes - 1) == 0) {
      return absl::OkStatus();
    }
    return absl::InternalError(
        fmt::format("it wrote behind the {} bytes of {}", kSize, what));
  }

 private:
  static constexpr char kGuard = 0x5a;
  // What a careless `strcpy` goes beyond; the rest is up to the process.
  static constexpr size_t kGuardBytes = 64;

  alignas(std::max_align_t) std::array<char, kSize + kGuardBytes> bytes_ = {};
};

// What a plug-in writes its errors into.
class ForeignError {
 public:
  reprise_error* error() { return &error_; }

  // The status of a call of `name` that returned `code`.
  absl::Status StatusOf(std::string_view name, int32_t code) const;

 private:
  GuardedText<1024> text_;
  reprise_error error_ = {.text = text_.data(), .capacity = text_.size()};
};

// Calls `call` of a plug-in. INTERNAL: what it throws, though nothing may be
// thrown across the interface; a library in C is ended by that instead.
template <typename Call>
absl::Status CallForeign(std::string_view name, const Call& call) {
  try {  // determinism: it ends the run
    call();
  } catch (const std::exception& error) {  // determinism: as above
    return absl::InternalError(
        fmt::format("{}: it throws: {}", name, error.what()));
  } catch (...) {  // determinism: as above
    return absl::InternalError(fmt::format("{}: it throws", name));
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_FOREIGN_CALL_H_
