// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/camera_plan.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using Kind = CameraPlan::Kind;
using sim::Vector3;

struct KindName {
  std::string_view name;
  Kind kind;
  bool needs_object;
};

constexpr std::array<KindName, 10> kKinds = {{
    {"auto", Kind::kAuto, false},
    {"fixed", Kind::kFixed, false},
    {"look-at", Kind::kLookAt, true},
    {"follow", Kind::kFollow, true},
    {"spring", Kind::kSpring, true},
    {"chase", Kind::kSpring, true},
    {"orbit", Kind::kOrbit, true},
    {"first-person", Kind::kFirstPerson, true},
    {"spline", Kind::kSpline, false},
    {"flat", Kind::kFlat, false},
}};

// Of a tick; a replay has at most so many.
constexpr double kStartMax = 4294967296.0;

// A number that has to lie in a range.
struct NumberRange {
  double least;
  double most;
};

absl::StatusOr<double> ParseNumber(std::string_view name, std::string_view text,
                                   NumberRange range) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end && number >= range.least &&
      number <= range.most) {
    return number;
  }
  return absl::InvalidArgumentError(
      fmt::format("{} of a camera is a number from {} to {}, not '{}'", name,
                  range.least, range.most, text));
}

absl::StatusOr<Vector3> ParsePlace(std::string_view name,
                                   std::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(std::string(text), '/');
  if (parts.size() != 3) {
    return absl::InvalidArgumentError(fmt::format(
        "{} of a camera is a place as x/y/z in metres, not '{}'", name, text));
  }
  std::array<double, 3> numbers = {};
  for (size_t i = 0; i < 3; ++i) {
    const auto number = ParseNumber(name, parts[i], {-1e6, 1e6});
    if (!number.ok()) return number.status();
    numbers[i] = *number;
  }
  return Vector3{numbers[0], numbers[1], numbers[2]};
}

absl::Status SetNumber(std::string_view name, std::string_view text,
                       CameraPlan& plan) {
  const auto store = [&](NumberRange range, double factor, auto& to) {
    const absl::StatusOr<double> number = ParseNumber(name, text, range);
    if (number.ok()) to = *number * factor;
    return number.status();
  };
  const double degree = sim::Radians(1);
  if (name == "distance") return store({0.01, 1e5}, 1, plan.distance_m);
  if (name == "height") return store({-1e5, 1e5}, 1, plan.height_m);
  if (name == "fov") return store({1, 120}, degree, plan.field_of_view_rad);
  if (name == "yaw") return store({-1e5, 1e5}, degree, plan.yaw_rad);
  if (name == "pitch") return store({-89, 89}, degree, plan.pitch_rad);
  if (name == "turn") return store({-1e4, 1e4}, degree, plan.turn_rad_per_s);
  if (name == "speed") return store({0, 1e3}, 1, plan.speed_per_s);
  if (name == "stiffness") return store({0.01, 1e6}, 1, plan.stiffness_per_s2);
  if (name == "start") {
    double tick = 0;
    absl::Status status = store({0, kStartMax}, 1, tick);
    plan.start = static_cast<sim::Tick>(tick);
    return status;
  }
  if (name == "near") return store({1e-3, 100}, 1, plan.near_m);
  return absl::InvalidArgumentError(fmt::format(
      "a camera has no '{}': eye, at, points, distance, height, fov, yaw, "
      "pitch, turn, speed, start, stiffness, turns, axis and near are there",
      name));
}

absl::Status Set(std::string_view name, std::string_view text,
                 CameraPlan& plan) {
  if (name == "eye" || name == "at") {
    const absl::StatusOr<Vector3> place = ParsePlace(name, text);
    if (place.ok()) (name == "eye" ? plan.eye : plan.at) = *place;
    return place.status();
  }
  if (name == "points") {
    for (const absl::string_view part :
         absl::StrSplit(absl::string_view(text.data(), text.size()), ';')) {
      const absl::StatusOr<Vector3> place =
          ParsePlace(name, std::string_view(part.data(), part.size()));
      if (!place.ok()) return place.status();
      plan.points.push_back(*place);
    }
    return absl::OkStatus();
  }
  if (name == "axis") {
    if (text != "x" && text != "y" && text != "z") {
      return absl::InvalidArgumentError(fmt::format(
          "axis of a camera is x, y or z: along what it looks, not '{}'",
          text));
    }
    plan.axis = text[0];
    return absl::OkStatus();
  }
  if (name == "turns") {
    if (text != "yes" && text != "no") {
      return absl::InvalidArgumentError(fmt::format(
          "turns of a camera is yes or no: whether with its object, not '{}'",
          text));
    }
    plan.is_turned_with = text == "yes";
    return absl::OkStatus();
  }
  return SetNumber(name, text, plan);
}

absl::Status CheckPlan(const KindName& kind, const CameraPlan& plan) {
  if (kind.needs_object && plan.object.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("a camera of kind {} is about an object: {}:NAME",
                    kind.name, kind.name));
  }
  if (plan.kind == Kind::kFixed && (!plan.eye || !plan.at)) {
    return absl::InvalidArgumentError(
        "a fixed camera needs eye=x/y/z and at=x/y/z");
  }
  if (plan.kind == Kind::kLookAt && !plan.eye) {
    return absl::InvalidArgumentError("a look-at camera needs eye=x/y/z");
  }
  if (plan.kind == Kind::kSpline && plan.points.size() < 4) {
    return absl::InvalidArgumentError(
        "a spline camera needs points=x/y/z;... of four points or more");
  }
  if (plan.kind == Kind::kFlat && plan.height_m && *plan.height_m <= 0) {
    return absl::InvalidArgumentError(
        "the height that a flat camera shows is more than 0");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CameraPlan> ParseCameraPlan(std::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(std::string(text), ',');
  const size_t colon = parts[0].find(':');
  const std::string kind = parts[0].substr(0, colon);
  const KindName* known = nullptr;
  std::vector<std::string_view> names;
  for (const KindName& one : kKinds) {
    names.push_back(one.name);
    if (one.name == kind) known = &one;
  }
  if (known == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("there is no camera of kind '{}': {} are there", kind,
                    fmt::join(names, ", ")));
  }
  CameraPlan plan = {.kind = known->kind};
  if (colon != std::string::npos) plan.object = parts[0].substr(colon + 1);
  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t equals = parts[i].find('=');
    if (equals == std::string::npos) {
      return absl::InvalidArgumentError(fmt::format(
          "'{}' of a camera lacks its value: name=value", parts[i]));
    }
    absl::Status status =
        Set(std::string_view(parts[i]).substr(0, equals),
            std::string_view(parts[i]).substr(equals + 1), plan);
    if (!status.ok()) return status;
  }
  absl::Status status = CheckPlan(*known, plan);
  if (!status.ok()) return status;
  return plan;
}

}  // namespace reprise::replays
