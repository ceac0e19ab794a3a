// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds what the names in an expression mean in a state: tables, fields and
// objects. A name that means nothing is an error with the nearest that does.

#ifndef REPRISE_SIM_EXPRESSION_STATE_SCOPE_H_
#define REPRISE_SIM_EXPRESSION_STATE_SCOPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/expression/scope.h"
#include "sim/expression/tree.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"

namespace reprise::sim {

// What is read of a state.
struct StateReference {
  enum class Kind {
    kObjectField,   // of the row that is of the object `object`
    kWorldField,    // of the one row of a table without keys
    kSubjectField,  // of the row of `table` that is the subject's
    kExists,        // whether `object` is there
    kCount,         // for how many subjects program `index` holds
    kFact,          // reference `index` of the facts
  };

  Kind kind = Kind::kFact;
  // How the expression calls it.
  std::string text;
  std::string object;
  TableIndex table;
  ScalarPath scalar;
  uint32_t index = 0;
  // Of a subject's field: a table that the subject has a row in, too, and its
  // index among those of the subjects; otherwise the field is absent.
  std::optional<TableIndex> beside = {};
  uint32_t beside_index = 0;
};

// `object.table.field`, `object.room.table.field`, `table.field`,
// `room.table.field`, and `field` where one table alone has it; where a table
// is called like no object, `table.other.field` is the field of `other` of
// those that are in both; `exists(object)` and `count(condition)`. Objects and
// names are known where they are there now or where `names` knows them: ids,
// objects and handles are texts, their names.
class StateScope final : public ExpressionScope {
 public:
  // `facts` are what is known besides the state, such as the tick; their names
  // come first. nullptr: there are none. All must remain live while this scope
  // is in use. REQUIRES: the functions of `facts` take names.
  StateScope(const State* state, const NameResolver* names,
             ExpressionScope* facts);

  absl::StatusOr<std::optional<ExpressionMeaning>> FindName(
      const ExpressionNode& node) override;
  std::vector<std::string> KnownNames() const override;
  std::span<const ScopeFunction> functions() const override {
    return functions_;
  }
  absl::StatusOr<ExpressionMeaning> FindCall(const ScopeCall& call) override;

  // What the indices of meanings refer to, in order.
  const std::vector<StateReference>& references() const { return references_; }

 private:
  absl::StatusOr<ExpressionMeaning> FindField(const ExpressionNode& node);
  // Reads a fact through a reference of this scope.
  ExpressionMeaning OfFact(const ExpressionMeaning& fact, std::string text);
  uint32_t Add(StateReference reference);

  const State& state_;
  const NameResolver& names_;
  ExpressionScope* const facts_;
  std::vector<ScopeFunction> functions_;
  std::vector<StateReference> references_;
};

// Whether a table has one row for each of some objects.
bool IsKeyedByObject(const RowSchema& schema);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_STATE_SCOPE_H_
