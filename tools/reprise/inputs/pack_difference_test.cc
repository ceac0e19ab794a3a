// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that two packs are compared by what they say, not by how: each change
// has its path and both values, order and comments are none, and one change
// alone can be made.

#include "tools/reprise/inputs/pack_difference.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/playing/pack_folder.h"
#include "sim/pack_archive.h"

namespace reprise::tools {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The marble pack that ships, with `from` in its manifest replaced by `to`.
sim::PackArchive Marble(const std::string& from = "",
                        const std::string& to = "") {
  const auto pack = replays::ReadPackFolder("sim/packs/marble");
  EXPECT_TRUE(pack.ok()) << pack.status();
  sim::PackArchive changed;
  for (const auto& [path, contents] : pack->files()) {
    std::string text = contents;
    if (path == sim::kPackManifestPath && !from.empty()) {
      const size_t place = text.find(from);
      EXPECT_NE(place, std::string::npos) << from;
      text.replace(place, from.size(), to);
    }
    EXPECT_TRUE(changed.Add(path, std::move(text)).ok());
  }
  return changed;
}

sim::PackArchive PackOf(
    const std::vector<std::pair<std::string, std::string>>& files) {
  sim::PackArchive pack;
  for (const auto& [path, contents] : files) {
    EXPECT_TRUE(pack.Add(path, contents).ok());
  }
  return pack;
}

std::vector<std::string> LinesOf(const sim::PackArchive& before,
                                 const sim::PackArchive& after) {
  std::vector<std::string> lines;
  for (const PackChange& change : ComparePacksAsData(before, after)) {
    lines.push_back(FormatPackChange(change));
  }
  return lines;
}

TEST(PackDifferenceTest, PropertyOfATypeIsNamedWithBothValues) {
  EXPECT_THAT(LinesOf(Marble(), Marble("friction: 0.8", "friction: 0.7")),
              ElementsAre("types.marble.body.friction: 0.8 -> 0.7"));
}

TEST(PackDifferenceTest, SamePackHasNoChange) {
  EXPECT_THAT(LinesOf(Marble(), Marble()), IsEmpty());
}

TEST(PackDifferenceTest, CommentIsAnotherTextOfTheSameData) {
  EXPECT_THAT(LinesOf(Marble(), Marble("tick_rate: 60",
                                       "# As on screens.\n"
                                       "tick_rate: 60")),
              ElementsAre("pack.txtpb: the same data -> in another text"));
}

TEST(PackDifferenceTest, NamedElementsAreAddedRemovedAndReordered) {
  const std::string a = "layers { name: \"a\" }\n";
  const std::string b = "layers { name: \"b\" disabled: true }\n";
  const std::string c = "layers { name: \"c\" }\n";
  const sim::PackArchive before =
      PackOf({{"pack.txtpb", "name: \"p\"\n" + a + b}});
  const sim::PackArchive after =
      PackOf({{"pack.txtpb", "name: \"p\"\n" + c + a}});
  EXPECT_THAT(LinesOf(before, after),
              ElementsAre("layers.b: removed, { name: \"b\" disabled: true }",
                          "layers.c: added, { name: \"c\" }"));
}

TEST(PackDifferenceTest, ComponentPropertyIsNamedWithoutItsLists) {
  const auto pack = [](const std::string& value) {
    return PackOf(
        {{"pack.txtpb",
          "name: \"p\"\ncomponents { name: \"health\" properties { name: "
          "\"points\" type: TYPE_INTEGER } }\ntypes { name: \"t\" components { "
          "component: \"health\" set { property: \"points\" value { integer: " +
              value + " } } } }\n"}});
  };
  EXPECT_THAT(LinesOf(pack("3"), pack("5")),
              ElementsAre("types.t.health.points: 3 -> 5"));
}

TEST(PackDifferenceTest, ScriptAndAssetAreNamedByFile) {
  const std::string manifest = "name: \"p\"\n";
  const sim::PackArchive before = PackOf({{"pack.txtpb", manifest},
                                          {"a.lua", "one\ntwo\nthree\n"},
                                          {"mesh.bin", std::string("\0\1", 2)},
                                          {"old.txt", "gone"}});
  const sim::PackArchive after = PackOf({{"pack.txtpb", manifest},
                                         {"a.lua", "one\n2\x1b\nthree\n"},
                                         {"mesh.bin", std::string("\0\1\2", 3)},
                                         {"new.txt", "here!"}});
  EXPECT_THAT(
      LinesOf(before, after),
      ElementsAre("a.lua:2: two -> 2\\x1b", "mesh.bin: 2 bytes -> 3 bytes",
                  "old.txt: removed, 4 bytes", "new.txt: added, 5 bytes"));
}

// So each can be the cause, and is still the same one when others are made.
TEST(PackDifferenceTest, PlacesOfAScriptAreChangesOfTheirOwn) {
  const auto pack = [](const std::string& script) {
    return PackOf({{"pack.txtpb", "name: \"p\"\n"}, {"a.lua", script}});
  };
  const sim::PackArchive before = pack("1\n2\n3\n4\n5\n6\n7\n8\n");
  const sim::PackArchive after = pack("1\nx\ny\n2\n3\n4\n5\n7\nz\n");
  EXPECT_THAT(LinesOf(before, after),
              ElementsAre("a.lua:2: 0 lines -> 2 lines",
                          "a.lua:8: 3 lines -> 2 lines"));
  const auto first = ApplyPackChange(before, after, 0);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->Find("a.lua"), "1\nx\ny\n2\n3\n4\n5\n6\n7\n8\n");
  EXPECT_THAT(LinesOf(*first, after),
              ElementsAre("a.lua:8: 3 lines -> 2 lines"));
  const auto second = ApplyPackChange(before, after, 1);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(second->Find("a.lua"), "1\n2\n3\n4\n5\n7\nz\n");
  EXPECT_THAT(LinesOf(*second, after),
              ElementsAre("a.lua:2: 0 lines -> 2 lines"));
}

