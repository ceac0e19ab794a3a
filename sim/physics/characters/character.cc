// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/characters/character.h"

#include <algorithm>
#include <optional>

#include "sim/geometry/matrix3.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/characters/capsule_motion.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kUp = {0.0, 1.0, 0.0};
constexpr Vector3 kForward = {0.0, 0.0, 1.0};

// Slower than this away from the ground is not leaving it: rounding.
constexpr double kLeavingSpeed = 1e-6;

Vector3 Level(Vector3 v) { return {v.x, 0.0, v.z}; }

// The level direction of `v`; `otherwise` where it has none.
Vector3 LevelDirection(Vector3 v, Vector3 otherwise) {
  constexpr double kLevelMin = 1e-6;
  const Vector3 level = Level(v);
  return Length(level) < kLevelMin ? otherwise : Normalized(level);
}

// The upright basis whose z axis is `forward`, level and of length 1.
Matrix3 Upright(Vector3 forward) {
  return Transposed(Matrix3{{Cross(kUp, forward), kUp, forward}});
}

// `from` moved towards `to` by at most `step`.
Vector3 Towards(Vector3 from, Vector3 to, double step) {
  const Vector3 way = to - from;
  const double length = Length(way);
  return length <= step ? to : from + (step / length) * way;
}

// Faster than any body moves there is nothing to go along with: somebody put
// the ground elsewhere.
Vector3 VelocityAt(const BodyRow& body, Vector3 point) {
  const Vector3 velocity = body.linear_velocity +
                           Cross(body.angular_velocity, point - body.position);
  return Length(velocity) <= kSpeedMax ? velocity : Vector3{};
}

// Whether a body is where, and upright as, a character can be moved.
bool IsInReach(const BodyRow& body) {
  // Twice as far as packs can put it.
  return Length(body.position) <= 2.0 * kPositionMaxM;
}

// One character's tick.
class Tick {
 public:
  Tick(const CharacterDefinition& definition,
       const CharacterSurroundings& surroundings, State& state, uint32_t body,
       CharacterRow& row)
      : definition_(definition),
        physics_(surroundings.physics),
        state_(state),
        body_(body),
        row_(row),
        begin_(BodyAt(body)),
        motion_(definition, surroundings.queries, FilterFor(begin_)),
        gravity_(std::min(surroundings.gravity_m_s2.y, 0.0)),
        tick_s_(physics_.definition().tick_s),
        position_(begin_.position),
        forward_(LevelDirection(begin_.basis * kForward, kForward)) {}

  CharacterTick Make() {
    const ObjectId ground_before = row_.ground;
    RideGround();
    Recover();
    Jump();
    if (row_.ground != kNoObject) {
      Walk();
    } else {
      Fly();
    }
    if (ground_before != kNoObject && row_.ground == kNoObject) {
      tick_.has_left_ground = true;
      tick_.ground_left = ground_before;
    }
    Turn();
    KeepHold(ground_before);
    Store();
    return tick_;
  }

 private:
  const BodyRow& BodyAt(uint32_t row) const {
    return state_.table(physics_.tables().bodies).Get<BodyRow>(row);
  }
  const BodyKind& KindOf(const BodyRow& body) const {
    return physics_.definition().kinds[body.kind];
  }
  QueryFilter FilterFor(const BodyRow& body) const {
    const BodyKind& kind = KindOf(body);
    const CollisionFilter filter =
        FilterOf(kind, physics_.definition().shapes[kind.shape], 0);
    return {.layers = filter.collides_with,
            .ignored = body.object,
            .layers_of_asker = filter.layers};
  }
  const BodyRow* FindBodyOf(ObjectId object) const {
    const std::optional<uint32_t> row =
        FindBody(state_, physics_.tables(), object);
    return row.has_value() ? &BodyAt(*row) : nullptr;
  }
  // How fast the body of `object` moves at a point; at rest without one.
  Vector3 VelocityOf(ObjectId object, Vector3 point) const {
    const BodyRow* const body = FindBodyOf(object);
    return body == nullptr ? Vector3{} : VelocityAt(*body, point);
  }

