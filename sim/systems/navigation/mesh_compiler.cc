// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/mesh_compiler.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/navigation/length_costs.h"
#include "sim/navigation/mesh_file.h"
#include "sim/systems/navigation/mesh_source.h"

namespace reprise::sim {
namespace {

constexpr double kAgentRadiusMinM = 0.05;
constexpr double kAgentHeightMinM = 0.1;
constexpr double kAgentStepMinM = 0.01;
constexpr double kAgentSizeMaxM = 100.0;
constexpr double kSlopeMinDegrees = 1.0;
constexpr double kSlopeMaxDegrees = 80.0;
constexpr double kVoxelMinM = 0.01;
constexpr double kVoxelMaxM = 100.0;
constexpr double kReachMaxM = 1000.0;
// What a mesh can't overwrite: scripts, tables and the manifest have others.
constexpr std::string_view kMeshFileEnd = ".mesh";
constexpr std::string_view kHowToBake = "`reprise pack build --bake` makes it";

// A number whose 0 stands for `otherwise`.
double NumberOr(double otherwise, std::string_view field, double value,
                double minimum, double maximum, const MessageChecker& checker) {
  if (value == 0.0) return otherwise;
  return checker.Number(field, value, minimum, maximum);
}

void CompileAgent(const v1::MeshAgent& message, const MessageChecker& checker,
                  MeshSettings& settings) {
  settings.agent_radius_m =
      NumberOr(settings.agent_radius_m, "radius", message.radius(),
               kAgentRadiusMinM, kAgentSizeMaxM, checker);
  settings.agent_height_m =
      NumberOr(settings.agent_height_m, "height", message.height(),
               kAgentHeightMinM, kAgentSizeMaxM, checker);
  settings.agent_slope_degrees = NumberOr(
      settings.agent_slope_degrees, "slope_degrees", message.slope_degrees(),
      kSlopeMinDegrees, kSlopeMaxDegrees, checker);
  settings.agent_step_m =
      NumberOr(settings.agent_step_m, "step", message.step(), kAgentStepMinM,
               kAgentSizeMaxM, checker);
  if (settings.agent_step_m <= kAgentSizeMaxM &&
      settings.agent_height_m >= kAgentHeightMinM &&
      settings.agent_step_m > settings.agent_height_m) {
    checker.Problem(
        "step", fmt::format("{:g} m is higher than the agent, {:g}",
                            settings.agent_step_m, settings.agent_height_m));
  }
}

// The box of two corners, which `message` has.
template <typename Message>
Aabb CompileBox(const Message& message, const MessageChecker& checker) {
  const Aabb box = {
      checker.Vector("minimum", message.minimum(), kNavigationCoordinateMaxM),
      checker.Vector("maximum", message.maximum(), kNavigationCoordinateMaxM)};
  if (!(box.minimum.x < box.maximum.x && box.minimum.y < box.maximum.y &&
        box.minimum.z < box.maximum.z)) {
    checker.Problem("maximum", "has to be beyond minimum along each axis");
  }
  return box;
}

void CompileAreas(const v1::NavigationMesh& message,
                  const MessageChecker& checker, std::set<std::string>& words,
                  MeshDefinition& mesh) {
  checker.Count("areas", static_cast<uint32_t>(message.areas_size()), 0,
                kMeshAreasMax);
  DeclaredNames names("areas", words);
  for (int i = 0; i < message.areas_size(); ++i) {
    const v1::MeshArea& area = message.areas(i);
    const MessageChecker at = checker.In(area, "areas", i);
    const Id name = names.Declare("name", area.name(), at);
    mesh.settings.areas.push_back(CompileBox(area, at));
    const uint32_t weight =
        at.Count("weight", area.weight(), 0, kMeshAreaWeightMax);
    mesh.areas.push_back(
        {.name = name, .weight = static_cast<uint16_t>(weight)});
  }
}

void CheckLinks(const v1::NavigationMesh& message,
                const MessageChecker& checker, std::set<std::string>& words) {
  checker.Count("links", static_cast<uint32_t>(message.links_size()), 0,
                kMeshLinksMax);
  DeclaredNames names("links", words);
  for (int i = 0; i < message.links_size(); ++i) {
    const v1::MeshLink& link = message.links(i);
    const MessageChecker at = checker.In(link, "links", i);
    names.Declare("name", link.name(), at);
    at.Vector("from", link.from(), kNavigationCoordinateMaxM);
    at.Vector("to", link.to(), kNavigationCoordinateMaxM);
    NumberOr(1.0, "weight", link.weight(), 1.0, kMeshLinkWeightMax, at);
  }
}

// Where a link begins or ends; nullopt after reporting that it isn't there.
std::optional<MeshPlace> PlaceOfLink(std::string_view field,
                                     const v1::Vector3& position,
                                     const MessageChecker& checker,
                                     const MeshDefinition& mesh) {
  const std::optional<MeshPlace> place =
      mesh.mesh.Find({position.x(), position.y(), position.z()}, ReachOf(mesh));
  if (!place.has_value()) {
    checker.Problem(field,
                    fmt::format("is farther from the mesh than its reach, "
                                "{:g} m, or at another height",
                                mesh.reach_m));
  }
  return place;
}

void AddLinks(const v1::NavigationMesh& message, const MessageChecker& checker,
              MeshDefinition& mesh) {
  for (int i = 0; i < message.links_size(); ++i) {
    const v1::MeshLink& link = message.links(i);
    const MessageChecker at = checker.In(link, "links", i);
    mesh.links.push_back(IdOf(link.name()));
    const auto from = PlaceOfLink("from", link.from(), at, mesh);
    const auto to = PlaceOfLink("to", link.to(), at, mesh);
    if (!from.has_value() || !to.has_value()) continue;
    const double length =
        Length(mesh.mesh.PositionOf(*to) - mesh.mesh.PositionOf(*from));
    const uint64_t cost =
        CostOfLength(length, link.weight() == 0.0 ? 1.0 : link.weight());
    const auto add = [&](const MeshPlace& begin, const MeshPlace& end) {
      mesh.mesh.AddWay({.from = begin,
                        .to = end,
                        .cost = cost,
                        .link = static_cast<uint32_t>(i)});
      if (link.jump()) mesh.jumps.push_back({.from = begin, .to = end});
    };
    add(*from, *to);
    if (!link.one_way()) add(*to, *from);
  }
}

}  // namespace

MeshDefinition CompileMesh(const v1::NavigationMesh& message,
                           const MessageChecker& checker,
                           std::set<std::string>& words) {
  MeshDefinition mesh = {.mesh =
                             NavigationMesh(NavigationMeshData(), MeshScale())};
  mesh.file = message.file();
  const FixedPlace place = checker.Place();
  mesh.declared_at = fmt::format("{}: {}", FormatPlace(place), place.field);
  if (!mesh.file.ends_with(kMeshFileEnd) || !CheckPackPath(mesh.file).ok()) {
    checker.Problem("file", fmt::format("has to be a path within the pack that "
                                        "ends in {}",
                                        kMeshFileEnd));
  }
  MeshSettings& settings = mesh.settings;
  CompileAgent(message.agent(), checker.In(message.agent(), "agent"), settings);
  settings.scale.cell_size_m =
      NumberOr(settings.agent_radius_m / 2.0, "cell_size", message.cell_size(),
               kVoxelMinM, kVoxelMaxM, checker);
  settings.scale.cell_height_m =
      NumberOr(settings.scale.cell_size_m / 2.0, "cell_height",
               message.cell_height(), kVoxelMinM, kVoxelMaxM, checker);
  if (message.has_minimum() != message.has_maximum()) {
    checker.Problem("maximum", "needs minimum, and that needs it");
  } else if (message.has_minimum()) {
    settings.bounds = CompileBox(message, checker);
  }
  mesh.reach_m = NumberOr(settings.agent_radius_m, "reach", message.reach(),
                          0.0, kReachMaxM, checker);
  CompileAreas(message, checker, words, mesh);
  CheckLinks(message, checker, words);
  return mesh;
}

void LoadMesh(const v1::NavigationMesh& message, const MessageChecker& checker,
              const PackArchive& archive, const PhysicsDefinition& physics,
              MeshDefinition& mesh) {
  const absl::StatusOr<MeshSource> source =
      MakeMeshSource(mesh.settings, physics);
  if (!source.ok()) {
    checker.Problem("minimum", std::string(source.status().message()));
    return;
  }
  const std::optional<std::string_view> text = archive.Find(mesh.file);
  if (!text.has_value()) {
    checker.NeedsBaking("file", fmt::format("there is no file '{}'; {}",
                                            mesh.file, kHowToBake));
    return;
  }
  absl::StatusOr<MeshFile> file = DecodeMeshFile(*text);
  if (!file.ok()) {
    checker.NeedsBaking(
        "file", fmt::format("'{}' is damaged, in {}; {} anew", mesh.file,
                            std::string(file.status().message()), kHowToBake));
    return;
  }
  if (file->made_of != source->digest) {
    checker.NeedsBaking(
        "file", fmt::format("'{}' was made of other bodies, or for another "
                            "agent, voxels, bounds or areas; {} anew",
                            mesh.file, kHowToBake));
    return;
  }
  const bool has_areas = std::ranges::all_of(
      file->data.polygons, [&](const NavigationPolygon& polygon) {
        return polygon.area <= mesh.areas.size();
      });
  if (!has_areas) {
    checker.NeedsBaking("file",
                        fmt::format("'{}' has areas that there aren't; {} anew",
                                    mesh.file, kHowToBake));
    return;
  }
  mesh.mesh = NavigationMesh(std::move(file->data), mesh.settings.scale);
  AddLinks(message, checker, mesh);
}

}  // namespace reprise::sim
