// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/update_times.h"

#include <algorithm>

#include "sim/world/definition/behaviour.h"

namespace reprise::sim {
namespace {

constexpr Hook kHooks[] = {Hook::kBeforePhysics, Hook::kAfterPhysics};

}  // namespace

bool HasHook(const BehaviourUse& use, Hook hook) {
  const Behaviour::Hooks hooks = use.behaviour->hooks();
  return hook == Hook::kBeforePhysics ? hooks.before_physics
                                      : hooks.after_physics;
}

Tick LastUpdateOf(const TypeDefinition& type, const ObjectRow& object,
                  uint64_t end) {
  Tick updated_at = object.updated_at;
  if (object.status != ObjectStatus::kActive) return updated_at;
  for (const BehaviourUse& use : type.behaviours) {
    for (const Hook hook : kHooks) {
      // The last such update, whether it is one of the behaviour's or not.
      const auto parity = static_cast<uint64_t>(hook);
      if (end <= parity || !HasHook(use, hook)) continue;
      const Tick last = (end - 1 - parity) / 2;
      const uint64_t since =
          (last + UpdateOffset(use, object.object)) % use.every_ticks;
      if (since > last) continue;
      const Tick tick = last - since;
      if (UpdateNumber(tick, hook) < object.active_from) continue;
      updated_at = std::max(updated_at, tick);
    }
  }
  return updated_at;
}

void UpdateProgress::BeginStep(Tick tick) {
  next_ = UpdateNumber(tick, Hook::kBeforePhysics);
  kept_ = next_;
  bucket_ = kAll;
}

void UpdateProgress::BeginUpdate(Tick tick, Hook hook) {
  kept_ = UpdateNumber(tick, hook);
  next_ = kept_ + 1;
  bucket_ = kNone;
}

}  // namespace reprise::sim
