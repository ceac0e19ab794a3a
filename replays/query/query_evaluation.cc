// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/query_evaluation.h"

#include <algorithm>
#include <array>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/table.h"

namespace reprise::replays {
namespace {

using Answer = QueryEvaluation::Answer;
using Kind = QueryStep::Kind;

std::string OutcomeText(sim::Outcome::Status status) {
  switch (status) {
    case sim::Outcome::Status::kRunning:
      return "running";
    case sim::Outcome::Status::kWon:
      return "won";
    case sim::Outcome::Status::kLost:
      return "lost";
  }
  return "";
}

uint64_t KeyBits(const sim::Table& table, uint32_t row, uint32_t field) {
  return sim::ReadScalar(table.schema(), table.Row(row), {.field = field}).bits;
}

// `a and b`, `a or b`: what decides alone also decides beside an error.
Answer Decide(QueryOperator op, const Answer& a, const Answer& b) {
  const bool deciding = op == QueryOperator::kOr;
  for (const Answer* const answer : {&a, &b}) {
    if (answer->ok() && IsBool(**answer, deciding)) return *answer;
  }
  if (!a.ok()) return a;
  if (!b.ok()) return b;
  return deciding ? Or(*a, *b) : And(*a, *b);
}

Answer ApplyBinary(QueryOperator op, const Answer& a, const Answer& b) {
  if (op == QueryOperator::kOr || op == QueryOperator::kAnd) {
    return Decide(op, a, b);
  }
  if (!a.ok()) return a;
  if (!b.ok()) return b;
  return op < QueryOperator::kAdd ? Answer(Compare(op, *a, *b))
                                  : Calculate(op, *a, *b);
}

Answer ApplyUnary(const QueryStep& step, const Answer& operand) {
  if (!operand.ok()) return operand;
  if (step.kind == Kind::kAbsolute) return AbsoluteValue(*operand);
  if (step.kind == Kind::kSquareRoot) return SquareRoot(*operand);
  return step.op == QueryOperator::kNot ? Answer(Not(*operand))
                                        : Negate(*operand);
}

// The first of the extremes; absence where any operand is absent.
Answer FindExtreme(std::span<const Answer> operands, bool is_maximum) {
  const Answer* extreme = &operands.front();
  for (const Answer& operand : operands) {
    if (!operand.ok()) return operand;
    if (std::holds_alternative<QueryAbsence>(*operand)) return operand;
    const std::strong_ordering order = CompareNumbers(*operand, **extreme);
    if (is_maximum ? order > 0 : order < 0) extreme = &operand;
  }
  return *extreme;
}

Answer Apply(const QueryStep& step, std::span<const Answer> operands) {
  if (step.kind == Kind::kMinimum || step.kind == Kind::kMaximum) {
    return FindExtreme(operands, step.kind == Kind::kMaximum);
  }
  return operands.size() == 1 ? ApplyUnary(step, operands[0])
                              : ApplyBinary(step.op, operands[0], operands[1]);
}

}  // namespace

// Walks the rows of a program's tables by ascending key, those with equal keys
// together. One table alone is walked row by row, whatever its keys are.
class QueryEvaluation::Subjects {
 public:
  Subjects(const sim::State& state, const QueryProgram& program)
      : state_(state),
        tables_(program.subject_tables),
        next_rows_(tables_.size(), 0) {
    subject_.rows.resize(tables_.size());
  }

  // The next; nullptr after the last.
  const QuerySubject* Next() {
    std::optional<uint64_t> least;
    for (size_t i = 0; i < tables_.size(); ++i) {
      const std::optional<uint64_t> key = KeyOf(i);
      if (key && (!least || *key < *least)) least = key;
    }
    if (!least) return nullptr;
    for (size_t i = 0; i < tables_.size(); ++i) {
      const bool is_of_subject = KeyOf(i) == least;
      subject_.rows[i] =
          is_of_subject ? std::optional(next_rows_[i]) : std::nullopt;
      if (is_of_subject) ++next_rows_[i];
    }
    if (tables_.size() == 1) {
      DescribeRow(*subject_.rows[0]);
    } else {
      subject_.key = {*least};
    }
    return &subject_;
  }

 private:
  // What orders the next row of a table; nullopt behind the last.
  std::optional<uint64_t> KeyOf(size_t i) const {
    const sim::Table& table = state_.table(tables_[i]);
    if (next_rows_[i] == table.row_count()) return std::nullopt;
    if (tables_.size() == 1) return next_rows_[i];
    return KeyBits(table, next_rows_[i], 0);
  }

