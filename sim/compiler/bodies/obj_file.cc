// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/bodies/obj_file.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kSpaces = " \t\r";

// Takes what comes first up to a space off `text`; empty at its end.
std::string_view TakeWord(std::string_view& text) {
  const size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) {
    text = {};
    return {};
  }
  text.remove_prefix(begin);
  const size_t end = std::min(text.find_first_of(kSpaces), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

// A word as a number; nullopt when it is something else.
template <typename Number>
std::optional<Number> NumberOf(std::string_view word) {
  Number number = {};
  const char* const end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

// Reads one file, line by line.
class ObjReader {
 public:
  absl::Status ReadLine(uint32_t number, std::string_view line) {
    number_ = number;
    const std::string_view keyword = TakeWord(line);
    if (keyword == "v") return ReadVertex(line);
    if (keyword == "f") return ReadFace(line);
    return absl::OkStatus();
  }

  ObjMesh Take() { return std::move(obj_); }

 private:
  absl::Status ReadVertex(std::string_view line) {
    Vector3 vertex;
    for (const auto axis : {&Vector3::x, &Vector3::y, &Vector3::z}) {
      const std::optional<double> value = NumberOf<double>(TakeWord(line));
      if (!value.has_value()) {
        return absl::InvalidArgumentError("a vertex has three numbers");
      }
      vertex.*axis = *value;
    }
    if (obj_.mesh.vertices.size() == kMeshVerticesMax) {
      return absl::ResourceExhaustedError(
          fmt::format("more than {} vertices", kMeshVerticesMax));
    }
    obj_.mesh.vertices.push_back(vertex);
    obj_.vertex_lines.push_back(number_);
    return absl::OkStatus();
  }

  absl::Status ReadFace(std::string_view line) {
    std::vector<uint32_t> corners;
    for (std::string_view word = TakeWord(line); !word.empty();
         word = TakeWord(line)) {
      // vertex/texture/normal, of which the first counts.
      const std::optional<int64_t> number =
          NumberOf<int64_t>(word.substr(0, word.find('/')));
      const auto count = static_cast<int64_t>(obj_.mesh.vertices.size());
      // From 1 on; below 0 counted from the last one.
      const int64_t index = !number.has_value()
                                ? -1
                                : (*number < 0 ? count + *number : *number - 1);
      if (index < 0 || index >= count) {
        return absl::InvalidArgumentError(
            fmt::format("'{}' is none of the {} vertices above", word, count));
      }
      corners.push_back(static_cast<uint32_t>(index));
    }
    if (corners.size() < 3) {
      return absl::InvalidArgumentError("a face has three corners or more");
    }
    for (size_t i = 2; i < corners.size(); ++i) {
      if (obj_.mesh.triangles.size() == kMeshTrianglesMax) {
        return absl::ResourceExhaustedError(
            fmt::format("more than {} triangles", kMeshTrianglesMax));
      }
      obj_.mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
      obj_.triangle_lines.push_back(number_);
    }
    return absl::OkStatus();
  }

  ObjMesh obj_;
  uint32_t number_ = 0;  // of the line
};

}  // namespace

absl::StatusOr<ObjMesh> ParseObj(std::string_view text) {
  ObjReader reader;
  for (uint32_t line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    const absl::Status status = reader.ReadLine(line, text.substr(0, end));
    if (!status.ok()) {
      return absl::Status(
          status.code(),
          fmt::format("line {}: {}", line,
                      std::string_view(status.message().data(),
                                       status.message().size())));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.Take();
}

}  // namespace reprise::sim
