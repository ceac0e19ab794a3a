// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/scenarios/changed_start.h"

#include <memory>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "google/protobuf/text_format.h"
#include "sim/base/check.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/manifest.h"

namespace reprise::tools {
namespace {

// Takes the value of "component.property" away, in either of the two forms.
void RemoveValue(std::string_view property, v1::Object& object) {
  auto& set = *object.mutable_set();
  for (int i = set.size() - 1; i >= 0; --i) {
    if (set[i].property() == property) set.DeleteSubrange(i, 1);
  }
  for (v1::ComponentUse& use : *object.mutable_components()) {
    auto& values = *use.mutable_set();
    for (int i = values.size() - 1; i >= 0; --i) {
      const std::string whole =
          fmt::format("{}.{}", use.component(), values[i].property());
      if (whole == property) values.DeleteSubrange(i, 1);
    }
  }
}

void Change(const v1::Object& change, v1::Object& object) {
  for (const v1::PropertySetting& value : change.set()) {
    RemoveValue(value.property(), object);
  }
  for (const v1::ComponentUse& use : change.components()) {
    for (const v1::PropertySetting& value : use.set()) {
      RemoveValue(fmt::format("{}.{}", use.component(), value.property()),
                  object);
    }
  }
  // A vector is one value, and not three.
  if (change.has_position()) object.clear_position();
  if (change.has_rotation_degrees()) object.clear_rotation_degrees();
  if (change.has_linear_velocity()) object.clear_linear_velocity();
  if (change.has_angular_velocity_degrees()) {
    object.clear_angular_velocity_degrees();
  }
  object.MergeFrom(change);
}

v1::Object* Find(const std::string& name, v1::Pack& pack) {
  for (v1::Object& object : *pack.mutable_objects()) {
    if (object.name() == name) return &object;
  }
  return nullptr;
}

}  // namespace

sim::PackArchive ChangeStart(
    const sim::PackArchive& pack,
    const google::protobuf::RepeatedPtrField<v1::Object>& objects) {
  if (objects.empty()) return pack;
  sim::PackReport report;
  const std::unique_ptr<const sim::Manifest> manifest =
      sim::ParseManifest(pack, report);
  CHECK(manifest != nullptr);
  v1::Pack changed = manifest->pack;
  // All files are one by now.
  changed.clear_include();
  changed.clear_tables();
  for (const v1::Object& object : objects) {
    v1::Object* const there = Find(object.name(), changed);
    if (there != nullptr) {
      Change(object, *there);
    } else {
      *changed.add_objects() = object;
    }
  }
  std::string text;
  CHECK(google::protobuf::TextFormat::PrintToString(changed, &text));
  sim::PackArchive result;
  for (const auto& [path, contents] : pack.files()) {
    const absl::Status status =
        result.Add(path, path == sim::kPackManifestPath ? text : contents);
    CHECK(status.ok(), "{}", std::string(status.message()));
  }
  return result;
}

}  // namespace reprise::tools
