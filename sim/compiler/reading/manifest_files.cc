// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/reading/manifest_files.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/text_format.h"
#include "sim/base/nearest_name.h"
#include "sim/compiler/reading/manifest_text.h"

namespace reprise::sim {
namespace {

using google::protobuf::FieldDescriptor;

class ManifestReader {
 public:
  ManifestReader(const PackArchive& archive, v1::Pack& pack,
                 ManifestPlaces& places, PackReport& report)
      : archive_(archive), pack_(pack), places_(places), report_(report) {}

  void Read() {
    const std::optional<std::string_view> text =
        archive_.Find(kPackManifestPath);
    if (!text.has_value()) {
      report_.Add(MissingManifest());
      return;
    }
    ReadFile(std::string(kPackManifestPath), *text);
  }

 private:
  // A field of one of the files.
  struct Occurrence {
    const ManifestFile& file;
    const FieldDescriptor& field;
    int index = -1;
  };

  FixedPlace PlaceOf(const Occurrence& at) const {
    google::protobuf::TextFormat::ParseLocation location =
        at.file.locations.GetLocation(&at.field, at.index);
    // Of a list in brackets, the parser knows the first alone.
    if (location.line < 0 && at.index > 0) {
      location = at.file.locations.GetLocation(&at.field, 0);
    }
    std::string name = at.field.name();
    if (at.index >= 0) name += fmt::format("[{}]", at.index);
    return {.file = at.file.path,
            .line = static_cast<uint32_t>(location.line + 1),
            .column = static_cast<uint32_t>(location.column + 1),
            .field = std::move(name)};
  }

  void Problem(const Occurrence& at, std::string message) const {
    FixedPlace place = PlaceOf(at);
    report_.Add({.file = std::move(place.file),
                 .line = place.line,
                 .column = place.column,
                 .field = std::move(place.field),
                 .message = std::move(message)});
  }

  // Reads a file and what it includes. The depth is bounded.
  void ReadFile(const std::string& path, std::string_view text) {
    const ManifestFile& file = ParseFile(path, text);
    const FieldDescriptor& field = *v1::Pack::descriptor()->FindFieldByNumber(
        v1::Pack::kIncludeFieldNumber);
    const std::vector<std::string> includes = std::exchange(includes_, {});
    open_.push_back(path);
    for (size_t i = 0; i < includes.size(); ++i) {
      Include(includes[i], {file, field, static_cast<int>(i)});
    }
    open_.pop_back();
  }

  // Adds a file to the manifest, and leaves what it includes in `includes_`.
  const ManifestFile& ParseFile(const std::string& path,
                                std::string_view text) {
    const bool is_first = places_.empty();
    ManifestFile& file = places_.AddFile(path);
    read_.insert(path);
    byte_count_ += text.size();
    v1::Pack part;
    v1::Pack& parsed = is_first ? pack_ : part;
    if (!ParseManifestText(text, UnknownFields::kRefuse, file, parsed,
                           report_)) {
      return file;
    }
    includes_.assign(parsed.include().begin(), parsed.include().end());
    Merge(file, is_first, part);
    return file;
  }

  void Include(const std::string& path, const Occurrence& at) {
    const auto ring = std::ranges::find(open_, path);
    if (ring != open_.end()) {
      Problem(at, fmt::format("files include each other: {} -> {}",
                              fmt::join(ring, open_.end(), " -> "), path));
      return;
    }
    if (read_.contains(path)) return;
    if (const absl::Status status = CheckPackPath(path); !status.ok()) {
      Problem(at, std::string(status.message()));
      return;
    }
    const std::optional<std::string_view> text = archive_.Find(path);
    if (!text.has_value()) {
      Problem(at, NoSuchFile(path));
      return;
    }
    if (read_.size() == kManifestFilesMax) {
      Problem(at, fmt::format("more than {} files", kManifestFilesMax));
      return;
    }
    if (open_.size() > kIncludesDeepMax) {
      Problem(at, fmt::format("more than {} files deep: {}", kIncludesDeepMax,
                              fmt::join(open_, " -> ")));
      return;
    }
    if (text->size() > kManifestBytesMax - byte_count_) {
      Problem(at, fmt::format("with '{}' the manifest is larger than 64 MiB",
                              path));
      return;
    }
    ReadFile(path, *text);
  }

  std::string NoSuchFile(const std::string& path) const {
    std::vector<std::string_view> files;
    if (report_.wants_details()) {
      for (const auto& [each, contents] : archive_.files()) {
        if (each != kPackManifestPath) files.push_back(each);
      }
    }
    return ThereIsNo("file", path, files);
  }

  // Adds a file to the manifest; the first one is there already.
  void Merge(const ManifestFile& file, bool is_first, v1::Pack& part) {
    const google::protobuf::Reflection& reflection = *pack_.GetReflection();
    const google::protobuf::Descriptor& pack = *v1::Pack::descriptor();
    for (int i = 0; i < pack.field_count(); ++i) {
      const FieldDescriptor& field = *pack.field(i);
      if (field.is_repeated()) {
        const int first = is_first ? 0 : reflection.FieldSize(pack_, &field);
        if (reflection.FieldSize(is_first ? pack_ : part, &field) > 0) {
          places_.AddFields(&field, first, file);
        }
        continue;
      }
      // Whether it is set to what it is at first can't be seen in the message.
      if (file.locations.GetLocation(&field, -1).line < 0) continue;
      if (!is_first && !CheckSingle({file, field})) {
        reflection.ClearField(&part, &field);
        continue;
      }
      singles_.insert(field.number());
      places_.AddFields(&field, 0, file);
    }
    if (!is_first) pack_.MergeFrom(part);
  }

  // Whether an included file may set a field that can be there once.
  bool CheckSingle(const Occurrence& at) const {
    if (at.field.number() == v1::Pack::kSimulationFieldNumber) {
      Problem(at, fmt::format("only {} says which simulation runs the pack",
                              kPackManifestPath));
      return false;
    }
    if (!singles_.contains(at.field.number())) return true;
    const ManifestField other = places_.Find(&at.field, -1);
    Problem(at, fmt::format("stands in {}, too, and can be there once",
                            FormatPlace(PlaceOf({*other.file, at.field}))));
    return false;
  }

  const PackArchive& archive_;
  v1::Pack& pack_;
  ManifestPlaces& places_;
  PackReport& report_;
  std::set<std::string> read_;
  std::vector<std::string> open_;  // which include the one that is read
  std::vector<std::string> includes_;
  std::set<int> singles_;  // numbers of fields that are set
  size_t byte_count_ = 0;
};

}  // namespace

PackProblem MissingManifest() {
  return {.file = std::string(kPackManifestPath),
          .line = 0,
          .column = 0,
          .field = "",
          .message = "the pack has no such file"};
}

bool ReadManifestFiles(const PackArchive& archive, v1::Pack& pack,
                       ManifestPlaces& places, PackReport& report) {
  ManifestReader(archive, pack, places, report).Read();
  return report.ok();
}

}  // namespace reprise::sim
