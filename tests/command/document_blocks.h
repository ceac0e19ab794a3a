// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The fenced blocks of documents, and how what a command prints is held against
// what stands there.

#ifndef REPRISE_TESTS_COMMAND_DOCUMENT_BLOCKS_H_
#define REPRISE_TESTS_COMMAND_DOCUMENT_BLOCKS_H_

#include <string>
#include <string_view>
#include <vector>

namespace reprise::tests {

struct DocumentBlock {
  int line = 0;          // of the document, from 1
  std::string language;  // the first word behind the fence
  std::string words;     // the others
  std::string text;      // without the indentation of the fence
};

std::vector<DocumentBlock> BlocksOf(const std::string& document);

struct DocumentCommand {
  std::string line;    // without "$ "
  std::string output;  // what stands below it, up to the next one
};

// The commands of a block: its lines with "$ ", with what is printed.
std::vector<DocumentCommand> CommandsOf(const DocumentBlock& block);

// Whether `output` is what `expected` says: "..." within a line stands for any
// text in it, and a line of "..." alone for any lines.
bool MatchesOutput(std::string_view expected, std::string_view output);

// The lines of `excerpt` that `text` doesn't have in this order, whatever
// their indentation; a line of "..." is no line.
std::string LinesMissingIn(std::string_view text, std::string_view excerpt);

}  // namespace reprise::tests

#endif  // REPRISE_TESTS_COMMAND_DOCUMENT_BLOCKS_H_
