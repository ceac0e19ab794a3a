// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A field that a client watches: scalars as they lie in the rows of a table, or
// an expression that is computed; a column of an observation.

#ifndef REPRISE_SERVICES_OBSERVATIONS_OBSERVED_FIELD_H_
#define REPRISE_SERVICES_OBSERVATIONS_OBSERVED_FIELD_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "reprise/v1/observation.pb.h"
#include "services/observations/tick_frame.h"
#include "sim/base/field.h"
#include "sim/event.h"
#include "sim/expression/state_expression.h"
#include "sim/expression/value.h"
#include "sim/simulation.h"
#include "sim/state/row_schema.h"

namespace reprise::services {

// A simulation between two ticks, and what the last one brought.
struct ObservedTick {
  const sim::Simulation& simulation;
  std::span<const sim::Event> events;
  // Of all who look at this tick; null: each has its own.
  TickFrame* frame = nullptr;
};

// The tables whose rows an expression is asked of, if their rows have keys; of
// others there is one row at most, and it has none. INVALID_ARGUMENT: a row has
// several keys.
absl::StatusOr<sim::SubjectTables> KeyedTablesOf(
    const sim::StateExpression& expression, const sim::State& state);

// The key of a subject whose expression has these keyed tables.
uint64_t KeyOf(const sim::SubjectTables& tables, const sim::State& state,
               const sim::StateSubject& subject);

// Used by one thread at a time, with the simulation that it was parsed against
// or one that went on from it.
class ObservedField {
 public:
  // `text` is an expression of the query language, or a whole field of several
  // scalars. INVALID_ARGUMENT: as of Query::Parse, or a row has several keys.
  static absl::StatusOr<ObservedField> Parse(const std::string& text,
                                             const sim::Simulation& simulation);

  const std::string& text() const { return text_; }
  // Whether it is more than a field as it is.
  bool is_computed() const { return !scalar_.has_value(); }
  // Whose rows it is of; none: it has one value.
  const sim::SubjectTables& keyed_tables() const { return keyed_tables_; }
  // How many bytes the values of a row take in a message, about.
  uint64_t row_bytes() const;

  v1::ObservedColumnLayout Describe() const;

  // Appends its values for the rows of `keys`, which ascend; for the one row
  // where it has no tables. A text that takes more than what is left of
  // `text_bytes_left` is absent.
  void Read(const ObservedTick& tick, std::span<const uint64_t> keys,
            uint64_t& text_bytes_left, v1::ObservedColumn& column);

 private:
  // One value of each row.
  struct Part {
    std::unique_ptr<const replays::Query> query;
    std::unique_ptr<replays::QueryEvaluation> evaluation;
    // What a part adds to the text: ".x".
    std::string name;
  };

  ObservedField() = default;

  static Part MakePart(replays::Query query, std::string name);
  void ReadRows(const sim::Simulation& simulation,
                std::span<const uint64_t> keys, uint64_t& text_bytes_left,
                v1::ObservedColumn& column) const;
  void ReadAnswers(const ObservedTick& tick, std::span<const uint64_t> keys,
                   uint64_t& text_bytes_left, v1::ObservedColumn& column);
  void Append(const sim::ExpressionAnswer& answer, uint64_t& text_bytes_left,
              v1::ObservedColumn& column) const;
  void Append(sim::FieldValue value, const sim::NameResolver& names,
              uint64_t& text_bytes_left, v1::ObservedColumn& column) const;
  void AppendText(std::string text, uint64_t& text_bytes_left,
                  v1::ObservedColumn& column) const;
  void AppendNothing(v1::ObservedColumn& column) const;

  std::string text_;
  v1::ObservedColumnLayout::Kind kind_ =
      v1::ObservedColumnLayout::KIND_UNSPECIFIED;
  std::string unit_;
  sim::SubjectTables keyed_tables_;
  // The first scalar, and how many follow, where it is a field as it is.
  std::optional<sim::ScalarPath> scalar_;
  uint32_t width_ = 1;
  // Whether the rows of the one keyed table are read as they are.
  bool is_of_rows_ = false;
  std::vector<Part> parts_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OBSERVATIONS_OBSERVED_FIELD_H_
