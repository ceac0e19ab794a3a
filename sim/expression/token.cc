// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/expression/token.h"

#include <charconv>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// The longer symbols first.
constexpr std::string_view kSymbols[] = {"==", "!=", "<=", ">=", "<", ">",
                                         "+",  "-",  "*",  "/",  "(", ")",
                                         "[",  "]",  ",",  "."};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool BeginsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Spawned objects are called "ball#27".
bool ContinuesName(char c) { return BeginsName(c) || IsDigit(c) || c == '#'; }

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  absl::StatusOr<ExpressionToken> Next() {
    while (!is_at_end() && IsBlank(text_[place_])) ++place_;
    if (is_at_end()) return Token(ExpressionToken::Kind::kEnd, 0);
    const char first = text_[place_];
    if (BeginsName(first)) return TakeName();
    if (IsDigit(first)) return TakeNumber();
    if (first == '"' || first == '\'') return TakeText();
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(place_).starts_with(symbol)) {
        return Token(ExpressionToken::Kind::kSymbol, symbol.size());
      }
    }
    if (first == '=') return Error("to compare, write ==");
    if (first > ' ' && first <= '~') {
      return Error(fmt::format("'{}' means nothing here", first));
    }
    return Error("a byte that means nothing here");
  }

 private:
  bool is_at_end() const { return place_ == text_.size(); }

  absl::Status Error(std::string_view problem) const {
    return ExpressionErrorAt(place_ + 1, problem);
  }

  ExpressionToken Token(ExpressionToken::Kind kind, size_t size) {
    ExpressionToken token{.kind = kind,
                          .column = place_ + 1,
                          .text = std::string(text_.substr(place_, size)),
                          .value = {}};
    place_ += size;
    return token;
  }

  ExpressionToken TakeName() {
    size_t end = place_;
    while (end < text_.size() && ContinuesName(text_[end])) ++end;
    return Token(ExpressionToken::Kind::kName, end - place_);
  }

  absl::StatusOr<ExpressionToken> TakeNumber() {
    const char* const begin = text_.data() + place_;
    const char* const end = text_.data() + text_.size();
    uint64_t integer = 0;
    const auto [integer_end, integer_error] =
        std::from_chars(begin, end, integer);
    double real = 0;
    const auto [real_end, real_error] = std::from_chars(begin, end, real);
    if (real_end != end && ContinuesName(*real_end)) {
      return Error("a number runs into a name");
    }
    const bool is_integer = integer_end == real_end;
    const std::errc error = is_integer ? integer_error : real_error;
    if (error != std::errc() || !IsFinite(real)) {
      return Error(is_integer ? "a whole number of more than 64 bits"
                              : "a number that no double is near");
    }
    ExpressionToken token = Token(ExpressionToken::Kind::kNumber,
                                  static_cast<size_t>(real_end - begin));
    token.value = is_integer
                      ? ExpressionValue(static_cast<ExpressionInteger>(integer))
                      : ExpressionValue(real);
    return token;
  }

  absl::StatusOr<ExpressionToken> TakeText() {
    const size_t end = text_.find(text_[place_], place_ + 1);
    if (end == std::string_view::npos) return Error("the quote has no end");
    ExpressionToken token =
        Token(ExpressionToken::Kind::kText, end + 1 - place_);
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
  }

  const std::string_view text_;
  size_t place_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<ExpressionToken>> SplitExpression(
    std::string_view text) {
  if (text.size() > kExpressionBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("an expression of {} bytes; at most {}", text.size(),
                    kExpressionBytesMax));
  }
  Splitter splitter(text);
  std::vector<ExpressionToken> tokens;
  do {
    absl::StatusOr<ExpressionToken> token = splitter.Next();
    if (!token.ok()) return token.status();
    tokens.push_back(*std::move(token));
  } while (tokens.back().kind != ExpressionToken::Kind::kEnd);
  return tokens;
}

absl::Status ExpressionErrorAt(size_t column, std::string_view problem) {
  return absl::InvalidArgumentError(
      fmt::format("column {}: {}", column, problem));
}

}  // namespace reprise::sim
