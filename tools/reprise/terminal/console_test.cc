// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that files and pipes get neither colours nor progress, and that a
// command which is printed can be pasted back, by writing to strings.

#include "tools/reprise/terminal/console.h"

#include <sstream>
#include <string>

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

TEST(ShellQuoteTest, PlainWordsStayAsTheyAre) {
  EXPECT_EQ(ShellQuote("--record=a/b.mcap"), "--record=a/b.mcap");
}

TEST(ShellQuoteTest, EverythingElseIsOneQuotedWord) {
  EXPECT_EQ(ShellQuote("outcome == won"), "'outcome == won'");
  EXPECT_EQ(ShellQuote("it's"), R"('it'\''s')");
  EXPECT_EQ(ShellQuote("$HOME"), "'$HOME'");
  EXPECT_EQ(ShellQuote(""), "''");
}

}  // namespace
}  // namespace reprise::tools
