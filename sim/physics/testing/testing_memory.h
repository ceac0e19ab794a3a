// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where Bullet's memory comes from, for tests outside this room.

#ifndef REPRISE_SIM_PHYSICS_TESTING_TESTING_MEMORY_H_
#define REPRISE_SIM_PHYSICS_TESTING_TESTING_MEMORY_H_

#include <cstddef>

namespace reprise::sim {

using AllocateAligned = void* (*)(size_t size, size_t alignment);
using FreeAligned = void (*)(void* memory);

// Makes Bullet ask these for memory from now on, on any thread.
// REQUIRES: it has none: what one allocates the other must not free.
void SetBulletMemory(AllocateAligned allocate, FreeAligned free);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_TESTING_TESTING_MEMORY_H_
