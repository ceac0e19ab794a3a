// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/named_error.h"

#include <string>

#include "fmt/format.h"

namespace reprise::replays {

absl::Status NamedError(std::string_view name, const absl::Status& status) {
  if (status.ok() || name.empty()) return status;
  const std::string message(status.message());
  const std::string place = fmt::format("{}: ", name);
  if (message.starts_with(place)) return status;
  return absl::Status(status.code(), place + message);
}

}  // namespace reprise::replays
