// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/tick.h"

#include <bit>
#include <limits>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;

// IEEE-754 binary64: value = fraction * 2^(exponent - kExponentBias) with the
// fraction read as an integer.
constexpr int kFractionBits = 52;
constexpr int kExponentBias = 1023 + kFractionBits;
constexpr uint64_t kImplicitBit = uint64_t{1} << kFractionBits;

// A finite, non-negative double as significand * 2^exponent.
struct Dyadic {
  uint64_t significand;  // < 2^53
  int exponent;
};

Dyadic DyadicFrom(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint64_t fraction = bits & (kImplicitBit - 1);
  const int biased = static_cast<int>(bits >> kFractionBits & 0x7ff);
  if (biased == 0) return {fraction, 1 - kExponentBias};  // zero, subnormal
  return {fraction | kImplicitBit, biased - kExponentBias};
}

}  // namespace

absl::Status ValidateTickRate(TickRate rate) {
  if (rate.ticks_per_second >= 1 && rate.ticks_per_second <= kTickRateMax) {
    return absl::OkStatus();
  }
  return absl::OutOfRangeError(
      fmt::format("tick rate {} per second is not in 1..{}",
                  rate.ticks_per_second, kTickRateMax));
}

absl::StatusOr<Tick> TicksFromSeconds(double seconds, TickRate rate) {
  CHECK(ValidateTickRate(rate).ok(), "tick rate {}", rate.ticks_per_second);
  // Written so that NaN, for which no comparison holds, is refused too.
  if (!(seconds >= 0.0)) {
    return absl::InvalidArgumentError(
        fmt::format("{} seconds is not a time of zero or more", seconds));
  }
  const absl::Status too_late = absl::OutOfRangeError(
      fmt::format("{} seconds at {} ticks per second lies beyond tick {}",
                  seconds, rate.ticks_per_second, kTickMax));
  if (seconds > static_cast<double>(kTickMax)) return too_late;
  if (seconds == 0.0) return Tick{0};  // -0 too, whose sign bit is set

  const Dyadic dyadic = DyadicFrom(seconds);
  // Below 2^53 * 1000 < 2^63, so nothing here leaves 64 bits.
  const uint64_t scaled = dyadic.significand * rate.ticks_per_second;
  Tick tick = 0;
  if (dyadic.exponent >= 0) {
    // At most 2^53 seconds: the exponent is 0 or 1.
    tick = scaled << dyadic.exponent;
  } else if (const int shift = -dyadic.exponent; shift < 64) {
    const uint64_t half = uint64_t{1} << (shift - 1);
    // The sum is below 2^63 + 2^62. With a shift of 64 and more the value
    // would be below one half, so tick 0 is right.
    tick = (scaled + half) >> shift;
  }
  if (tick > kTickMax) return too_late;
  return tick;
}

uint64_t LogTimeNs(Tick tick, TickRate rate) {
  CHECK(ValidateTickRate(rate).ok(), "tick rate {}", rate.ticks_per_second);
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  // Whole seconds apart from the rest keep every product within 64 bits.
  const uint64_t seconds = tick / rate.ticks_per_second;
  const uint64_t rest = tick % rate.ticks_per_second;
  const uint64_t rest_ns = rest * kNanosecondsPerSecond / rate.ticks_per_second;
  if (seconds > (kMax - rest_ns) / kNanosecondsPerSecond) return kMax;
  return seconds * kNanosecondsPerSecond + rest_ns;
}

}  // namespace reprise::sim
