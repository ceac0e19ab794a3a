// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/components/named_definitions.h"

#include <algorithm>
#include <vector>

#include "fmt/format.h"

namespace reprise::sim {

std::string Quoted(const NameTable& names, Id id) {
  const std::string_view name = names.NameOf(id);
  return name.empty() ? fmt::format("#{:016x}", id.value)
                      : fmt::format("\"{}\"", name);
}

absl::Status ValidateNames(std::string_view kind, std::span<const Id> ids,
                           size_t count_max, const NameTable& names) {
  if (ids.size() > count_max) {
    return absl::ResourceExhaustedError(
        fmt::format("{}: {} of them, at most {}", kind, ids.size(), count_max));
  }
  std::vector<Id> sorted(ids.begin(), ids.end());
  // A total order: equal ids are the same.
  std::ranges::sort(sorted);
  if (!sorted.empty() && sorted.front() == kNoId) {
    return absl::InvalidArgumentError(
        fmt::format("{}: one of them has no name", kind));
  }
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    return absl::InvalidArgumentError(
        fmt::format("{} {}: defined twice", kind, Quoted(names, *twice)));
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
