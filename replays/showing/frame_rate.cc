// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/frame_rate.h"

#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/showing/key_reduction.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

// What decimals are counted in.
constexpr uint64_t kThousand = 1000;
constexpr size_t kDecimalsMax = 3;

// All of it is digits, and it is no more than what a side may have of
// thousandths.
std::optional<uint64_t> ParseDigits(std::string_view text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  if (number > kThousand * kFrameRateSideMax) return std::nullopt;
  return number;
}

struct Fraction {
  uint64_t numerator = 0;
  uint64_t denominator = 0;
};

std::optional<Fraction> ParseFraction(std::string_view text) {
  if (const size_t slash = text.find('/'); slash != std::string_view::npos) {
    const auto numerator = ParseDigits(text.substr(0, slash));
    const auto denominator = ParseDigits(text.substr(slash + 1));
    if (!numerator || !denominator) return std::nullopt;
    return Fraction{*numerator, *denominator};
  }
  const size_t point = text.find('.');
  const auto whole = ParseDigits(text.substr(0, point));
  if (!whole) return std::nullopt;
  if (point == std::string_view::npos) return Fraction{*whole, 1};
  std::string decimals(text.substr(point + 1));
  if (decimals.size() > kDecimalsMax) return std::nullopt;
  if (!ParseDigits(decimals)) return std::nullopt;
  decimals.resize(kDecimalsMax, '0');
  return Fraction{*whole * kThousand + *ParseDigits(decimals), kThousand};
}

// Item: something with a place and a rotation; `key_of` is what it is told by.
template <typename Item, typename KeyOf>
void MoveAllTowards(const std::vector<Item>& after, double part, KeyOf key_of,
                    std::vector<Item>& items) {
  std::map<uint64_t, const Item*> ends;
  for (const Item& item : after) ends.emplace(key_of(item), &item);
  for (Item& item : items) {
    const auto end = ends.find(key_of(item));
    if (end == ends.end()) continue;
    item.position = Interpolate(item.position, end->second->position, part);
    item.rotation = Interpolate(item.rotation, end->second->rotation, part);
  }
}

}  // namespace

absl::StatusOr<FrameRate> ParseFrameRate(std::string_view text) {
  const auto is_side = [](uint64_t side) {
    return side >= 1 && side <= kFrameRateSideMax;
  };
  if (const auto given = ParseFraction(text)) {
    const uint64_t shared = std::gcd(given->numerator, given->denominator);
    if (shared > 0 && is_side(given->numerator / shared) &&
        is_side(given->denominator / shared)) {
      return FrameRate{static_cast<uint32_t>(given->numerator / shared),
                       static_cast<uint32_t>(given->denominator / shared)};
    }
  }
  return absl::InvalidArgumentError(fmt::format(
      "a rate is frames a second: a number with at most three decimals, or a "
      "fraction of numbers from 1 to {}, as 60, 29.97 or 30000/1001, not '{}'",
      kFrameRateSideMax, text));
}

FrameSchedule::FrameSchedule(FrameRate rate, sim::TickRate tick_rate,
                             uint64_t every, uint64_t last)
    : step_(uint64_t{tick_rate.ticks_per_second} * rate.seconds),
      stride_(every * rate.frames) {
  CHECK(every >= 1 && every <= kTicksMax, "every {}", every);
  CHECK(last <= kTicksMax / every, "{} frames of {} ticks", last, every);
  frame_count_ = last * stride_ / step_ + 1;
}

FrameSchedule::Place FrameSchedule::PlaceOf(uint64_t index) const {
  DCHECK(index < frame_count_);
  const uint64_t time = index * step_;
  return {.frame = time / stride_,
          .part = static_cast<double>(time % stride_) /
                  static_cast<double>(stride_)};
}

void MoveTowards(const std::vector<sim::FrameObject>& after, double part,
                 std::vector<sim::FrameObject>& objects) {
  MoveAllTowards(
      after, part,
      [](const sim::FrameObject& object) { return object.object.serial; },
      objects);
}

void MoveTowards(const std::vector<ShownPose>& after, double part,
                 std::vector<ShownPose>& poses) {
  MoveAllTowards(
      after, part, [](const ShownPose& pose) { return pose.object; }, poses);
}

}  // namespace reprise::replays
