// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What comes out of files, on its way to people: names, reasons and players'
// texts that hold control characters show them, and never make them happen.

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_ESCAPED_TEXT_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_ESCAPED_TEXT_H_

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace reprise::tools {

// `text` with "\xNN" for each byte of what a terminal obeys or turns around
// (control characters but tab and line's end, marks of direction) and of what
// isn't UTF-8. The text format reads these escapes back as the same bytes.
std::string EscapeText(std::string_view text);

// The same of what has to stay on its line: ends of lines and tabs, too.
std::string EscapeLine(std::string_view text);

// The same for the text of a JSON document: "\u009b", and no change of what it
// says. REQUIRES: `json` is UTF-8.
std::string EscapeJson(std::string_view json);

// Hands on to `target`, which must remain live, what EscapeText makes of what
// is written to it. Characters may come in pieces.
class EscapingBuffer final : public std::streambuf {
 public:
  explicit EscapingBuffer(std::ostream& target) : target_(target) {}
  EscapingBuffer(const EscapingBuffer&) = delete;
  EscapingBuffer& operator=(const EscapingBuffer&) = delete;
  ~EscapingBuffer() override;

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  void Write(std::string_view text);

  std::ostream& target_;
  std::string pending_;  // the beginning of a character
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_ESCAPED_TEXT_H_
