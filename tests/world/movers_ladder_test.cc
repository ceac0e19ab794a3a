// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves of every scalar of the rows of characters, vehicles, wheels, gears and
// path followers what becomes of a world that goes on from a snapshot without
// it: it parts, at a scalar that is named, or the scalar is only told, or never
// set here. Whatever is added to a row has to be put into one of these.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/testing/testing_ladder.h"
#include "sim/state/field_value.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kGround = R"(
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
types { name: "ledge" body { motion: MOTION_FIXED shapes { box { half_extents { x: 4 y: 0.5 z: 4 } } } } }
types { name: "crate" body { motion: MOTION_DYNAMIC mass_kg: 5 shapes { box { half_extents { x: 0.2 y: 0.2 z: 0.2 } } } } }
types {
  name: "lift"
  body { motion: MOTION_KINEMATIC shapes { box { half_extents { x: 1.5 y: 0.1 z: 1.5 } } } }
  components { component: "path_follower" set { property: "path" value { text: "way" } } set { property: "speed" value { number: 0.5 } } set { property: "mode" value { integer: 2 } } }
  behaviours { behaviour: "follow_path" }
}
paths { name: "way" points { x: 20 y: 0.6 } points { x: 20.5 y: 1 z: 0.5 } points { x: 20 y: 1.2 z: 1 } }
paths { name: "round" points { x: 20 y: 1.2 z: 1 } points { x: 21 y: 1.2 z: 1 } points { x: 21 y: 1.2 z: 2 } points { x: 20 y: 1.2 z: 2 } closed: true }
objects { name: "ground" type: "ground" }
objects { name: "ledge" type: "ledge" position { y: 0.5 } }
objects { name: "ramp" type: "ledge" position { x: -30 y: 0.5 } }
objects { name: "lift" type: "lift" position { x: 20 y: 0.6 } rotation_degrees { x: 8 z: 10 } }
objects { name: "crates" type: "crate" position { x: 1.5 y: 1.2 z: 0.7 } grid { count_x: 3 spacing { x: 0.6 } } }
)";

constexpr std::string_view kWalkers = R"(
types {
  name: "walker"
  body { motion: MOTION_KINEMATIC shapes { capsule { radius: 0.3 half_length: 0.6 } } }
  character { speed: 3 acceleration: 6 air_acceleration: 2 jump_speed: 4 step_height: 0.3 mass_kg: 70 push_force_n: 300 coyote_s: 0.3 jump_buffer_s: 0.2 }
}
objects { name: "pilgrim" type: "walker" position { y: 1.92 } }
objects { name: "leaper" type: "walker" position { x: -3 y: 1.92 z: 3.9 } }
objects { name: "rider" type: "walker" position { x: 20 y: 1.8 } }
)";

