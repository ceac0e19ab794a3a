// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Tells the processor early of memory that will be read, where the way to it is
// by pointers. It changes nothing but the time.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_PREFETCH_H_
#define REPRISE_SIM_PHYSICS_COLLISION_PREFETCH_H_

#include <cstddef>

namespace reprise::sim {

// Asks for bytes [begin, end) of an object.
inline void Prefetch(const void* object, size_t begin, size_t end) {
  constexpr size_t kCacheLine = 64;
  const auto* const bytes = static_cast<const char*>(object);
  for (size_t i = begin; i < end; i += kCacheLine) {
    __builtin_prefetch(bytes + i);
  }
  __builtin_prefetch(bytes + end - 1);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_PREFETCH_H_
