// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/body_kinds.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "sim/base/check.h"
#include "sim/state/table.h"

namespace reprise::sim {

uint32_t BodyKindOf(const State& state, const ObjectTables& tables,
                    const TypeDefinition& type, ObjectId object) {
  CHECK(type.body_kind.has_value());
  if (!type.body_choice.has_value()) return *type.body_kind;
  const BodyChoice& choice = *type.body_choice;
  const Table& rows = state.table(tables.components[choice.component]);
  const uint32_t row = rows.LowerBound(std::array{object.serial});
  if (row == rows.row_count()) return *type.body_kind;
  int64_t chosen = 0;
  std::memcpy(&chosen, rows.Row(row).data() + choice.offset, sizeof(chosen));
  chosen = std::min(chosen, static_cast<int64_t>(choice.kinds.size()));
  return chosen <= 0 ? *type.body_kind
                     : choice.kinds[static_cast<size_t>(chosen - 1)];
}

}  // namespace reprise::sim
