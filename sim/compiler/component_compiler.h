// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the components of a pack, and the values that its types, archetypes
// and objects give to their properties.

#ifndef REPRISE_SIM_COMPILER_COMPONENT_COMPILER_H_
#define REPRISE_SIM_COMPILER_COMPONENT_COMPILER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reprise/v1/pack.pb.h"
#include "sim/base/handle.h"
#include "sim/base/property_type.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/world/components/component.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// The components of the program, `of_systems` and those of `pack`, in ascending
// order of names.
// Names and texts that their values stand for are added to `words`.
std::vector<ComponentDefinition> CompileComponents(
    const v1::Pack& pack, const MessageChecker& checker,
    std::vector<ComponentDefinition> of_systems, std::set<std::string>& words);

// Finds an object of the pack by its name, as a value of a reference.
using ObjectFinder =
    std::function<std::optional<Handle>(const std::string& name)>;

// What a value may refer to.
struct ValueScope {
  std::span<const ComponentDefinition> components;
  // Unset where references can't be set: in types and archetypes.
  ObjectFinder find_object;
  std::set<std::string>* words = nullptr;
};

// The scalars of `value`, the field `field` of the message of `checker`, as the
// property's; empty after reporting that it can't be.
std::vector<FieldValue> CompileValue(const PropertyDefinition& property,
                                     const v1::Value& value,
                                     std::string_view field,
                                     const MessageChecker& checker,
                                     const ValueScope& scope);

// In the order of the component.
std::vector<std::string> PropertyNamesOf(const ComponentDefinition& component);

// Writes what `use` sets into `row`, and marks it as overridden if asked.
void CompileSettings(const v1::ComponentUse& use,
                     const ComponentDefinition& component,
                     const MessageChecker& checker, const ValueScope& scope,
                     bool mark_overridden, std::span<std::byte> row);

// Brings `rows` (one for each of `uses`, ascending by component) to what the
// messages `settings` say. They are the field `components` of `checker`'s.
void CompileOverrides(
    const google::protobuf::RepeatedPtrField<v1::ComponentUse>& settings,
    std::span<const ComponentUse> uses, const MessageChecker& checker,
    const ValueScope& scope, bool mark_overridden,
    std::vector<std::vector<std::byte>>& rows);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_COMPONENT_COMPILER_H_
