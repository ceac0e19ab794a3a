// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The names and short strings of a script with their lines: where a mistake in
// what a loaded script says of itself stands, and which names it calls by.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_TOKENS_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_TOKENS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::sim {

enum class ScriptTokenKind : uint8_t { kName, kString, kOther };

struct ScriptToken {
  ScriptTokenKind kind = ScriptTokenKind::kOther;
  // Of a string what stands between its quotes; of others one character.
  std::string text;
  int line = 0;  // from 1
};

// All of a source that Lua takes, but for spaces, comments and long strings.
std::vector<ScriptToken> TokensOfScript(std::string_view source);

// The line where `word` first stands as a key of a table, as in `word = 1` and
// `function M.word()`, or, if it never does, as a string; 0 where it is
// neither.
int LineOfWord(const std::vector<ScriptToken>& tokens, std::string_view word);

// The lines where the steps of each state begin, as far as the source writes
// them out: `states = { walk = { steps = { {}, {} } } }`.
std::map<std::string, std::vector<int>> LinesOfSteps(
    const std::vector<ScriptToken>& tokens);

// The strings that the function `table.function` is given as argument `place`,
// from 0.
struct ScriptArgumentPlace {
  std::string_view table;
  std::string_view function;
  size_t place = 0;
};
std::vector<ScriptToken> ArgumentsAt(const std::vector<ScriptToken>& tokens,
                                     const ScriptArgumentPlace& argument);

// The strings that a function called `function` (the last of its names) is
// given as the first argument.
std::vector<ScriptToken> FirstArguments(const std::vector<ScriptToken>& tokens,
                                        std::string_view function);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_TOKENS_H_