  // Goes with what it stands on.
  void RideGround() {
    if (row_.ground == kNoObject) return;
    const BodyRow* const ground = FindBodyOf(row_.ground);
    if (ground == nullptr) {
      row_.ground = kNoObject;
      holds_on_ = false;
      return;
    }
    if (KindOf(*ground).motion == Motion::kFixed) return;
    const Vector3 goal = ground->position + ground->basis * row_.ground_point;
    const Vector3 way = goal - position_;
    if (!(Length(way) <= kSpeedMax * tick_s_)) {  // NaN, too
      row_.ground = kNoObject;
      return;
    }
    forward_ = LevelDirection(ground->basis * row_.ground_forward, forward_);
    if (way == Vector3{}) return;
    const bool is_free =
        !motion_.FindObstacle(position_, way, row_.ground).has_value();
    holds_on_ = holds_on_ && is_free;
    // Free, it is exactly where it was on what carries it.
    position_ = is_free ? goal : motion_.Sweep(position_, way, row_.ground);
  }

  void Recover() {
    const Vector3 recovered = motion_.Recover(position_);
    holds_on_ = holds_on_ && recovered == position_;
    position_ = recovered;
  }

  void Jump() {
    if (row_.wants_jump != 0) {
      row_.jump_ticks = uint64_t{definition_.jump_buffer_ticks} + 1;
      row_.wants_jump = 0;
    }
    if (row_.jump_ticks == 0 || definition_.jump_speed_m_s == 0.0) return;
    --row_.jump_ticks;
    const bool stands = row_.ground != kNoObject;
    if (!stands && row_.air_ticks >= definition_.coyote_ticks) return;
    LeaveGround();
    row_.velocity.y =
        std::max(row_.velocity.y, 0.0) + definition_.jump_speed_m_s;
    row_.jump_ticks = 0;
    row_.air_ticks = definition_.coyote_ticks;  // no second jump
    tick_.has_jumped = true;
  }

  // From now on its velocity is against the world.
  void LeaveGround() {
    if (row_.ground == kNoObject) return;
    row_.velocity = row_.velocity + VelocityOf(row_.ground, position_);
    row_.ground = kNoObject;
    row_.air_ticks = 0;
  }

  void Walk() {
    row_.velocity = Towards(Level(row_.velocity), Level(row_.wanted_velocity),
                            definition_.acceleration_m_s2 * tick_s_);
    if (row_.velocity != Vector3{}) {
      const CapsuleSlide way = motion_.Walk(position_, tick_s_ * row_.velocity);
      holds_on_ = holds_on_ && way.position == position_;
      position_ = way.position;
      StopAt(way.touched);
      row_.velocity.y = 0.0;
    }
    const std::optional<Obstacle> ground =
        motion_.FindGround(position_, definition_.step_height_m);
    if (!ground.has_value()) {
      LeaveGround();
      return;
    }
    if (ground->free_m > 0.0) {
      position_.y -= ground->free_m;
      holds_on_ = false;
    }
    row_.ground = ground->object;
    Weigh(*ground);
  }

  void Fly() {
    const Vector3 steered =
        Towards(Level(row_.velocity),
                row_.wanted_velocity == Vector3{} ? Level(row_.velocity)
                                                  : Level(row_.wanted_velocity),
                definition_.air_acceleration_m_s2 * tick_s_);
    const double fall = std::max(row_.velocity.y + gravity_ * tick_s_,
                                 -definition_.fall_speed_max_m_s);
    // The mean velocity of the tick, so that a jump is a parabola.
    const double rise = 0.5 * (row_.velocity.y + fall);
    const CapsuleSlide way =
        motion_.Fly(position_, tick_s_ * Vector3{steered.x, rise, steered.z});
    position_ = way.position;
    holds_on_ = false;
    row_.velocity = {steered.x, fall, steered.z};
    StopAt(way.touched);
    if (row_.air_ticks < definition_.coyote_ticks) ++row_.air_ticks;
    Land();
  }

  void Land() {
    const std::optional<Obstacle> ground =
        motion_.FindGround(position_, kCharacterSkinM);
    if (!ground.has_value()) return;
    const Vector3 ground_velocity = VelocityOf(ground->object, position_);
    if (row_.velocity.y - ground_velocity.y > kLeavingSpeed) return;
    position_.y -= ground->free_m;
    row_.velocity = Level(row_.velocity - ground_velocity);
    row_.ground = ground->object;
    row_.air_ticks = 0;
    tick_.has_landed = true;
    tick_.ground_landed = ground->object;
    Weigh(*ground);
  }

  // Loses the velocity into obstacles that are not to be moved, and pushes
  // those that are.
  void StopAt(const std::vector<Obstacle>& touched) {
    const Vector3 velocity = row_.velocity;
    row_.velocity = motion_.Clip(velocity, touched);
    for (const Obstacle& obstacle : touched) Push(obstacle, velocity);
  }

