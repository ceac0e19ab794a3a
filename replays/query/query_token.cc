// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/query_token.h"

#include <charconv>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "sim/base/math.h"

namespace reprise::replays {
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

  absl::StatusOr<QueryToken> Next() {
    while (!is_at_end() && IsBlank(text_[place_])) ++place_;
    if (is_at_end()) return Token(QueryToken::Kind::kEnd, 0);
    const char first = text_[place_];
    if (BeginsName(first)) return TakeName();
    if (IsDigit(first)) return TakeNumber();
    if (first == '"' || first == '\'') return TakeText();
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(place_).starts_with(symbol)) {
        return Token(QueryToken::Kind::kSymbol, symbol.size());
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
    return QueryErrorAt(place_ + 1, problem);
  }

  QueryToken Token(QueryToken::Kind kind, size_t size) {
    QueryToken token{.kind = kind,
                     .column = place_ + 1,
                     .text = std::string(text_.substr(place_, size)),
                     .value = {}};
    place_ += size;
    return token;
  }

  QueryToken TakeName() {
    size_t end = place_;
    while (end < text_.size() && ContinuesName(text_[end])) ++end;
    return Token(QueryToken::Kind::kName, end - place_);
  }

  absl::StatusOr<QueryToken> TakeNumber() {
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
    if (error != std::errc() || !sim::IsFinite(real)) {
      return Error(is_integer ? "a whole number of more than 64 bits"
                              : "a number that no double is near");
    }
    QueryToken token =
        Token(QueryToken::Kind::kNumber, static_cast<size_t>(real_end - begin));
    token.value = is_integer ? QueryValue(static_cast<QueryInteger>(integer))
                             : QueryValue(real);
    return token;
  }

  absl::StatusOr<QueryToken> TakeText() {
    const size_t end = text_.find(text_[place_], place_ + 1);
    if (end == std::string_view::npos) return Error("the quote has no end");
    QueryToken token = Token(QueryToken::Kind::kText, end + 1 - place_);
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
  }

  const std::string_view text_;
  size_t place_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<QueryToken>> SplitQuery(std::string_view text) {
  if (text.size() > kQueryBytesMax) {
    return absl::InvalidArgumentError(fmt::format(
        "a query of {} bytes; at most {}", text.size(), kQueryBytesMax));
  }
  Splitter splitter(text);
  std::vector<QueryToken> tokens;
  do {
    absl::StatusOr<QueryToken> token = splitter.Next();
    if (!token.ok()) return token.status();
    tokens.push_back(*std::move(token));
  } while (tokens.back().kind != QueryToken::Kind::kEnd);
  return tokens;
}

absl::Status QueryErrorAt(size_t column, std::string_view problem) {
  return absl::InvalidArgumentError(
      fmt::format("column {}: {}", column, problem));
}

}  // namespace reprise::replays
