// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a file is there when it is whole and not before, and that what
// fails leaves what was there before, and nothing else.

#include "tools/reprise/reports/output_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using testing::HasSubstr;

// A folder of its own for each test.
class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  static std::string Read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  size_t FileCount() const {
    const std::filesystem::directory_iterator files(folder_);
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }

  const std::string folder_ = testing::TempDir() + "output_file_test";
  const std::string path_ = folder_ + "/a.glb";
};

TEST_F(OutputFileTest, IsThereWhenItIsWhole) {
  OutputFile file(path_);
  file.out() << "half";
  EXPECT_FALSE(std::filesystem::exists(path_));
  file.out() << " and half";
  ASSERT_TRUE(file.Finish().ok());
  EXPECT_EQ(Read(path_), "half and half");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(OutputFileTest, WhatIsGivenUpLeavesWhatWasThere) {
  ASSERT_TRUE(WriteOutputFile(path_, "before").ok());
  { OutputFile(path_).out() << "half"; }
  EXPECT_EQ(Read(path_), "before");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(OutputFileTest, WhatCannotBeWrittenIsNamed) {
  const absl::Status nowhere = WriteOutputFile(folder_ + "/no/a.glb", "x");
  EXPECT_EQ(nowhere.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(nowhere.message()),
              HasSubstr("/no/a.glb can't be written"));
  EXPECT_THAT(std::string(WriteOutputFile(folder_, "x").message()),
              HasSubstr("can't be written: "));
  EXPECT_THAT(std::string(WriteOutputFile("/dev/full", "x").message()),
              HasSubstr("/dev/full can't be written: is there space left?"));
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

TEST_F(OutputFileTest, LinkIsWrittenThrough) {
  const std::string target = folder_ + "/target.glb";
  for (const bool is_there : {false, true}) {
    if (!is_there) std::filesystem::create_symlink(target, path_);
    ASSERT_TRUE(WriteOutputFile(path_, is_there ? "again" : "once").ok());
    EXPECT_TRUE(std::filesystem::is_symlink(path_));
    EXPECT_EQ(Read(target), is_there ? "again" : "once");
  }
  EXPECT_EQ(FileCount(), 2u);
}

TEST_F(OutputFileTest, WhatCannotBeOpenedIsNotRemoved) {
  const std::string partial = path_ + ".partial";
  std::filesystem::create_directories(partial);
  EXPECT_FALSE(WriteOutputFile(path_, "x").ok());
  EXPECT_TRUE(std::filesystem::exists(partial));
}

}  // namespace
}  // namespace reprise::tools
