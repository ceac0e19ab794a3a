// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a program is refused with file and line of every mistake, and is
// the same whatever the order of its files.

#include "sim/script/script_program.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

absl::Status StatusOf(std::vector<ScriptFile> files) {
  return ScriptProgram::Compile(std::move(files)).status();
}

TEST(ScriptProgramTest, EveryFileWithAMistakeIsNamed) {
  EXPECT_EQ(
      StatusOf(
          {{"b.lua", "x = = 1"}, {"ok.lua", "return 1"}, {"a.lua", "\n\nfor"}}),
      absl::InvalidArgumentError("a.lua:3: <name> expected near <eof>\n"
                                 "b.lua:1: unexpected symbol near '='"));
}

TEST(ScriptProgramTest, LongNamesAreToldInFull) {
  const std::string name = std::string(190, 'n') + ".lua";
  EXPECT_EQ(StatusOf({{name, "\nend"}}),
            absl::InvalidArgumentError(name + ":2: <eof> expected near 'end'"));
}

TEST(ScriptProgramTest, FilesAreSortedAndFound) {
  const auto program = ScriptProgram::Compile(
      {{"z.lua", "return 26"}, {"a.lua", "return 1"}, {"a/b.lua", ""}});
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)->Find("a.lua"), 0);
  EXPECT_EQ((*program)->Find("a/b.lua"), 1);
  EXPECT_EQ((*program)->Find("z.lua"), 2);
  EXPECT_EQ((*program)->Find("b.lua"), -1);
  EXPECT_EQ((*program)->files()[2].source, "return 26");
}

TEST(ScriptProgramTest, BadNamesAreRefused) {
  EXPECT_EQ(StatusOf({{"", ""}}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(StatusOf({{"a\nb.lua", ""}}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(StatusOf({{std::string(201, 'a'), ""}}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(StatusOf({{"a.lua", ""}, {"a.lua", ""}}),
            absl::InvalidArgumentError("a.lua is there twice"));
}

TEST(ScriptProgramTest, SizesAreBounded) {
  const std::string big(kScriptFileBytesMax, ' ');
  EXPECT_TRUE(StatusOf({{"a.lua", big}}).ok());
  EXPECT_EQ(StatusOf({{"a.lua", big + " "}}).code(),
            absl::StatusCode::kResourceExhausted);
  std::vector<ScriptFile> files;
  for (int i = 0; i < 17; ++i) files.push_back({std::to_string(i), big});
  EXPECT_EQ(StatusOf(files).code(), absl::StatusCode::kResourceExhausted);
  files.assign(kScriptFilesMax + 1, {"a", ""});
  EXPECT_EQ(StatusOf(files).code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace reprise::sim
