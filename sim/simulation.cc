// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/simulation.h"

#include "fmt/format.h"
#include "sim/debug_frame.h"

namespace reprise::sim {

const GameDescription& Simulation::description() const {
  static const GameDescription kNone;
  return kNone;
}

DebugFrame Simulation::ProduceDebugFrame() const { return {}; }

NameResolver NamesOf(const Simulation& simulation) {
  return NameResolver{
      .object_name =
          [&simulation](ObjectId object) {
            return simulation.ObjectName(object);
          },
      .id_name = [&simulation](Id id) { return simulation.IdName(id); },
      .handle_name =
          [&simulation](Handle handle) {
            const ObjectId object = simulation.ObjectOf(handle);
            return handle.is_null() || object != kNoObject
                       ? simulation.ObjectName(object)
                       : fmt::format("stale#{}.{}", handle.index,
                                     handle.generation);
          },
  };
}

}  // namespace reprise::sim
