// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What changes between steps: contexts that come and go by events, and players
// who bind other actions.

#include <cstdint>
#include <optional>

#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/input/input_grammar.h"
#include "sim/state/field_value.h"
#include "sim/state/table.h"
#include "sim/systems/controls/control_definition.h"
#include "sim/systems/controls/control_events.h"
#include "sim/systems/controls/control_rows.h"
#include "sim/systems/controls/control_system.h"
#include "sim/world/components/world_names.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/waiting_events.h"

namespace reprise::sim {
namespace {

std::optional<Id> IdArgument(const Event& event, Id name) {
  for (const EventArgument& argument : event.arguments) {
    if (argument.name == name && argument.value.type == ScalarType::kId) {
      return Id{argument.value.bits};
    }
  }
  return std::nullopt;
}

std::optional<int64_t> IntArgument(const Event& event, Id name) {
  for (const EventArgument& argument : event.arguments) {
    if (argument.name == name && argument.value.type == ScalarType::kInt64) {
      return static_cast<int64_t>(argument.value.bits);
    }
  }
  return std::nullopt;
}

}  // namespace

void Controls::FollowEvents() {
  for (const Event& event : parts().journal.step_events()) {
    if (definition_.rebind != kNoId && event.type == definition_.rebind) {
      Rebind(event);
    }
    SwitchContexts(event);
  }
}

void Controls::SwitchContexts(const Event& event) {
  const std::optional<int64_t> wanted = IntArgument(event, kPlayer);
  const auto count = static_cast<uint32_t>(definition_.contexts.size());
  for (uint32_t i = 0; i < count; ++i) {
    const ContextDefinition& context = definition_.contexts[i];
    const bool enables = event.type == context.enabled_by;
    if (!enables && event.type != context.disabled_by) continue;
    for (uint32_t player = 0; player < player_count(); ++player) {
      if (wanted.has_value() && *wanted != int64_t{player}) continue;
      const uint32_t row = player * count + i;
      const uint64_t is_enabled = enables ? 1 : 0;
      if (table(kContextTable).Get<ContextRow>(row).is_enabled != is_enabled) {
        mutable_table(kContextTable).Mutable<ContextRow>(row).is_enabled =
            is_enabled;
      }
    }
  }
}

bool Controls::CanRebind(const BindingDefinition& binding, uint64_t slot,
                         Id action) const {
  if (!binding.is_rebindable() || slot >= binding.slot_count) return false;
  const Action* const found = parts().definition.info.inputs.Find(action);
  if (found == nullptr) return false;
  return binding.uses_buttons() ? found->is_button()
                                : found->kind == Action::Kind::kAxis;
}

void Controls::Rebind(const Event& event) {
  const std::optional<int64_t> player = IntArgument(event, kPlayer);
  const Id binding = IdArgument(event, kBinding).value_or(kNoId);
  const Id action = IdArgument(event, kAction).value_or(kNoId);
  const auto slot =
      static_cast<uint64_t>(IntArgument(event, kSlot).value_or(0));
  if (!player.has_value() || *player < 0 || *player >= player_count()) return;
  const uint32_t found = definition_.FindBinding(binding);
  const bool is_possible =
      found != kNoIndex && CanRebind(definition_.bindings[found], slot, action);
  if (is_possible) {
    mutable_table(kBindingTable)
        .Mutable<BindingRow>(
            RowOfBinding(static_cast<uint32_t>(*player), found))
        .actions[slot] = action;
  }
  parts().router->Post({.type = is_possible ? kRebound : kRebindRefused,
                        .arguments = {{kPlayer, FieldValue::OfInt64(*player)},
                                      {kBinding, FieldValue::OfId(binding)},
                                      {kAction, FieldValue::OfId(action)}}});
}

}  // namespace reprise::sim
