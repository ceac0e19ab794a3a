// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that mistakes in a pack are told with its folder, line by line, and
// that nothing else is changed.

#include "tools/reprise/inputs/pack_location.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/pack_archive.h"

namespace reprise::tools {
namespace {

sim::PackArchive Pack() {
  sim::PackArchive pack;
  EXPECT_TRUE(pack.Add("pack.txtpb", "").ok());
  EXPECT_TRUE(pack.Add("parts/a.txtpb", "").ok());
  return pack;
}

TEST(PackLocationTest, EachFileOfThePackHasItsFolder) {
  const absl::Status status = absl::InvalidArgumentError(
      "pack.txtpb:30:73: types[0].set[0].to: 'a: pack.txtpb'\n"
      "parts/a.txtpb: it is empty\n"
      "other.txtpb:1: it isn't there\n"
      "and 3 more problems");
  EXPECT_EQ(WithPackName(status, "games/duel", Pack()),
            absl::InvalidArgumentError(
                "games/duel/pack.txtpb:30:73: types[0].set[0].to: 'a: "
                "pack.txtpb'\n"
                "games/duel/parts/a.txtpb: it is empty\n"
                "other.txtpb:1: it isn't there\n"
                "and 3 more problems"));
}

TEST(PackLocationTest, OtherErrorsStayAsTheyAre) {
  for (const absl::Status& status :
       {absl::OkStatus(), absl::NotFoundError("pack.txtpb: there is none"),
        absl::InvalidArgumentError(""),
        absl::InvalidArgumentError("a pack: pack.txtpb\n")}) {
    EXPECT_EQ(WithPackName(status, "duel", Pack()), status) << status;
  }
}

}  // namespace
}  // namespace reprise::tools
