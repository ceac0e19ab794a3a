// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in senses is reported once, with its line and
// field, by manifests with one mistake each.

#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The problems of a type whose senses, from line 3 on, have `text`.
std::vector<std::string> ProblemsOf(std::string_view text) {
  return Problems(
      Manifest({"types { name: 'hare' }\ntypes { name: 'fox' senses {\n", text,
                "\n} }\n"}));
}

TEST(SensesCompilerTest, WhatIsInOrderCompiles) {
  EXPECT_THAT(ProblemsOf("vision { of: 'hare' range: 10 }"), IsEmpty());
  EXPECT_THAT(ProblemsOf("hearing { }"), IsEmpty());
  EXPECT_THAT(ProblemsOf("vision { of: 'hare' of: 'fox' range: 10 "
                         "angle_degrees: 90 forward { z: 2 } eyes { y: 1.6 } "
                         "near: 1 } hearing { acuity: 2 through_bodies: 0 } "
                         "memory_s: 5 memories_max: 3 every_s: 0.1"),
              IsEmpty());
}

TEST(SensesCompilerTest, MistakesHaveTheirPlace) {
  const auto expect = [](std::string_view text, std::string_view problem) {
    EXPECT_THAT(ProblemsOf(text), ElementsAre(AllOf(StartsWith("pack.txtpb:"),
                                                    HasSubstr(problem))))
        << text;
  };
  expect("memory_s: 3", "senses.vision: needs vision, hearing or both");
  expect("vision { range: 10 }", "vision.of: there are 0 types");
  expect("vision { of: 'har' range: 10 }",
         "vision.of: there is no type 'har'; did you mean 'hare'?");
  expect("vision { of: 'hare' }", "vision.range: 0 is not");
  expect("vision { of: 'hare' range: nan }", "vision.range: nan is not");
  expect("vision { of: 'hare' range: 1 angle_degrees: 361 }",
         "vision.angle_degrees: 361 is not");
  expect("vision { of: 'hare' range: 1 forward { } }", "vision.forward");
  expect("vision { of: 'hare' range: 1 eyes { y: 1000 } }", "vision.eyes");
  expect("vision { of: 'hare' range: 1 near: -1 }", "vision.near: -1 is not");
  expect("hearing { acuity: 101 }", "hearing.acuity: 101 is not");
  expect("hearing { through_bodies: 2 }", "hearing.through_bodies: 2 is not");
  expect("hearing { } memory_s: -1", "senses.memory_s: -1 is not");
  expect("hearing { } memories_max: 65", "senses.memories_max: 65 is not");
  expect("hearing { } every_s: 61", "senses.every_s: 61 is not");
  EXPECT_THAT(Problems(Manifest({"senses_budget { lines_per_tick: 2000000 }"})),
              ElementsAre(HasSubstr("lines_per_tick: 2000000 is not")));
}

}  // namespace
}  // namespace reprise::sim
