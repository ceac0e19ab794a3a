// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that pictures of a replay are those of its ticks, the same each time,
// and that what is no replay is refused: on a pack of one ball that falls.

#include "tools/matrix/pictures.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "tools/matrix/run.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kManifest = R"pb(
  name: "one_ball"
  tick_rate: 60
  types {
    name: "ball"
    body {
      motion: MOTION_DYNAMIC
      mass_kg: 1
      shapes { sphere { radius: 0.5 } }
    }
  }
  objects {
    name: "ball"
    type: "ball"
    position { y: 2 }
  }
)pb";

class PicturesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(pack_);
    std::ofstream(pack_ + "/pack.txtpb") << kManifest;
    const auto run = Run::Open({.source = pack_, .tick_count = 20});
    ASSERT_TRUE(run.ok()) << run.status();
    auto file = replays::FileSink::Create(replay_);
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE((*run)->Record({0}, *std::move(file)).ok());
  }

  const std::string pack_ = testing::TempDir() + "/pictures_pack";
  const std::string replay_ = testing::TempDir() + "/pictures.mcap";
};

TEST_F(PicturesTest, EachStrideHasItsPictureAndAlwaysTheSame) {
  const auto drawn = DrawPictures(replay_, 8);
  const auto again = DrawPictures(replay_, 8);
  ASSERT_TRUE(drawn.ok()) << drawn.status();
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_EQ(drawn->size(), 3u);
  for (size_t i = 0; i < drawn->size(); ++i) {
    EXPECT_EQ((*drawn)[i].tick, 8 * i);
    EXPECT_EQ((*drawn)[i].picture, (*again)[i].picture);
    // It falls.
    EXPECT_TRUE(i == 0 || (*drawn)[i].picture != (*drawn)[i - 1].picture);
  }
}

TEST_F(PicturesTest, WhatIsNoReplayIsRefused) {
  const std::string track = testing::TempDir() + "/pictures.txtpb";
  std::ofstream(track) << "tick_count: 7";
  EXPECT_EQ(DrawPictures(track, 8).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(DrawPictures(replay_, 0).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(DrawPictures("/nowhere.mcap", 8).status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace reprise::tools
