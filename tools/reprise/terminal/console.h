// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where the command writes: data to `out`, everything that is said about the
// work to `err`, so that a pipe or a file gets data and nothing else.

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_CONSOLE_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_CONSOLE_H_

#include <chrono>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/reprise/terminal/escaped_text.h"

namespace reprise::tools {

// Used by one thread at a time.
class Console {
 public:
  // Both streams have to outlive the console. Only a terminal gets progress,
  // and colours unless NO_COLOR is set to something.
  Console(std::ostream& out, std::ostream& err, bool is_err_terminal);

  // Whatever is printed here is escaped as EscapeText says: texts come out of
  // files that anybody may have made.
  std::ostream& out() { return out_; }
  std::ostream& err() { return err_; }
  bool is_err_terminal() const { return is_err_terminal_; }

  // Lines on `err`: "error: ...", "warning: ...", "note: ...".
  void Error(std::string_view text);
  void Warning(std::string_view text);
  void Note(std::string_view text);

  // Clears the line of `err` that a progress bar is on, if there may be one.
  void LeaveBar();

  // The line on `err` that follows a failure: how to have it again.
  void Reproduce(std::string_view command);

 private:
  void Line(std::string_view label, std::string_view colour,
            std::string_view text);

  friend class ProgressBar;

  EscapingBuffer out_buffer_;
  EscapingBuffer err_buffer_;
  std::ostream out_;
  std::ostream err_;
  std::ostream& raw_err_;  // for what is ours: colours and bars
  const bool is_err_terminal_;
  const bool has_colours_;
};

// The variable with an open descriptor to which progress is told, a JSON object
// a line: for who runs this program and shows how far it is.
inline constexpr char kProgressVariable[] = "REPRISE_PROGRESS_TO";

// A bar on the terminal while ticks are stepped, and lines to who asks for
// them; nothing anywhere else. The destructor wipes it.
class ProgressBar {
 public:
  // `label` says what is going on, `tick_count` how long it goes on.
  ProgressBar(Console& console, std::string label, uint64_t tick_count);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  // Draws at most ten times a second; cheap enough to be called at every tick.
  void Update(uint64_t ticks_done);

  // It goes on for longer than was known.
  void set_tick_count(uint64_t tick_count) { tick_count_ = tick_count; }

 private:
  void Draw(uint64_t ticks_done, std::chrono::steady_clock::time_point now);
  void Tell(uint64_t ticks_done) const;

  Console& console_;
  const std::string label_;
  const int told_;  // the descriptor; -1: nobody asks
  uint64_t tick_count_;
  const std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_draw_;
  uint64_t next_look_ = 0;
  bool is_drawn_ = false;
};

// `argument` as a shell takes it for one word.
std::string ShellQuote(std::string_view argument);

// Flags that FormatCommandLine puts in front of each verb. Called while there
// is one thread.
void SetCommonFlags(std::vector<std::string> flags);

// "reprise verify a.mcap": the command line as a shell takes it, in one line
// whatever is in it: $'a\x0ab', as bash has it.
std::string FormatCommandLine(std::span<const std::string> arguments);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_CONSOLE_H_
