// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a plot's picture has the lines where its values are, that what is
// longer than pixels loses no peak, and that all bits stay as they were.

#include "replays/rendering/plot_picture.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "replays/rendering/picture.h"
#include "replays/rendering/testing_picture.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/plot.h"
#include "replays/showing/plot_drawing.h"
#include "replays/testing/tiny_recording.h"

namespace reprise::replays {
namespace {

constexpr uint32_t kWidth = 480;
constexpr uint32_t kHeight = 90;

class PlotPictureTest : public testing::Test {
 protected:
  PlotPictureTest() : file_(RecordTiny()), replay_(*OpenReplay(file_)) {}

  // Of so many runs, which are all the same one.
  Plot Of(const std::vector<std::string>& expressions, int runs = 1) {
    Plot plot(expressions);
    for (int run = 0; run < runs; ++run) {
      const auto stream =
          *FrameStream::Open(replay_.get(), {.keeps_events = true});
      EXPECT_TRUE(plot.AddRun("run " + std::to_string(run), *stream).ok());
    }
    return plot;
  }

  const Bytes file_;
  const std::unique_ptr<ReplayReader> replay_;
};

bool IsBlue(const PixelColour& colour) {
  return colour[2] > 120 && colour[0] < 120;
}

// The rows of a column that a line's colour covers, from the top.
std::vector<uint32_t> BlueRows(const Picture& picture, uint32_t x) {
  std::vector<uint32_t> rows;
  for (uint32_t y = 0; y < picture.height(); ++y) {
    if (IsBlue(picture.At(x, y))) rows.push_back(y);
  }
  return rows;
}

// From the lower left corner of its panel to the upper right one.
TEST_F(PlotPictureTest, ALineIsWhereItsValuesAre) {
  const Picture picture = MakePlotPicture(Of({"tick"}), kWidth, kHeight);
  ASSERT_EQ(picture.width(), kWidth);
  ASSERT_EQ(picture.height(), 26 + kHeight + 34);
  const double left = 70;
  const double right = kWidth - 16;
  for (const uint32_t x : {100u, 200u, 300u, 440u}) {
    const std::vector<uint32_t> rows = BlueRows(picture, x);
    ASSERT_FALSE(rows.empty()) << x;
    const double middle = 0.5 * (rows.front() + rows.back()) + 0.5;
    const double part = (x + 0.5 - left) / (right - left);
    EXPECT_NEAR(middle, 26 + kHeight * (1 - part), 0.75) << x;
  }
}

// One tick of many, on fewer pixels than ticks.
TEST_F(PlotPictureTest, APeakIsDrawnToItsTop) {
  const Picture picture = MakePlotPicture(Of({"tick == 50"}), 80, kHeight);
  bool has_top = false;
  for (uint32_t x = 0; x < picture.width(); ++x) {
    has_top = has_top || IsBlue(picture.At(x, 27));
  }
  EXPECT_TRUE(has_top);
}

TEST_F(PlotPictureTest, PlotsLookAsTheyDid) {
  ExpectGoldenPicture(
      "replays/rendering/golden/plot.png",
      MakePlotPicture(Of({"pieces.x", "game.score", "min(tick, 60)"}, 2),
                      kWidth, kHeight));
}

}  // namespace
}  // namespace reprise::replays