constexpr std::string_view kKart = R"(
types {
  name: "kart"
  body { motion: MOTION_DYNAMIC mass_kg: 200 shapes { box { half_extents { x: 0.5 y: 0.2 z: 0.8 } } } }
  vehicle {
    brake_force_n: 1500
    handbrake_force_n: 1000
    steering_max_degrees: 30
    steering_rate_degrees: 60
    drivetrain {
      torque_curve { rpm: 0 torque_nm: 8 }
      torque_curve { rpm: 3000 torque_nm: 10 }
      torque_curve { rpm: 6000 torque_nm: 6 }
      gear_ratios: [ 3, 2, 1.4 ] reverse_ratio: 3 final_drive: 5 efficiency: 0.9
      idle_rpm: 800 shift_up_rpm: 4000 shift_down_rpm: 2000 shift_s: 0.5 braking_torque_nm: 1
    }
    wheels { position { x: 0.5 y: -0.1 z: 0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 steered: true braked: true }
    wheels { position { x: -0.5 y: -0.1 z: 0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 steered: true braked: true }
    wheels { position { x: 0.5 y: -0.1 z: -0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 driven: true braked: true handbraked: true }
    wheels { position { x: -0.5 y: -0.1 z: -0.6 } radius: 0.2 travel: 0.2 stiffness: 8000 damping_compression: 300 damping_rebound: 400 force_max_n: 9000 driven: true braked: true handbraked: true }
  }
}
objects { name: "kart" type: "kart" position { x: -30 y: 1.5 } }
)";

// What somebody tells an object before a tick, by writing into its row.
struct Order {
  uint32_t tick;
  std::string_view object;
  std::string_view table;
  std::string_view scalar;
  double value;
};

// The pilgrim pushes crates and jumps, and asks for another jump before it has
// landed; the leaper walks over the edge and jumps off the air; the rider turns
// on the lift, whose way and manner change; the kart drives off its
// ramp, shifts up, brakes, backs up, and goes to sleep.
constexpr auto kOrders = std::to_array<Order>({
    {10, "pilgrim", "characters", "wanted_velocity.x", 1.8},
    {10, "pilgrim", "characters", "wanted_velocity.z", 0.9},
    {20, "rider", "characters", "wanted_velocity.x", 0.3},
    {20, "rider", "characters", "wanted_velocity.z", 0.2},
    {28, "rider", "characters", "wanted_velocity.x", 0.0},
    {28, "rider", "characters", "wanted_velocity.z", 0.0},
    {61, "pilgrim", "characters", "wants_jump", 1},
    {101, "pilgrim", "characters", "wants_jump", 1},
    {201, "leaper", "characters", "wanted_velocity.z", 3.0},
    {231, "leaper", "characters", "wants_jump", 1},
    {60, "kart", "vehicles", "throttle", 1.0},
    {90, "kart", "vehicles", "steer", 0.2},
    {150, "lift", "path_follower", "speed", 0.7},
    {170, "lift", "path_follower", "mode", 1},
    {190, "lift", "path_follower", "path", 0},  // "round"
    {230, "lift", "path_follower", "faces_travel", 1},
    {240, "lift", "path_follower", "speed", 2.0},
    {430, "lift", "path_follower", "is_active", 0},
    {330, "kart", "vehicles", "throttle", 0.0},
    {340, "kart", "vehicles", "brake", 0.5},
    {420, "kart", "vehicles", "brake", 0.0},
    {420, "kart", "vehicles", "throttle", -0.6},
    {480, "kart", "vehicles", "throttle", 0.0},
    {480, "kart", "vehicles", "handbrake", 1.0},
});

void Give(Simulation& world, const Order& order) {
  const std::string_view room =
      order.table == "path_follower" ? "components" : order.table;
  const TableIndex index = *world.state().Find(room, order.table);
  const Table& table = world.state().table(index);
  bool is_given = false;
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const ObjectId object = {
        ReadScalar(table.schema(), table.Row(row), {.field = 0}).bits};
    if (world.ObjectName(object) != order.object) continue;
    const FieldAddress address = {.table = index,
                                  .row = row,
                                  .scalar = *table.schema().Find(order.scalar)};
    FieldValue value = ReadScalar(world.state(), address);
    if (value.type == ScalarType::kDouble) {
      value = FieldValue::OfDouble(order.value);
    } else if (value.type == ScalarType::kId) {
      value = FieldValue::OfId(IdOf("round"));
    } else {
      value.bits = static_cast<uint64_t>(order.value);
    }
    EXPECT_TRUE(world.Inject(address, value).ok()) << order.scalar;
    is_given = true;
  }
  EXPECT_TRUE(is_given) << order.table << " of " << order.object;
}

void GiveOrders(Simulation& world) {
  for (const Order& order : kOrders) {
    if (order.tick == world.tick()) Give(world, order);
  }
}

constexpr uint32_t kTicks = 960;
constexpr uint32_t kSaveEvery = 5;
constexpr uint32_t kTicksAfter = 40;

class MoversLadderTest : public testing::Test {
 protected:
  MoversLadderTest() : world_(WorldOf(Manifest({kGround, kWalkers, kKart}))) {
    for (uint32_t tick = 0; tick <= kTicks; ++tick) {
      GiveOrders(*world_);
      run_.states.push_back(world_->state());
      world_->Step({}, nullptr);
      world_->DrainEvents();
    }
    for (uint32_t tick = 1; tick <= kTicks - kTicksAfter; tick += kSaveEvery) {
      run_.saves.push_back(tick);
    }
    run_.ticks_after = kTicksAfter;
    run_.go_on = [this](const State& save, uint32_t tick,
                        const LadderRun::AtTick& at_tick) {
      return GoOn(save, tick, at_tick);
    };
  }

  TableIndex Find(std::string_view room, std::string_view table) const {
    return *world_->state().Find(room, table);
  }

  std::string ObjectName(ObjectId object) const {
    return world_->ObjectName(object);
  }

  LadderRun run_;

 private:
  absl::Status GoOn(const State& save, uint32_t tick,
                    const LadderRun::AtTick& at_tick) {
    if (absl::Status status = world_->Restore(save); !status.ok()) {
      return status;
    }
    EXPECT_EQ(world_->tick(), tick);
    do {
      world_->Step({}, nullptr);
      world_->DrainEvents();
      GiveOrders(*world_);
    } while (at_tick(static_cast<uint32_t>(world_->tick()), world_->state()));
    return absl::OkStatus();
  }

  std::unique_ptr<Simulation> world_;
};

// A jump, or the loss of the ground, shows first by the event that tells of it.
TEST_F(MoversLadderTest, OfCharacters) {
  EXPECT_TRUE(
      AreFates(FatesOf(run_, {Find("characters", "characters")}),
               {
                   {"characters", kNeverSet},
                   {"characters.air_ticks", "event_counters.sequence_next"},
                   {"characters.ground", "event_counters.sequence_next"},
                   {"characters.ground_forward.x", "bodies.basis.xz"},
                   {"characters.ground_forward.y", "bodies.basis.xx"},
                   {"characters.ground_forward.z", "bodies.basis.xx"},
                   {"characters.ground_point.x", "bodies.position.x"},
                   {"characters.ground_point.y", "bodies.position.x"},
                   {"characters.ground_point.z", "bodies.position.x"},
                   {"characters.jump_ticks", "event_counters.sequence_next"},
                   {"characters.velocity.x", "bodies.position.x"},
                   {"characters.velocity.y", "bodies.position.y"},
                   {"characters.velocity.z", "bodies.position.x"},
                   {"characters.wanted_velocity.x", "bodies.position.x"},
                   {"characters.wanted_velocity.y", kNeverSet},
                   {"characters.wanted_velocity.z", "bodies.position.x"},
                   {"characters.wants_jump", "event_counters.sequence_next"},
               }));
}

TEST_F(MoversLadderTest, OfVehicles) {
  EXPECT_TRUE(AreFates(FatesOf(run_, {Find("vehicles", "vehicles")}),
                       {
                           {"vehicles", kNeverSet},
                           {"vehicles.brake", "bodies.position.x"},
                           {"vehicles.handbrake", "bodies.position.x"},
                           {"vehicles.steer", "bodies.position.x"},
                           {"vehicles.steering_angle", "bodies.position.x"},
                           {"vehicles.throttle", "bodies.position.z"},
                       }));
}

// Without what it stood on, or where it hung, a wheel wakes a vehicle that
// sleeps. How fast one turns matters in the air.
TEST_F(MoversLadderTest, OfWheels) {
  EXPECT_TRUE(AreFates(FatesOf(run_, {Find("vehicles", "wheels")}),
                       {
                           {"wheels", kNeverSet},
                           {"wheels.angle", kOnlyTold},
                           {"wheels.ground", "bodies.position.y"},
                           {"wheels.load", kOnlyTold},
                           {"wheels.spin", "wheels.angle"},
                           {"wheels.suspension", "bodies.position.y"},
                       }));
}

TEST_F(MoversLadderTest, OfDrivetrains) {
  EXPECT_TRUE(AreFates(FatesOf(run_, {Find("vehicles", "drivetrains")}),
                       {
                           {"drivetrains", kNeverSet},
                           {"drivetrains.engine_speed", kOnlyTold},
                           {"drivetrains.gear", "drivetrains.engine_speed"},
                           {"drivetrains.shift_ticks", "drivetrains.gear"},
                       }));
}

TEST_F(MoversLadderTest, OfPathFollowers) {
  EXPECT_TRUE(
      AreFates(FatesOf(run_, {Find("components", "path_follower")}),
               {
                   {"path_follower", kNeverSet},
                   {"path_follower.direction", "path_follower.distance"},
                   {"path_follower.distance", "bodies.position.x"},
                   {"path_follower.faces_travel", "bodies.basis.xx"},
                   {"path_follower.is_active", "path_follower.distance"},
                   {"path_follower.mode", "path_follower.distance"},
                   {"path_follower.overridden", kNeverSet},
                   {"path_follower.path", "bodies.position.x"},
                   {"path_follower.speed", "path_follower.distance"},
               }));
}

// A tick ends with them at rest where they were put: no velocity and no earlier
// place is kept between ticks.
TEST_F(MoversLadderTest, OfTheLiftsBody) {
  EXPECT_TRUE(AreFates(
      FatesOf(run_, {Find("physics", "bodies")},
              [this](const Table& bodies, uint32_t row) {
                return ObjectName(bodies.Get<BodyRow>(row).object) == "lift";
              }),
      {
          {"bodies", kNeverSet},
          {"bodies.activation", kNeverSet},
          {"bodies.angular_velocity.x", kNeverSet},
          {"bodies.angular_velocity.y", kNeverSet},
          {"bodies.angular_velocity.z", kNeverSet},
          {"bodies.basis", "characters.velocity.z"},
          {"bodies.force.x", kNeverSet},
          {"bodies.force.y", kNeverSet},
          {"bodies.force.z", kNeverSet},
          {"bodies.kind", kNeverSet},
          {"bodies.linear_velocity.x", kNeverSet},
          {"bodies.linear_velocity.y", kNeverSet},
          {"bodies.linear_velocity.z", kNeverSet},
          {"bodies.position.x", "path_follower.distance"},
          {"bodies.position.y", "path_follower.distance"},
          {"bodies.position.z", "path_follower.distance"},
          {"bodies.slow_time", kNeverSet},
          {"bodies.torque.x", kNeverSet},
          {"bodies.torque.y", kNeverSet},
          {"bodies.torque.z", kNeverSet},
      }));
}

}  // namespace
}  // namespace reprise::sim
