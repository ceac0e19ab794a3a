// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/testing/testing_memory.h"

#include "LinearMath/btAlignedAllocator.h"

namespace reprise::sim {
namespace {

// Bullet's hooks carry nothing with them.
AllocateAligned allocate_aligned = nullptr;

}  // namespace

void SetBulletMemory(AllocateAligned allocate, FreeAligned free) {
  allocate_aligned = allocate;
  btAlignedAllocSetCustomAligned(
      [](size_t size, int alignment) {
        return allocate_aligned(size, static_cast<size_t>(alignment));
      },
      free);
}

}  // namespace reprise::sim