  void DescribeRow(uint32_t row) {
    const sim::Table& table = state_.table(tables_[0]);
    subject_.key.clear();
    for (uint32_t i = 0; i < table.schema().key_field_count(); ++i) {
      subject_.key.push_back(KeyBits(table, row, i));
    }
    if (subject_.key.empty()) subject_.key.push_back(row);
  }

  const sim::State& state_;
  const std::vector<sim::TableIndex>& tables_;
  std::vector<uint32_t> next_rows_;
  QuerySubject subject_;
};

QueryEvaluation::QueryEvaluation(const Query* query) : query_(*query) {}

void QueryEvaluation::Visit(const sim::Simulation& simulation,
                            std::span<const sim::Event> events,
                            const Visitor& visit) {
  Visit(simulation, simulation.state(), events, visit);
}

void QueryEvaluation::Visit(const sim::Simulation& simulation,
                            const sim::State& state,
                            std::span<const sim::Event> events,
                            const Visitor& visit) {
  // Names of objects last as long as these do; the bound is one of memory.
  constexpr size_t kNamesMax = size_t{1} << 16;
  if (object_names_.size() > kNamesMax || simulation_ != &simulation) {
    object_names_.clear();
  }
  simulation_ = &simulation;
  state_ = &state;
  names_ = sim::NamesOf(simulation);
  events_ = events;
  of_tick_.clear();

  const QueryProgram& program = query_.programs().front();
  if (program.subject_tables.empty()) {
    const QuerySubject tick;
    visit(tick, Run(program, tick));
    return;
  }
  Subjects subjects(state, program);
  while (const QuerySubject* subject = subjects.Next()) {
    visit(*subject, Run(program, *subject));
  }
}

std::string QueryEvaluation::NameOf(const QuerySubject& subject) const {
  const std::vector<sim::TableIndex>& tables =
      query_.programs().front().subject_tables;
  for (size_t i = 0; i < tables.size(); ++i) {
    if (!subject.rows[i]) continue;
    return FormatRowKey(state_->table(tables[i]), *subject.rows[i], names_);
  }
  return "";
}

std::vector<std::pair<std::string, Answer>> QueryEvaluation::ValuesOfTick()
    const {
  std::vector<std::pair<std::string, Answer>> values;
  for (const QueryStep& step : query_.programs().front().steps) {
    const auto found = of_tick_.find(&step);
    if (found == of_tick_.end()) continue;
    const bool is_known = std::ranges::any_of(
        values, [&](const auto& value) { return value.first == step.text; });
    if (!is_known) values.emplace_back(step.text, found->second);
  }
  return values;
}

Answer QueryEvaluation::Run(const QueryProgram& program,
                            const QuerySubject& subject) {
  std::vector<Answer> stack;
  for (const QueryStep& step : program.steps) {
    const size_t first =
        stack.size() - (step.kind == Kind::kCount ? 0 : step.operand_count);
    Answer answer = step.kind < Kind::kOperator
                        ? Take(step, subject)
                        : Apply(step, std::span(stack).subspan(first));
    stack.resize(first);
    stack.push_back(std::move(answer));
  }
  CHECK(stack.size() == 1);
  return std::move(stack.front());
}

Answer QueryEvaluation::Take(const QueryStep& step,
                             const QuerySubject& subject) {
  if (step.kind == Kind::kLiteral) return step.literal;
  if (step.kind == Kind::kSubjectField) {
    const std::optional<uint32_t> row = subject.rows[step.index];
    if (!row) return QueryValue(QueryAbsence{});
    return ReadField(step.table, *row, step.scalar);
  }
  const auto known = of_tick_.find(&step);
  if (known != of_tick_.end()) return known->second;
  return of_tick_.emplace(&step, TakeOfTick(step)).first->second;
}

Answer QueryEvaluation::TakeOfTick(const QueryStep& step) {
  switch (step.kind) {
    case Kind::kTick:
      return QueryValue(static_cast<QueryInteger>(simulation_->tick()));
    case Kind::kOutcome:
      return QueryValue(OutcomeText(simulation_->outcome().status));
    case Kind::kObjectField:
      return ReadObjectField(step);
    case Kind::kWorldField:
      return ReadWorldField(step);
    case Kind::kEvent:
      return QueryValue(static_cast<QueryInteger>(
          std::ranges::count(events_, step.id, &sim::Event::type)));
    case Kind::kExists:
      return QueryValue(Exists(step.name));
    case Kind::kCount:
      return Count(query_.programs()[step.index]);
    default:
      break;
  }
  return absl::InternalError("no step of a tick");
}

Answer QueryEvaluation::ReadObjectField(const QueryStep& step) {
  const std::optional<uint32_t> row =
      FindRow(state_->table(step.table), step.name);
  if (!row) return QueryValue(QueryAbsence{});
  return ReadField(step.table, *row, step.scalar);
}

Answer QueryEvaluation::ReadWorldField(const QueryStep& step) const {
  const sim::Table& table = state_->table(step.table);
  if (table.row_count() == 0) return QueryValue(QueryAbsence{});
  if (table.row_count() > 1) {
    return absl::OutOfRangeError(
        fmt::format("{} has {} rows, and nothing says which",
                    table.schema().name(), table.row_count()));
  }
  return ReadField(step.table, 0, step.scalar);
}

Answer QueryEvaluation::Count(const QueryProgram& program) {
  QueryInteger count = 0;
  const auto look = [&](const QuerySubject& subject) -> absl::Status {
    const Answer answer = Run(program, subject);
    if (answer.ok() && IsBool(*answer, true)) ++count;
    return answer.status();
  };
  if (program.subject_tables.empty()) {
    const absl::Status status = look({});
    if (!status.ok()) return status;
    return QueryValue(count);
  }
  Subjects subjects(*state_, program);
  while (const QuerySubject* subject = subjects.Next()) {
    const absl::Status status = look(*subject);
    if (!status.ok()) return status;
  }
  return QueryValue(count);
}

bool QueryEvaluation::Exists(const std::string& name) {
  const sim::State& state = *state_;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const sim::Table& table = state.table({i});
    const sim::RowSchema& schema = table.schema();
    if (schema.key_field_count() == 1 &&
        schema.fields()[0].scalar == sim::ScalarType::kObject &&
        FindRow(table, name)) {
      return true;
    }
  }
  return false;
}

