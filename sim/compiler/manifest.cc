// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/manifest.h"

#include <optional>

#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

namespace reprise::sim {
namespace {

// A manifest of 100,000 objects has about a tenth of this.
constexpr size_t kManifestBytesMax = 64u << 20;

// Deeper than the schema nests, and far from what the stack holds.
constexpr int kNestingMax = 32;

// Adds what the text parser finds to a report.
class SyntaxErrors : public google::protobuf::io::ErrorCollector {
 public:
  explicit SyntaxErrors(PackReport& report) : report_(report) {}

  void AddError(int line, int column, const std::string& message) override {
    // The parser counts from 0, and says -1 for the text as a whole.
    report_.Add({.file = std::string(kPackManifestPath),
                 .line = static_cast<uint32_t>(line + 1),
                 .column = static_cast<uint32_t>(column + 1),
                 .field = "",
                 .message = message});
  }

 private:
  PackReport& report_;
};

enum class UnknownFields { kRefuse, kPassOver };

std::unique_ptr<const Manifest> Parse(const PackArchive& archive,
                                      UnknownFields unknown_fields,
                                      PackReport& report) {
  const auto problem = [&report](std::string message) {
    report.Add({.file = std::string(kPackManifestPath),
                .line = 0,
                .column = 0,
                .field = "",
                .message = std::move(message)});
    return nullptr;
  };
  const std::optional<std::string_view> text = archive.Find(kPackManifestPath);
  if (!text.has_value()) return problem("the pack has no such file");
  if (text->size() > kManifestBytesMax) return problem("larger than 64 MiB");

  auto manifest = std::make_unique<Manifest>();
  SyntaxErrors errors(report);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.WriteLocationsTo(&manifest->locations);
  parser.SetRecursionLimit(kNestingMax);
  parser.AllowUnknownField(unknown_fields == UnknownFields::kPassOver);
  google::protobuf::io::ArrayInputStream stream(text->data(),
                                                static_cast<int>(text->size()));
  if (!parser.Parse(&stream, &manifest->pack)) {
    if (report.ok()) return problem("not a manifest");
    return nullptr;
  }
  return manifest;
}

}  // namespace

std::unique_ptr<const Manifest> ParseManifest(const PackArchive& archive,
                                              PackReport& report) {
  return Parse(archive, UnknownFields::kRefuse, report);
}

absl::StatusOr<std::string> SimulationOf(const PackArchive& archive) {
  PackReport report;
  const std::unique_ptr<const Manifest> manifest =
      Parse(archive, UnknownFields::kPassOver, report);
  if (manifest == nullptr) return report.ToStatus();
  const std::string& name = manifest->pack.simulation();
  return name.empty() ? "world" : name;
}

}  // namespace reprise::sim
