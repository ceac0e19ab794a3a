// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a script is called for: the context of a machine's calls. It lives as
// long as one call, so nothing that a call gathers is kept.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_PLACE_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_PLACE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/id.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/systems/scripts/script_event_types.h"
#include "sim/systems/scripts/script_properties.h"
#include "sim/systems/scripts/script_rows.h"
#include "sim/systems/scripts/script_states.h"
#include "sim/world/components/property_value.h"
#include "sim/world/events/world_event.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/time/timeline.h"
#include "sim/world/updates/object_request.h"
#include "sim/world/updates/update_context.h"
#include "sim/world/updates/world_queries.h"

namespace reprise::sim {

struct ScriptParameterValue {
  std::string name;
  PropertyValue value;
};

// A collision layer of the pack, with its bit.
struct ScriptCollisionLayer {
  std::string name;
  uint32_t layers = 0;
};

// A file as a type uses it.
struct ScriptUse {
  std::string file;
  std::vector<ScriptParameterValue> parameters;
  bool reads_others = false;
  bool queries = false;
  bool marks_timelines = false;
  // Of ScriptRow; a file without states has none.
  std::optional<uint32_t> component;
  // Those that questions about bodies can name.
  std::vector<ScriptCollisionLayer> collision_layers;
};

struct ScriptPlace {
  UpdateContext& context;
  uint32_t object = 0;  // of the context
  const ScriptUse& use;
  const ScriptProperties& properties;
  const ScriptEventTypes& event_types;
  const WorldEvent* event = nullptr;  // null: no event is handled
  bool is_update = false;
  const ScriptStates* states = nullptr;  // null: the file has none
  bool is_leaving = false;               // `exit` runs

  // The state that the call has gone to, if any.
  std::optional<Id> go_to = std::nullopt;
  // What the call has gathered for what it does next.
  std::optional<EventArguments> arguments = std::nullopt;
  std::vector<ObjectRequest::Setting> settings = {};
  std::vector<TimelineMark> marks = {};
  // Which bodies its next question is about; every one where nothing is said.
  std::optional<QueryFilter> filter = std::nullopt;
  // The hull that its next question is about: as it is, or its corners.
  std::optional<HullPrimitive> hull = std::nullopt;
  std::vector<Vector3> corners = {};
  // The answers to its last query; of those about bodies where they are hit,
  // too.
  std::vector<FoundObject> found = {};
  struct Surface {
    Vector3 point;
    Vector3 normal;
  };
  std::vector<Surface> surfaces = {};
  std::vector<TouchRow> touches = {};
  std::vector<Vector3> points = {};
};

// The row of an object whose script has states. The context's next write may
// move it.
inline const ScriptRow& ScriptRowOf(const UpdateContext& context,
                                    uint32_t object, uint32_t component) {
  const WorldParts& parts = context.parts();
  return parts.state.table(parts.tables.objects.components[component])
      .Get<ScriptRow>(
          parts.objects.ComponentRow(context.rows()[object], component));
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_PLACE_H_
