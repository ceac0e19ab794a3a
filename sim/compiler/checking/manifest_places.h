// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where each field of a manifest stands, which may be put together from several
// files.

#ifndef REPRISE_SIM_COMPILER_CHECKING_MANIFEST_PLACES_H_
#define REPRISE_SIM_COMPILER_CHECKING_MANIFEST_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/text_format.h"
#include "reprise/v1/pack.pb.h"

namespace reprise::sim {

// One of the files: a message Pack in text.
struct ManifestFile {
  std::string path;
  google::protobuf::TextFormat::ParseInfoTree locations;
};

// A place of one's own: of a value that stands in a table, for instance.
struct FixedPlace {
  std::string file;
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1; 0: the line as a whole
  std::string field;
};

// "pack.txtpb:12:3", or without the column.
std::string FormatPlace(const FixedPlace& place);

// Where a field of the manifest stands: the `index`-th of `file`.
struct ManifestField {
  const ManifestFile* file = nullptr;
  int index = -1;  // -1: not of a repeated field
};

class ManifestPlaces {
 public:
  ManifestPlaces() = default;
  ManifestPlaces(const ManifestPlaces&) = delete;
  ManifestPlaces& operator=(const ManifestPlaces&) = delete;

  // Adds a file, which stays where it is. The first one is the manifest itself.
  ManifestFile& AddFile(std::string path);
  bool empty() const { return files_.empty(); }

  // Says that elements of a repeated field, from this index of the whole
  // manifest on, stand in `file` (or that another field does, with index 0).
  void AddFields(const google::protobuf::FieldDescriptor* field, int first,
                 const ManifestFile& file);

  // The place of a field of the manifest; -1 for what isn't repeated. Fields
  // that stand nowhere are the first file's. REQUIRES: there is a file.
  ManifestField Find(const google::protobuf::FieldDescriptor* field,
                     int index) const;

  // Gives the message at `path` of the whole manifest
  // ("types[3].components[0]"), and all within that has none, a place of its
  // own.
  void Fix(std::string path, FixedPlace place);

  // The place of that message; null where it is where it stands.
  const FixedPlace* FindFixed(const std::string& path) const;
  bool has_fixed() const { return !fixed_.empty(); }

  // The whole manifest, for messages that say what there is; it outlives this.
  void set_manifest(const v1::Pack& manifest) { manifest_ = &manifest; }
  // Null where none was set.
  const v1::Pack* manifest() const { return manifest_; }

 private:
  std::deque<ManifestFile> files_;
  // By the field's number: the first index that stands in a file, ascending.
  std::map<int, std::vector<std::pair<int, const ManifestFile*>>> fields_;
  std::map<std::string, FixedPlace, std::less<>> fixed_;
  const v1::Pack* manifest_ = nullptr;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_MANIFEST_PLACES_H_
