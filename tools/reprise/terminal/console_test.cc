// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that files and pipes get neither colours nor progress, and that a
// command which is printed can be pasted back, by writing to strings.

#include "tools/reprise/terminal/console.h"

#include <poll.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

class ConsoleTest : public testing::Test {
 protected:
  Console Open(bool is_terminal) { return Console(out_, err_, is_terminal); }

  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(ConsoleTest, MessagesGoToErrorsWithTheirLabel) {
  Console console = Open(false);
  console.Error("one");
  console.Warning("two");
  console.Note("three");
  console.Reproduce("reprise run x");
  EXPECT_EQ(
      err_.str(),
      "error: one\nwarning: two\nnote: three\nreproduce: reprise run x\n");
  EXPECT_EQ(out_.str(), "");
}

TEST_F(ConsoleTest, TerminalHasColours) {
  unsetenv("NO_COLOR");
  Open(true).Error("one");
  EXPECT_EQ(err_.str(), "\033[1;31merror:\033[0m one\n");
}

TEST_F(ConsoleTest, NoColorIsHonoured) {
  setenv("NO_COLOR", "1", 1);
  Open(true).Error("one");
  unsetenv("NO_COLOR");
  EXPECT_EQ(err_.str(), "error: one\n");
}

TEST_F(ConsoleTest, NothingThatIsPrintedReachesTheTerminalRaw) {
  unsetenv("NO_COLOR");
  Console console = Open(true);
  console.out() << "a\x1b[2Jb\n";
  console.err() << "c\x1b]0;d\a\n";
  console.Error("e\x1b[2Jf");
  EXPECT_EQ(out_.str(), "a\\x1b[2Jb\n");
  EXPECT_EQ(err_.str(),
            "c\\x1b]0;d\\x07\n\033[1;31merror:\033[0m e\\x1b[2Jf\n");
}

TEST_F(ConsoleTest, FilesGetNoProgress) {
  Console console = Open(false);
  {
    ProgressBar bar(console, "stepping", 1000);
    for (uint64_t tick = 0; tick <= 1000; ++tick) bar.Update(tick);
  }
  EXPECT_EQ(err_.str(), "");
}

// Whoever runs this program reads lines of JSON, however it is shown.
TEST_F(ConsoleTest, WhoAsksIsToldProgress) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe(ends), 0);
  setenv(kProgressVariable, std::to_string(ends[1]).c_str(), 1);
  Console console = Open(false);
  ProgressBar bar(console, "stepping", /*tick_count=*/5);
  unsetenv(kProgressVariable);
  pollfd news = {.fd = ends[0], .events = POLLIN, .revents = 0};
  // It looks at the clock every few ticks, and tells ten times a second.
  for (uint64_t tick = 0; poll(&news, 1, /*timeout=*/0) == 0; ++tick) {
    bar.Update(tick);
  }
  std::string told(200, '\0');
  told.resize(static_cast<size_t>(read(ends[0], told.data(), told.size())));
  close(ends[0]);
  close(ends[1]);
  EXPECT_THAT(told, testing::MatchesRegex(
                        "\\{\"ticks_done\":([0-9]+),\"tick_count\":[0-9]+"
                        "\\}\n"));
  EXPECT_EQ(err_.str(), "");
}

TEST(ShellQuoteTest, PlainWordsStayAsTheyAre) {
  EXPECT_EQ(ShellQuote("--record=a/b.mcap"), "--record=a/b.mcap");
}

TEST(ShellQuoteTest, EverythingElseIsOneQuotedWord) {
  EXPECT_EQ(ShellQuote("outcome == won"), "'outcome == won'");
  EXPECT_EQ(ShellQuote("it's"), R"('it'\''s')");
  EXPECT_EQ(ShellQuote("$HOME"), "'$HOME'");
  EXPECT_EQ(ShellQuote(""), "''");
}

TEST(FormatCommandLineTest, StaysOnItsLineAndNamesTheSameBytes) {
  const std::vector<std::string> words = {"verify", "it's\n\x1b[2J\xff\\.mcap"};
  EXPECT_EQ(FormatCommandLine(words),
            R"(reprise verify $'it\'s\x0a\x1b[2J\xff\\.mcap')");
}

}  // namespace
}  // namespace reprise::tools
