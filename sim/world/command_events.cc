// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/command_events.h"

#include <initializer_list>
#include <string_view>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/property_type.h"
#include "sim/geometry/quaternion.h"
#include "sim/state/field_value.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/inputs/input_texts.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kComponents[] = {"x", "y", "z", "w"};

Handle FindObject(const WorldParts& parts, const std::string& name) {
  const uint32_t row = parts.objects.RowNamed(IdOf(name));
  if (name.empty() || row == kNoRow) return {};
  return parts.state.table(parts.tables.objects.objects)
      .Get<ObjectRow>(row)
      .handle;
}

FieldValue ScalarOfText(const WorldParts& parts, PropertyType type,
                        const std::string& text) {
  switch (type) {
    case PropertyType::kReference:
      return FieldValue::OfHandle(FindObject(parts, text));
    case PropertyType::kEnum:
      return FieldValue::OfId(IdOf(text));
    default:
      return FieldValue::OfId(parts.texts.Keep(text));
  }
}

// Appends the scalars of one value of `type`.
void AppendScalars(const WorldParts& parts, PropertyType type,
                   const SingleValue& value, std::vector<FieldValue>& scalars) {
  using Kind = SingleValue::Kind;
  const auto append = [&scalars](std::initializer_list<double> numbers) {
    for (const double number : numbers) {
      scalars.push_back(FieldValue::OfDouble(number + 0.0));  // -0 + 0 is 0
    }
  };
  const Vector3& numbers = value.numbers;
  switch (value.kind) {
    case Kind::kBoolean:
      scalars.push_back({ScalarType::kBool, value.integer != 0 ? 1u : 0u});
      break;
    case Kind::kInteger:
      if (type == PropertyType::kDouble) {
        append({static_cast<double>(value.integer)});
      } else {
        scalars.push_back(FieldValue::OfInt64(value.integer));
      }
      break;
    case Kind::kNumber:
      append({numbers.x});
      break;
    case Kind::kText:
      scalars.push_back(ScalarOfText(parts, type, value.text));
      break;
    case Kind::kVector2:
      append({numbers.x, numbers.y});
      break;
    case Kind::kVector3:
      append({numbers.x, numbers.y, numbers.z});
      break;
    case Kind::kTurns: {
      const Quaternion rotation = FromTurns(numbers);
      append({rotation.x, rotation.y, rotation.z, rotation.w});
      break;
    }
  }
}

// The scalars of a value, in the order of EventNamesOf.
std::vector<FieldValue> ScalarsOfValue(const WorldParts& parts,
                                       PropertyType type,
                                       const InputValue& value) {
  std::vector<FieldValue> scalars;
  if (value.is_list) {
    scalars.push_back(
        FieldValue::OfInt64(static_cast<int64_t>(value.values.size())));
  }
  for (const SingleValue& each : value.values) {
    AppendScalars(parts, type, each, scalars);
  }
  return scalars;
}

// The names of one value of `type`.
void AddNames(const std::string& name, PropertyType type,
              std::vector<std::string>& names) {
  const uint32_t count = ScalarsOf(type);
  if (count == 1) {
    names.push_back(name);
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    names.push_back(fmt::format("{}_{}", name, std::string(kComponents[i])));
  }
}

}  // namespace

std::vector<std::string> EventNamesOf(const ActionArgument& argument) {
  std::vector<std::string> names;
  if (argument.capacity == 0) {
    AddNames(argument.name, argument.type, names);
    return names;
  }
  names.push_back(argument.name + "_count");
  for (uint32_t i = 0; i < argument.capacity; ++i) {
    AddNames(fmt::format("{}_{}", argument.name, i), argument.type, names);
  }
  return names;
}

WorldEvent EventOfCommand(const WorldParts& parts, uint32_t player,
                          const Command& command) {
  WorldEvent event{.type = command.name};
  event.arguments = {{kPlayer, FieldValue::OfInt64(player)}};
  const Action& action = *parts.definition.info.inputs.Find(command.name);
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    const ActionArgument& argument = action.arguments[i];
    const std::vector<std::string> names = EventNamesOf(argument);
    const std::vector<FieldValue> scalars =
        ScalarsOfValue(parts, argument.type, command.arguments[i]);
    for (size_t k = 0; k < scalars.size(); ++k) {
      const absl::Status status =
          event.arguments.Set(IdOf(names[k]), scalars[k]);
      CHECK(status.ok(), "{}", status.ToString());
    }
  }
  return event;
}

WorldEvent EventOfText(const WorldParts& parts, uint32_t player, Id name,
                       const std::string& text) {
  WorldEvent event{.type = name};
  event.arguments = {{kPlayer, FieldValue::OfInt64(player)},
                     {kText, FieldValue::OfId(parts.texts.Keep(text))}};
  return event;
}

}  // namespace reprise::sim
