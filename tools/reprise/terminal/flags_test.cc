// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that command lines are read as GNU programs read them, and that every
// mistake on one is named, by parsing lists of words into the targets of flags.

#include "tools/reprise/terminal/flags.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FlagsTest : public testing::Test {
 protected:
  absl::StatusOr<ParsedArguments> Parse(
      const std::vector<std::string>& arguments) {
    return ParseFlags(flags_, arguments);
  }

  // The message of the error that `arguments` give.
  std::string Refuse(const std::vector<std::string>& arguments) {
    const absl::Status status = Parse(arguments).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  }

  uint64_t seed_ = 0;
  std::optional<uint64_t> ticks_;
  std::string record_;
  std::vector<std::string> expects_;
  std::string_view format_ = "human";
  bool digests_ = false;
  const std::vector<Flag> flags_ = {
      {"seed", "N", "The seed.", &seed_},
      {"ticks", "N", "How many.", &ticks_},
      {"record", "FILE", "Where to.", &record_},
      {"expect", "EXPRESSION", "What must hold.", &expects_},
      {"format", "human|json", "Which form.",
       ChoiceTarget{&format_, {"human", "json"}}},
      {"digests", "", "Print digests.", &digests_},
  };
};

TEST_F(FlagsTest, ValuesComeAsTheNextWordOrAfterEquals) {
  const auto parsed = Parse({"--seed", "7", "--record=a b.mcap"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_THAT(parsed->positional, IsEmpty());
  EXPECT_EQ(seed_, 7u);
  EXPECT_EQ(record_, "a b.mcap");
}

TEST_F(FlagsTest, OnlyTheFirstEqualsSeparates) {
  ASSERT_TRUE(Parse({"--record=a=b"}).ok());
  EXPECT_EQ(record_, "a=b");
}

TEST_F(FlagsTest, EmptyValueIsAValue) {
  record_ = "before";
  ASSERT_TRUE(Parse({"--record="}).ok());
  EXPECT_EQ(record_, "");
}

TEST_F(FlagsTest, FlagsAndArgumentsMix) {
  const auto parsed = Parse({"one", "--digests", "two", "--seed=1", "-"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_THAT(parsed->positional, ElementsAre("one", "two", "-"));
  EXPECT_TRUE(digests_);
}

TEST_F(FlagsTest, TwoDashesEndTheFlags) {
  const auto parsed = Parse({"--", "--seed", "-x", "--"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_THAT(parsed->positional, ElementsAre("--seed", "-x", "--"));
  EXPECT_EQ(seed_, 0u);
}

TEST_F(FlagsTest, LastUseCountsAndListsGather) {
  ASSERT_TRUE(Parse({"--seed=1", "--seed=2", "--expect=a", "--expect=b"}).ok());
  EXPECT_EQ(seed_, 2u);
  EXPECT_THAT(expects_, ElementsAre("a", "b"));
}

TEST_F(FlagsTest, UnsetNumberIsToldFromZero) {
  ASSERT_TRUE(Parse({}).ok());
  EXPECT_EQ(ticks_, std::nullopt);
  ASSERT_TRUE(Parse({"--ticks=0"}).ok());
  EXPECT_EQ(ticks_, 0u);
}

TEST_F(FlagsTest, WholeRangeOfNumbersIsRead) {
  ASSERT_TRUE(Parse({"--seed=18446744073709551615"}).ok());
  EXPECT_EQ(seed_, UINT64_MAX);
}

TEST_F(FlagsTest, WhatIsNoNumberIsRefused) {
  for (const char* const text : {"", "x", "-1", "+1", " 1", "1 ", "1.5", "0x1",
                                 "18446744073709551616"}) {
    EXPECT_THAT(Refuse({std::string("--seed=") + text}),
                HasSubstr("--seed takes a whole number"))
        << text;
  }
}

TEST_F(FlagsTest, ChoiceTakesOnlyItsWords) {
  ASSERT_TRUE(Parse({"--format", "json"}).ok());
  EXPECT_EQ(format_, "json");
  EXPECT_EQ(Refuse({"--format", "xml"}),
            "flag --format takes human or json, not 'xml'");
}

TEST_F(FlagsTest, UnknownFlagNamesTheNearest) {
  EXPECT_EQ(Refuse({"--recrod", "x"}),
            "unknown flag --recrod; did you mean --record?");
  EXPECT_EQ(Refuse({"--photograph"}), "unknown flag --photograph");
}

TEST_F(FlagsTest, SingleDashIsNoFlag) {
  EXPECT_EQ(Refuse({"-s"}), "unknown flag -s; flags start with two dashes");
}

TEST_F(FlagsTest, MissingValueIsRefused) {
  EXPECT_EQ(Refuse({"--record"}), "flag --record FILE lacks its value");
  EXPECT_EQ(Refuse({"--record", "--seed"}),
            "flag --record FILE lacks its value");
}

TEST_F(FlagsTest, SwitchTakesNoValue) {
  EXPECT_EQ(Refuse({"--digests=yes"}), "flag --digests takes no value");
}

TEST_F(FlagsTest, HelpIsAlwaysAFlag) {
  EXPECT_TRUE(Parse({"--help"})->wants_help);
  EXPECT_TRUE(Parse({"-h"})->wants_help);
  EXPECT_FALSE(Parse({"--", "--help"})->wants_help);
}

TEST_F(FlagsTest, VariablesSayWhatFlagsSay) {
  const char* const environment[] = {
      "PATH=/bin",     "APP_SEED=7",      "APP_RECORD=a=b",
      "APP_DIGESTS=1", "APP_TICKS=",      "APP_EXPECT=won",
      "APPLE=1",       "APP_FORMAT=json", nullptr};

  ASSERT_EQ(ParseEnvironment(flags_, "APP_", environment), absl::OkStatus());

  EXPECT_EQ(seed_, 7u);
  EXPECT_EQ(record_, "a=b");
  EXPECT_TRUE(digests_);
  EXPECT_EQ(ticks_, std::nullopt);
  EXPECT_THAT(expects_, ElementsAre("won"));
  EXPECT_EQ(FormatEnvironment(flags_, "APP_"),
            "APP_SEED=7\n# APP_TICKS=\nAPP_RECORD=a=b\n# APP_EXPECT=\n"
            "APP_FORMAT=json\nAPP_DIGESTS=1\n");
}

TEST_F(FlagsTest, MistakesInVariablesNameThem) {
  const auto refuse = [this](const char* variable) {
    const char* const environment[] = {variable, nullptr};
    return std::string(ParseEnvironment(flags_, "APP_", environment).message());
  };

  EXPECT_EQ(refuse("APP_SEED=x"),
            "APP_SEED: flag --seed takes a whole number from 0 to 2^64-1, not "
            "'x'");
  EXPECT_EQ(refuse("APP_DIGESTS=yes"),
            "APP_DIGESTS: flag --digests takes 1 or 0, not 'yes'");
  EXPECT_EQ(refuse("APP_SED=1"),
            "no flag is meant by the variable APP_SED; did you mean "
            "'APP_SEED'?");
}

TEST_F(FlagsTest, AFileSaysWhatVariablesSay) {
  EXPECT_EQ(ParseConfiguration(flags_, "APP_", "app.env",
                               "# comment\n\nAPP_SEED=7\nAPP_RECORD=a=b"),
            absl::OkStatus());
  EXPECT_EQ(seed_, 7u);
  EXPECT_EQ(record_, "a=b");

  const auto refuse = [this](const char* text) {
    return std::string(
        ParseConfiguration(flags_, "APP_", "app.env", text).message());
  };
  EXPECT_EQ(refuse("APP_SEED=1\nSEED=2\n"),
            "app.env:2: a line is APP_NAME=VALUE");
  EXPECT_EQ(refuse("APP_SEED\n"), "app.env:1: a line is APP_NAME=VALUE");
  EXPECT_EQ(refuse("\nAPP_SED=1\n"),
            "app.env:2: no flag is meant by the variable APP_SED; did you mean "
            "'APP_SEED'?");
  EXPECT_EQ(refuse("APP_SEED=1\n\nAPP_RECORD=a\nAPP_SEED=1\n"),
            "app.env:4: line 1 sets APP_SEED already");
}

TEST_F(FlagsTest, DescriptionNamesEveryFlag) {
  const std::string text = DescribeFlags(flags_);
  EXPECT_THAT(text, HasSubstr("  --seed N              The seed.\n"));
  EXPECT_THAT(text, HasSubstr("  --expect EXPRESSION   What must hold.\n"));
  EXPECT_THAT(text, HasSubstr("  --digests             Print digests.\n"));
  EXPECT_THAT(text, HasSubstr("  --help                Print this text.\n"));
}

TEST(WrapTextTest, LinesStayWithinEightyColumns) {
  const std::string text =
      WrapText(std::string(30, 'a') + " " + std::string(30, 'b') + " " +
                   std::string(30, 'c'),
               10);
  EXPECT_EQ(text, std::string(10, ' ') + std::string(30, 'a') + " " +
                      std::string(30, 'b') + "\n" + std::string(10, ' ') +
                      std::string(30, 'c') + "\n");
}

TEST(WrapTextTest, LongWordHasALineOfItsOwn) {
  EXPECT_EQ(WrapText("a " + std::string(90, 'b') + " c", 0),
            "a\n" + std::string(90, 'b') + "\nc\n");
}

TEST_F(FlagsTest, ChangedFlagsAreThoseThatHoldSomethingElse) {
  uint64_t seed = 0;
  std::vector<std::string> expects;
  bool digests = false;
  const std::vector<Flag> unset = {
      {"seed", "N", "The seed.", &seed},
      {"expect", "EXPRESSION", "What must hold.", &expects},
      {"digests", "", "Print digests.", &digests},
  };
  const std::vector<Flag> flags = {flags_[0], flags_[3], flags_[5]};
  EXPECT_THAT(ChangedFlags(flags, unset), IsEmpty());
  ASSERT_TRUE(Parse({"--expect", "a", "--digests", "--seed", "0"}).ok());
  EXPECT_THAT(ChangedFlags(flags, unset), ElementsAre("expect", "digests"));
}

}  // namespace
}  // namespace reprise::tools
