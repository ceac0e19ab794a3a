// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/mesh_file.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kTitle = "reprise navigation mesh 1";
constexpr std::string_view kTitleWithSurfaces = "reprise navigation mesh 2";
constexpr std::string_view kMadeOf = "made_of ";
constexpr std::string_view kContents = "contents ";
constexpr std::string_view kOrigin = "origin ";
constexpr std::string_view kVertices = "vertices ";
constexpr std::string_view kPolygons = "polygons ";
constexpr std::string_view kPoints = "points ";
constexpr std::string_view kTriangles = "triangles ";
// Of a line of numbers: an area and the corners of a polygon.
constexpr size_t kNumbersMax = 1 + kPolygonCornersMax;

Digest DigestOfText(std::string_view text) {
  return DigestOf(std::as_bytes(std::span(text)));
}

// Reads lines one after the other, and knows which one it is at.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  absl::Status Problem(std::string_view what) const {
    return absl::InvalidArgumentError(fmt::format("line {}: {}", line_, what));
  }

  // The next line behind `beginning`, without its end; nullopt where there is
  // no such line.
  std::optional<std::string_view> Next(std::string_view beginning = "") {
    ++line_;
    const size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text_.substr(at_, end - at_);
    if (!line.starts_with(beginning)) return std::nullopt;
    at_ = end + 1;
    return line.substr(beginning.size());
  }

  // The whole numbers of the next line, each within its bounds, a space between
  // two. Empty: it is no such line.
  std::vector<int64_t> NextNumbers(std::string_view beginning, int64_t minimum,
                                   int64_t maximum) {
    const std::optional<std::string_view> line = Next(beginning);
    if (!line.has_value()) return {};
    std::vector<int64_t> numbers;
    const char* at = line->data();
    const char* const end = at + line->size();
    while (numbers.size() < kNumbersMax) {
      int64_t number = 0;
      const auto [rest, error] = std::from_chars(at, end, number);
      const bool is_canonical =
          error == std::errc() &&
          std::string_view(at, rest) == fmt::format("{}", number);
      if (!is_canonical || number < minimum || number > maximum) return {};
      numbers.push_back(number);
      if (rest == end) return numbers;
      if (*rest != ' ') return {};
      at = rest + 1;
    }
    return {};
  }

  std::string_view rest() const { return text_.substr(at_); }
  bool is_at_end() const { return at_ == text_.size(); }

 private:
  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 0;
};

absl::StatusOr<uint32_t> ReadCount(LineReader& lines, std::string_view name,
                                   uint32_t maximum) {
  const std::vector<int64_t> count = lines.NextNumbers(name, 0, maximum);
  if (count.size() != 1) {
    return lines.Problem(
        fmt::format("expected '{}' and a number up to {}", name, maximum));
  }
  return static_cast<uint32_t>(count[0]);
}

absl::Status ReadVertices(LineReader& lines, NavigationMeshData& data) {
  const absl::StatusOr<uint32_t> count =
      ReadCount(lines, kVertices, kNavigationVerticesMax);
  if (!count.ok()) return count.status();
  for (uint32_t i = 0; i < *count; ++i) {
    const std::vector<int64_t> numbers =
        lines.NextNumbers("", 0, std::numeric_limits<uint16_t>::max());
    if (numbers.size() != 3) {
      return lines.Problem("a vertex is x, y and z, each 0 to 65535");
    }
    data.vertices.push_back({.x = static_cast<uint16_t>(numbers[0]),
                             .y = static_cast<uint16_t>(numbers[1]),
                             .z = static_cast<uint16_t>(numbers[2])});
  }
  return absl::OkStatus();
}

absl::Status ReadPolygons(LineReader& lines, NavigationMeshData& data) {
  const absl::StatusOr<uint32_t> count =
      ReadCount(lines, kPolygons, kNavigationPolygonsMax);
  if (!count.ok()) return count.status();
  for (uint32_t i = 0; i < *count; ++i) {
    const std::vector<int64_t> numbers =
        lines.NextNumbers("", 0, std::numeric_limits<uint16_t>::max());
    if (numbers.size() < 1 + kPolygonCornersMin ||
        numbers[0] > int64_t{kMeshAreasMax}) {
      return lines.Problem(
          fmt::format("a polygon is its area, 0 to {}, and {} to {} corners",
                      kMeshAreasMax, kPolygonCornersMin, kPolygonCornersMax));
    }
    NavigationPolygon polygon = {
        .corner_count = static_cast<uint8_t>(numbers.size() - 1),
        .area = static_cast<uint8_t>(numbers[0])};
    for (size_t k = 1; k < numbers.size(); ++k) {
      polygon.corners[k - 1] = static_cast<uint16_t>(numbers[k]);
    }
    data.polygons.push_back(polygon);
  }
  return absl::OkStatus();
}

bool HasSurfaces(const NavigationMeshData& data) {
  return !data.points.empty() || !data.triangles.empty();
}

