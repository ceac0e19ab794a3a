// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Writes values that stand elsewhere in a pack into the components of types,
// archetypes and objects, each with the place that it came from.

#ifndef REPRISE_SIM_COMPILER_READING_SETTING_WRITER_H_
#define REPRISE_SIM_COMPILER_READING_SETTING_WRITER_H_

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "reprise/v1/pack.pb.h"
#include "sim/base/property_type.h"
#include "sim/compiler/checking/manifest_places.h"
#include "sim/compiler/checking/message_checker.h"

namespace reprise::sim {

struct KnownProperty {
  PropertyType type = PropertyType::kDouble;
  bool is_list = false;
};

// The properties of each component, by name.
using KnownProperties =
    std::map<std::string, std::map<std::string, KnownProperty, std::less<>>,
             std::less<>>;

// A property of a component, found by its full name.
struct FoundProperty {
  std::string component;
  std::string property;
  KnownProperty kind;
};

// Finds "component.property"; empty `component` after reporting, as a problem
// that is handed to `problem`, what there isn't.
FoundProperty FindProperty(
    std::string_view name, const KnownProperties& properties,
    const std::function<void(std::string message)>& problem);

// What has components, one of `pack.types()`, `archetypes()` or `objects()`.
struct SettingOwner {
  std::string_view field;  // "types"
  int index = 0;

  bool operator<(const SettingOwner& other) const {
    return std::tie(field, index) < std::tie(other.field, other.index);
  }
};

class SettingWriter {
 public:
  // All outlive this; `checker` is the pack's own.
  SettingWriter(v1::Pack& pack, const MessageChecker& checker,
                ManifestPlaces& places)
      : pack_(pack), checker_(checker), places_(places) {}

  // Where a setting stands, and its value.
  struct Places {
    FixedPlace setting;
    FixedPlace value;
  };

  // Sets a property that the owner doesn't set yet. Empty, or where it is set
  // already; then nothing has changed.
  std::string Write(const SettingOwner& owner, const FoundProperty& property,
                    v1::Value value, const Places& places);

 private:
  // What an owner's components say.
  struct Settings {
    std::map<std::string, int> uses;  // index of each component
    std::set<std::pair<std::string, std::string>> set;
  };

  google::protobuf::RepeatedPtrField<v1::ComponentUse>& UsesOf(
      const SettingOwner& owner);
  Settings& SettingsOf(const SettingOwner& owner);
  std::string FindPlace(const SettingOwner& owner,
                        const FoundProperty& property);

  v1::Pack& pack_;
  const MessageChecker& checker_;
  ManifestPlaces& places_;
  std::map<SettingOwner, Settings> settings_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_READING_SETTING_WRITER_H_
