// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The properties of a pack as scripts name them, found quickly; and values as
// scripts have them.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_PROPERTIES_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_PROPERTIES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/base/property_type.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/script/functions/script_call.h"
#include "sim/script/functions/script_value.h"
#include "sim/state/field_value.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/components/property_value.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

class ScriptProperties {
 public:
  // `world` outlives this.
  explicit ScriptProperties(const WorldDefinition& world);

  // "component.property". Null where there is none; WhyNot says why.
  const PropertyRef* Find(std::string_view path) const;
  // INVALID_ARGUMENT, with what was likely meant. REQUIRES: Find finds nothing.
  absl::Status WhyNot(std::string_view path) const;

 private:
  struct Property {
    Id id;
    std::string path;
    PropertyRef ref;
  };
  // A property that was found, and the text that named it: a script's constant
  // lies where it is. Never trusted without the text.
  struct Recent {
    const char* text = nullptr;
    const Property* property = nullptr;
  };
  static constexpr size_t kRecentCount = 64;
  // Where such a text would be. Those of one script mostly differ in it.
  static size_t SlotOf(std::string_view text) {
    return text.empty() ? 0
                        : (text.size() + 5 * static_cast<size_t>(text.back()) +
                           11 * static_cast<size_t>(text[text.size() / 2])) %
                              kRecentCount;
  }

  const WorldDefinition& world_;
  std::vector<Property> properties_;  // ascending by id
  mutable std::array<Recent, kRecentCount> recent_;
};

// A turn about an axis: along it, as long as its angle, rad, at most pi.
Vector3 RotationVectorOf(Quaternion rotation);
// INVALID_ARGUMENT: it turns by more than kRotationMaxRad.
absl::StatusOr<Quaternion> RotationOf(Vector3 rotation_vector);

// Behind it an angle says less and less of where it leads.
inline constexpr double kRotationMaxRad = 1e9;

// Gives a script value `index` of a property: a name, a choice and a text as a
// string, a rotation as a rotation vector, a vector2 with z = 0, no object as
// nil.
void ReturnValue(ScriptCall& call, const UpdateContext& context,
                 const PropertyValue& value, uint32_t index);

// The same of a row's property that is a number, a yes or no or a vector.
// Returns whether it is. REQUIRES: it is one value.
bool ReturnPlain(ScriptCall& call, const PropertyRef& property,
                 std::span<const std::byte> row);

// The same of the property `path`: the value that argument `argument` of the
// call names, from 1, or the only one where it names none. Nothing behind a
// list's end. INVALID_ARGUMENT where a list is meant and there is none, or one
// value and there is a list.
absl::Status ReturnOneValue(ScriptCall& call, const UpdateContext& context,
                            std::string_view path, const PropertyValue& value,
                            size_t argument);

// What keeping a text costs: to look through those that are kept, and to write
// one.
inline constexpr int64_t kKeepTextInstructions = 100;

// The id of a text that a script gives to be kept. INVALID_ARGUMENT for one of
// more than kInputTextBytesMax bytes, or that is no UTF-8, or where as many as
// can be are kept. One that the pack
// doesn't have costs `call` instructions, since it is written.
absl::StatusOr<Id> KeepGivenText(ScriptCall& call, UpdateContext& context,
                                 std::string_view text);

// What a script gives as one value of a type. INVALID_ARGUMENT when it is none,
// or a text that can't be kept.
absl::StatusOr<PropertyValue> ValueOf(ScriptCall& call, UpdateContext& context,
                                      PropertyType type,
                                      const ScriptValue& value);

// The same of one scalar: of an argument of an event.
void ReturnScalar(ScriptCall& call, const UpdateContext& context,
                  FieldValue value);
absl::StatusOr<FieldValue> ScalarOf(ScriptCall& call, UpdateContext& context,
                                    const ScriptValue& value);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_PROPERTIES_H_
