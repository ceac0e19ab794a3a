// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that inputs of every device come back from comma-separated values as
// they were, that another game's need no more than ticks, and that each mistake
// is told with file, line and column.

#include "replays/tracks/input_csv.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/tracks/input_track.h"
#include "reprise/v1/input.pb.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

// Canonical: as FormatTrackMessage writes it.
constexpr char kTrack[] = R"(pack: "parlour"
run { pack_digest: "00112233445566778899aabbccddeeff" seed: 7 digest_stride: 1 }
tick_count: 600
ticks { tick: 0 frames { device { buttons: 18446744073709551615 axes: [0, -32767] } } frames { player: 63 } }
ticks { tick: 1 frames { device { keys: [KEY_A, KEY_LEFT_SHIFT] mouse { buttons: 5 x: 65535 y: 1 } } activity { mouse_x: -3 mouse_y: 4 wheel_x: 120 wheel_y: -120 } } }
ticks { tick: 599 frames { device { touches { x: 1 y: 2 pressure: 65535 } touches { id: 9 } motion_sensor { acceleration_y: 9807 angular_velocity_z: -1000000 } } commands { name: "say" values { text: "a, \"b\"\n" } values { vector2 { x: 0.1 y: -2.5 } } } commands { name: "go" arguments: [5] } activity { text: "l\303\251\n#,\"" } } }
)";

absl::Status ErrorOf(const std::string& text) {
  return ParseInputCsv(text, "game.csv").status();
}

TEST(InputCsvTest, EveryDeviceComesBackAsItWas) {
  const auto track = ParseTrackMessage(kTrack, "a.txtpb");
  ASSERT_TRUE(track.ok()) << track.status();
  const std::string csv = FormatInputCsv(*track);
  const auto again = ParseInputCsv(csv, "game.csv");
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << csv;
  EXPECT_EQ(FormatTrackMessage(*again), FormatTrackMessage(*track)) << csv;
  EXPECT_EQ(FormatInputCsv(*again), csv);
}

TEST(InputCsvTest, OnlyColumnsThatAreUsedAreWritten) {
  const auto track = ParseTrackMessage(
      "pack: \"marble\" tick_count: 30 ticks { tick: 20 frames { device { "
      "axes: [0, 13250] } } } ticks { tick: 21 frames { player: 1 device { "
      "buttons: 5 } } }",
      "a.txtpb");
  ASSERT_TRUE(track.ok()) << track.status();
  EXPECT_EQ(FormatInputCsv(*track),
            "# pack: \"marble\"\n"
            "# tick_count: 30\n"
            "tick,player,buttons,axis_1\n"
            "20,0,,13250\n"
            "21,1,5,\n");
}

TEST(InputCsvTest, AnotherGamesTableNeedsNoHead) {
  const auto track = ParseInputCsv(
      "\xef\xbb\xbf"
      "axis_0,tick\r\n-5,3\r\n\r\n0,8",
      "game.csv");
  ASSERT_TRUE(track.ok()) << track.status();
  EXPECT_EQ(FormatTrackMessage(*track),
            "tick_count: 9\n"
            "ticks { tick: 3 frames { device { axes: [-5] } } }\n"
            "ticks { tick: 8 frames { } }\n");
}

TEST(InputCsvTest, MistakesHaveLineAndColumn) {
  const std::string names = "tick,player,axis_1,keys,touches,commands\n";
  EXPECT_THAT(ErrorOf(names + "1,0,0,,,\n2,0,40000,,,\n").message(),
              HasSubstr("game.csv:3: axis_1: '40000' is not -32767 to 32767"));
  EXPECT_THAT(ErrorOf(names + "1,0,0,LEFT_SHFT,,\n").message(),
              HasSubstr("game.csv:2: keys: there is no key 'LEFT_SHFT'"));
  EXPECT_THAT(ErrorOf(names + "1,0,0,,\"1,2,3\",\n").message(),
              HasSubstr("game.csv:2: touches: '1,2,3' is no touch"));
  EXPECT_THAT(ErrorOf(names + "1,0,0,,,[{\"nmae\":\"go\"}]\n").message(),
              HasSubstr("game.csv:2: column 11: a quote within a cell"));
  EXPECT_THAT(
      ErrorOf(names + "1,0,0,,,\"[{\"\"nmae\"\":\"\"go\"\"}]\"\n").message(),
      HasSubstr("game.csv:2: commands: no list of commands in JSON"));
  EXPECT_THAT(ErrorOf(names + "1,0,0\n").message(),
              HasSubstr("game.csv:2: 3 cells; there are 6 columns"));
  EXPECT_THAT(ErrorOf(names + ",0,0,,,\n").message(),
              HasSubstr("game.csv:2: tick: ''"));
  EXPECT_THAT(ErrorOf(names + "1,64,0,,,\n").message(),
              HasSubstr("game.csv:2: player: '64' is not 0 to 63"));
}

TEST(InputCsvTest, RowsThatContradictEachOtherAreRefused) {
  EXPECT_THAT(ErrorOf("tick\n5\n4\n").message(),
              HasSubstr("game.csv:3: tick 4 follows tick 5; ticks ascend"));
  EXPECT_THAT(ErrorOf("tick,player\n5,1\n5,1\n").message(),
              HasSubstr("game.csv:3: "));
  EXPECT_THAT(ErrorOf("# tick_count: 5\ntick\n5\n").message(),
              HasSubstr("game.csv:3: tick 5 is not below the tick_count 5"));
  EXPECT_THAT(ErrorOf("tick\n9223372036854775807\n").message(),
              HasSubstr("game.csv:2: tick 9223372036854775807 is not below"));
}

TEST(InputCsvTest, NamesAndHeadAreChecked) {
  EXPECT_THAT(ErrorOf("tick,axis1\n").message(),
              HasSubstr("game.csv:1: there is no column 'axis1'"));
  EXPECT_THAT(ErrorOf("tick,tick\n").message(),
              HasSubstr("game.csv:1: there are two columns 'tick'"));
  EXPECT_THAT(ErrorOf("player\n").message(),
              HasSubstr("game.csv:1: there is no column 'tick'"));
  EXPECT_THAT(ErrorOf("").message(),
              HasSubstr("game.csv:1: there is no row with names"));
  EXPECT_THAT(ErrorOf("# pack: \"a\"\n# pakc: \"b\"\ntick\n").message(),
              HasSubstr("game.csv:2:"));
  EXPECT_THAT(ErrorOf("# ticks { }\n# tick_count: 4\ntick\n").message(),
              HasSubstr("game.csv:1: ticks stand in rows"));
  EXPECT_THAT(ErrorOf("# pack: \"a\"\ntick\n\"1\n").message(),
              HasSubstr("game.csv:3: column 1: the quotes"));
}

}  // namespace
}  // namespace reprise::replays
