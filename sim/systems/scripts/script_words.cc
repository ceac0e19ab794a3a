// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_words.h"

#include <cstddef>

#include "sim/base/utf8.h"

namespace reprise::sim {
namespace {

// A sentence is no name.
constexpr size_t kWordBytesMax = 64;

}  // namespace

std::vector<std::string> WordsOfScript(std::string_view source) {
  std::vector<std::string> words;
  size_t start = source.find_first_of("\"'");
  while (start != std::string_view::npos) {
    const char quote = source[start];
    const size_t end =
        source.find_first_of(quote == '"' ? "\"\\\n" : "'\\\n", start + 1);
    if (end == std::string_view::npos) break;
    if (source[end] == '\\') {
      // Goes on behind the string that has it.
      size_t behind = end;
      while (behind < source.size() && source[behind] != quote &&
             source[behind] != '\n') {
        behind += source[behind] == '\\' ? 2 : 1;
      }
      if (behind >= source.size()) break;
      start = source.find_first_of("\"'", behind + 1);
      continue;
    }
    const std::string_view word = source.substr(start + 1, end - start - 1);
    const bool is_word = source[end] == quote && !word.empty() &&
                         word.size() <= kWordBytesMax && IsUtf8(word);
    if (is_word) words.emplace_back(word);
    start = source.find_first_of("\"'", end + 1);
  }
  return words;
}

}  // namespace reprise::sim
