// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Walks what an expression about a state is asked of: rows by ascending key,
// those of several tables with equal keys together.

#ifndef REPRISE_SIM_EXPRESSION_STATE_SUBJECTS_H_
#define REPRISE_SIM_EXPRESSION_STATE_SUBJECTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::sim {

// What an answer is about: rows with one key, or the state as a whole.
struct StateSubject {
  // Of each subject table; unset where the table has none.
  std::vector<std::optional<uint32_t>> rows;
};

// One table alone is walked row by row, whatever its keys are; of no table, the
// whole is the one subject. Walking again allocates nothing.
class StateSubjects {
 public:
  // REQUIRES: several tables have one key field each, of the same type.
  explicit StateSubjects(std::vector<TableIndex> tables);

  // Begins anew, in a state that must remain live and as it is meanwhile.
  void Start(const State& state);

  // The next, valid until the next call; nullptr after the last.
  const StateSubject* Next();

 private:
  const StateSubject* NextOfOneTable();

  // The key of the next row of a table; nullopt behind the last.
  std::optional<uint64_t> KeyOf(size_t table) const;

  std::vector<TableIndex> tables_;
  const State* state_ = nullptr;
  std::vector<uint32_t> next_rows_;
  bool is_whole_left_ = false;  // of no table
  StateSubject subject_;
};

// The bits of a key field. REQUIRES: `field` is one.
uint64_t KeyBits(const Table& table, uint32_t row, uint32_t field);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_STATE_SUBJECTS_H_
