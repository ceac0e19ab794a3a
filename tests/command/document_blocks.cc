// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/command/document_blocks.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace reprise::tests {
namespace {

constexpr std::string_view kFence = "```";
constexpr std::string_view kPrompt = "$ ";
constexpr std::string_view kAnything = "...";

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string_view Trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return "";
  return line.substr(begin, line.find_last_not_of(' ') - begin + 1);
}

bool MatchesLine(std::string_view expected, std::string_view line) {
  const size_t gap = expected.find(kAnything);
  if (gap == std::string_view::npos) return expected == line;
  if (!line.starts_with(expected.substr(0, gap))) return false;
  const std::string_view rest = expected.substr(gap + kAnything.size());
  for (size_t i = gap; i <= line.size(); ++i) {
    if (MatchesLine(rest, line.substr(i))) return true;
  }
  return false;
}

bool MatchesLines(const std::vector<std::string>& expected, size_t i,
                  const std::vector<std::string>& lines, size_t k) {
  for (; i < expected.size(); ++i, ++k) {
    if (expected[i] == kAnything) {
      for (; k <= lines.size(); ++k) {
        if (MatchesLines(expected, i + 1, lines, k)) return true;
      }
      return false;
    }
    if (k >= lines.size() || !MatchesLine(expected[i], lines[k])) return false;
  }
  return k == lines.size();
}

}  // namespace

std::vector<DocumentBlock> BlocksOf(const std::string& document) {
  std::vector<DocumentBlock> blocks;
  bool is_inside = false;
  size_t indent = 0;
  int number = 0;
  for (const std::string& line : LinesOf(document)) {
    ++number;
    const std::string_view trimmed = Trimmed(line);
    if (!trimmed.starts_with(kFence)) {
      if (!is_inside) continue;
      const size_t begin = line.find_first_not_of(' ');
      blocks.back().text +=
          line.substr(std::min({indent, begin, line.size()})) + "\n";
      continue;
    }
    is_inside = !is_inside;
    if (!is_inside) continue;
    indent = line.find_first_not_of(' ');
    const std::string_view info = trimmed.substr(kFence.size());
    const size_t space = std::min(info.find(' '), info.size());
    blocks.push_back({.line = number,
                      .language = std::string(info.substr(0, space)),
                      .words = std::string(Trimmed(info.substr(space))),
                      .text = ""});
  }
  return blocks;
}

std::vector<DocumentCommand> CommandsOf(const DocumentBlock& block) {
  std::vector<DocumentCommand> commands;
  for (const std::string& line : LinesOf(block.text)) {
    if (line.starts_with(kPrompt)) {
      commands.push_back({.line = line.substr(kPrompt.size()), .output = ""});
    } else if (!commands.empty()) {
      commands.back().output += line + "\n";
    }
  }
  // A line between an output and the next command is for the eye.
  for (DocumentCommand& command : commands) {
    while (command.output.ends_with("\n\n")) command.output.pop_back();
    if (command.output == "\n") command.output.clear();
  }
  return commands;
}

bool MatchesOutput(std::string_view expected, std::string_view output) {
  return MatchesLines(LinesOf(expected), 0, LinesOf(output), 0);
}

std::string LinesMissingIn(std::string_view text, std::string_view excerpt) {
  const std::vector<std::string> lines = LinesOf(text);
  std::string missing;
  auto from = lines.begin();
  for (const std::string& line : LinesOf(excerpt)) {
    const std::string_view wanted = Trimmed(line);
    if (wanted.empty() || wanted == kAnything) continue;
    const auto found = std::find_if(from, lines.end(), [&](const auto& other) {
      return Trimmed(other) == wanted;
    });
    if (found == lines.end()) {
      missing += line + "\n";
    } else {
      from = found + 1;
    }
  }
  return missing;
}

}  // namespace reprise::tests
