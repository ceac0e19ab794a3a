// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/resource_name.h"

#include <algorithm>
#include <random>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "fmt/format.h"
#include "services/base/status.h"

namespace reprise::services {

bool IsValidId(std::string_view id) {
  return !id.empty() && id.size() <= kIdBytesMax &&
         std::all_of(id.begin(), id.end(), [](unsigned char character) {
           return absl::ascii_islower(character) ||
                  absl::ascii_isdigit(character) || character == '-';
         });
}

std::string NewId(absl::Time now) {
  std::random_device random;
  return fmt::format(
      "{}-{:06}-{:08x}",
      absl::FormatTime("%Y%m%dt%H%M%S", now, absl::UTCTimeZone()),
      absl::ToUnixMicros(now) % 1'000'000, random());
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
    return WithReason(absl::InvalidArgumentError(
                          fmt::format("'{}' is not a name of the form {}/<id>",
                                      name.substr(0, kIdBytesMax), collection)),
                      "NAME_MALFORMED");
  }
  return std::string(id);
}

}  // namespace reprise::services
