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

using ::testing::ElementsAre;
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

}  // namespace
}  // namespace reprise::sim
