// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/manifest_places.h"

#include <algorithm>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::sim {

std::string FormatPlace(const FixedPlace& place) {
  if (place.line == 0) return place.file;
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

ManifestFile& ManifestPlaces::AddFile(std::string path) {
  ManifestFile& file = files_.emplace_back();
  file.path = std::move(path);
  return file;
}

void ManifestPlaces::AddFields(const google::protobuf::FieldDescriptor* field,
                               int first, const ManifestFile& file) {
  fields_[field->number()].emplace_back(first, &file);
}

ManifestField ManifestPlaces::Find(
    const google::protobuf::FieldDescriptor* field, int index) const {
  CHECK(!files_.empty(), "a manifest without a file");
  const auto found = fields_.find(field->number());
  if (found == fields_.end()) return {&files_.front(), index};
  const auto& runs = found->second;
  // The last of those that begin at or before the index.
  auto run = std::upper_bound(
      runs.begin(), runs.end(), std::max(index, 0),
      [](int wanted, const auto& each) { return wanted < each.first; });
  if (run != runs.begin()) --run;
  return {run->second, index < 0 ? index : index - run->first};
}

void ManifestPlaces::Fix(std::string path, FixedPlace place) {
  fixed_.insert_or_assign(std::move(path), std::move(place));
}

const FixedPlace* ManifestPlaces::FindFixed(const std::string& path) const {
  const auto found = fixed_.find(path);
  return found == fixed_.end() ? nullptr : &found->second;
}

}  // namespace reprise::sim
