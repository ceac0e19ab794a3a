// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/body_kinds.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/table.h"

namespace reprise::sim {

uint32_t BodyKindOf(const State& state, const ObjectTables& tables,
                    const TypeDefinition& type, ObjectId object) {
  CHECK(type.body_kind.has_value());
  if (!type.destructible.has_value()) return *type.body_kind;
  const DestructibleDefinition& definition = *type.destructible;
  const Table& rows = state.table(tables.components[definition.component]);
  const uint32_t row = rows.LowerBound(std::array{object.serial});
  if (row == rows.row_count()) return *type.body_kind;
  // One that is destroyed is as it last was, until it goes.
  const int64_t stage =
      std::min(rows.Get<DestructibleRow>(row).stage,
               static_cast<int64_t>(definition.stages.size()));
  return stage <= 0 ? *type.body_kind : definition.stages[stage - 1].body_kind;
}

}  // namespace reprise::sim
