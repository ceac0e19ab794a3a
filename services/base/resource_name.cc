// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/resource_name.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "fmt/format.h"
#include "services/base/status.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

absl::Status MalformedError(std::string_view name, std::string_view form) {
  return WithReason(absl::InvalidArgumentError(
                        fmt::format("'{}' is not a name of the form {}",
                                    name.substr(0, kIdBytesMax), form)),
                    "NAME_MALFORMED");
}

}  // namespace

bool IsValidId(std::string_view id) {
  return !id.empty() && id.size() <= kIdBytesMax &&
         std::all_of(id.begin(), id.end(), [](unsigned char character) {
           return absl::ascii_islower(character) ||
                  absl::ascii_isdigit(character) || character == '-';
         });
}

std::string NewId(absl::Time now) {
  std::array<uint64_t, 2> random = {};
  CHECK(getentropy(random.data(), sizeof(random)) == 0);
  return fmt::format(
      "{}-{:06}-{:016x}{:016x}",
      absl::FormatTime("%Y%m%dt%H%M%S", now, absl::UTCTimeZone()),
      absl::ToUnixMicros(now) % 1'000'000, random[0], random[1]);
}

bool IsNewId(std::string_view id) {
  // 'd' and 'x': a digit of ten or sixteen.
  constexpr std::string_view kForm =
      "ddddddddtdddddd-dddddd-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  return std::ranges::equal(id, kForm, [](unsigned char character, char form) {
    if (form == 'd') return absl::ascii_isdigit(character);
    if (form != 'x') return character == form;
    return absl::ascii_isdigit(character) ||
           (character >= 'a' && character <= 'f');
  });
}

std::string MakeName(std::string_view collection, std::string_view id) {
  return fmt::format("{}/{}", collection, id);
}

absl::StatusOr<std::string> ParseName(std::string_view collection,
                                      std::string_view name) {
  const std::string prefix = MakeName(collection, "");
  const std::string_view id =
      name.starts_with(prefix) ? name.substr(prefix.size()) : "";
  if (!IsValidId(id)) {
    return MalformedError(name, fmt::format("{}/<id>", collection));
  }
  return std::string(id);
}

std::string MakeName(const SnapshotName& snapshot) {
  return fmt::format("{}/{}/{}", MakeName(kSessions, snapshot.session_id),
                     kSnapshots, snapshot.number);
}

absl::StatusOr<SnapshotName> ParseSnapshotName(std::string_view name) {
  const std::string between = fmt::format("/{}/", kSnapshots);
  const size_t end = name.rfind(between);
  SnapshotName snapshot;
  if (end != std::string_view::npos) {
    const std::string_view number = name.substr(end + between.size());
    std::from_chars(number.data(), number.data() + number.size(),
                    snapshot.number);
    const auto session = ParseName(kSessions, name.substr(0, end));
    if (session.ok()) snapshot.session_id = *session;
  }
  // One number is written in one way only.
  if (snapshot.session_id.empty() || MakeName(snapshot) != name) {
    return MalformedError(name, "sessions/<id>/snapshots/<number>");
  }
  return snapshot;
}

}  // namespace reprise::services
