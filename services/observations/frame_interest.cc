// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/observations/frame_interest.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fmt/format.h"
#include "reprise/v1/geometry.pb.h"

namespace reprise::services {
namespace {

bool IsFinite(const v1::Vector3& vector) {
  return std::isfinite(vector.x()) && std::isfinite(vector.y()) &&
         std::isfinite(vector.z());
}

sim::Vector3 ToVector(const v1::Vector3& message) {
  return {message.x(), message.y(), message.z()};
}

void SetVector(const sim::Vector3& vector, v1::Vector3& message) {
  message.set_x(vector.x);
  message.set_y(vector.y);
  message.set_z(vector.z);
}

absl::StatusOr<FrameInterest::Box> ParseBox(const v1::FrameBox& message,
                                            const std::string& path,
                                            FieldError error) {
  if (!IsFinite(message.least()) || !IsFinite(message.greatest())) {
    return error(path, "a coordinate isn't finite");
  }
  const FrameInterest::Box box = {.least = ToVector(message.least()),
                                  .greatest = ToVector(message.greatest())};
  if (box.least.x > box.greatest.x || box.least.y > box.greatest.y ||
      box.least.z > box.greatest.z) {
    return error(path, "a greatest coordinate is below the least");
  }
  return box;
}

absl::StatusOr<FrameInterest::Ball> ParseBall(const v1::FrameBall& message,
                                              const std::string& path,
                                              FieldError error) {
  if (!message.object().empty() && message.has_centre()) {
    return error(path, "the centre is an object's origin, or a point");
  }
  if (!IsFinite(message.centre())) {
    return error(path + ".centre", "a coordinate isn't finite");
  }
  if (!std::isfinite(message.radius_m()) || message.radius_m() <= 0) {
    return error(path + ".radius_m", "a radius is finite and above 0");
  }
  return FrameInterest::Ball{.object = message.object(),
                             .centre = ToVector(message.centre()),
                             .radius_m = message.radius_m()};
}

bool IsIn(const FrameInterest::Box& box, const sim::Vector3& point) {
  return point.x >= box.least.x && point.x <= box.greatest.x &&
         point.y >= box.least.y && point.y <= box.greatest.y &&
         point.z >= box.least.z && point.z <= box.greatest.z;
}

// Where the ball's centre is among these objects; nullopt: nowhere.
std::optional<sim::Vector3> CentreOf(
    const FrameInterest::Ball& ball,
    std::span<const sim::FrameObject* const> objects) {
  if (ball.object.empty()) return ball.centre;
  const auto found =
      std::ranges::find(objects, ball.object, &sim::FrameObject::name);
  if (found == objects.end()) return std::nullopt;
  return (*found)->position;
}

}  // namespace

absl::StatusOr<FrameInterest> ParseFrameInterest(
    const v1::FrameInterest& message, const std::string& path,
    FieldError error) {
  FrameInterest interest;
  if (message.types_size() > kInterestTypesMax) {
    return error(path + ".types",
                 fmt::format("{} types, more than {}", message.types_size(),
                             kInterestTypesMax));
  }
  for (int i = 0; i < message.types_size(); ++i) {
    if (message.types(i).empty()) {
      return error(fmt::format("{}.types[{}]", path, i), "a type has a name");
    }
    interest.types.insert(message.types(i));
  }
  if (message.has_within()) {
    const auto box = ParseBox(message.within(), path + ".within", error);
    if (!box.ok()) return box.status();
    interest.within = *box;
  }
  if (message.has_near()) {
    auto ball = ParseBall(message.near(), path + ".near", error);
    if (!ball.ok()) return ball.status();
    interest.near = *std::move(ball);
  }
  return interest;
}

v1::FrameInterest ToProto(const FrameInterest& interest) {
  v1::FrameInterest message;
  for (const std::string& type : interest.types) message.add_types(type);
  if (interest.within.has_value()) {
    v1::FrameBox& box = *message.mutable_within();
    SetVector(interest.within->least, *box.mutable_least());
    SetVector(interest.within->greatest, *box.mutable_greatest());
  }
  if (interest.near.has_value()) {
    v1::FrameBall& ball = *message.mutable_near();
    ball.set_radius_m(interest.near->radius_m);
    if (interest.near->object.empty()) {
      SetVector(interest.near->centre, *ball.mutable_centre());
    } else {
      ball.set_object(interest.near->object);
    }
  }
  return message;
}

std::vector<const sim::FrameObject*> Select(
    const sim::Frame& frame, std::span<const FrameInterest> interests) {
  std::vector<const sim::FrameObject*> selected;
  selected.reserve(frame.objects.size());
  for (const sim::FrameObject& object : frame.objects) {
    selected.push_back(&object);
  }
  for (const FrameInterest& interest : interests) {
    // Before its own types and box leave the centre out.
    const auto centre = interest.near.has_value()
                            ? CentreOf(*interest.near, selected)
                            : std::nullopt;
    if (!interest.types.empty()) {
      std::erase_if(selected, [&](const sim::FrameObject* object) {
        return !interest.types.contains(object->type);
      });
    }
    if (interest.within.has_value()) {
      std::erase_if(selected, [&](const sim::FrameObject* object) {
        return !IsIn(*interest.within, object->position);
      });
    }
    if (!interest.near.has_value()) continue;
    const double radius_m = interest.near->radius_m;
    std::erase_if(selected, [&](const sim::FrameObject* object) {
      if (!centre.has_value()) return true;
      const sim::Vector3 offset = object->position - *centre;
      return sim::Dot(offset, offset) > radius_m * radius_m;
    });
  }
  // A total order: a serial is one object's.
  std::ranges::sort(selected, {}, [](const sim::FrameObject* object) {
    return object->object.serial;
  });
  return selected;
}

}  // namespace reprise::services
