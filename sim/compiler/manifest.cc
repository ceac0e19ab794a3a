// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/manifest.h"

#include <optional>
#include <vector>

#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/property_types.h"
#include "sim/compiler/reading/balance_tables.h"
#include "sim/compiler/reading/manifest_files.h"
#include "sim/compiler/reading/manifest_text.h"
#include "sim/compiler/reading/setting_writer.h"
#include "sim/compiler/reading/short_settings.h"
#include "sim/compiler/type_inheritance.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/system_declaration.h"

namespace reprise::sim {
namespace {

// The properties of the program's components, and of those that the pack
// declares. Names that stand there twice are the compiler's business.
KnownProperties PropertiesOf(const v1::Pack& pack) {
  KnownProperties properties;
  const auto add = [&](const ComponentDefinition& component) {
    auto& of_component = properties[component.name];
    for (const PropertyDefinition& property : component.properties) {
      of_component.try_emplace(property.name,
                               KnownProperty{.type = property.type,
                                             .is_list = property.capacity > 0});
    }
  };
  for (const ComponentDefinition& component : RegisteredComponents()) {
    add(component);
  }
  for (const SystemDeclaration* system : RegisteredSystemDeclarations()) {
    for (const ComponentDefinition& component : system->components) {
      add(component);
    }
  }
  for (const v1::Component& component : pack.components()) {
    auto& of_component = properties[component.name()];
    for (const v1::Property& property : component.properties()) {
      const std::optional<PropertyType> type = PropertyTypeOf(property.type());
      of_component.try_emplace(
          property.name(),
          KnownProperty{.type = type.value_or(PropertyType::kDouble),
                        .is_list = property.list_max() > 0});
    }
  }
  return properties;
}

}  // namespace

std::unique_ptr<const Manifest> ParseManifest(const PackArchive& archive,
                                              PackReport& report) {
  auto manifest = std::make_unique<Manifest>();
  v1::Pack& pack = manifest->pack;
  ManifestPlaces& places = manifest->places;
  if (!ReadManifestFiles(archive, pack, places, report)) return nullptr;
  places.set_manifest(pack);
  const MessageChecker checker(pack, PackPlace(places), report);
  const KnownProperties properties = PropertiesOf(pack);
  SettingWriter writer(pack, checker, places);
  ExpandShortSettings(properties, checker, pack, writer);
  ReadBalanceTables(archive, properties, checker, pack, writer, report);
  CompleteTypes(pack);
  return manifest;
}

absl::StatusOr<PackHead> ReadPackHead(const PackArchive& archive) {
  PackReport report;
  ManifestFile file;
  file.path = kPackManifestPath;
  const std::optional<std::string_view> text = archive.Find(kPackManifestPath);
  v1::Pack pack;
  if (!text.has_value()) {
    report.Add(MissingManifest());
  } else {
    ParseManifestText(*text, UnknownFields::kPassOver, file, pack, report);
  }
  if (!report.ok()) return report.ToStatus();
  return PackHead{
      .name = pack.name(),
      .simulation = pack.simulation().empty() ? "world" : pack.simulation()};
}

absl::StatusOr<std::string> SimulationOf(const PackArchive& archive) {
  absl::StatusOr<PackHead> head = ReadPackHead(archive);
  if (!head.ok()) return head.status();
  return std::move(head->simulation);
}

}  // namespace reprise::sim
