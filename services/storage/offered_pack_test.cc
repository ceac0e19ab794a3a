// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a client learns all of a pack that its files say, and that what
// fits in no message is left out or refused, never sent.

#include "services/storage/offered_pack.h"

#include <string>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/status.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"

namespace reprise::services {
namespace {

constexpr size_t kPlenty = 1 << 20;

// A game with two walls, each a mesh of one triangle.
sim::PackArchive WallsPack() {
  std::string manifest = "name: \"walls\"\n";
  for (int i = 0; i < 2; ++i) {
    manifest += fmt::format(
        "types {{ name: \"wall_{0}\" body {{ motion: MOTION_FIXED shapes {{ "
        "mesh {{ vertices {{ x: 1 }} vertices {{ y: 1 }} vertices {{ z: 1 }} "
        "indices: [ 0, 1, 2 ] }} }} }} }}\nobjects {{ name: \"w{0}\" type: "
        "\"wall_{0}\" }}\n",
        i);
  }
  sim::PackArchive pack;
  EXPECT_TRUE(pack.Add(std::string(sim::kPackManifestPath), manifest).ok());
  return pack;
}

TEST(OfferedPackTest, TheSummaryIsThatOfTheArchive) {
  const sim::PackArchive pack = replays::MakeTinyPack();

  const v1::OfferedPack summary = SummarizePack("tiny", pack);

  EXPECT_EQ(summary.name(), "tiny");
  EXPECT_EQ(summary.digest(), sim::FormatDigest(pack.ComputeDigest()));
  EXPECT_EQ(summary.file_count(), pack.files().size());
  EXPECT_EQ(summary.size_bytes(), pack.files().begin()->second.size());
  EXPECT_EQ(summary.files_size(), 0);
}

TEST(OfferedPackTest, FilesAndDescriptionAreAdded) {
  const sim::PackArchive pack = replays::MakeTinyPack();
  const auto tiny = replays::TinySimulation::Create(pack, 0);
  v1::OfferedPack offered = SummarizePack("tiny", pack);

  ASSERT_EQ(DescribePack(pack, **tiny, /*want_meshes=*/true, kPlenty, offered),
            absl::OkStatus());

  EXPECT_EQ(offered.description().simulation(), "tiny");
  EXPECT_EQ(offered.description().pack_digest(), offered.digest());
  ASSERT_EQ(offered.files_size(), 1);
  EXPECT_EQ(offered.files(0).path(), "pack.txtpb");
  EXPECT_EQ(offered.files(0).size_bytes(), offered.size_bytes());
  EXPECT_EQ(offered.files(0).digest().size(), 64u);
  EXPECT_EQ(offered.meshes_size(), 0);
}

TEST(OfferedPackTest, MeshesThatDoNotFitAreLeftOutAndCounted) {
  const sim::PackArchive pack = WallsPack();
  const auto world = sim::CreateWorld(pack, 0);
  ASSERT_TRUE(world.ok()) << world.status();
  v1::OfferedPack whole = SummarizePack("walls", pack);
  ASSERT_EQ(DescribePack(pack, **world, /*want_meshes=*/true, kPlenty, whole),
            absl::OkStatus());
  ASSERT_EQ(whole.meshes_size(), 2);
  EXPECT_EQ(whole.meshes(0).vertices_size(), 9);
  EXPECT_EQ(whole.meshes(0).triangles_size(), 3);

  const size_t less = whole.ByteSizeLong() - 1;
  v1::OfferedPack cut = SummarizePack("walls", pack);
  EXPECT_EQ(DescribePack(pack, **world, /*want_meshes=*/true, less, cut),
            absl::OkStatus());

  EXPECT_EQ(cut.meshes_size(), 1);
  EXPECT_EQ(cut.meshes_omitted(), 1u);
  EXPECT_LE(cut.ByteSizeLong(), less);
  v1::OfferedPack none = SummarizePack("walls", pack);
  EXPECT_EQ(ReasonOf(DescribePack(pack, **world, /*want_meshes=*/false,
                                  /*bytes_max=*/100, none)),
            "DESCRIPTION_TOO_LARGE");
}

}  // namespace
}  // namespace reprise::services
