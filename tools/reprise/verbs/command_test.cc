// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the command line finds its verb, that help and errors go where
// they belong, and that every failure says how to have it again, with two verbs
// made up for the purpose.

#include "tools/reprise/verbs/command.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class CommandTest : public testing::Test {
 protected:
  CommandTest() {
    Command echo;
    echo.name = "echo";
    echo.summary = "Says it again";
    echo.description = "Prints its argument.";
    echo.arguments = {"TEXT", 1, 1};
    echo.flags = {{"loud", "", "With a mark.", &loud_}};
    echo.examples = {{"Say hello", "reprise echo hello"}};
    echo.run = [this](const std::vector<std::string>& arguments,
                      Console& console) -> absl::StatusOr<ExitCode> {
      if (arguments.front() == "fail") return absl::NotFoundError("no echo");
      console.out() << arguments.front() << (loud_ ? "!" : "") << "\n";
      return ExitCode::kOk;
    };
    Command list;
    list.name = "pack list";
    list.summary = "Lists packs";
    list.run = [](const auto&, Console&) { return ExitCode::kDifferent; };
    commands_ = {echo, list};
  }

  ExitCode Run(const std::vector<std::string>& arguments) {
    Console console(out_, err_, /*is_err_terminal=*/false);
    return RunCommandLine(commands_, arguments, console);
  }

  bool loud_ = false;
  std::vector<Command> commands_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(CommandTest, VerbGetsArgumentsAndFlags) {
  EXPECT_EQ(Run({"echo", "--loud", "hello"}), ExitCode::kOk);
  EXPECT_EQ(out_.str(), "hello!\n");
  EXPECT_EQ(err_.str(), "");
}

TEST_F(CommandTest, ErrorIsReportedWithItsCommandLine) {
  EXPECT_EQ(Run({"echo", "--loud", "fail"}), ExitCode::kMissing);
  EXPECT_EQ(out_.str(), "");
  EXPECT_EQ(err_.str(),
            "error: no echo\nreproduce: reprise echo --loud fail\n");
}

TEST_F(CommandTest, DifferenceOfATwoWordVerbIsReproducible) {
  EXPECT_EQ(Run({"pack", "list"}), ExitCode::kDifferent);
  EXPECT_EQ(err_.str(), "reproduce: reprise pack list\n");
}

TEST_F(CommandTest, UnwritableOutputIsAnError) {
  out_.setstate(std::ios::badbit);
  EXPECT_EQ(Run({"echo", "hello"}), ExitCode::kInfrastructure);
  EXPECT_THAT(err_.str(), HasSubstr("standard output can't be written"));
}

TEST_F(CommandTest, WrongFlagPointsToHelp) {
  EXPECT_EQ(Run({"echo", "--laud", "hello"}), ExitCode::kBadInput);
  EXPECT_EQ(err_.str(),
            "error: unknown flag --laud; did you mean --loud?\n"
            "note: see `reprise echo --help`\n");
}

TEST_F(CommandTest, ArgumentsAreCounted) {
  EXPECT_EQ(Run({"echo"}), ExitCode::kBadInput);
  EXPECT_EQ(Run({"echo", "one", "two"}), ExitCode::kBadInput);
  EXPECT_EQ(Run({"pack", "list", "one"}), ExitCode::kBadInput);
  EXPECT_EQ(out_.str(), "");
}

TEST_F(CommandTest, UnknownVerbNamesTheNearest) {
  EXPECT_EQ(Run({"ehco"}), ExitCode::kBadInput);
  EXPECT_THAT(err_.str(),
              HasSubstr("there is no verb 'ehco'; did you mean 'echo'?"));
}

TEST_F(CommandTest, HalfAVerbListsItsVerbs) {
  EXPECT_EQ(Run({"pack"}), ExitCode::kBadInput);
  EXPECT_THAT(err_.str(), HasSubstr("pack list"));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(CommandTest, NothingPrintsHelpAsAnError) {
  EXPECT_EQ(Run({}), ExitCode::kBadInput);
  EXPECT_THAT(err_.str(), HasSubstr("Verbs:"));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(CommandTest, HelpListsVerbsAndExitCodes) {
  EXPECT_EQ(Run({"help"}), ExitCode::kOk);
  EXPECT_THAT(out_.str(), HasSubstr("  echo          Says it again\n"));
  EXPECT_THAT(out_.str(), HasSubstr("Exit codes:"));
}

TEST_F(CommandTest, HelpOfAVerbHasFlagsAndExamples) {
  EXPECT_EQ(Run({"echo", "--help"}), ExitCode::kOk);
  const std::string help = out_.str();
  EXPECT_THAT(help, HasSubstr("Usage: reprise echo TEXT [FLAGS]\n"));
  EXPECT_THAT(help, HasSubstr("  --loud                With a mark.\n"));
  EXPECT_THAT(help, EndsWith("  # Say hello\n  reprise echo hello\n"));
  EXPECT_EQ(Run({"help", "echo"}), ExitCode::kOk);
  EXPECT_EQ(out_.str(), help + help);
}

TEST_F(CommandTest, VersionIsPrinted) {
  EXPECT_EQ(Run({"--version"}), ExitCode::kOk);
  EXPECT_THAT(out_.str(), testing::StartsWith("reprise "));
}

}  // namespace
}  // namespace reprise::tools