std::optional<uint32_t> QueryEvaluation::FindRow(const sim::Table& table,
                                                 const std::string& name) {
  if (table.schema().fields()[0].scalar == sim::ScalarType::kId) {
    const std::array<uint64_t, 1> key = {sim::IdOf(name).value};
    const uint32_t row = table.LowerBound(key);
    const bool is_there =
        row < table.row_count() && KeyBits(table, row, 0) == key[0];
    return is_there ? std::optional(row) : std::nullopt;
  }
  const bool is_object =
      table.schema().fields()[0].scalar == sim::ScalarType::kObject;
  if (is_object) {
    // An object keeps its serial, so it is mostly where it was.
    const auto known = serials_.find(name);
    if (known != serials_.end()) {
      const std::array<uint64_t, 1> key = {known->second};
      const uint32_t row = table.LowerBound(key);
      if (row < table.row_count() && KeyBits(table, row, 0) == key[0] &&
          simulation_->ObjectName({key[0]}) == name) {
        return row;
      }
    }
  }
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const uint64_t bits = KeyBits(table, row, 0);
    if (is_object ? ObjectName(bits) == name
                  : FormatRowKey(table, row, names_) == name) {
      if (is_object) serials_[name] = bits;
      return row;
    }
  }
  return std::nullopt;
}

QueryValue QueryEvaluation::ReadField(sim::TableIndex table, uint32_t row,
                                      sim::ScalarPath scalar) const {
  const sim::FieldValue value = sim::ReadScalar(*state_, {table, row, scalar});
  switch (value.type) {
    case sim::ScalarType::kBool:
      return value.bits != 0;
    case sim::ScalarType::kDouble:
      return value.AsDouble();
    case sim::ScalarType::kInt16:
      return static_cast<QueryInteger>(static_cast<int16_t>(value.bits));
    case sim::ScalarType::kInt32:
      return static_cast<QueryInteger>(static_cast<int32_t>(value.bits));
    case sim::ScalarType::kInt64:
      return static_cast<QueryInteger>(static_cast<int64_t>(value.bits));
    case sim::ScalarType::kUint32:
    case sim::ScalarType::kUint64:
      return static_cast<QueryInteger>(value.bits);
    case sim::ScalarType::kObject:
      return ObjectName(value.bits);
    case sim::ScalarType::kId:
    case sim::ScalarType::kHandle:
      break;
  }
  return sim::FormatFieldValue(value, names_);
}

const std::string& QueryEvaluation::ObjectName(uint64_t serial) const {
  const auto [name, is_new] = object_names_.try_emplace(serial);
  if (is_new) name->second = simulation_->ObjectName({serial});
  return name->second;
}

}  // namespace reprise::replays
