// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compares two manifests as data, by the paths of their fields.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_MANIFEST_COMPARISON_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_MANIFEST_COMPARISON_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "google/protobuf/message.h"

namespace reprise::tools {

struct PackChange {
  // "types.marble.body.friction", "objects.crate.position.y", "turn.lua:12".
  std::string path;
  // The values as text in one line; nullopt: not set, or not there.
  std::optional<std::string> before;
  std::optional<std::string> after;

  friend bool operator==(const PackChange&, const PackChange&) = default;
};

// The text, or its first 120 bytes: more says no more to a reader.
std::string ShortenValue(std::string text);

struct ManifestChanges {
  std::vector<PackChange> changes;  // in order of the manifest's fields
  bool is_applied = false;
};

// What changed from `before` to `after`. With `applied`, makes the change of
// that index in `before` and looks no further.
ManifestChanges CompareManifests(google::protobuf::Message& before,
                                 const google::protobuf::Message& after,
                                 std::optional<size_t> applied);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_MANIFEST_COMPARISON_H_
