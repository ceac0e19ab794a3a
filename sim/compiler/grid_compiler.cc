// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/grid_compiler.h"

#include <string_view>

#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

// -1 to 1.
double NextSigned(RandomStream& stream) { return 2.0 * NextUnit(stream) - 1.0; }

Vector3 NextJitter(RandomStream& stream, Vector3 reach) {
  // One draw a statement: the order of draws is part of the result.
  const double x = NextSigned(stream);
  const double y = NextSigned(stream);
  const double z = NextSigned(stream);
  return {x * reach.x, y * reach.y, z * reach.z};
}

Quaternion NextRotation(RandomStream& stream) {
  const Vector3 axis = NextJitter(stream, {1.0, 1.0, 1.0});
  return FromAxisAngle(axis, kPi * NextSigned(stream));
}

uint32_t CopiesAlong(std::string_view field, uint32_t count,
                     const MessageChecker& checker) {
  if (count == 0) return 1;
  return checker.Count(field, count, 1, kGridCopiesMax);
}

// Reports copies of a body that would stand in one place: a mistake, and of
// dynamic ones each would touch all others.
void CheckSpacing(const v1::Grid& grid, const MessageChecker& checker) {
  if (grid.jitter().x() != 0.0 || grid.jitter().y() != 0.0 ||
      grid.jitter().z() != 0.0) {
    return;
  }
  const auto require = [&](uint32_t count, double spacing, char axis) {
    if (count <= 1 || spacing != 0.0) return;
    checker.Problem("spacing",
                    fmt::format("0 along {}: {} bodies would stand in one "
                                "place",
                                axis, count));
  };
  require(grid.count_x(), grid.spacing().x(), 'x');
  require(grid.count_y(), grid.spacing().y(), 'y');
  require(grid.count_z(), grid.spacing().z(), 'z');
}

}  // namespace

std::vector<Transform> CompileGrid(const v1::Object& object,
                                   const MessageChecker& checker,
                                   const Transform& first, bool has_body,
                                   uint64_t seed) {
  const v1::Grid& grid = object.grid();
  const MessageChecker place = checker.In(grid, "grid");
  if (has_body) CheckSpacing(grid, place);
  const uint64_t count_x = CopiesAlong("count_x", grid.count_x(), place);
  const uint64_t count_y = CopiesAlong("count_y", grid.count_y(), place);
  const uint64_t count_z = CopiesAlong("count_z", grid.count_z(), place);
  const Vector3 spacing = place.Vector("spacing", grid.spacing());
  const Vector3 jitter = place.Vector("jitter", grid.jitter());
  std::vector<Transform> copies;
  // No product of three uint32 within the bound overflows 64 bits.
  if (count_x > kGridCopiesMax || count_y > kGridCopiesMax ||
      count_z > kGridCopiesMax ||
      count_x * count_y * count_z > kGridCopiesMax) {
    checker.Problem("grid", fmt::format("more than {} copies", kGridCopiesMax));
    return copies;
  }
  RandomStream stream = MakeRandomStream(seed, IdOf(object.name()));
  for (uint64_t z = 0; z < count_z; ++z) {
    for (uint64_t y = 0; y < count_y; ++y) {
      for (uint64_t x = 0; x < count_x; ++x) {
        Transform& copy = copies.emplace_back(first);
        copy.position =
            copy.position + Vector3{static_cast<double>(x) * spacing.x,
                                    static_cast<double>(y) * spacing.y,
                                    static_cast<double>(z) * spacing.z};
        copy.position = copy.position + NextJitter(stream, jitter);
        if (grid.random_rotation()) {
          copy.rotation = NextRotation(stream) * copy.rotation;
        }
      }
    }
  }
  return copies;
}

}  // namespace reprise::sim
