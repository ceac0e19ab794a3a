// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The packs that ship, for tests.

#ifndef REPRISE_TESTS_PACKS_SHIPPED_PACK_H_
#define REPRISE_TESTS_PACKS_SHIPPED_PACK_H_

#include <string>

#include "gtest/gtest.h"
#include "replays/playing/pack_folder.h"
#include "sim/pack_archive.h"

namespace reprise::sim {

inline PackArchive ShippedPack(const std::string& name) {
  const auto pack = replays::ReadPackFolder("sim/packs/" + name);
  EXPECT_TRUE(pack.ok()) << pack.status();
  return pack.value_or(PackArchive());
}

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_PACKS_SHIPPED_PACK_H_
