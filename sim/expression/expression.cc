// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/expression/expression.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/nearest_name.h"
#include "sim/expression/token.h"
#include "sim/expression/tree.h"

namespace reprise::sim {
namespace {

using Kind = ExpressionStep::Kind;

// A function of the language, or of the scope.
struct Function {
  std::string_view name;
  Kind step = Kind::kReference;
  size_t argument_count_min = 1;
  size_t argument_count_max = 1;
  // Of the scope's.
  std::optional<ScopeFunction::Argument> argument;

  bool takes_name() const { return argument == ScopeFunction::Argument::kName; }
  bool takes_condition() const {
    return argument == ScopeFunction::Argument::kCondition;
  }
};

constexpr Function kFunctions[] = {
    {"abs", Kind::kAbsolute, 1, 1, std::nullopt},
    {"max", Kind::kMaximum, 2, kExpressionBytesMax, std::nullopt},
    {"min", Kind::kMinimum, 2, kExpressionBytesMax, std::nullopt},
    {"sqrt", Kind::kSquareRoot, 1, 1, std::nullopt},
};

std::string_view TypeName(ExpressionType type) {
  switch (type) {
    case ExpressionType::kBool:
      return "true or false";
    case ExpressionType::kNumber:
      return "a number";
    case ExpressionType::kText:
      return "a text";
  }
  return "";
}

ExpressionType TypeOf(const ExpressionValue& literal) {
  if (std::holds_alternative<std::string>(literal)) {
    return ExpressionType::kText;
  }
  return std::holds_alternative<bool>(literal) ? ExpressionType::kBool
                                               : ExpressionType::kNumber;
}

// "running, won or lost".
// Of more, a message names the one that was likely meant.
constexpr size_t kAlternativesMax = 24;

std::string Alternatives(std::span<const std::string_view> texts) {
  if (texts.size() == 1) return std::string(texts.front());
  return fmt::format("{} or {}", fmt::join(texts.first(texts.size() - 1), ", "),
                     texts.back());
}

// Turns a tree into programs, node by node: children come before parents, so
// one pass with a stack of operands for each program does it.
class Checker {
 public:
  Checker(const ExpressionTree& tree, ExpressionScope& scope)
      : tree_(tree),
        scope_(scope),
        functions_(std::begin(kFunctions), std::end(kFunctions)),
        programs_(1),
        operands_(1) {
    for (const ScopeFunction& function : scope.functions()) {
      functions_.push_back(
          {.name = function.name, .argument = function.argument});
    }
    // A total order: no two functions have the same name.
    std::ranges::sort(functions_, {}, &Function::name);
  }

  absl::Status Check() {
    absl::Status status = FindOwners();
    for (uint32_t i = 0; status.ok() && i < tree_.nodes.size(); ++i) {
      if (owners_[i]) status = CheckNode(i);
    }
    return status;
  }

  ExpressionType type() const { return operands_[0].back().type; }
  std::vector<ExpressionProgram>& programs() { return programs_; }

 private:
  // What a value on the stack is known to be.
  struct Operand {
    ExpressionType type = ExpressionType::kNumber;
    size_t column = 1;
    const ExpressionChoices* choices = nullptr;
    // Of a literal text.
    std::optional<std::string> text;
  };

  // Null where there is no such function. REQUIRES: the node is a call.
  const Function* FindFunction(const ExpressionNode& node) const {
    const auto found =
        std::ranges::find(functions_, node.path[0], &Function::name);
    return found == functions_.end() ? nullptr : &*found;
  }

