// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/query.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/query/query_names.h"
#include "replays/query/query_token.h"
#include "replays/query/query_tree.h"
#include "sim/base/table.h"

namespace reprise::replays {
namespace {

using Kind = QueryStep::Kind;

struct Function {
  std::string_view name;
  Kind step;
  size_t argument_count_min;
  size_t argument_count_max;
};

constexpr Function kFunctions[] = {
    {"abs", Kind::kAbsolute, 1, 1},
    {"count", Kind::kCount, 1, 1},
    {"event", Kind::kEvent, 1, 1},
    {"exists", Kind::kExists, 1, 1},
    {"max", Kind::kMaximum, 2, kQueryBytesMax},
    {"min", Kind::kMinimum, 2, kQueryBytesMax},
    {"sqrt", Kind::kSquareRoot, 1, 1},
};

// The names of what a run can have come to; they may go without quotes.
constexpr std::string_view kOutcomes[] = {"running", "won", "lost"};

std::string_view TypeName(QueryType type) {
  switch (type) {
    case QueryType::kBool:
      return "true or false";
    case QueryType::kNumber:
      return "a number";
    case QueryType::kText:
      return "a text";
  }
  return "";
}

// Turns a tree into programs, node by node: children come before parents, so
// one pass with a stack of operands for each program does it.
class Checker {
 public:
  Checker(const QueryTree& tree, const sim::Simulation& simulation)
      : tree_(tree), simulation_(simulation), programs_(1), operands_(1) {}

  absl::Status Check() {
    absl::Status status = FindOwners();
    for (uint32_t i = 0; status.ok() && i < tree_.nodes.size(); ++i) {
      if (owners_[i]) status = CheckNode(i);
    }
    for (QueryProgram& program : programs_) {
      if (status.ok()) status = FindSubjects(program);
    }
    return status;
  }

  QueryType type() const { return operands_[0].back().type; }
  std::vector<QueryProgram>& programs() { return programs_; }

 private:
  // What a value on the stack is known to be.
  struct Operand {
    QueryType type;
    size_t column;
    bool is_outcome = false;
    // Of a literal text.
    std::optional<std::string> text;
  };

  static const Function* FindFunction(const QueryNode& node) {
    if (node.kind != QueryNode::Kind::kCall) return nullptr;
    const auto* const found =
        std::ranges::find(kFunctions, node.path[0], &Function::name);
    return found == std::end(kFunctions) ? nullptr : found;
  }

