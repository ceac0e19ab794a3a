// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/baking/pack_baker.h"

#include <algorithm>
#include <memory>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/navigation/mesh_file.h"
#include "sim/systems/navigation/mesh_source.h"
#include "sim/systems/navigation/navigation_definition.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/systems/system.h"
#include "tools/reprise/baking/mesh_baker.h"

namespace reprise::tools {
namespace {

absl::StatusOr<BakedFile> Bake(const sim::MeshDefinition& mesh,
                               const sim::WorldDefinition& world,
                               const sim::PackArchive& pack) {
  const absl::StatusOr<sim::MeshSource> source =
      sim::MakeMeshSource(mesh.settings, world.physics);
  const auto at_its_place = [&](const absl::Status& status) {
    return absl::Status(status.code(),
                        fmt::format("{}: '{}': {}", mesh.declared_at, mesh.file,
                                    std::string(status.message())));
  };
  if (!source.ok()) return at_its_place(source.status());
  const absl::StatusOr<sim::NavigationMeshData> data = BakeMesh(*source);
  if (!data.ok()) return at_its_place(data.status());
  BakedFile baked = {.path = mesh.file,
                     .contents = sim::EncodeMeshFile(
                         {.made_of = source->digest, .data = *data}),
                     .polygon_count = data->polygons.size()};
  baked.is_changed = pack.Find(mesh.file) != baked.contents;
  return baked;
}

}  // namespace

absl::StatusOr<std::vector<BakedFile>> BakePack(const sim::PackArchive& pack) {
  sim::PackReport report({.is_baking = true});
  const std::shared_ptr<const sim::WorldDefinition> world =
      sim::CompilePack(pack, /*seed=*/0, report);
  if (world == nullptr) return report.ToStatus();
  std::vector<BakedFile> files;
  const auto* const navigation =
      sim::FindSystem<sim::NavigationDefinition>(*world);
  if (navigation == nullptr) return files;
  for (const sim::SpaceDefinition& space : navigation->spaces) {
    if (!space.mesh.has_value()) continue;
    absl::StatusOr<BakedFile> baked = Bake(*space.mesh, *world, pack);
    if (!baked.ok()) return baked.status();
    files.push_back(*std::move(baked));
  }
  // A total order: no two meshes have the same file.
  std::ranges::sort(files, {}, &BakedFile::path);
  return files;
}

}  // namespace reprise::tools