  // Which program each node belongs to. An argument that is a name belongs to
  // none, and so do those of a function that there isn't: what is wrong is that
  // one, whatever it was to take.
  absl::Status FindOwners() {
    owners_.assign(tree_.nodes.size(), 0);
    condition_programs_.assign(tree_.nodes.size(), 0);
    std::vector<uint32_t> first_nodes;
    for (uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      const ExpressionNode& node = tree_.nodes[i];
      const uint32_t first =
          node.children.empty() ? i : first_nodes[node.children[0]];
      first_nodes.push_back(first);
      if (node.kind != ExpressionNode::Kind::kCall) continue;
      const Function* const function = FindFunction(node);
      if (function == nullptr || function->takes_name()) {
        std::fill(owners_.begin() + first, owners_.begin() + i, std::nullopt);
      } else if (function->takes_condition()) {
        const auto program = static_cast<uint32_t>(programs_.size());
        condition_programs_[i] = program;
        for (uint32_t j = first; j < i; ++j) {
          if (condition_programs_[j] != 0) {
            return ExpressionErrorAt(
                tree_.nodes[j].column,
                fmt::format("a {} in a {}", tree_.nodes[j].path[0],
                            function->name));
          }
          if (owners_[j]) owners_[j] = program;
        }
        programs_.emplace_back();
        operands_.emplace_back();
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckNode(uint32_t index) {
    const ExpressionNode& node = tree_.nodes[index];
    program_ = &programs_[*owners_[index]];
    stack_ = &operands_[*owners_[index]];
    switch (node.kind) {
      case ExpressionNode::Kind::kLiteral:
        AddLiteral(node.literal, node.column);
        return absl::OkStatus();
      case ExpressionNode::Kind::kName:
      case ExpressionNode::Kind::kField:
        return CheckName(node);
      case ExpressionNode::Kind::kCall:
        return CheckCall(node, condition_programs_[index]);
      case ExpressionNode::Kind::kOperator:
        return CheckOperator(node);
    }
    return absl::OkStatus();
  }

  // Adds a step whose operands have been taken off the stack.
  ExpressionStep& AddStep(Kind kind, Operand result) {
    stack_->push_back(std::move(result));
    program_->stack_size_max =
        std::max(program_->stack_size_max, stack_->size());
    ExpressionStep& step = program_->steps.emplace_back();
    step.kind = kind;
    return step;
  }

  void AddLiteral(const ExpressionValue& literal, size_t column) {
    Operand operand{.type = TypeOf(literal), .column = column, .text = {}};
    if (const auto* text = std::get_if<std::string>(&literal)) {
      operand.text = *text;
    }
    AddStep(Kind::kLiteral, std::move(operand)).literal = literal;
  }

  void AddMeaning(const ExpressionMeaning& meaning, size_t column) {
    if (meaning.constant) {
      AddLiteral(*meaning.constant, column);
      return;
    }
    AddStep(Kind::kReference, {.type = meaning.type,
                               .column = column,
                               .choices = meaning.choices,
                               .text = {}})
        .reference = meaning.reference;
  }

  absl::Status CheckName(const ExpressionNode& node) {
    const absl::StatusOr<std::optional<ExpressionMeaning>> meaning =
        scope_.FindName(node);
    if (!meaning.ok()) return meaning.status();
    if (!meaning->has_value()) {
      return UnknownName(node);
    }
    AddMeaning(**meaning, node.column);
    return absl::OkStatus();
  }

  absl::Status UnknownName(const ExpressionNode& node) const {
    const std::string name = node.FullName();
    const std::vector<std::string> known = scope_.KnownNames();
    const std::vector<std::string_view> views(known.begin(), known.end());
    if (node.kind == ExpressionNode::Kind::kName && IsHeldEqual(node) &&
        NearestName(name, views).empty()) {
      return ExpressionErrorAt(
          node.column,
          fmt::format("there is no name '{0}'; a text has quotes: '{0}'",
                      name));
    }
    return UnknownNameAt(node.column, "name", name, known);
  }

  // Whether it is compared by == or !=, as texts are.
  bool IsHeldEqual(const ExpressionNode& node) const {
    const auto index = static_cast<uint32_t>(&node - tree_.nodes.data());
    return std::ranges::any_of(tree_.nodes, [&](const ExpressionNode& each) {
      return each.kind == ExpressionNode::Kind::kOperator &&
             (each.op == ExpressionOperator::kEqual ||
              each.op == ExpressionOperator::kNotEqual) &&
             std::ranges::find(each.children, index) != each.children.end();
    });
  }

  absl::Status Want(ExpressionType type, const Operand& operand,
                    std::string_view whose) {
    if (operand.type == type) return absl::OkStatus();
    return ExpressionErrorAt(
        operand.column, fmt::format("{} takes {}, and this is {}", whose,
                                    TypeName(type), TypeName(operand.type)));
  }

  // The last `count` operands, taken off the stack.
  std::vector<Operand> TakeOperands(std::vector<Operand>& stack, size_t count) {
    std::vector<Operand> taken(std::make_move_iterator(stack.end() - count),
                               std::make_move_iterator(stack.end()));
    stack.erase(stack.end() - count, stack.end());
    return taken;
  }

  absl::Status CheckCall(const ExpressionNode& node, uint32_t program) {
    const Function* const function = FindFunction(node);
    if (function == nullptr) {
      std::vector<std::string> known;
      for (const Function& one : functions_) known.emplace_back(one.name);
      return UnknownNameAt(node.column, "function", node.path[0], known);
    }
    const size_t count = node.children.size();
    if (count < function->argument_count_min ||
        count > function->argument_count_max) {
      return ExpressionErrorAt(
          node.column,
          fmt::format("{} takes {} argument{}", function->name,
                      function->argument_count_min,
                      function->argument_count_max > 1 ? "s or more" : ""));
    }
    if (function->argument) return CheckScopeCall(node, *function, program);
    for (const Operand& argument : TakeOperands(*stack_, count)) {
      const absl::Status status =
          Want(ExpressionType::kNumber, argument, function->name);
      if (!status.ok()) return status;
    }
    AddStep(function->step, {.column = node.column, .text = {}}).operand_count =
        static_cast<uint32_t>(count);
    return absl::OkStatus();
  }

  absl::Status CheckScopeCall(const ExpressionNode& node,
                              const Function& function, uint32_t program) {
    const ExpressionNode& argument = tree_.nodes[node.children[0]];
    ScopeCall call{.function = function.name,
                   .text = TextOf(node),
                   .argument_column = argument.column,
                   .name = {},
                   .program = program};
    absl::Status status;
    if (function.takes_condition()) {
      status =
          Want(ExpressionType::kBool, operands_[program].back(), function.name);
    } else if (const auto* text = std::get_if<std::string>(&argument.literal)) {
      call.name = *text;
    } else if (argument.kind == ExpressionNode::Kind::kName) {
      call.name = argument.path[0];
    } else {
      status = ExpressionErrorAt(argument.column,
                                 fmt::format("{} takes a name", function.name));
    }
    if (!status.ok()) return status;
    const absl::StatusOr<ExpressionMeaning> meaning = scope_.FindCall(call);
    if (!meaning.ok()) return meaning.status();
    AddMeaning(*meaning, node.column);
    return absl::OkStatus();
  }

  // The call as it is written, up to its parenthesis.
  std::string TextOf(const ExpressionNode& node) const {
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

  absl::Status CheckOperator(const ExpressionNode& node) {
    const std::vector<Operand> operands =
        TakeOperands(*stack_, node.children.size());
    absl::Status status;
    ExpressionType result = ExpressionType::kBool;
    switch (node.op) {
      case ExpressionOperator::kOr:
      case ExpressionOperator::kAnd:
      case ExpressionOperator::kNot:
        status = WantAll(ExpressionType::kBool, operands, node.op);
        break;
      case ExpressionOperator::kEqual:
      case ExpressionOperator::kNotEqual:
        status = CheckEquality(node, operands);
        break;
      case ExpressionOperator::kLess:
      case ExpressionOperator::kLessOrEqual:
      case ExpressionOperator::kGreater:
      case ExpressionOperator::kGreaterOrEqual:
        status = WantAll(ExpressionType::kNumber, operands, node.op);
        break;
      default:
        status = WantAll(ExpressionType::kNumber, operands, node.op);
        result = ExpressionType::kNumber;
    }
    if (!status.ok()) return status;
    ExpressionStep& step = AddStep(
        Kind::kOperator, {.type = result, .column = node.column, .text = {}});
    step.op = node.op;
    step.operand_count = static_cast<uint32_t>(operands.size());
    return absl::OkStatus();
  }

  absl::Status WantAll(ExpressionType type,
                       const std::vector<Operand>& operands,
                       ExpressionOperator op) {
    const std::string name =
        op == ExpressionOperator::kNegate
            ? "-"
            : fmt::format("'{}'", ExpressionOperatorName(op));
    for (const Operand& operand : operands) {
      const absl::Status status = Want(type, operand, name);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status CheckEquality(const ExpressionNode& node,
                             const std::vector<Operand>& operands) {
    if (operands[0].type != operands[1].type) {
      return ExpressionErrorAt(
          node.column,
          fmt::format("{} and {} are never equal", TypeName(operands[0].type),
                      TypeName(operands[1].type)));
    }
    for (size_t i = 0; i < 2; ++i) {
      const ExpressionChoices* const choices = operands[i].choices;
      const std::optional<std::string>& text = operands[1 - i].text;
      if (choices != nullptr && text &&
          std::ranges::count(choices->texts, *text) == 0) {
        return ExpressionErrorAt(
            operands[1 - i].column,
            choices->texts.size() <= kAlternativesMax
                ? fmt::format("{} is {}", choices->kind,
                              Alternatives(choices->texts))
                : fmt::format("{} is never \"{}\"{}", choices->kind, *text,
                              DidYouMean(*text, choices->texts)));
      }
    }
    return absl::OkStatus();
  }

  const ExpressionTree& tree_;
  ExpressionScope& scope_;
  std::vector<Function> functions_;
  std::vector<ExpressionProgram> programs_;
  std::vector<std::vector<Operand>> operands_;  // of each program
  std::vector<std::optional<uint32_t>> owners_;
  // The program that a call's condition is; or 0.
  std::vector<uint32_t> condition_programs_;
  ExpressionProgram* program_ = nullptr;
  std::vector<Operand>* stack_ = nullptr;
};

}  // namespace

bool IsExpressionFunction(std::string_view name) {
  return std::ranges::find(kFunctions, name, &Function::name) !=
         std::end(kFunctions);
}

Expression::Expression(std::string text, ExpressionType type,
                       std::vector<ExpressionProgram> programs)
    : text_(std::move(text)), type_(type), programs_(std::move(programs)) {}

absl::StatusOr<Expression> Expression::Parse(std::string_view text,
                                             ExpressionScope& scope) {
  const absl::StatusOr<ExpressionTree> tree = ParseExpression(text);
  if (!tree.ok()) return tree.status();
  Checker checker(*tree, scope);
  const absl::Status status = checker.Check();
  if (!status.ok()) return status;
  return Expression(std::string(text), checker.type(),
                    std::move(checker.programs()));
}

}  // namespace reprise::sim
