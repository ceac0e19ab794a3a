// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_trace.h"

#include <utility>

#include "sim/systems/scripts/script_place.h"
#include "sim/world/objects/object_names.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {

std::string ScriptTrace::NameOf(Handle handle, void* context) {
  if (context == nullptr) return "nobody";
  const WorldParts& parts = static_cast<ScriptPlace*>(context)->context.parts();
  const uint32_t row = parts.objects.RowOf(parts.state, handle);
  if (row == kNoRow) return "nobody";
  return NameOfObject(parts.definition, parts.objects, parts.state, row);
}

void ScriptTrace::OnLine(const ScriptVisit& visit, void* context) {
  if (context == nullptr) return;  // loading is nobody's
  if (entries_.size() == kTraceEntriesMax) {
    ++dropped_count_;
    return;
  }
  const auto& place = *static_cast<const ScriptPlace*>(context);
  entries_.push_back(
      {.object = place.context.object(place.object), .visit = visit});
}

std::vector<ScriptTraceEntry> ScriptTrace::Drain() {
  return std::exchange(entries_, {});
}

}  // namespace reprise::sim
