// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "fmt/ostream.h"

namespace reprise::tools {
namespace {

using std::chrono::steady_clock;

// Escape sequences of ECMA-48, which every terminal of today knows.
constexpr std::string_view kRed = "\033[1;31m";
constexpr std::string_view kYellow = "\033[1;33m";
constexpr std::string_view kCyan = "\033[1;36m";
constexpr std::string_view kPlain = "\033[0m";
constexpr std::string_view kWipeLine = "\r\033[K";

constexpr auto kDrawInterval = std::chrono::milliseconds(100);

// Between two looks at the clock: a look costs tens of nanoseconds, and the
// fastest packs step in about a microsecond.
constexpr uint64_t kTicksPerLook = 32;

constexpr uint64_t kBarCells = 30;

// The convention of no-color.org: set, and not to nothing.
bool IsColourRefused() {
  const char* const value = std::getenv("NO_COLOR");
  return value != nullptr && *value != '\0';
}

// -1 where nobody asks, or what is asked for is no open descriptor.
int ToldDescriptor() {
  const char* const value = std::getenv(kProgressVariable);
  if (value == nullptr) return -1;
  const std::string_view text = value;
  int descriptor = -1;
  const auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), descriptor);
  const bool is_open = parsed.ec == std::errc() &&
                       parsed.ptr == text.data() + text.size() &&
                       descriptor >= 0 && fcntl(descriptor, F_GETFD) >= 0;
  return is_open ? descriptor : -1;
}

std::vector<std::string>& CommonFlags() {
  static std::vector<std::string> flags;
  return flags;
}

}  // namespace

Console::Console(std::ostream& out, std::ostream& err, bool is_err_terminal)
    : out_buffer_(out),
      err_buffer_(err),
      out_(&out_buffer_),
      err_(&err_buffer_),
      raw_err_(err),
      is_err_terminal_(is_err_terminal),
      has_colours_(is_err_terminal && !IsColourRefused()) {}

void Console::Error(std::string_view text) { Line("error", kRed, text); }

void Console::Warning(std::string_view text) { Line("warning", kYellow, text); }

void Console::Note(std::string_view text) { Line("note", kCyan, text); }

void Console::Reproduce(std::string_view command) {
  Line("reproduce", kCyan, command);
}

void Console::LeaveBar() {
  if (is_err_terminal_) raw_err_ << kWipeLine;
}

void Console::Line(std::string_view label, std::string_view colour,
                   std::string_view text) {
  if (has_colours_) {
    fmt::print(raw_err_, "{}{}:{} {}\n", colour, label, kPlain,
               EscapeText(text));
  } else {
    fmt::print(err_, "{}: {}\n", label, text);
  }
}

ProgressBar::ProgressBar(Console& console, std::string label,
                         uint64_t tick_count)
    : console_(console),
      label_(std::move(label)),
      told_(ToldDescriptor()),
      tick_count_(tick_count),
      start_(steady_clock::now()),
      next_draw_(start_ + kDrawInterval) {}

ProgressBar::~ProgressBar() {
  if (is_drawn_) console_.raw_err_ << kWipeLine << std::flush;
}

void ProgressBar::Update(uint64_t ticks_done) {
  const bool is_shown = console_.is_err_terminal() || told_ >= 0;
  if (!is_shown || ticks_done < next_look_) return;
  next_look_ = ticks_done + kTicksPerLook;
  const steady_clock::time_point now = steady_clock::now();
  if (now < next_draw_) return;
  next_draw_ = now + kDrawInterval;
  if (told_ >= 0) Tell(ticks_done);
  if (console_.is_err_terminal()) Draw(ticks_done, now);
}

void ProgressBar::Tell(uint64_t ticks_done) const {
  const std::string line =
      fmt::format("{{\"ticks_done\":{},\"tick_count\":{}}}\n", ticks_done,
                  std::max(tick_count_, ticks_done));
  // Who doesn't listen any more misses nothing.
  [[maybe_unused]] const ssize_t written =
      write(told_, line.data(), line.size());
}

void ProgressBar::Draw(uint64_t ticks_done, steady_clock::time_point now) {
  const uint64_t total = std::max<uint64_t>({tick_count_, ticks_done, 1});
  const uint64_t filled = kBarCells * ticks_done / total;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fmt::print(console_.raw_err_,
             "{}{} [{:=<{}}{:{}}] {}/{} ticks, {:.0f} ticks/s", kWipeLine,
             EscapeLine(label_), "", filled, "", kBarCells - filled, ticks_done,
             tick_count_, static_cast<double>(ticks_done) / seconds);
  console_.raw_err_.flush();
  is_drawn_ = true;
}

std::string ShellQuote(std::string_view argument) {
  const bool is_plain =
      !argument.empty() && std::ranges::all_of(argument, [](char character) {
        return (character >= 'a' && character <= 'z') ||
               (character >= 'A' && character <= 'Z') ||
               (character >= '0' && character <= '9') ||
               std::string_view("-_./,:=@%+").find(character) !=
                   std::string_view::npos;
      });
  if (is_plain) return std::string(argument);
  std::string quoted = "'";
  for (const char character : argument) {
    if (character == '\'') {
      quoted += "'\\''";
    } else {
      quoted += character;
    }
  }
  return quoted + "'";
}

namespace {

// A word of a line that people copy. What would show as an escape, or end the
// line, is written the way that shells for people take (bash, ksh, zsh; POSIX
// 2024), and names the same bytes.
std::string QuoteForLine(std::string_view word) {
  std::string quoted = "$'";
  for (const char character : word) {
    if (character == '\'' || character == '\\') quoted += '\\';
    quoted += character;
  }
  const std::string escaped = EscapeLine(quoted);
  return escaped == quoted ? ShellQuote(word) : escaped + "'";
}

}  // namespace

void SetCommonFlags(std::vector<std::string> flags) {
  CommonFlags() = std::move(flags);
}

std::string FormatCommandLine(std::span<const std::string> arguments) {
  std::string text = "reprise";
  const auto add = [&text](std::span<const std::string> words) {
    for (const std::string& word : words) text += " " + QuoteForLine(word);
  };
  add(CommonFlags());
  add(arguments);
  return text;
}

}  // namespace reprise::tools
