// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/event_receivers.h"

#include <cstddef>
#include <cstring>
#include <span>

#include "fmt/format.h"
#include "sim/world/components/slots.h"
#include "sim/world/components/world_names.h"
#include "sim/world/event_effects.h"
#include "sim/world/systems/systems.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

ObjectId ObjectReceivers::ObjectOf(Handle handle) const {
  return ObjectInSlot(parts_.state.table(parts_.tables.objects.slots), handle);
}

Handle ObjectReceivers::HandleOf(ObjectId object) const {
  const uint32_t row = parts_.objects.RowOf(parts_.state, object);
  if (row == kNoRow) return {};
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(row)
      .handle;
}

Handle ObjectReceivers::ParentOf(Handle handle) const {
  const uint32_t row = parts_.objects.RowOf(parts_.state, handle);
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(row)
      .parent;
}

const ObjectRow& ObjectReceivers::RowAt(uint32_t row) const {
  return parts_.state.table(parts_.tables.objects.objects).Get<ObjectRow>(row);
}

ObjectStatus ObjectReceivers::StatusOf(uint32_t row) const {
  return RowAt(row).status;
}

Handle ObjectReceivers::FindNamed(Id name) const {
  const uint32_t row = parts_.objects.RowNamed(name);
  return row == kNoRow ? kNullHandle : RowAt(row).handle;
}

Id ObjectReceivers::NameOf(Handle handle) const {
  return RowAt(parts_.objects.RowOf(parts_.state, handle)).name;
}

Id ObjectReceivers::TypeOf(Handle handle) const {
  return RowAt(parts_.objects.RowOf(parts_.state, handle)).type;
}

std::optional<FieldValue> ObjectReceivers::Read(
    Handle handle, const ComponentScalar& scalar) const {
  const uint32_t row = parts_.objects.RowOf(parts_.state, handle);
  const uint32_t component_row =
      parts_.objects.ComponentRow(row, scalar.component);
  if (component_row == kNoRow) return std::nullopt;
  const std::span<const std::byte> bytes =
      parts_.state.table(parts_.tables.objects.components[scalar.component])
          .Row(component_row);
  FieldValue value{.type = scalar.type};
  std::memcpy(&value.bits, bytes.data() + scalar.offset,
              ScalarSize(scalar.type));
  return value;
}

void ObjectReceivers::ForEachOfType(
    Id type, absl::FunctionRef<void(Handle)> visit) const {
  const std::optional<uint32_t> index = parts_.definition.FindType(type);
  if (!index.has_value()) return;
  for (const uint32_t row : parts_.objects.RowsOfType(*index)) {
    visit(RowAt(row).handle);
  }
}

void ObjectReceivers::Apply(const EventEffect& effect, const WorldEvent& event,
                            ExpressionEvaluator& evaluator) {
  const ScopedWriter writer(writers_, [&] {
    return fmt::format("effect of event {}", EventNameOf(event.type));
  });
  ApplyEffect(parts_, cached_, *this, effect, event, evaluator);
}

bool ObjectReceivers::Deliver(Handle receiver, const WorldEvent& event) {
  const uint32_t row = parts_.objects.RowOf(parts_.state, receiver);
  {
    const ScopedWriter writer(writers_, [&] {
      return fmt::format("overheard {}", EventNameOf(event.type));
    });
    parts_.systems->Overhear(row, event);
  }
  if (StatusOf(row) == ObjectStatus::kActive && RunBehaviours(row, event)) {
    return true;
  }
  const ScopedWriter writer(writers_, [&] {
    return fmt::format("event {}", EventNameOf(event.type));
  });
  if (parts_.systems->OnEvent(row, event)) return true;
  // A behaviour may have asked for the object's end, but it is still there.
  if (event.type == kDestroy) {
    return parts_.objects.RequestDestroy(parts_.state, receiver);
  }
  // Every object understands these two, also where there is nothing to do: its
  // parents aren't meant.
  if (event.type == kSleep) {
    if (StatusOf(row) == ObjectStatus::kActive) {
      SetStatus(parts_, row, ObjectStatus::kDormant);
    }
    return true;
  }
  if (event.type == kWake) {
    if (StatusOf(row) == ObjectStatus::kDormant) {
      SetStatus(parts_, row, ObjectStatus::kActive);
    }
    return true;
  }
  return false;
}

bool ObjectReceivers::RunBehaviours(uint32_t row, const WorldEvent& event) {
  const TypeDefinition& type =
      parts_.definition.types[parts_.objects.TypeOf(row)];
  const uint64_t bucket = parts_.state.table(parts_.tables.objects.objects)
                              .Get<ObjectRow>(row)
                              .bucket;
  UpdateContext context(parts_, cached_);
  for (const BehaviourUse& use : type.behaviours) {
    if (!use.behaviour->hooks().on_event) continue;
    context.Begin(bucket, std::span(&row, 1));
    const ScopedWriter writer(writers_, [&] {
      return fmt::format("behaviour {}, event {}", use.name,
                         EventNameOf(event.type));
    });
    const bool is_handled = use.behaviour->OnEvent(context, event);
    context.End();
    if (is_handled) return true;
    // One that failed hears nothing any more.
    if (StatusOf(row) != ObjectStatus::kActive) return false;
  }
  return false;
}

std::string ObjectReceivers::EventNameOf(Id event) const {
  return std::string(parts_.definition.names.NameOf(event));
}

}  // namespace reprise::sim
