// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in chunks and air locks, and of objects that come
// and go with a chunk, is reported once, with its line and field, by manifests
// with one mistake each.

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Without mistakes. What a test adds begins at line 9.
constexpr std::string_view kLevel =
    R"(layers { name: "day" } layers { name: "night" disabled: true }
regions { name: "hall" volume { sphere { radius: 2 } } margin: 1 layer: "day" stay_period_s: 1 }
chunk_plan { chunks { name: "a" active_at_start: true } chunks { name: "b" layer: "night" } load_regions { region { name: "near_a" volume { box { half_extents { x: 1 y: 1 z: 1 } } } } chunks: "a" } activation_delay_s: 1 }
air_locks { name: "lock" interior: "hall" open_side_at_start: 1 first { chunk: "a" door: "door_a" } second { chunk: "b" door: "door_b" layer: "day" } }
types { name: "thing" }
objects { name: "always" type: "thing" }
objects { name: "sometimes" type: "thing" chunk: "b" layer: "night" }
)";

// The problems of the level with `text` behind it.
std::vector<std::string> ProblemsWith(std::string_view text) {
  return Problems(Manifest({kLevel, text}));
}

// The problems of a plan with `text` in it.
std::vector<std::string> ProblemsOfPlan(const std::string& text) {
  return Problems(Manifest({"chunk_plan {\n", text, "\n}\n"}));
}

TEST(ChunkCompilerTest, LevelWithoutMistakesCompiles) {
  EXPECT_THAT(ProblemsWith(""), IsEmpty());
}

TEST(ChunkCompilerTest, MistakesOfThePlanHaveTheirPlace) {
  struct Case {
    std::string plan;
    std::string_view problem;
  };
  const std::string volume = " volume { sphere { radius: 1 } } ";
  for (const auto& [plan, problem] : {
           Case{"chunks { name: \"a\" } chunks { name: \"a\" }",
                "chunks[1].name: there are two chunks 'a'"},
           Case{"chunks { name: \"a\" layer: \"dusk\" }",
                "chunks[0].layer: there is no layer 'dusk'"},
           Case{"chunks_max: 5000", "chunks_max: 5000"},
           Case{"chunks { name: \"a\" active_at_start: true } chunks { name: "
                "\"b\" active_at_start: true } chunks_max: 1",
                "chunks[1].active_at_start: more than 1 chunks at tick 0"},
           Case{"activation_delay_s: -1", "activation_delay_s: "},
           Case{"deactivation_delay_s: nan", "deactivation_delay_s: "},
           Case{"active_min_s: 1e300", "active_min_s: "},
           Case{"load_regions { }",
                "load_regions[0].region: a load region needs one"},
           Case{"load_regions { region { name: \"r\" } }",
                "load_regions[0].region.volume: a region needs one"},
           Case{"load_regions { region { name: \"r\"" + volume +
                    "} chunks: \"x\" }",
                "load_regions[0].chunks: there is no chunk 'x'"},
           Case{"load_regions { region { name: \"r\"" + volume +
                    "stay_period_s: 1 } }",
                "load_regions[0].region.stay_period_s: a load region tells of "
                "nobody"},
           Case{"load_regions { region { name: \"r\"" + volume +
                    "} } load_regions { region { name: \"r\"" + volume + "} }",
                "load_regions[1].region.name: there are two load regions 'r'"},
       }) {
    EXPECT_THAT(
        ProblemsOfPlan(plan),
        ElementsAre(::testing::AllOf(
            StartsWith("pack.txtpb:3:"),
            ::testing::HasSubstr(": chunk_plan." + std::string(problem)))))
        << plan;
  }
}

