// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Ages, sizes, times and numbers of ticks as people type them: "30d", "10GB",
// "2026-11-22", "10M".

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_QUANTITY_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_QUANTITY_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace reprise::tools {

// INVALID_ARGUMENT of all of them says what is expected instead.

// A whole number of seconds, minutes, hours, days or weeks: "90s", "5m", "12h",
// "30d", "2w".
absl::StatusOr<absl::Duration> ParseAge(std::string_view text);

// A whole number of bytes, or of their thousands (KB, MB, GB, TB) or 1024s
// (KiB, MiB, GiB, TiB).
absl::StatusOr<uint64_t> ParseByteCount(std::string_view text);

// A day, which begins at midnight UTC, or a time: "2026-11-22",
// "2026-11-22T08:30:00Z", "2026-11-22T08:30:00.5+01:00".
absl::StatusOr<absl::Time> ParseTime(std::string_view text);

// A whole number, or one of thousands, millions or billions: "500000", "200K",
// "10M", "2G". The error begins with the flag.
absl::StatusOr<uint64_t> ParseTickCount(std::string_view flag,
                                        std::string_view text);

// A year: a longer wait is a mistake, and no clock overflows.
inline constexpr uint64_t kTimeoutSecondsMax = 31'536'000;

// Whether the flag's `seconds` are 1 to kTimeoutSecondsMax, or 0 where that
// means no limit. The error begins with the flag.
absl::Status CheckTimeout(std::string_view flag, uint64_t seconds,
                          bool has_no_limit);

// 2^50 bytes: more than any machine has, and their number holds what is added.
inline constexpr uint64_t kMebibytesMax = uint64_t{1} << 30;

// Whether the flag's `mebibytes`, of which 0 means no limit, are at most
// kMebibytesMax. The error begins with the flag.
absl::Status CheckMebibytes(std::string_view flag, uint64_t mebibytes);

// "2026-11-22T08:30:00Z", in UTC, with as many digits as there are.
std::string FormatTimestamp(absl::Time time);

// "950 B", "1.5 KB", "12.0 GB": thousands, as ParseByteCount takes them.
std::string FormatByteCount(uint64_t bytes);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_QUANTITY_H_