  // Brings a dynamic body towards the level velocity with which it is run into,
  // through its centre, as far as the force goes.
  void Push(const Obstacle& obstacle, Vector3 velocity) {
    const std::optional<uint32_t> row =
        FindBody(state_, physics_.tables(), obstacle.object);
    if (!row.has_value() || definition_.push_force_n == 0.0) return;
    const BodyRow& body = BodyAt(*row);
    const MassProperties& mass = physics_.mass_properties(body.kind);
    const Vector3 way = LevelDirection(-obstacle.normal, {});
    // Its own velocity is against the ground.
    const double ground_speed = Dot(VelocityOf(row_.ground, position_), way);
    const double wanted = Dot(velocity, way) + ground_speed;
    const double speed = Dot(body.linear_velocity, way);
    if (mass.inverse_mass == 0.0 || wanted <= speed) return;
    const double impulse = std::min((wanted - speed) / mass.inverse_mass,
                                    definition_.push_force_n * tick_s_);
    ApplyImpulse(state_, physics_.tables(), *row, mass, impulse * way);
    // It goes on as fast as what it pushes.
    const double reached = speed + impulse * mass.inverse_mass - ground_speed;
    const double kept = Dot(row_.velocity, way);
    if (reached > kept) row_.velocity = row_.velocity + (reached - kept) * way;
  }

  // Bears down on what it stands on.
  void Weigh(const Obstacle& ground) {
    const std::optional<uint32_t> row =
        FindBody(state_, physics_.tables(), ground.object);
    if (!row.has_value() || definition_.mass_kg == 0.0) return;
    const BodyRow& body = BodyAt(*row);
    ApplyImpulse(state_, physics_.tables(), *row,
                 physics_.mass_properties(body.kind),
                 definition_.mass_kg * gravity_ * tick_s_ * kUp,
                 ground.point - body.position);
  }

  void Turn() {
    const Vector3 turned = LevelDirection(row_.wanted_velocity, forward_);
    holds_on_ = holds_on_ && turned == forward_;
    forward_ = turned;
  }

  // Remembers where on the ground it is, unless it is where it was: so one that
  // stands still stays in its place to the bit.
  void KeepHold(ObjectId ground_before) {
    if (row_.ground == kNoObject) {
      row_.ground_point = {};
      row_.ground_forward = {};
      return;
    }
    if (holds_on_ && row_.ground == ground_before) return;
    const BodyRow& ground = *FindBodyOf(row_.ground);
    const Matrix3 to_ground = Transposed(ground.basis);
    row_.ground_point = to_ground * (position_ - ground.position);
    row_.ground_forward = to_ground * forward_;
  }

  void Store() {
    const Matrix3 basis = Upright(forward_);
    if (position_ == begin_.position && basis == begin_.basis) return;
    BodyRow& body =
        state_.mutable_table(physics_.tables().bodies).Mutable<BodyRow>(body_);
    body.position = position_;
    body.basis = basis;
    body.linear_velocity = {};
    body.angular_velocity = {};
    body.activation = Activation::kAwake;
  }

  const CharacterDefinition& definition_;
  const PhysicsWorld& physics_;
  State& state_;
  uint32_t body_;
  CharacterRow& row_;
  const BodyRow begin_;
  CapsuleMotion motion_;
  double gravity_;  // along y, m/s^2, 0 or below
  double tick_s_;

  Vector3 position_;
  Vector3 forward_;
  // Whether it is still where it was on the ground.
  bool holds_on_ = true;
  CharacterTick tick_;
};

}  // namespace

CharacterRow InitialCharacter(ObjectId object) {
  // It lost no ground lately that it could still jump off.
  return {.object = object,
          .wanted_velocity = {},
          .velocity = {},
          .ground = kNoObject,
          .ground_point = {},
          .ground_forward = {},
          .air_ticks = kCharacterGraceTicksMax};
}

CharacterTick MoveCharacter(const CharacterDefinition& definition,
                            const CharacterSurroundings& surroundings,
                            State& state, uint32_t body, CharacterRow& row) {
  const Table& bodies = state.table(surroundings.physics.tables().bodies);
  if (!IsInReach(bodies.Get<BodyRow>(body))) return {};
  return Tick(definition, surroundings, state, body, row).Make();
}

}  // namespace reprise::sim
