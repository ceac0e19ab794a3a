// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in paths is reported once, with its line and field,
// by manifests with one mistake each.

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Without mistakes. What a test adds begins at line 3.
constexpr std::string_view kPaths =
    "paths { name: \"loop\" closed: true points { } points { x: 1 } points { "
    "z: 1 } }\n";

// The problems of the path with `text` behind it.
std::vector<std::string> ProblemsWith(std::string_view text) {
  return Problems(Manifest({kPaths, text}));
}

TEST(PathCompilerTest, PathsWithoutMistakesCompile) {
  EXPECT_THAT(ProblemsWith(""), IsEmpty());
}

TEST(PathCompilerTest, MistakesOfPathsHaveTheirPlace) {
  EXPECT_THAT(ProblemsWith("paths { name: \"loop\" points { } points { x: 1 } "
                           "}\n"),
              ElementsAre(StartsWith("pack.txtpb:3:9: paths[1].name: there "
                                     "are two paths 'loop'")));
  EXPECT_THAT(ProblemsWith("paths { name: \"p\" points { } }\n"),
              ElementsAre(StartsWith("pack.txtpb:3:19: paths[1].points: path "
                                     "\"p\"")));
  EXPECT_THAT(ProblemsWith("paths { name: \"p\" points { } points { x: nan } "
                           "}\n"),
              ElementsAre(StartsWith("pack.txtpb:3:39: paths[1].points[1].x: "
                                     "nan is not within")));
}

TEST(PathCompilerTest, BodiesThatDontFollowAreWarnedOf) {
  const auto warnings_of = [](std::string_view body) {
    return Warnings(Manifest(
        {kPaths,
         "types { name: \"a\" behaviours { behaviour: \"follow_path\" } "
         "set { property: \"path_follower.path\" to: \"loop\" }\n",
         body, " }\nobjects { name: \"one\" type: \"a\" }\n"}));
  };
  const auto body = [](std::string_view motion) {
    return "body { motion: " + std::string(motion) +
           " shapes { sphere { radius: 1 } } }";
  };
  EXPECT_THAT(warnings_of(""), IsEmpty());
  EXPECT_THAT(warnings_of(body("MOTION_KINEMATIC")), IsEmpty());
  EXPECT_THAT(
      warnings_of(body("MOTION_DYNAMIC mass_kg: 1")),
      ElementsAre(AllOf(
          StartsWith("pack.txtpb:3:32: types[0].behaviours[0].behaviour: "),
          HasSubstr("physics moves this one, as its body is dynamic"))));
  for (const std::string_view motion : {"MOTION_FIXED", "MOTION_TRIGGER"}) {
    EXPECT_THAT(warnings_of(body(motion)),
                ElementsAre(HasSubstr(
                    "this one stays where it is, as its body is fixed or a "
                    "trigger")));
  }
}

}  // namespace
}  // namespace reprise::sim
