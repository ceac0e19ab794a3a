// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/offered_pack.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "replays/messages/description_conversion.h"
#include "replays/messages/proto_conversion.h"
#include "services/base/status.h"
#include "sim/base/content_digest.h"

namespace reprise::services {
namespace {

// A mesh's tag and length in the message around it, at most, and the number of
// those that are left out.
constexpr size_t kMeshOverheadBytes = 6;
constexpr size_t kOmittedBytes = 6;

void AddMeshes(const std::vector<sim::FrameMesh>& meshes, size_t bytes_max,
               v1::OfferedPack& message) {
  v1::Frame frame;
  replays::AddMeshes(meshes, frame);
  size_t bytes = message.ByteSizeLong() + kOmittedBytes;
  for (v1::FrameMesh& mesh : *frame.mutable_meshes()) {
    bytes += mesh.ByteSizeLong() + kMeshOverheadBytes;
    if (bytes > bytes_max) break;
    *message.add_meshes() = std::move(mesh);
  }
  message.set_meshes_omitted(
      static_cast<uint32_t>(frame.meshes_size() - message.meshes_size()));
}

}  // namespace

v1::OfferedPack SummarizePack(std::string_view name,
                              const sim::PackArchive& pack) {
  v1::OfferedPack message;
  message.set_name(std::string(name));
  message.set_digest(sim::FormatDigest(pack.ComputeDigest()));
  uint64_t size_bytes = 0;
  for (const auto& [path, contents] : pack.files()) {
    size_bytes += contents.size();
  }
  message.set_size_bytes(size_bytes);
  message.set_file_count(static_cast<uint32_t>(pack.files().size()));
  return message;
}

absl::Status DescribePack(const sim::PackArchive& pack,
                          const sim::Simulation& simulation, bool want_meshes,
                          size_t bytes_max, v1::OfferedPack& message) {
  *message.mutable_description() = replays::DescriptionOf(simulation);
  for (const auto& [path, contents] : pack.files()) {
    v1::PackFile& file = *message.add_files();
    file.set_path(path);
    file.set_size_bytes(contents.size());
    file.set_digest(sim::FormatDigest(
        sim::ContentDigestOf(std::as_bytes(std::span(contents)))));
  }
  if (const size_t size = message.ByteSizeLong(); size > bytes_max) {
    return WithReason(
        absl::ResourceExhaustedError(fmt::format(
            "the description of pack '{}' has {} bytes; a message holds {}",
            message.name(), size, bytes_max)),
        "DESCRIPTION_TOO_LARGE");
  }
  if (want_meshes) AddMeshes(simulation.FrameMeshes(), bytes_max, message);
  return absl::OkStatus();
}

}  // namespace reprise::services
