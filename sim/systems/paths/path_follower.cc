// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/paths/path_follower.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/math.h"
#include "sim/base/value_name.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector3.h"
#include "sim/systems/paths/path_events.h"
#include "sim/systems/paths/path_system.h"
#include "sim/systems/paths/paths.h"
#include "sim/world/components/component.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/columns.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {
namespace {

// What comes at the end of the path.
enum PathMode : int64_t {
  kOnce = 0,      // it stops
  kLoop = 1,      // round and round; an open path is walked to and fro
  kPingPong = 2,  // to and fro
};

constexpr auto kModeNames = std::to_array<ValueName>({
    {kOnce, "once"},
    {kLoop, "loop"},
    {kPingPong, "ping_pong"},
});
constexpr auto kDirectionNames = std::to_array<ValueName>({
    {1, "towards_end"},
    {-1, "back"},
});

struct PathFollowerRow {
  ObjectId object;
  uint64_t overridden = 0;
  Id path;
  double speed = 1.0;
  int64_t mode = kOnce;
  int64_t is_active = 1;
  int64_t faces_travel = 0;
  double distance = 0.0;
  int64_t direction = 1;

  static constexpr std::string_view kTable = kPathFollower;
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PathFollowerRow, object, ""),
                      REPRISE_FIELD(PathFollowerRow, overridden, ""),
                      REPRISE_FIELD(PathFollowerRow, path, ""),
                      REPRISE_FIELD(PathFollowerRow, speed, "m/s"),
                      REPRISE_FIELD(PathFollowerRow, mode, ""),
                      REPRISE_FIELD(PathFollowerRow, is_active, ""),
                      REPRISE_FIELD(PathFollowerRow, faces_travel, ""),
                      REPRISE_FIELD(PathFollowerRow, distance, "m"),
                      REPRISE_FIELD(PathFollowerRow, direction, "")};
  }
};

// The fastest body (kSpeedMax of physics), and longer than any path.
constexpr double kSpeedMaxMPerS = 1e4;
constexpr double kDistanceMaxM = 1e15;

constexpr auto kNotes = std::to_array<PropertyNote>({
    {kFollowedPath, "the name of the path"},
    {"speed", "how fast it goes", 0.0, kSpeedMaxMPerS},
    {"mode", "at the end: 0 it stops; 1 it goes round; 2 it turns back", 0.0,
     2.0, kModeNames},
    {"is_active", "1: it goes; 0: it waits for the event start", 0.0, 1.0},
    {"faces_travel", "1: its z axis points where it goes", 0.0, 1.0},
    {"distance", "how far along the path it is", 0.0, kDistanceMaxM},
    {"direction", "1: towards the path's end; -1: back", -1.0, 1.0,
     kDirectionNames},
});

REPRISE_REGISTER_COMPONENT(path_follower, NativeComponent<PathFollowerRow>(
                                              "walks along a path", kNotes));

// Nearer than this to its place on the path, it is on the path; rounding is far
// below it, and a step at any speed worth the name far above.
constexpr double kOnPathM = 1e-6;

// The rotation that takes z to `direction` and keeps x level. Straight up or
// down, where no rotation is level, it is `otherwise`.
Quaternion Facing(Vector3 direction, Quaternion otherwise) {
  constexpr Vector3 kUp = {0.0, 1.0, 0.0};
  constexpr double kUprightMin = 1e-6;
  const Vector3 across = Cross(kUp, direction);
  if (Length(across) < kUprightMin) return otherwise;
  const Vector3 x = Normalized(across);
  const Vector3 y = Cross(direction, x);
  return ToQuaternion(Transposed(Matrix3{{x, y, direction}}));
}

