// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what stands in the documents: every fenced block of README.md and
// docs/*.md is run, in its page's order and in a folder of its own.
//
//   console          commands with "$ " and what they print; nothing below one
//                    means that anything may be printed. "exit N": so the last
//                    one ends; otherwise each ends with 0
//   LANGUAGE FILE    a file of that name; the folder of a pack.txtpb is
//   checked,
//                    run, recorded and verified
//   LANGUAGE of FILE an excerpt of a file of the repository
//   LANGUAGE not run: REASON    one of the reasons below
//
// A block that says none of these fails.

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/command/command_runner.h"
#include "tests/command/document_blocks.h"
#include "tools/reprise/terminal/console.h"

namespace reprise::tests {
namespace {

namespace fs = std::filesystem;

const std::set<std::string>& ReasonsNotToRun() {
  static const std::set<std::string> reasons = {
      "builds",              // takes minutes, or more than this test has
      "runs until stopped",  // a server
      "needs a change",      // of a pack or of the program, by hand
      "needs a cluster",     // of machines, or another system
      "needs an old recording",
      "a grammar",          // no text in any language
      "needs Box2D",        // `tools/dev box2d` gets it, and runs them
      "needs Rust",         // `tools/dev rust` does
      "needs Freedoom",     // and Doom's sources, which `tools/dev doom` gets
      "part of a program",  // shown short; its example is run by its own test
  };
  return reasons;
}

// "docs_start", so that it can be a test's name.
std::string NameOf(const std::string& page) {
  std::string name = fs::path(page).replace_extension();
  std::ranges::replace(name, '/', '_');
  return name;
}

std::vector<std::string> Pages() {
  std::vector<std::string> pages = {"README.md"};
  for (const auto& entry : fs::directory_iterator("docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  std::ranges::sort(pages);
  return pages;
}

class DocumentsTest : public testing::TestWithParam<std::string> {
 protected:
  // A folder in which a page's commands find what they name.
  void SetUp() override {
    root_ = fs::current_path();
    folder_ = TemporaryPath(NameOf(GetParam()) + "_page");
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    for (const char* const name :
         {"docs", "include", "proto", "sim", "tests"}) {
      if (fs::exists(root_ / name)) {
        fs::create_directory_symlink(root_ / name, folder_ / name);
      }
    }
  }

  CommandResult Run(const std::string& line) const {
    return RunCommand(
        {"bash", "-c",
         "cd " + tools::ShellQuote(folder_.string()) + " && export PATH=" +
             tools::ShellQuote((root_ / "tools/reprise").string()) +
             ":\"$PATH\" REPRISE_STORE=\"$PWD/store\" && " + line});
  }

  void RunCommands(const DocumentBlock& block) const {
    const std::vector<DocumentCommand> commands = CommandsOf(block);
    EXPECT_FALSE(commands.empty()) << "there is no line with \"$ \"";
    for (const DocumentCommand& command : commands) {
      const CommandResult result = Run(command.line);
      int exit_code = 0;
      if (block.words.starts_with("exit ") && &command == &commands.back()) {
        exit_code = std::stoi(block.words.substr(5));
      }
      const std::string printed = result.out + result.err;
      EXPECT_EQ(result.exit_code, exit_code) << command.line << "\n" << printed;
      EXPECT_TRUE(command.output.empty() ||
                  MatchesOutput(command.output, printed))
          << command.line << "\nprints\n"
          << printed << "and not\n"
          << command.output;
    }
  }

  void WriteFile(const DocumentBlock& block) {
    const fs::path path = folder_ / block.words;
    fs::create_directories(path.parent_path());
    WriteFileBytes(path.string(), block.text);
    if (path.filename() == "pack.txtpb") packs_.push_back(path.parent_path());
  }

  void PlayAndVerify(const fs::path& pack) const {
    const std::string name = tools::ShellQuote(pack.string());
    // A game that is lost ends with 1 and is recorded all the same.
    const CommandResult result =
        Run("rm -f played.mcap && reprise pack check " + name +
            " && { reprise run " + name +
            " --random-inputs 1 --ticks 240 --record played.mcap; "
            "reprise verify played.mcap; }");
    EXPECT_EQ(result.exit_code, 0) << pack << "\n" << result.out << result.err;
  }

  fs::path root_;
  fs::path folder_;
  std::vector<fs::path> packs_;
};

INSTANTIATE_TEST_SUITE_P(Pages, DocumentsTest, testing::ValuesIn(Pages()),
                         [](const auto& info) { return NameOf(info.param); });

TEST_P(DocumentsTest, EveryBlockDoesWhatStandsThere) {
  constexpr std::string_view kNotRun = "not run: ";
  constexpr std::string_view kExcerpt = "of ";
  for (const DocumentBlock& block : BlocksOf(ReadFileBytes(GetParam()))) {
    SCOPED_TRACE(GetParam() + ":" + std::to_string(block.line));
    const std::string& words = block.words;
    if (words.starts_with(kNotRun)) {
      EXPECT_THAT(ReasonsNotToRun(),
                  testing::Contains(words.substr(kNotRun.size())));
    } else if (block.language == "console") {
      RunCommands(block);
    } else if (words.starts_with(kExcerpt)) {
      const std::string file = ReadFileBytes(words.substr(kExcerpt.size()));
      EXPECT_EQ(LinesMissingIn(file, block.text), "") << words;
    } else if (!words.empty()) {
      WriteFile(block);
    } else {
      ADD_FAILURE() << "nobody runs this block, and it doesn't say why";
    }
  }
  for (const fs::path& pack : packs_) PlayAndVerify(pack);
}

// "[`catch.c`](examples/plugin/catch.c), 233 lines"
TEST(ExampleLinesTest, AreAsManyAsPagesSay) {
  const std::regex claim(R"(\((examples/[^)]+)\), (\d+) lines)");
  size_t count = 0;
  for (const std::string& page : Pages()) {
    const std::string text = ReadFileBytes(page);
    for (std::sregex_iterator found(text.begin(), text.end(), claim), end;
         found != end; ++found, ++count) {
      const std::string file = ReadFileBytes("docs/" + (*found)[1].str());
      EXPECT_EQ(std::ranges::count(file, '\n'), std::stol((*found)[2]))
          << page << ": " << (*found)[1];
    }
  }
  EXPECT_GE(count, 2u);
}

TEST(DocumentBlocksTest, OutputIsComparedUpToWhatIsLeftOut) {
  EXPECT_TRUE(MatchesOutput("a ... c\n...\nend\n", "a b c\nx\ny\nend\n"));
  EXPECT_TRUE(MatchesOutput("...\n", ""));
  EXPECT_FALSE(MatchesOutput("a ... c\n", "a b d\n"));
  EXPECT_FALSE(MatchesOutput("a\n", "a\nb\n"));
  EXPECT_FALSE(MatchesOutput("a\nb\n", "a\n"));
}

TEST(DocumentBlocksTest, BlocksHaveTheirLineWordsAndText) {
  const auto blocks = BlocksOf(
      "# A\n\n- b\n  ```sh not run: builds\n  c\n"
      "    d\n  ```\n```\ne\n```\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].line, 4);
  EXPECT_EQ(blocks[0].language, "sh");
  EXPECT_EQ(blocks[0].words, "not run: builds");
  EXPECT_EQ(blocks[0].text, "c\n  d\n");
  EXPECT_EQ(blocks[1].words, "");
}

TEST(DocumentBlocksTest, ExcerptsAreInOrder) {
  EXPECT_EQ(LinesMissingIn("a\n  b\nc\n", "a\n...\nc\n"), "");
  EXPECT_EQ(LinesMissingIn("a\nb\nc\n", "c\na\n"), "a\n");
}

}  // namespace
}  // namespace reprise::tests