  // Which program each node belongs to. The arguments of exists and event are
  // names and belong to none.
  absl::Status FindOwners() {
    owners_.assign(tree_.nodes.size(), 0);
    counted_.assign(tree_.nodes.size(), 0);
    std::vector<uint32_t> first_nodes;
    for (uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      const QueryNode& node = tree_.nodes[i];
      const uint32_t first =
          node.children.empty() ? i : first_nodes[node.children[0]];
      first_nodes.push_back(first);
      const Function* const function = FindFunction(node);
      if (function == nullptr) continue;
      if (function->step == Kind::kEvent || function->step == Kind::kExists) {
        std::fill(owners_.begin() + first, owners_.begin() + i, std::nullopt);
      } else if (function->step == Kind::kCount) {
        counted_[i] = static_cast<uint32_t>(programs_.size());
        for (uint32_t j = first; j < i; ++j) {
          if (counted_[j] != 0) {
            return QueryErrorAt(tree_.nodes[j].column, "a count in a count");
          }
          if (owners_[j]) owners_[j] = counted_[i];
        }
        programs_.emplace_back();
        operands_.emplace_back();
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckNode(uint32_t index) {
    const QueryNode& node = tree_.nodes[index];
    program_ = &programs_[*owners_[index]];
    stack_ = &operands_[*owners_[index]];
    switch (node.kind) {
      case QueryNode::Kind::kLiteral:
        return CheckLiteral(node);
      case QueryNode::Kind::kName:
        return CheckName(node);
      case QueryNode::Kind::kField:
        return CheckField(node);
      case QueryNode::Kind::kCall:
        return CheckCall(node, counted_[index]);
      case QueryNode::Kind::kOperator:
        return CheckOperator(node);
    }
    return absl::OkStatus();
  }

  QueryStep& AddStep(Kind kind, std::string text) {
    QueryStep& step = program_->steps.emplace_back();
    step.kind = kind;
    step.text = std::move(text);
    return step;
  }

  void Push(QueryType type, size_t column) {
    stack_->push_back({.type = type, .column = column, .text = std::nullopt});
  }

  absl::Status CheckLiteral(const QueryNode& node) {
    AddStep(Kind::kLiteral, "").literal = node.literal;
    if (const auto* text = std::get_if<std::string>(&node.literal)) {
      Push(QueryType::kText, node.column);
      stack_->back().text = *text;
    } else {
      Push(std::holds_alternative<bool>(node.literal) ? QueryType::kBool
                                                      : QueryType::kNumber,
           node.column);
    }
    return absl::OkStatus();
  }

  absl::Status CheckName(const QueryNode& node) {
    const std::string& name = node.path[0];
    if (name == "tick") {
      AddStep(Kind::kTick, name);
      Push(QueryType::kNumber, node.column);
    } else if (name == "outcome") {
      AddStep(Kind::kOutcome, name);
      Push(QueryType::kText, node.column);
      stack_->back().is_outcome = true;
    } else if (std::ranges::count(kOutcomes, name) > 0) {
      AddStep(Kind::kLiteral, "").literal = name;
      Push(QueryType::kText, node.column);
      stack_->back().text = name;
    } else {
      return CheckFieldName(node);
    }
    return absl::OkStatus();
  }

  // A name alone, that may stand for a field.
  absl::Status CheckFieldName(const QueryNode& node) {
    const absl::StatusOr<std::optional<QueryNode>> field =
        FindOnlyField(node, simulation_);
    if (!field.ok()) return field.status();
    if (field->has_value()) return CheckField(**field);
    std::vector<std::string> known = {"tick", "outcome"};
    known.insert(known.end(), std::begin(kOutcomes), std::end(kOutcomes));
    absl::Status status =
        UnknownQueryName(node.column, "fact", node.path[0], known);
    return absl::InvalidArgumentError(fmt::format(
        "{} (a field is component.field)", std::string(status.message())));
  }

  absl::Status CheckField(const QueryNode& node) {
    absl::StatusOr<QueryField> field = FindQueryField(node, simulation_);
    if (!field.ok()) return field.status();
    QueryStep& step =
        AddStep(field->has_object ? Kind::kObjectField : Kind::kSubjectField,
                node.FullName());
    step.table = field->table;
    step.scalar = field->scalar;
    step.name = std::move(field->object);
    const sim::RowSchema& schema =
        simulation_.state().table(field->table).schema();
    Push(QueryTypeOf(schema.fields()[field->scalar.field].scalar), node.column);
    return absl::OkStatus();
  }

  absl::Status Want(QueryType type, const Operand& operand,
                    std::string_view whose) {
    if (operand.type == type) return absl::OkStatus();
    return QueryErrorAt(operand.column,
                        fmt::format("{} takes {}, and this is {}", whose,
                                    TypeName(type), TypeName(operand.type)));
  }

  // The last `count` operands, taken off the stack.
  std::vector<Operand> TakeOperands(std::vector<Operand>& stack, size_t count) {
    std::vector<Operand> taken(std::make_move_iterator(stack.end() - count),
                               std::make_move_iterator(stack.end()));
    stack.erase(stack.end() - count, stack.end());
    return taken;
  }

  absl::Status CheckCall(const QueryNode& node, uint32_t counted) {
    const Function* const function = FindFunction(node);
    if (function == nullptr) {
      std::vector<std::string> known;
      for (const Function& one : kFunctions) known.emplace_back(one.name);
      return UnknownQueryName(node.column, "function", node.path[0], known);
    }
    const size_t count = node.children.size();
    if (count < function->argument_count_min ||
        count > function->argument_count_max) {
      return QueryErrorAt(
          node.column,
          fmt::format("{} takes {} argument{}", function->name,
                      function->argument_count_min,
                      function->argument_count_max > 1 ? "s or more" : ""));
    }
    if (function->step == Kind::kEvent || function->step == Kind::kExists) {
      return CheckNamed(node, *function);
    }
    const bool is_count = function->step == Kind::kCount;
    for (const Operand& argument :
         TakeOperands(is_count ? operands_[counted] : *stack_, count)) {
      const absl::Status status =
          Want(is_count ? QueryType::kBool : QueryType::kNumber, argument,
               function->name);
      if (!status.ok()) return status;
    }
    QueryStep& step = AddStep(function->step, TextOf(node));
    step.operand_count = static_cast<uint32_t>(count);
    step.index = counted;
    Push(QueryType::kNumber, node.column);
    return absl::OkStatus();
  }

  // The call as it is written, up to its parenthesis.
  std::string TextOf(const QueryNode& node) const {
    const size_t begin = node.column - 1;
    size_t depth = 0;
    for (size_t end = begin; end < tree_.text.size(); ++end) {
      if (tree_.text[end] == '(') ++depth;
      if (tree_.text[end] == ')' && --depth == 0) {
        return tree_.text.substr(begin, end + 1 - begin);
      }
    }
    return node.FullName();
  }

  // exists(crate_7), event("goal"): the argument is a name.
  absl::Status CheckNamed(const QueryNode& node, const Function& function) {
    const QueryNode& argument = tree_.nodes[node.children[0]];
    const auto* const text = std::get_if<std::string>(&argument.literal);
    if (text == nullptr && argument.kind != QueryNode::Kind::kName) {
      return QueryErrorAt(argument.column,
                          fmt::format("{} takes a name", function.name));
    }
    const std::string& name = text != nullptr ? *text : argument.path[0];
    const bool is_event = function.step == Kind::kEvent;
    const absl::Status status =
        is_event ? CheckEventName(argument.column, name, simulation_)
                 : CheckObjectName(argument.column, name, simulation_);
    if (!status.ok()) return status;
    QueryStep& step = AddStep(function.step, TextOf(node));
    step.name = name;
    step.id = sim::IdOf(name);
    Push(is_event ? QueryType::kNumber : QueryType::kBool, node.column);
    return absl::OkStatus();
  }

  absl::Status CheckOperator(const QueryNode& node) {
    const std::vector<Operand> operands =
        TakeOperands(*stack_, node.children.size());
    absl::Status status;
    QueryType result = QueryType::kBool;
    switch (node.op) {
      case QueryOperator::kOr:
      case QueryOperator::kAnd:
      case QueryOperator::kNot:
        status = WantAll(QueryType::kBool, operands, node.op);
        break;
      case QueryOperator::kEqual:
      case QueryOperator::kNotEqual:
        status = CheckEquality(node, operands);
        break;
      case QueryOperator::kLess:
      case QueryOperator::kLessOrEqual:
      case QueryOperator::kGreater:
      case QueryOperator::kGreaterOrEqual:
        status = WantAll(QueryType::kNumber, operands, node.op);
        break;
      default:
        status = WantAll(QueryType::kNumber, operands, node.op);
        result = QueryType::kNumber;
    }
    if (!status.ok()) return status;
    QueryStep& step = AddStep(Kind::kOperator, "");
    step.op = node.op;
    step.operand_count = static_cast<uint32_t>(operands.size());
    Push(result, node.column);
    return absl::OkStatus();
  }

  absl::Status WantAll(QueryType type, const std::vector<Operand>& operands,
                       QueryOperator op) {
    const std::string name = op == QueryOperator::kNegate
                                 ? "-"
                                 : fmt::format("'{}'", QueryOperatorName(op));
    for (const Operand& operand : operands) {
      const absl::Status status = Want(type, operand, name);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status CheckEquality(const QueryNode& node,
                             const std::vector<Operand>& operands) {
    if (operands[0].type != operands[1].type) {
      return QueryErrorAt(node.column, fmt::format("{} and {} are never equal",
                                                   TypeName(operands[0].type),
                                                   TypeName(operands[1].type)));
    }
    for (size_t i = 0; i < 2; ++i) {
      const std::optional<std::string>& text = operands[1 - i].text;
      if (operands[i].is_outcome && text &&
          std::ranges::count(kOutcomes, *text) == 0) {
        return QueryErrorAt(operands[1 - i].column,
                            "an outcome is running, won or lost");
      }
    }
    return absl::OkStatus();
  }

  const sim::RowSchema& SchemaOf(sim::TableIndex table) const {
    return simulation_.state().table(table).schema();
  }

  // Whether one key of the one is a key of the other.
  bool CanJoin(sim::TableIndex a, sim::TableIndex b) const {
    const sim::RowSchema& left = SchemaOf(a);
    const sim::RowSchema& right = SchemaOf(b);
    return left.key_field_count() == 1 && right.key_field_count() == 1 &&
           left.fields()[0].scalar == right.fields()[0].scalar;
  }

  // Whose rows the fields without an object are of. The fields of tables
  // without keys are the world's, unless there is nothing else.
  absl::Status FindSubjects(QueryProgram& program) {
    std::set<uint32_t> keyed;
    std::set<uint32_t> keyless;
    for (const QueryStep& step : program.steps) {
      if (step.kind != Kind::kSubjectField) continue;
      const bool has_key = SchemaOf(step.table).key_field_count() > 0;
      (has_key ? keyed : keyless).insert(step.table.value);
    }
    if (keyed.empty() && keyless.size() == 1) std::swap(keyed, keyless);
    for (const uint32_t table : keyed) {
      program.subject_tables.push_back({table});
      const sim::TableIndex first = program.subject_tables.front();
      if (first.value != table && !CanJoin(first, {table})) {
        return absl::InvalidArgumentError(fmt::format(
            "the rows of {} and {} have no key in common: name an object, or "
            "count(...) those of one",
            SchemaOf(first).name(), SchemaOf({table}).name()));
      }
    }
    for (QueryStep& step : program.steps) {
      if (step.kind != Kind::kSubjectField) continue;
      if (keyless.contains(step.table.value)) {
        step.kind = Kind::kWorldField;
      } else {
        step.index = static_cast<uint32_t>(
            std::distance(keyed.begin(), keyed.find(step.table.value)));
      }
    }
    return absl::OkStatus();
  }

  const QueryTree& tree_;
  const sim::Simulation& simulation_;
  std::vector<QueryProgram> programs_;
  std::vector<std::vector<Operand>> operands_;  // of each program
  std::vector<std::optional<uint32_t>> owners_;
  std::vector<uint32_t> counted_;  // the program that a count counts; or 0
  QueryProgram* program_ = nullptr;
  std::vector<Operand>* stack_ = nullptr;
};

}  // namespace

Query::Query(std::string text, QueryType type,
             std::vector<QueryProgram> programs)
    : text_(std::move(text)), type_(type), programs_(std::move(programs)) {}

absl::StatusOr<Query> Query::Parse(std::string_view text,
                                   const sim::Simulation& simulation) {
  const absl::StatusOr<QueryTree> tree = ParseQuery(text);
  if (!tree.ok()) return tree.status();
  Checker checker(*tree, simulation);
  const absl::Status status = checker.Check();
  if (!status.ok()) return status;
  return Query(std::string(text), checker.type(),
               std::move(checker.programs()));
}

std::string FormatRowKey(const sim::Table& table, uint32_t row,
                         const sim::NameResolver& names) {
  const sim::RowSchema& schema = table.schema();
  if (schema.key_field_count() == 0) {
    return table.row_count() == 1 ? "" : fmt::format("[{}]", row);
  }
  std::string text;
  for (uint32_t field = 0; field < schema.key_field_count(); ++field) {
    if (field > 0) text += ' ';
    text += sim::FormatFieldValue(
        sim::ReadScalar(schema, table.Row(row), {.field = field}), names);
  }
  return text;
}

}  // namespace reprise::replays
