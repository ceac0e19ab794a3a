// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/object_names.h"

#include <string_view>

#include "fmt/format.h"
#include "sim/world/components/object_rows.h"

namespace reprise::sim {

std::string NameOfObject(const WorldDefinition& definition,
                         const Objects& objects, const State& state,
                         uint32_t row) {
  const auto& object =
      state.table(objects.tables().objects).Get<ObjectRow>(row);
  const std::string_view name = definition.names.NameOf(object.name);
  if (name.empty()) {
    const std::string_view type = definition.types[objects.TypeOf(row)].name;
    return fmt::format("{}#{}", type, object.object.serial);
  }
  // Only bones have names with a dot: their type's, and their own.
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::string(name);
  const uint32_t owner = objects.RowOf(state, object.parent);
  if (owner == kNoRow) return fmt::format("{}#{}", name, object.object.serial);
  return fmt::format("{}{}", NameOfObject(definition, objects, state, owner),
                     name.substr(dot));
}

}  // namespace reprise::sim
