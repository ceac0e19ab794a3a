// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_tokens.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace reprise::sim {
namespace {

bool IsNameCharacter(char each) {
  return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
         (each >= '0' && each <= '9') || each == '_';
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : source_(source) {}

  std::vector<ScriptToken> Run() {
    while (at_ < source_.size()) Next();
    return std::move(tokens_);
  }

 private:
  void Next() {
    const char each = source_[at_];
    if (each == '\n') ++line_;
    if (each == ' ' || each == '\t' || each == '\n' || each == '\r') {
      ++at_;
    } else if (source_.substr(at_).starts_with("--")) {
      at_ += 2;
      if (!SkipLong()) SkipTo(source_.find('\n', at_));
    } else if (each == '[' && SkipLong()) {
      // A long string is no name.
    } else if (each == '"' || each == '\'') {
      ReadString(each);
    } else if (IsNameCharacter(each)) {
      const size_t start = at_;
      while (at_ < source_.size() && IsNameCharacter(source_[at_])) ++at_;
      Add(ScriptTokenKind::kName, source_.substr(start, at_ - start));
    } else {
      Add(ScriptTokenKind::kOther, source_.substr(at_, 1));
      ++at_;
    }
  }

  void Add(ScriptTokenKind kind, std::string_view text) {
    tokens_.push_back({.kind = kind, .text = std::string(text), .line = line_});
  }

  void SkipTo(size_t end) {
    end = std::min(end, source_.size());
    line_ += static_cast<int>(
        std::ranges::count(source_.substr(at_, end - at_), '\n'));
    at_ = end;
  }

  // Skips "[[...]]" or "[==[...]==]", if one stands here.
  bool SkipLong() {
    const std::string_view rest = source_.substr(at_);
    if (!rest.starts_with('[')) return false;
    size_t level = 1;
    while (level < rest.size() && rest[level] == '=') ++level;
    if (level >= rest.size() || rest[level] != '[') return false;
    const std::string end = "]" + std::string(level - 1, '=') + "]";
    const size_t found = source_.find(end, at_);
    SkipTo(found == std::string_view::npos ? found : found + end.size());
    return true;
  }

  void ReadString(char quote) {
    const size_t start = ++at_;
    const int line = line_;
    while (at_ < source_.size() && source_[at_] != quote) {
      if (source_[at_] == '\\') ++at_;
      if (at_ < source_.size() && source_[at_] == '\n') ++line_;
      ++at_;
    }
    const size_t end = std::min(at_, source_.size());
    tokens_.push_back({.kind = ScriptTokenKind::kString,
                       .text = std::string(source_.substr(start, end - start)),
                       .line = line});
    ++at_;
  }

  std::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  std::vector<ScriptToken> tokens_;
};

bool IsOther(const std::vector<ScriptToken>& tokens, size_t index,
             std::string_view text) {
  return index < tokens.size() &&
         tokens[index].kind == ScriptTokenKind::kOther &&
         tokens[index].text == text;
}

// By how much what follows `token` is within more than what comes before it.
int DepthOf(const ScriptToken& token) {
  if (token.kind == ScriptTokenKind::kOther) {
    if (token.text == "{" || token.text == "(" || token.text == "[") return 1;
    if (token.text == "}" || token.text == ")" || token.text == "]") return -1;
    return 0;
  }
  if (token.kind != ScriptTokenKind::kName) return 0;
  // Of `for` and `while` the `do`.
  for (const std::string_view word : {"function", "if", "do", "repeat"}) {
    if (token.text == word) return 1;
  }
  return token.text == "end" || token.text == "until" ? -1 : 0;
}

// Where the argument behind the one that begins at `index` begins; nullopt
// where the call ends before.
std::optional<size_t> NextArgument(const std::vector<ScriptToken>& tokens,
                                   size_t index) {
  int depth = 0;
  for (size_t i = index; i < tokens.size(); ++i) {
    if (depth == 0 && IsOther(tokens, i, ",")) return i + 1;
    depth += DepthOf(tokens[i]);
    if (depth < 0) break;
  }
  return std::nullopt;
}

// Where the entries of a table begin that is written out; `open` is its brace.
std::vector<size_t> EntriesOf(const std::vector<ScriptToken>& tokens,
                              size_t open) {
  std::vector<size_t> entries;
  int depth = 1;
  bool is_first = true;
  for (size_t i = open + 1; i < tokens.size(); ++i) {
    const bool is_outside = depth == 1;
    depth += DepthOf(tokens[i]);
    if (depth == 0) break;
    if (is_outside && is_first) entries.push_back(i);
    is_first =
        is_outside && (IsOther(tokens, i, ",") || IsOther(tokens, i, ";"));
  }
  return entries;
}

// `function M.on.word(`: whether the name at `index` is the key of a table that
// the function which is declared there gets.
bool IsFunctionAt(const std::vector<ScriptToken>& tokens, size_t index) {
  if (tokens[index].kind != ScriptTokenKind::kName ||
      !IsOther(tokens, index + 1, "(")) {
    return false;
  }
  size_t first = index;
  while (first >= 2 &&
         (IsOther(tokens, first - 1, ".") || IsOther(tokens, first - 1, ":"))) {
    first -= 2;
  }
  return first != index && first > 0 &&
         tokens[first - 1].kind == ScriptTokenKind::kName &&
         tokens[first - 1].text == "function";
}

// A key of a table whose value is one that is written out.
struct TableEntry {
  std::string_view key;
  size_t open = 0;  // its brace
};

// `key = {` or `["key"] = {` that begins at `index`, if that stands there.
std::optional<TableEntry> TableAt(const std::vector<ScriptToken>& tokens,
                                  size_t index) {
  const bool has_bracket = IsOther(tokens, index, "[");
  const size_t word = has_bracket ? index + 1 : index;
  const size_t behind = has_bracket ? word + 2 : word + 1;
  if (!IsOther(tokens, behind, "=") || !IsOther(tokens, behind + 1, "{") ||
      tokens[word].kind == ScriptTokenKind::kOther) {
    return std::nullopt;
  }
  return TableEntry{.key = tokens[word].text, .open = behind + 1};
}

// Where the entries begin of the table at `steps` of the table whose brace is
// `open`.
std::vector<size_t> StepsWithin(const std::vector<ScriptToken>& tokens,
                                size_t open) {
  for (const size_t entry : EntriesOf(tokens, open)) {
    const std::optional<TableEntry> table = TableAt(tokens, entry);
    if (table.has_value() && table->key == "steps") {
      return EntriesOf(tokens, table->open);
    }
  }
  return {};
}

}  // namespace