TEST(ChunkCompilerTest, MistakesOfAirLocksHaveTheirPlace) {
  struct Case {
    std::string_view air_lock;
    std::string_view problem;
  };
  for (const auto& [air_lock, problem] : {
           Case{"name: \"l\"", "first: an air lock has two ends"},
           Case{"name: \"l\" first { chunk: \"a\" door: \"d\" }",
                "second: an air lock has two ends"},
           Case{"name: \"lock\" first { chunk: \"a\" door: \"d\" } second { "
                "chunk: \"b\" door: \"e\" }",
                "name: there are two air locks 'lock'"},
           Case{"name: \"l\" first { chunk: \"x\" door: \"d\" } second { "
                "chunk: \"b\" door: \"e\" }",
                "first.chunk: there is no chunk 'x'"},
           Case{"name: \"l\" first { chunk: \"a\" door: \"d\" } second { "
                "chunk: \"a\" door: \"e\" }",
                "second.chunk: the same on both ends"},
           Case{"name: \"l\" first { chunk: \"a\" door: \"door_a\" } second { "
                "chunk: \"b\" door: \"e\" }",
                "first.door: there are two doors 'door_a'"},
           Case{"name: \"l\" first { chunk: \"a\" door: \"d\" layer: \"x\" } "
                "second { chunk: \"b\" door: \"e\" }",
                "first.layer: there is no layer 'x'"},
           Case{"name: \"l\" interior: \"x\" first { chunk: \"a\" door: \"d\" "
                "} second { chunk: \"b\" door: \"e\" }",
                "interior: there is no region 'x'"},
           Case{"name: \"l\" closing_s: -1 first { chunk: \"a\" door: \"d\" } "
                "second { chunk: \"b\" door: \"e\" }",
                "closing_s: "},
           Case{"name: \"l\" open_side_at_start: 3 first { chunk: \"a\" door: "
                "\"d\" } second { chunk: \"b\" door: \"e\" }",
                "open_side_at_start: 3 is not in 0..2"},
           Case{"name: \"l\" open_side_at_start: 2 first { chunk: \"a\" door: "
                "\"d\" } second { chunk: \"b\" door: \"e\" }",
                "open_side_at_start: the chunk behind that door isn't there"},
       }) {
    EXPECT_THAT(
        ProblemsWith("air_locks {\n" + std::string(air_lock) + "\n}\n"),
        ElementsAre(::testing::AllOf(
            ::testing::ContainsRegex("^pack.txtpb:(9|10):"),
            ::testing::HasSubstr(": air_locks[1]." + std::string(problem)))))
        << air_lock;
  }
}

TEST(ChunkCompilerTest, MistakesOfObjectsInChunksHaveTheirPlace) {
  struct Case {
    std::string_view object;
    std::string_view problem;
  };
  for (const auto& [object, problem] : {
           Case{"chunk: \"x\"", "chunk: there is no chunk 'x'"},
           Case{"chunk: \"a\" layer: \"x\"", "layer: there is no layer 'x'"},
           Case{"layer: \"day\"", "layer: only an object of a chunk has one"},
           Case{"parent: \"sometimes\"",
                "parent: 'sometimes' comes and goes with its chunk"},
           Case{"chunk: \"a\" parent: \"sometimes\"",
                "parent: 'sometimes' comes and goes with its chunk"},
       }) {
    EXPECT_THAT(
        ProblemsWith("objects { name: \"o\" type: \"thing\"\n" +
                     std::string(object) + "\n}\n"),
        ElementsAre(::testing::AllOf(
            StartsWith("pack.txtpb:10:"),
            ::testing::HasSubstr(": objects[2]." + std::string(problem)))))
        << object;
  }
}

TEST(ChunkCompilerTest, WhatComesAndGoesCanBeConnected) {
  EXPECT_THAT(ProblemsWith("connections { name: \"c\" event: \"e\" send: \"f\" "
                           "target: \"sometimes\" }\n"),
              IsEmpty());
}

TEST(ChunkCompilerTest, MoreObjectsOfATypeThanThereCanBeAreReported) {
  EXPECT_THAT(
      Problems(Manifest({"types { name: \"t\" objects_max: 1 }\n",
                         "objects { name: \"o\" type: \"t\" grid { count_x: 2 "
                         "} }\n"})),
      ElementsAre(::testing::HasSubstr(
          "objects[0].type: more than 1 objects of the type 't'")));
}

// Those of a chunk that isn't there need no room yet.
TEST(ChunkCompilerTest, OnlyObjectsOfTickZeroNeedRoom) {
  EXPECT_THAT(
      Problems(Manifest({"types { name: \"t\" objects_max: 1 }\n",
                         "chunk_plan { chunks { name: \"a\" } }\n",
                         "objects { name: \"o\" type: \"t\" chunk: \"a\" grid "
                         "{ count_x: 2 } }\n"})),
      IsEmpty());
}

}  // namespace
}  // namespace reprise::sim
