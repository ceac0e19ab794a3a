// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <span>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "fmt/format.h"

namespace reprise::tools {
namespace {

struct Unit {
  std::string_view name;
  uint64_t factor;
};

constexpr std::array<Unit, 5> kAgeUnits = {{
    {"s", 1},
    {"m", 60},
    {"h", 3'600},
    {"d", 86'400},
    {"w", 604'800},
}};

constexpr std::array<Unit, 10> kByteUnits = {{
    {"", 1},
    {"B", 1},
    {"KB", 1'000},
    {"MB", 1'000'000},
    {"GB", 1'000'000'000},
    {"TB", 1'000'000'000'000},
    {"KiB", uint64_t{1} << 10},
    {"MiB", uint64_t{1} << 20},
    {"GiB", uint64_t{1} << 30},
    {"TiB", uint64_t{1} << 40},
}};

constexpr std::array<Unit, 5> kTickUnits = {{
    {"", 1},
    {"k", 1'000},
    {"K", 1'000},
    {"M", 1'000'000},
    {"G", 1'000'000'000},
}};

// Nobody keeps replays for longer, and an absl::Duration holds it.
constexpr uint64_t kAgeSecondsMax = uint64_t{1'000} * 366 * 86'400;

absl::StatusOr<uint64_t> ParseQuantity(std::string_view text,
                                       std::span<const Unit> units,
                                       uint64_t maximum,
                                       std::string_view expected) {
  const absl::Status error =
      absl::InvalidArgumentError(fmt::format("'{}' is not {}", text, expected));
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, result] = std::from_chars(text.data(), end, number);
  if (result != std::errc()) return error;
  const auto unit = std::ranges::find(
      units, std::string_view(rest, static_cast<size_t>(end - rest)),
      &Unit::name);
  if (unit == units.end() || number > maximum / unit->factor) return error;
  return number * unit->factor;
}

}  // namespace

absl::StatusOr<absl::Duration> ParseAge(std::string_view text) {
  const absl::StatusOr<uint64_t> seconds =
      ParseQuantity(text, kAgeUnits, kAgeSecondsMax,
                    "an age: a whole number with s, m, h, d or w, at most a "
                    "thousand years");
  if (!seconds.ok()) return seconds.status();
  return absl::Seconds(static_cast<int64_t>(*seconds));
}

absl::StatusOr<uint64_t> ParseTickCount(std::string_view flag,
                                        std::string_view text) {
  const absl::StatusOr<uint64_t> count =
      ParseQuantity(text, kTickUnits, std::numeric_limits<uint64_t>::max(),
                    "a number of ticks, such as 500000, 200K or 10M");
  if (count.ok()) return count;
  return absl::InvalidArgumentError(
      fmt::format("--{} {}", flag, std::string(count.status().message())));
}

absl::Status CheckTimeout(std::string_view flag, uint64_t seconds,
                          bool has_no_limit) {
  const bool is_in_range =
      seconds == 0 ? has_no_limit : seconds <= kTimeoutSecondsMax;
  if (is_in_range) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("--{} {} is not 1 to {}{}", flag, seconds, kTimeoutSecondsMax,
                  has_no_limit ? ", or 0 for no limit" : ""));
}

absl::Status CheckMebibytes(std::string_view flag, uint64_t mebibytes) {
  if (mebibytes <= kMebibytesMax) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("--{} {} is not 1 to {}, or 0 for no limit", flag, mebibytes,
                  kMebibytesMax));
}

absl::StatusOr<uint64_t> ParseByteCount(std::string_view text) {
  return ParseQuantity(
      text, kByteUnits, std::numeric_limits<uint64_t>::max(),
      "a size: a whole number, alone or with B, KB, MB, GB, TB, KiB, MiB, GiB "
      "or TiB");
}

absl::StatusOr<absl::Time> ParseTime(std::string_view text) {
  const absl::string_view view(text.data(), text.size());
  absl::Time time;
  std::string ignored;
  for (const char* const format : {"%Y-%m-%d", absl::RFC3339_full}) {
    if (absl::ParseTime(format, view, &time, &ignored) &&
        time > absl::InfinitePast() && time < absl::InfiniteFuture()) {
      return time;
    }
  }
  return absl::InvalidArgumentError(fmt::format(
      "'{}' is not a day (2026-11-22) or a time (2026-11-22T08:30:00Z)", text));
}

std::string FormatTimestamp(absl::Time time) {
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%E*SZ", time, absl::UTCTimeZone());
}

std::string FormatByteCount(uint64_t bytes) {
  if (bytes < 1'000) return fmt::format("{} B", bytes);
  double count = static_cast<double>(bytes) / 1e3;
  for (const std::string_view unit : {"KB", "MB", "GB"}) {
    // What would be shown as 1000.0 has the next unit.
    if (count < 999.95) return fmt::format("{:.1f} {}", count, unit);
    count /= 1e3;
  }
  return fmt::format("{:.1f} TB", count);
}

}  // namespace reprise::tools
