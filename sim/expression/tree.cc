// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/expression/tree.h"

#include <initializer_list>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/expression/token.h"

namespace reprise::sim {
namespace {

using Kind = ExpressionToken::Kind;

constexpr ExpressionOperator kComparisons[] = {
    ExpressionOperator::kEqual,   ExpressionOperator::kNotEqual,
    ExpressionOperator::kLess,    ExpressionOperator::kLessOrEqual,
    ExpressionOperator::kGreater, ExpressionOperator::kGreaterOrEqual,
};

// Descends through the rules of the grammar, one function each.
class Parser {
 public:
  explicit Parser(std::vector<ExpressionToken> tokens)
      : tokens_(std::move(tokens)) {}

  absl::StatusOr<std::vector<ExpressionNode>> Parse() {
    const absl::StatusOr<uint32_t> root = ParseOr();
    if (!root.ok()) return root.status();
    if (token().kind != Kind::kEnd) return Unexpected("an operator");
    return std::move(nodes_);
  }

 private:
  using Rule = absl::StatusOr<uint32_t> (Parser::*)();

  // Counts itself in while it lives.
  class Nesting {
   public:
    explicit Nesting(size_t& depth) : depth_(depth) { ++depth_; }
    ~Nesting() { --depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    size_t& depth_;
  };

  const ExpressionToken& token() const { return tokens_[place_]; }
  const ExpressionToken& Take() { return tokens_[place_++]; }

  bool IsSymbol(std::string_view symbol) const {
    return token().kind == Kind::kSymbol && token().text == symbol;
  }
  bool IsWord(std::string_view word) const {
    return token().kind == Kind::kName && token().text == word;
  }

  bool TakeSymbol(std::string_view symbol) {
    if (!IsSymbol(symbol)) return false;
    ++place_;
    return true;
  }

  absl::Status Unexpected(std::string_view wanted) const {
    return ExpressionErrorAt(
        token().column,
        token().kind == Kind::kEnd
            ? fmt::format("{} is missing", wanted)
            : fmt::format("{} is expected, not {}", wanted, Describe(token())));
  }

  static std::string Describe(const ExpressionToken& token) {
    const std::string_view quote = token.kind == Kind::kText ? "\"" : "'";
    return fmt::format("{}{}{}", quote, token.text, quote);
  }

  uint32_t Add(ExpressionNode node) {
    nodes_.push_back(std::move(node));
    return static_cast<uint32_t>(nodes_.size() - 1);
  }

  uint32_t AddOperator(ExpressionOperator op, size_t column,
                       std::vector<uint32_t> children) {
    ExpressionNode node;
    node.kind = ExpressionNode::Kind::kOperator;
    node.column = column;
    node.op = op;
    node.children = std::move(children);
    return Add(std::move(node));
  }

  // The operator of `operators` that stands here.
  template <typename Operators>
  std::optional<ExpressionOperator> Find(const Operators& operators) const {
    for (const ExpressionOperator op : operators) {
      const std::string_view name = ExpressionOperatorName(op);
      if (IsSymbol(name) || IsWord(name)) return op;
    }
    return std::nullopt;
  }

  // operand { operator operand }, from left to right.
  absl::StatusOr<uint32_t> ParseChain(
      Rule operand, std::initializer_list<ExpressionOperator> operators) {
    absl::StatusOr<uint32_t> left = (this->*operand)();
    while (left.ok()) {
      const std::optional<ExpressionOperator> op = Find(operators);
      if (!op) return left;
      const size_t column = Take().column;
      const absl::StatusOr<uint32_t> right = (this->*operand)();
      if (!right.ok()) return right.status();
      left = AddOperator(*op, column, {*left, *right});
    }
    return left;
  }

  absl::StatusOr<uint32_t> ParseOr() {
    const Nesting nesting(depth_);
    if (depth_ > kExpressionNestingMax) return TooDeep();
    return ParseChain(&Parser::ParseAnd, {ExpressionOperator::kOr});
  }

  absl::StatusOr<uint32_t> ParseAnd() {
    return ParseChain(&Parser::ParseNot, {ExpressionOperator::kAnd});
  }

  absl::StatusOr<uint32_t> ParseNot() {
    if (!IsWord("not")) return ParseComparison();
    const Nesting nesting(depth_);
    if (depth_ > kExpressionNestingMax) return TooDeep();
    const size_t column = Take().column;
    const absl::StatusOr<uint32_t> operand = ParseNot();
    if (!operand.ok()) return operand.status();
    return AddOperator(ExpressionOperator::kNot, column, {*operand});
  }

  absl::StatusOr<uint32_t> ParseComparison() {
    const absl::StatusOr<uint32_t> left = ParseSum();
    if (!left.ok()) return left.status();
    const std::optional<ExpressionOperator> op = Find(kComparisons);
    if (!op) return *left;
    const size_t column = Take().column;
    const absl::StatusOr<uint32_t> right = ParseSum();
    if (!right.ok()) return right.status();
    if (Find(kComparisons)) {
      return ExpressionErrorAt(
          token().column,
          "comparisons don't chain: write `a < b and b < c`, or parentheses");
    }
    return AddOperator(*op, column, {*left, *right});
  }

  absl::StatusOr<uint32_t> ParseSum() {
    return ParseChain(&Parser::ParseProduct, {ExpressionOperator::kAdd,
                                              ExpressionOperator::kSubtract});
  }