std::map<std::string, std::vector<int>> LinesOfSteps(
    const std::vector<ScriptToken>& tokens) {
  std::map<std::string, std::vector<int>> lines;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::optional<TableEntry> states = TableAt(tokens, i);
    if (!states.has_value() || states->key != "states") continue;
    for (const size_t entry : EntriesOf(tokens, states->open)) {
      const std::optional<TableEntry> state = TableAt(tokens, entry);
      if (!state.has_value()) continue;
      std::vector<int>& of_state = lines[std::string(state->key)];
      if (!of_state.empty()) continue;
      for (const size_t step : StepsWithin(tokens, state->open)) {
        of_state.push_back(tokens[step].line);
      }
    }
  }
  return lines;
}

std::vector<ScriptToken> TokensOfScript(std::string_view source) {
  return Tokenizer(source).Run();
}

int LineOfWord(const std::vector<ScriptToken>& tokens, std::string_view word) {
  std::optional<int> string_line;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == ScriptTokenKind::kOther || tokens[i].text != word) {
      continue;
    }
    if (IsFunctionAt(tokens, i)) return tokens[i].line;
    // `word =` or `["word"] =`; "==" is a comparison.
    const size_t behind = IsOther(tokens, i + 1, "]") ? i + 2 : i + 1;
    if (IsOther(tokens, behind, "=") && !IsOther(tokens, behind + 1, "=")) {
      return tokens[i].line;
    }
    if (tokens[i].kind == ScriptTokenKind::kString && !string_line) {
      string_line = tokens[i].line;
    }
  }
  return string_line.value_or(0);
}

std::vector<ScriptToken> ArgumentsAt(const std::vector<ScriptToken>& tokens,
                                     const ScriptArgumentPlace& argument) {
  const auto is_name = [&](size_t index, std::string_view text) {
    return index < tokens.size() &&
           tokens[index].kind == ScriptTokenKind::kName &&
           tokens[index].text == text;
  };
  std::vector<ScriptToken> found;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!is_name(i, argument.table) || !IsOther(tokens, i + 1, ".") ||
        !is_name(i + 2, argument.function) || !IsOther(tokens, i + 3, "(")) {
      continue;
    }
    if (i > 0 && (IsOther(tokens, i - 1, ".") || IsOther(tokens, i - 1, ":"))) {
      continue;  // a field of something else
    }
    size_t at = i + 4;
    size_t place = 0;
    while (place < argument.place) {
      const std::optional<size_t> next = NextArgument(tokens, at);
      if (!next.has_value()) break;
      at = *next;
      ++place;
    }
    // What is joined to more isn't a whole name.
    if (place == argument.place && at < tokens.size() &&
        tokens[at].kind == ScriptTokenKind::kString &&
        (IsOther(tokens, at + 1, ",") || IsOther(tokens, at + 1, ")"))) {
      found.push_back(tokens[at]);
    }
  }
  return found;
}

std::vector<ScriptToken> FirstArguments(const std::vector<ScriptToken>& tokens,
                                        std::string_view function) {
  std::vector<ScriptToken> found;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != ScriptTokenKind::kName ||
        tokens[i].text != function) {
      continue;
    }
    const bool has_bracket = IsOther(tokens, i + 1, "(");
    const size_t argument = has_bracket ? i + 2 : i + 1;
    if (argument >= tokens.size() ||
        tokens[argument].kind != ScriptTokenKind::kString) {
      continue;
    }
    // What is joined to more isn't a whole name.
    if (has_bracket && !IsOther(tokens, argument + 1, ")")) continue;
    found.push_back(tokens[argument]);
  }
  return found;
}

}  // namespace reprise::sim