absl::Status ReadSurfaces(LineReader& lines, NavigationMeshData& data) {
  constexpr int64_t kMost =
      std::numeric_limits<uint16_t>::max() * kStepsPerVoxel;
  const absl::StatusOr<uint32_t> points =
      ReadCount(lines, kPoints, kSurfacePointsMax);
  if (!points.ok()) return points.status();
  for (uint32_t i = 0; i < *points; ++i) {
    const std::vector<int64_t> numbers = lines.NextNumbers("", 0, kMost);
    if (numbers.size() != 4 ||
        numbers[2] > std::numeric_limits<uint16_t>::max()) {
      return lines.Problem("a point is its polygon, x, y and z");
    }
    data.points.push_back({.polygon = static_cast<uint32_t>(numbers[0]),
                           .x = static_cast<int32_t>(numbers[1]),
                           .y = static_cast<uint16_t>(numbers[2]),
                           .z = static_cast<int32_t>(numbers[3])});
  }
  const absl::StatusOr<uint32_t> triangles =
      ReadCount(lines, kTriangles, kSurfaceTrianglesMax);
  if (!triangles.ok()) return triangles.status();
  for (uint32_t i = 0; i < *triangles; ++i) {
    const std::vector<int64_t> numbers =
        lines.NextNumbers("", 0, std::numeric_limits<uint16_t>::max());
    if (numbers.size() != 4) {
      return lines.Problem("a triangle is its polygon and three corners");
    }
    SurfaceTriangle triangle = {.polygon = static_cast<uint32_t>(numbers[0])};
    for (size_t k = 0; k < 3; ++k) {
      triangle.corners[k] = static_cast<uint16_t>(numbers[k + 1]);
    }
    data.triangles.push_back(triangle);
  }
  return absl::OkStatus();
}

std::string ContentsOf(const NavigationMeshData& data) {
  std::string text =
      fmt::format("{}{} {} {}\n{}{}\n", kOrigin, data.origin[0], data.origin[1],
                  data.origin[2], kVertices, data.vertices.size());
  for (const NavigationVertex& vertex : data.vertices) {
    text += fmt::format("{} {} {}\n", vertex.x, vertex.y, vertex.z);
  }
  text += fmt::format("{}{}\n", kPolygons, data.polygons.size());
  for (const NavigationPolygon& polygon : data.polygons) {
    text += fmt::format("{}", polygon.area);
    for (uint32_t i = 0; i < polygon.corner_count; ++i) {
      text += fmt::format(" {}", polygon.corners[i]);
    }
    text += '\n';
  }
  if (!HasSurfaces(data)) return text;
  text += fmt::format("{}{}\n", kPoints, data.points.size());
  for (const SurfacePoint& point : data.points) {
    text +=
        fmt::format("{} {} {} {}\n", point.polygon, point.x, point.y, point.z);
  }
  text += fmt::format("{}{}\n", kTriangles, data.triangles.size());
  for (const SurfaceTriangle& triangle : data.triangles) {
    text += fmt::format("{} {} {} {}\n", triangle.polygon, triangle.corners[0],
                        triangle.corners[1], triangle.corners[2]);
  }
  return text;
}

}  // namespace

std::string EncodeMeshFile(const MeshFile& file) {
  const std::string contents = ContentsOf(file.data);
  return fmt::format("{}\n{}{}\n{}{}\n{}",
                     HasSurfaces(file.data) ? kTitleWithSurfaces : kTitle,
                     kMadeOf, FormatDigest(file.made_of), kContents,
                     FormatDigest(DigestOfText(contents)), contents);
}

absl::StatusOr<MeshFile> DecodeMeshFile(std::string_view text) {
  LineReader lines(text);
  const std::optional<std::string_view> title = lines.Next();
  const bool has_surfaces = title == kTitleWithSurfaces;
  if (title != kTitle && !has_surfaces) {
    return lines.Problem(fmt::format("a mesh begins with '{}'", kTitle));
  }
  MeshFile file;
  const absl::StatusOr<Digest> made_of =
      ParseDigest(lines.Next(kMadeOf).value_or(""));
  if (!made_of.ok()) {
    return lines.Problem("expected 'made_of ' and sixteen digits");
  }
  file.made_of = *made_of;
  const absl::StatusOr<Digest> contents =
      ParseDigest(lines.Next(kContents).value_or(""));
  if (!contents.ok()) {
    return lines.Problem("expected 'contents ' and sixteen digits");
  }
  if (DigestOfText(lines.rest()) != *contents) {
    return lines.Problem("what follows isn't what was written");
  }
  const std::vector<int64_t> origin =
      lines.NextNumbers(kOrigin, -kMeshOriginMaxVoxels, kMeshOriginMaxVoxels);
  if (origin.size() != 3) {
    return lines.Problem("expected 'origin ' and x, y and z in voxels");
  }
  for (size_t i = 0; i < 3; ++i) {
    file.data.origin[i] = static_cast<int32_t>(origin[i]);
  }
  if (const absl::Status status = ReadVertices(lines, file.data);
      !status.ok()) {
    return status;
  }
  if (const absl::Status status = ReadPolygons(lines, file.data);
      !status.ok()) {
    return status;
  }
  if (has_surfaces) {
    const absl::Status status = ReadSurfaces(lines, file.data);
    if (!status.ok()) return status;
    // One way to say a mesh.
    if (!HasSurfaces(file.data)) return lines.Problem("no points");
  }
  if (!lines.is_at_end()) return lines.Problem("more than the polygons");
  const std::string problem = ProblemOf(file.data);
  if (!problem.empty()) return lines.Problem(problem);
  return file;
}

}  // namespace reprise::sim
