// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which piece of which object: how queries name what they found.

#ifndef REPRISE_SIM_PHYSICS_QUERIES_PRIMITIVE_KEY_H_
#define REPRISE_SIM_PHYSICS_QUERIES_PRIMITIVE_KEY_H_

#include <compare>
#include <cstdint>

#include "sim/base/object_id.h"

namespace reprise::sim {

// A primitive of an object's body, by its index in the shape; a plane is 0.
struct PrimitiveKey {
  ObjectId object;
  uint32_t primitive = 0;

  friend auto operator<=>(const PrimitiveKey&, const PrimitiveKey&) = default;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_QUERIES_PRIMITIVE_KEY_H_
