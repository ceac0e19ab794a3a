// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/definition/closed_mesh.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

#include "fmt/format.h"

namespace reprise::sim {
namespace {

// A triangle's way along an edge, whose ends are in order.
struct EdgeUse {
  uint32_t low = 0;
  uint32_t high = 0;
  bool is_upward = false;  // from low to high
  uint32_t triangle = 0;

  auto edge() const { return std::tuple(low, high); }
};

std::string Place(const MeshShape& mesh, uint32_t vertex) {
  const Vector3& v = mesh.vertices[vertex];
  return fmt::format("vertex {} ({:g}, {:g}, {:g})", vertex, v.x, v.y, v.z);
}

OpenMesh OpenAt(const MeshShape& mesh, const EdgeUse& use,
                const std::string& text) {
  return {
      .problem = fmt::format("the edge from {} to {} {}", Place(mesh, use.low),
                             Place(mesh, use.high), text),
      .has_edge = true,
      .from = use.low,
      .to = use.high};
}

double VolumeOf(const MeshShape& mesh) {
  // From a corner of the mesh, so that one far from the origin isn't rounded.
  const Vector3 origin = mesh.vertices[mesh.triangles[0][0]];
  double sum = 0.0;
  for (const TriangleCorners& corners : mesh.triangles) {
    const Vector3 a = mesh.vertices[corners[0]] - origin;
    const Vector3 b = mesh.vertices[corners[1]] - origin;
    const Vector3 c = mesh.vertices[corners[2]] - origin;
    sum += Dot(a, Cross(b, c));
  }
  return sum / 6.0;
}

}  // namespace

std::vector<uint32_t> FirstInPlace(const std::vector<Vector3>& vertices) {
  std::vector<uint32_t> order(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto place = [&vertices](uint32_t i) {
    return std::tuple(vertices[i].x, vertices[i].y, vertices[i].z);
  };
  // A total order: what is in one place goes by its index.
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(place(a), a) < std::tuple(place(b), b);
  });
  std::vector<uint32_t> first(vertices.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const bool is_new = i == 0 || place(order[i - 1]) != place(order[i]);
    first[order[i]] = is_new ? order[i] : first[order[i - 1]];
  }
  return first;
}

OpenMesh FindOpening(const MeshShape& mesh) {
  const std::vector<uint32_t> first = FirstInPlace(mesh.vertices);
  std::vector<EdgeUse> uses;
  for (uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    const TriangleCorners& corners = mesh.triangles[i];
    for (size_t k = 0; k < corners.size(); ++k) {
      const uint32_t from = first[corners[k]];
      const uint32_t to = first[corners[(k + 1) % corners.size()]];
      uses.push_back({.low = std::min(from, to),
                      .high = std::max(from, to),
                      .is_upward = from < to,
                      .triangle = i});
    }
  }
  // A total order: a triangle runs along an edge once.
  std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tuple(a.edge(), a.triangle) < std::tuple(b.edge(), b.triangle);
  });
  for (auto begin = uses.begin(); begin != uses.end();) {
    const auto end = std::find_if(begin, uses.end(), [&](const EdgeUse& use) {
      return use.edge() != begin->edge();
    });
    const auto count = end - begin;
    if (count != 2) {
      return OpenAt(mesh, *begin,
                    fmt::format("is of {} triangle{}, not of two; triangle {} "
                                "is one",
                                count, count == 1 ? "" : "s", begin->triangle));
    }
    if (begin[0].is_upward == begin[1].is_upward) {
      return OpenAt(mesh, *begin,
                    fmt::format("is of the triangles {} and {}, which look to "
                                "different sides",
                                begin[0].triangle, begin[1].triangle));
    }
    begin = end;
  }
  const double volume = VolumeOf(mesh);
  if (!(volume > 0.0)) {
    return {.problem = fmt::format(
                "its triangles look inwards: what they enclose has a volume of "
                "{:g} m^3",
                volume)};
  }
  return {};
}

}  // namespace reprise::sim
