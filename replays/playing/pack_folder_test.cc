// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a folder gives one pack whatever else lies in it, and that links
// and oddities can't bring in what isn't the pack's: each is laid out in a
// temporary folder.

#include "replays/playing/pack_folder.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class PackFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) /
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
    Write("pack/pack.txtpb", "name: \"tiny\"\n");
  }
  void TearDown() override { fs::remove_all(root_); }

  void Write(const std::string& path, std::string_view contents) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << contents;
  }

  void Link(const std::string& from, const fs::path& to) {
    fs::create_directories((root_ / from).parent_path());
    fs::create_symlink(to, root_ / from);
  }

  absl::StatusOr<sim::PackArchive> Read(const std::string& path = "pack") {
    return ReadPackFolder((root_ / path).string());
  }

  void ExpectRefused(absl::StatusCode code, std::string_view place) {
    const absl::Status status = Read().status();
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(place)));
  }

  fs::path root_;
};

TEST_F(PackFolderTest, FilesKeepTheirPathsAndBytes) {
  Write("pack/scripts/deep/a.lua", std::string_view("\0\xff", 2));

  const absl::StatusOr<sim::PackArchive> pack = Read();

  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_EQ(pack->files().size(), 2u);
  EXPECT_EQ(pack->Find("scripts/deep/a.lua"), std::string_view("\0\xff", 2));
}

TEST_F(PackFolderTest, HiddenFilesAndFoldersDontCount) {
  Write("pack/.git/config", "secret");
  Write("pack/.swp", "secret");

  const absl::StatusOr<sim::PackArchive> pack = Read();

  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_EQ(pack->files().size(), 1u);
}

TEST_F(PackFolderTest, PackOfLinksIsThePackThatTheyLeadTo) {
  Write("pack/a.lua", "a");
  Link("links/pack.txtpb", root_ / "pack/pack.txtpb");
  Link("links/a.lua", root_ / "pack/a.lua");

  const absl::StatusOr<sim::PackArchive> links = Read("links");

  ASSERT_TRUE(links.ok()) << links.status();
  EXPECT_EQ(links->ComputeDigest(), Read()->ComputeDigest());
}

TEST_F(PackFolderTest, LinkOutOfThePackIsRefused) {
  Write("secret.txt", "secret");
  Link("pack/stolen.txt", root_ / "secret.txt");

  ExpectRefused(absl::StatusCode::kInvalidArgument, "stolen.txt");
}

TEST_F(PackFolderTest, LinkToASiblingWithALongerNameIsRefused) {
  Write("pack_of_others/secret.txt", "secret");
  Link("pack/stolen.txt", root_ / "pack_of_others/secret.txt");

  ExpectRefused(absl::StatusCode::kInvalidArgument, "stolen.txt");
}

TEST_F(PackFolderTest, LinkToAFolderIsRefused) {
  Link("pack/again", root_ / "pack");

  ExpectRefused(absl::StatusCode::kInvalidArgument, "again");
}

TEST_F(PackFolderTest, LinkToNothingIsRefused) {
  Link("pack/gone.txt", root_ / "nowhere");

  ExpectRefused(absl::StatusCode::kNotFound, "gone.txt");
}

TEST_F(PackFolderTest, PipeIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(mkfifo((root_ / "pack/pipe").c_str(), 0600), 0);

  ExpectRefused(absl::StatusCode::kInvalidArgument, "pipe");
}

TEST_F(PackFolderTest, PathTooLongForAnArchiveIsRefused) {
  Write("pack/" + std::string(101, 'a'), "");

  ExpectRefused(absl::StatusCode::kInvalidArgument, std::string(101, 'a'));
}

TEST_F(PackFolderTest, FileTooLargeIsRefusedUnread) {
  Write("pack/huge.bin", "");
  fs::resize_file(root_ / "pack/huge.bin", sim::kPackBytesMax + 1);

  ExpectRefused(absl::StatusCode::kResourceExhausted, "huge.bin");
}

TEST_F(PackFolderTest, FolderWithoutAManifestIsNotFound) {
  fs::remove(root_ / "pack/pack.txtpb");

  ExpectRefused(absl::StatusCode::kNotFound, "pack.txtpb");
}

TEST_F(PackFolderTest, MissingFolderIsNotFound) {
  EXPECT_EQ(Read("nowhere").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(PackFolderTest, ArchiveIsThePackItWasMadeOf) {
  Write("pack/a.lua", "a");
  Write("pack.tar", Read()->Encode());

  const absl::StatusOr<sim::PackArchive> pack = Read("pack.tar");

  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_EQ(pack->ComputeDigest(), Read()->ComputeDigest());
}

TEST_F(PackFolderTest, DamagedArchiveIsDataLoss) {
  Write("pack.tar", "no archive");

  EXPECT_EQ(Read("pack.tar").status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(PackFolderTest, ArchiveWithoutAManifestIsNotFound) {
  sim::PackArchive other;
  ASSERT_TRUE(other.Add("readme", "").ok());
  Write("pack.tar", other.Encode());

  EXPECT_EQ(Read("pack.tar").status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace reprise::replays