  absl::StatusOr<uint32_t> ParseProduct() {
    return ParseChain(&Parser::ParseUnary, {ExpressionOperator::kMultiply,
                                            ExpressionOperator::kDivide});
  }

  absl::StatusOr<uint32_t> ParseUnary() {
    if (!IsSymbol("-")) return ParsePrimary();
    const Nesting nesting(depth_);
    if (depth_ > kExpressionNestingMax) return TooDeep();
    const size_t column = Take().column;
    const absl::StatusOr<uint32_t> operand = ParseUnary();
    if (!operand.ok()) return operand.status();
    return AddOperator(ExpressionOperator::kNegate, column, {*operand});
  }

  absl::StatusOr<uint32_t> ParsePrimary() {
    if (TakeSymbol("(")) {
      const absl::StatusOr<uint32_t> inner = ParseOr();
      if (!inner.ok()) return inner.status();
      if (!TakeSymbol(")")) return Unexpected("')'");
      return *inner;
    }
    if (token().kind == Kind::kNumber) {
      const ExpressionToken& number = Take();
      return AddLiteral(number, number.value);
    }
    if (token().kind == Kind::kText) {
      const ExpressionToken& text = Take();
      if (IsSymbol(".")) return ParseField(text);
      return AddLiteral(text, text.text);
    }
    if (token().kind != Kind::kName || Find(kWordOperators)) {
      return Unexpected("a value");
    }
    const ExpressionToken& name = Take();
    if (IsSymbol(".")) return ParseField(name);
    if (TakeSymbol("(")) return ParseCall(name);
    if (name.text == "true") return AddLiteral(name, true);
    if (name.text == "false") return AddLiteral(name, false);
    return Add(Named(ExpressionNode::Kind::kName, name));
  }

  uint32_t AddLiteral(const ExpressionToken& token, ExpressionValue value) {
    ExpressionNode node;
    node.column = token.column;
    node.literal = std::move(value);
    return Add(std::move(node));
  }

  static ExpressionNode Named(ExpressionNode::Kind kind,
                              const ExpressionToken& name) {
    ExpressionNode node;
    node.kind = kind;
    node.column = name.column;
    node.path = {name.text};
    node.path_columns = {name.column};
    return node;
  }

  // Behind the first part of its path.
  absl::StatusOr<uint32_t> ParseField(const ExpressionToken& first) {
    ExpressionNode node = Named(ExpressionNode::Kind::kField, first);
    node.is_object_quoted = first.kind == Kind::kText;
    while (TakeSymbol(".")) {
      if (token().kind != Kind::kName) return Unexpected("a name");
      node.path_columns.push_back(token().column);
      node.path.push_back(Take().text);
    }
    if (TakeSymbol("[")) {
      if (token().kind != Kind::kNumber ||
          !std::holds_alternative<ExpressionInteger>(token().value)) {
        return Unexpected("a whole number");
      }
      node.path.back() += fmt::format("[{}]", Take().text);
      if (!TakeSymbol("]")) return Unexpected("']'");
    }
    return Add(std::move(node));
  }

  // Behind its opening parenthesis.
  absl::StatusOr<uint32_t> ParseCall(const ExpressionToken& name) {
    ExpressionNode node = Named(ExpressionNode::Kind::kCall, name);
    if (!IsSymbol(")")) {
      do {
        const absl::StatusOr<uint32_t> argument = ParseOr();
        if (!argument.ok()) return argument.status();
        node.children.push_back(*argument);
      } while (TakeSymbol(","));
    }
    if (!TakeSymbol(")")) return Unexpected("')' or ','");
    return Add(std::move(node));
  }

  absl::Status TooDeep() const {
    return ExpressionErrorAt(
        token().column, fmt::format("more than {} levels within each other",
                                    kExpressionNestingMax));
  }

  static constexpr ExpressionOperator kWordOperators[] = {
      ExpressionOperator::kOr, ExpressionOperator::kAnd,
      ExpressionOperator::kNot};

  const std::vector<ExpressionToken> tokens_;
  size_t place_ = 0;
  size_t depth_ = 0;
  std::vector<ExpressionNode> nodes_;
};

}  // namespace

std::string ExpressionNode::FullName() const {
  return fmt::format("{}", fmt::join(path, "."));
}

absl::StatusOr<ExpressionTree> ParseExpression(std::string_view text) {
  absl::StatusOr<std::vector<ExpressionToken>> tokens = SplitExpression(text);
  if (!tokens.ok()) return tokens.status();
  absl::StatusOr<std::vector<ExpressionNode>> nodes =
      Parser(*std::move(tokens)).Parse();
  if (!nodes.ok()) return nodes.status();
  return ExpressionTree{std::string(text), *std::move(nodes)};
}

std::string FormatPostfix(const ExpressionTree& tree) {
  std::string text;
  for (const ExpressionNode& node : tree.nodes) {
    if (!text.empty()) text += ' ';
    switch (node.kind) {
      case ExpressionNode::Kind::kLiteral:
        text += FormatExpressionValue(node.literal);
        break;
      case ExpressionNode::Kind::kName:
      case ExpressionNode::Kind::kField:
        text += node.FullName();
        break;
      case ExpressionNode::Kind::kCall:
        text += fmt::format("{}/{}", node.FullName(), node.children.size());
        break;
      case ExpressionNode::Kind::kOperator:
        text += ExpressionOperatorName(node.op);
        break;
    }
  }
  return text;
}

}  // namespace reprise::sim
