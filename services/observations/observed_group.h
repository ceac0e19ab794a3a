// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Some fields of some objects, as a client declared them: finds the objects of
// a tick, and reads the columns.

#ifndef REPRISE_SERVICES_OBSERVATIONS_OBSERVED_GROUP_H_
#define REPRISE_SERVICES_OBSERVATIONS_OBSERVED_GROUP_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "reprise/v1/observation.pb.h"
#include "services/observations/observed_field.h"
#include "sim/base/tick.h"
#include "sim/expression/state_expression.h"
#include "sim/simulation.h"

namespace reprise::services {

// Fields of all groups of a declaration.
inline constexpr uint32_t kObservedFieldsMax = 64;
// Rows at a tick. Together with the fields they bound a message.
inline constexpr uint32_t kObservedRowsMax = 4096;
// Objects that a group names.
inline constexpr int kObservedNamesMax = 256;

// INVALID_ARGUMENT: `field`, a path in the declaration, is wrong.
absl::Status ObservationError(std::string_view field, std::string_view problem);
// RESOURCE_EXHAUSTED: there is too much of `field`.
absl::Status ObservationTooLargeError(std::string_view field,
                                      std::string_view problem);

// Used by one thread at a time, with the simulation that it was parsed against.
class ObservedGroup {
 public:
  // `path` is where the group stands in the declaration. Errors: those above.
  static absl::StatusOr<ObservedGroup> Parse(const v1::ObservedGroup& group,
                                             const std::string& path,
                                             const sim::Simulation& simulation);

  // 0: at the end of each request.
  uint32_t every_ticks() const { return every_ticks_; }
  uint32_t field_count() const { return static_cast<uint32_t>(fields_.size()); }
  // What has to be computed at each tick, for each row.
  uint64_t text_bytes() const { return text_bytes_; }

  v1::ObservedColumnLayouts Describe() const;

  // Forgets the request before: the next block is the first of another one.
  void Begin() { block_ = std::nullopt; }

  // Adds what is seen at `tick` to `observations`, in which it is group
  // `index`. It takes at most about `bytes_left`, from which it is subtracted,
  // and for texts as much again.
  void Observe(const ObservedTick& tick, uint32_t index, uint64_t& bytes_left,
               v1::Observations& observations);

 private:
  struct Condition {
    std::unique_ptr<const replays::Query> query;
    std::unique_ptr<replays::QueryEvaluation> evaluation;
    sim::SubjectTables keyed_tables;
  };

  ObservedGroup() = default;

  absl::Status ParseFields(const v1::ObservedGroup& group,
                           const std::string& path,
                           const sim::Simulation& simulation);
  absl::Status ParseCondition(const v1::ObservedGroup& group,
                              const std::string& path,
                              const sim::Simulation& simulation);
  absl::Status ParseNames(const v1::ObservedGroup& group,
                          const std::string& path,
                          const sim::Simulation& simulation);
  // Notes whose rows `tables` are. Their keys have to be of one kind.
  absl::Status AddKeys(const sim::SubjectTables& tables,
                       const std::string& path,
                       const sim::Simulation& simulation);

  // The keys of the rows, ascending.
  std::vector<uint64_t> FindKeys(const ObservedTick& tick);
  bool IsNamed(const sim::Simulation& simulation, uint64_t key);
  std::string NameOf(const sim::Simulation& simulation, uint64_t key) const;
  // The names of the rows, where the client doesn't know them yet. Of rows and
  // names that don't fit, the keys go.
  std::vector<std::string> FitNames(const ObservedTick& tick,
                                    uint64_t row_bytes, uint64_t bytes_left,
                                    std::vector<uint64_t>& keys) const;
  v1::ObservationBlock& BlockOf(const ObservedTick& tick, uint32_t index,
                                const std::vector<uint64_t>& keys,
                                const std::vector<std::string>& names,
                                uint32_t rows_omitted, uint64_t& bytes_left,
                                v1::Observations& observations);

  uint32_t every_ticks_ = 0;
  uint64_t text_bytes_ = 0;
  std::vector<ObservedField> fields_;
  std::optional<Condition> condition_;
  std::set<std::string> names_;
  // The tables of all fields, where nothing else says whose rows they are.
  std::set<uint32_t> tables_;
  // Of the keys; unset where there are none.
  std::optional<sim::ScalarType> key_type_;

  // Whether an object is one of names_: an object keeps its name.
  std::unordered_map<uint64_t, bool> is_named_;
  // What the client knows, and which block of the request goes on.
  std::optional<std::vector<uint64_t>> sent_keys_;
  std::optional<int> block_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OBSERVATIONS_OBSERVED_GROUP_H_