TEST(PackDifferenceTest, ForeignManifestIsComparedAsText) {
  EXPECT_THAT(LinesOf(PackOf({{"pack.txtpb", "name: \"p\"\nstep: 0.1\n"}}),
                      PackOf({{"pack.txtpb", "name: \"p\"\nstep: 0.2\n"}})),
              ElementsAre("pack.txtpb:2: step: 0.1 -> step: 0.2"));
}

TEST(PackDifferenceTest, OneChangeAloneCanBeMade) {
  const sim::PackArchive before = Marble();
  sim::PackArchive after = Marble("friction: 0.8", "friction: 0.7");
  const auto files = after.files();
  after = {};
  for (auto [path, contents] : files) {
    if (path == sim::kPackManifestPath) {
      const std::string from = "force_n: 14";
      contents.replace(contents.find(from), from.size(), "force_n: 15");
    }
    ASSERT_TRUE(after.Add(path, contents).ok());
  }
  ASSERT_EQ(ComparePacksAsData(before, after).size(), 2);
  const auto second = ApplyPackChange(before, after, 1);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_THAT(LinesOf(before, *second),
              ElementsAre("types.marble.roller.force_n: 14 -> 15"));
  EXPECT_THAT(LinesOf(*second, after),
              ElementsAre("types.marble.body.friction: 0.8 -> 0.7"));
  EXPECT_EQ(ApplyPackChange(before, after, 2).status().code(),
            absl::StatusCode::kOutOfRange);
}

TEST(PackDifferenceTest, MoreThanAskedForAreCounted) {
  const std::vector<PackChange> changes(5, PackChange{"a", "1", "2"});
  EXPECT_EQ(FormatPackChanges(changes, 2),
            "a: 1 -> 2\na: 1 -> 2\nand 3 more changes of the pack\n");
}

}  // namespace
}  // namespace reprise::tools
