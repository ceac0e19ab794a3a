// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that inputs come back from lines of JSON as they were, that another
// game's need no head, and that each mistake is told with file, line and field.

#include "replays/tracks/input_json_lines.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/tracks/input_track.h"
#include "reprise/v1/input.pb.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

absl::Status ErrorOf(const std::string& text) {
  return ParseInputJsonLines(text, "game.jsonl").status();
}

TEST(InputJsonLinesTest, LinesComeBackAsTheyWere) {
  const auto track = ParseTrackMessage(
      R"(pack: "parlour" tick_count: 600 run { seed: 18446744073709551615 }
ticks { tick: 0 frames { device { buttons: 18446744073709551615 } }
                frames { player: 63 } }
ticks { tick: 599 frames { device { keys: KEY_A keys: KEY_LEFT_SHIFT
    touches { id: 9 } } commands { name: "say" values { text: "\"player\":\"3\"" }
    values { number: 0.1 } } activity { text: "l\303\251\n<&>" } } })",
      "a.txtpb");
  ASSERT_TRUE(track.ok()) << track.status();
  const std::string lines = FormatInputJsonLines(*track);
  const auto again = ParseInputJsonLines(lines, "game.jsonl");
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << lines;
  EXPECT_EQ(FormatTrackMessage(*again), FormatTrackMessage(*track)) << lines;
}

TEST(InputJsonLinesTest, LinesAreThoseOfThePage) {
  const std::string lines =
      "{\"pack\":\"marble\",\"tick_count\":870}\n"
      "{\"tick\":20,\"frames\":[{\"player\":0,\"device\":{\"axes\":[0,13250]}},"
      "{\"player\":1}]}\n";
  const auto track = ParseInputJsonLines(lines, "game.jsonl");
  ASSERT_TRUE(track.ok()) << track.status();
  EXPECT_EQ(FormatInputJsonLines(*track), lines);
}

TEST(InputJsonLinesTest, AnotherGamesLinesNeedNoHead) {
  const auto track = ParseInputJsonLines(
      "{\"tick\": 3, \"frames\": [{\"device\": {\"axes\": [-5]}}]}\r\n\r\n"
      "{\"tick\": \"8\", \"frames\": [{}]}",
      "game.jsonl");
  ASSERT_TRUE(track.ok()) << track.status();
  EXPECT_EQ(FormatTrackMessage(*track),
            "tick_count: 9\n"
            "ticks { tick: 3 frames { device { axes: [-5] } } }\n"
            "ticks { tick: 8 frames { } }\n");
}

TEST(InputJsonLinesTest, MistakesHaveLineAndField) {
  const std::string good = "{\"tick\":1,\"frames\":[{}]}\n";
  EXPECT_THAT(
      ErrorOf(good + "{\"tick\":2,\"frames\":[{\"device\":{\"axs\":[1]}}"
                     "]}\n")
          .message(),
      testing::AllOf(HasSubstr("game.jsonl:2: "), HasSubstr("axs")));
  EXPECT_THAT(ErrorOf(good + "{\"tick\":2,\"frames\":[{\"device\":{\"axes\":["
                             "40000]}}]}\n")
                  .message(),
              HasSubstr("game.jsonl:2: player 0: axis 0 is 40000, outside "
                        "-32767..32767"));
  EXPECT_THAT(ErrorOf(good + good + "{\"tick\"\n").message(),
              HasSubstr("game.jsonl:2: "));  // player 0 twice
  EXPECT_THAT(ErrorOf(good + "{\"tick\"\n").message(),
              HasSubstr("game.jsonl:2: "));
  EXPECT_THAT(ErrorOf(good + "{\"tick\":0,\"frames\":[{}]}\n").message(),
              HasSubstr("game.jsonl:2: tick 0 follows tick 1; ticks ascend"));
  EXPECT_THAT(ErrorOf(good + "\xff\n").message(),
              HasSubstr("game.jsonl:2: the line isn't UTF-8"));
  EXPECT_THAT(ErrorOf("{\"tick_count\":1}\n" + good).message(),
              HasSubstr("game.jsonl:2: tick 1 is not below the tick_count 1"));
  EXPECT_THAT(ErrorOf("{\"run\":{\"pack_digest\":\"no\"}}\n" + good).message(),
              HasSubstr("game.jsonl:1: run: pack_digest is no digest"));
  EXPECT_THAT(ErrorOf("{\"ticks\":[{}],\"tick_count\":4}\n").message(),
              HasSubstr("game.jsonl:1: ticks: each has a line of its own"));
}

TEST(InputJsonLinesTest, DeepLinesAreRefused) {
  const std::string deep(100000, '[');
  EXPECT_THAT(ErrorOf(deep).message(), HasSubstr("game.jsonl:1: "));
  EXPECT_THAT(ErrorOf("{\"tick\":1,\"frames\":" + deep).message(),
              HasSubstr("game.jsonl:1: "));
}

}  // namespace
}  // namespace reprise::replays
