// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/point_checker.h"

#include <array>
#include <cstddef>

#include "fmt/format.h"
#include "google/protobuf/message.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

struct Coordinate {
  std::string_view name;
  double value = 0.0;
};

// Reports the first coordinate of point `index` that isn't within the limit.
template <size_t kCount>
bool CheckPoint(const std::array<Coordinate, kCount>& coordinates,
                std::string_view name, const google::protobuf::Message& point,
                int index, double limit, const MessageChecker& checker) {
  for (const Coordinate& coordinate : coordinates) {
    // Written so that NaN fails.
    if (Abs(coordinate.value) <= limit) continue;
    checker.In(point, name, index)
        .Problem(coordinate.name,
                 fmt::format("{} is not within +-{}", coordinate.value, limit));
    return false;
  }
  return true;
}

}  // namespace

bool CheckPoints(std::string_view name,
                 const google::protobuf::RepeatedPtrField<v1::Vector3>& points,
                 double limit, const MessageChecker& checker) {
  for (int i = 0; i < points.size(); ++i) {
    const v1::Vector3& point = points[i];
    const std::array<Coordinate, 3> coordinates = {
        {{"x", point.x()}, {"y", point.y()}, {"z", point.z()}}};
    if (!CheckPoint(coordinates, name, point, i, limit, checker)) return false;
  }
  return true;
}

bool CheckPoints(std::string_view name,
                 const google::protobuf::RepeatedPtrField<v1::Vector2>& points,
                 double limit, const MessageChecker& checker) {
  for (int i = 0; i < points.size(); ++i) {
    const v1::Vector2& point = points[i];
    const std::array<Coordinate, 2> coordinates = {
        {{"x", point.x()}, {"y", point.y()}}};
    if (!CheckPoint(coordinates, name, point, i, limit, checker)) return false;
  }
  return true;
}

}  // namespace reprise::sim
