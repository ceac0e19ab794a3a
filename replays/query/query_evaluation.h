// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Answers a query about a simulation as it stands, for every object it is
// about.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_EVALUATION_H_
#define REPRISE_REPLAYS_QUERY_QUERY_EVALUATION_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/query/query.h"
#include "replays/query/query_value.h"
#include "sim/base/field_value.h"
#include "sim/base/state.h"
#include "sim/event.h"
#include "sim/simulation.h"

namespace reprise::replays {

// What an answer is about: rows with one key, or the tick as a whole.
struct QuerySubject {
  // Of each subject table of the program; unset where the table has none.
  std::vector<std::optional<uint32_t>> rows;
  // The bits of the key fields; the row's position where there are none.
  std::vector<uint64_t> key;
};

// Steps through programs with a stack of operands. A value may be absent
// because what it names isn't there, or an error; both spread to what depends
// on them, and `false and ...` and `true or ...` don't.
//
// Used by one thread at a time.
class QueryEvaluation {
 public:
  using Answer = absl::StatusOr<QueryValue>;
  using Visitor = std::function<void(const QuerySubject&, const Answer&)>;

  // `query` must remain live while this evaluation is in use.
  explicit QueryEvaluation(const Query* query);

  // Looks at the state of `simulation`, which may be another each time, and at
  // the events of the step that led to it. Calls `visit` for every subject in
  // order of keys; a query without subjects has one.
  void Visit(const sim::Simulation& simulation,
             std::span<const sim::Event> events, const Visitor& visit);

  // The same of a state within a step, as its observers see it: `state` stands
  // in for the simulation's own and has its shape.
  void Visit(const sim::Simulation& simulation, const sim::State& state,
             std::span<const sim::Event> events, const Visitor& visit);

  // The name of what `visit` was just called with; empty for the tick.
  std::string NameOf(const QuerySubject& subject) const;

  // During Visit's tick: what is the same for all subjects, as the query calls
  // it, and what it comes to.
  std::vector<std::pair<std::string, Answer>> ValuesOfTick() const;

 private:
  // Where a program's subject comes from.
  class Subjects;

  Answer Run(const QueryProgram& program, const QuerySubject& subject);
  Answer Take(const QueryStep& step, const QuerySubject& subject);
  Answer TakeOfTick(const QueryStep& step);
  Answer ReadObjectField(const QueryStep& step);
  Answer ReadWorldField(const QueryStep& step) const;
  Answer Count(const QueryProgram& program);
  bool Exists(const std::string& name);

  std::optional<uint32_t> FindRow(const sim::Table& table,
                                  const std::string& name);
  QueryValue ReadField(sim::TableIndex table, uint32_t row,
                       sim::ScalarPath scalar) const;
  const std::string& ObjectName(uint64_t serial) const;

  const Query& query_;
  // Of the tick:
  const sim::Simulation* simulation_ = nullptr;
  const sim::State* state_ = nullptr;
  sim::NameResolver names_;
  std::span<const sim::Event> events_;
  std::map<const QueryStep*, Answer> of_tick_;
  mutable std::map<uint64_t, std::string> object_names_;
  // What an object's serial was when it was last looked for, by its name.
  std::map<std::string, uint64_t> serials_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_EVALUATION_H_