// Goes with the component. `start` and `stop` switch it on and off;
// `path_ended` tells that it stopped at the end, turned back or begins anew.
// One that is away from its place on the path goes straight there first, at its
// speed, so that nothing that rides on it is torn away. An object that physics
// moves stays where it is.
class FollowPath final : public Behaviour {
 public:
  std::string_view help() const override {
    return "goes along a path, as the component path_follower says";
  }
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status;
    const auto bind = [&](std::string_view name, PropertyType type,
                          PropertyRef& ref) {
      if (!status.ok()) return;
      status = binder.Property(kPathFollower, name, type, ref);
    };
    bind(kFollowedPath, PropertyType::kName, path_);
    bind("speed", PropertyType::kDouble, speed_);
    bind("mode", PropertyType::kInt, mode_);
    bind("is_active", PropertyType::kInt, is_active_);
    bind("faces_travel", PropertyType::kInt, faces_travel_);
    bind("distance", PropertyType::kDouble, distance_);
    bind("direction", PropertyType::kInt, direction_);
    return status;
  }

  void UpdateBeforePhysics(UpdateContext& context) const override {
    Columns(Reads<Id>{path_}, Reads<double>{speed_}, Reads<int64_t>{mode_},
            Reads<int64_t>{faces_travel_}, Writes<int64_t>{is_active_},
            Writes<double>{distance_}, Writes<int64_t>{direction_})
        .ForEach(context, [&](uint32_t i, Id path, double speed, int64_t mode,
                              int64_t faces_travel, int64_t& is_active,
                              double& distance, int64_t& direction) {
          if (is_active == 0) return;
          Update(context, i,
                 {path, speed, mode, faces_travel != 0, is_active, distance,
                  direction});
        });
  }

  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override {
    if (event.type != kStart && event.type != kStop) return false;
    context.SetInt(0, is_active_, event.type == kStart ? 1 : 0);
    return true;
  }

  Hooks hooks() const override {
    return {.before_physics = true, .on_event = true};
  }

 private:
  // The values of one follower.
  struct Follower {
    Id path;
    double speed;
    int64_t mode;
    bool faces_travel;
    int64_t& is_active;
    double& distance;
    int64_t& direction;
  };

  static void Update(UpdateContext& context, uint32_t i, Follower follower) {
    const Path* const path = FindPath(context, follower.path);
    if (path == nullptr) {
      context.Tell(i, kPropertyRefused, {{kProperty, FieldValue::OfId(kPath)}});
      follower.is_active = 0;
      return;
    }
    const double step = follower.speed * context.dt_s();
    if (step == 0.0 || Approach(context, i, *path, follower.distance, step)) {
      return;
    }
    Advance(context, i, *path, step, follower);
    const PathPlace at = path->At(follower.distance);
    Transform place = {.position = at.point,
                       .rotation = context.Place(i).rotation};
    if (follower.faces_travel) {
      const bool is_back = follower.direction < 0;
      place.rotation =
          Facing(is_back ? -at.tangent : at.tangent, place.rotation);
    }
    context.SetPlace(i, place);
  }

  // Goes towards the object's place on the path; false when it is there.
  static bool Approach(UpdateContext& context, uint32_t i, const Path& path,
                       double distance, double step) {
    const Transform place = context.Place(i);
    const Vector3 goal = path.At(distance).point;
    const Vector3 way = goal - place.position;
    const double length = Length(way);
    if (length <= kOnPathM) return false;
    const Vector3 next =
        length <= step ? goal : place.position + (step / length) * way;
    context.SetPlace(i, {.position = next, .rotation = place.rotation});
    return true;
  }

  // Moves `distance` on by `step`, and minds the path's ends.
  static void Advance(UpdateContext& context, uint32_t i, const Path& path,
                      double step, Follower& follower) {
    const bool is_back = follower.direction < 0;
    const double length = path.length_m();
    double next = is_back ? follower.distance - step : follower.distance + step;
    if (is_back ? next <= 0.0 : next >= length) {
      if (follower.mode == kLoop && path.is_closed()) {
        next -= Floor(next / length) * length;
      } else {
        next = is_back ? 0.0 : length;
        if (follower.mode == kOnce) {
          follower.is_active = 0;
        } else {
          follower.direction = is_back ? 1 : -1;
        }
      }
      context.Tell(i, kPathEnded, {{kPath, FieldValue::OfId(follower.path)}});
    }
    follower.distance = next;
  }

  PropertyRef path_;
  PropertyRef speed_;
  PropertyRef mode_;
  PropertyRef is_active_;
  PropertyRef faces_travel_;
  PropertyRef distance_;
  PropertyRef direction_;
};
REPRISE_REGISTER_BEHAVIOUR(follow_path, kFollowPath, FollowPath);

}  // namespace
}  // namespace reprise::sim
