// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/id.h"

#include "fmt/format.h"

namespace reprise::sim {

absl::Status NameTable::Add(std::string_view name) {
  return Add(name, IdOf(name));
}

absl::Status NameTable::Add(std::string_view name, Id id) {
  if (name.empty()) {
    return absl::InvalidArgumentError("a name must not be empty");
  }
  if (name.size() > kNameBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("the name \"{}...\" has {} bytes; at most {} are allowed",
                    name.substr(0, 32), name.size(), kNameBytesMax));
  }
  if (id == kNoId) {
    return absl::InvalidArgumentError(
        fmt::format("the name \"{}\" has the id 0, which means no name", name));
  }
  if (const auto found = names_.find(id); found != names_.end()) {
    if (found->second == name) return absl::OkStatus();
    return absl::AlreadyExistsError(fmt::format(
        "the names \"{}\" and \"{}\" have the same id {:016x}; rename one",
        found->second, name, id.value));
  }
  if (names_.size() >= kNamesMax) {
    return absl::ResourceExhaustedError(fmt::format(
        "the name \"{}\" would be one more than the {} a simulation may have",
        name, kNamesMax));
  }
  names_.emplace(id, name);
  return absl::OkStatus();
}

std::string_view NameTable::NameOf(Id id) const {
  const auto found = names_.find(id);
  if (found == names_.end()) return {};
  return found->second;
}

}  // namespace reprise::sim
