// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/simulation.h"

namespace reprise::sim {

NameResolver NamesOf(const Simulation& simulation) {
  return NameResolver{
      .object_name =
          [&simulation](ObjectId object) {
            return simulation.ObjectName(object);
          },
      .id_name = [&simulation](Id id) { return simulation.IdName(id); },
  };
}

}  // namespace reprise::sim
