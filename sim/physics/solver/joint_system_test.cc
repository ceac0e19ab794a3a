// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Impulses that the system finds are applied one by one: all rows then have the
// velocities that were wanted, but for the thousandth by which each gives way.

#include "sim/physics/solver/joint_system.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/contact_batch.h"
#include "sim/physics/solver/lanes.h"

namespace reprise::sim {
namespace {

constexpr double kGive = 1e-3;  // joint_system.cc

// Joints between bodies, each with some rows; body 0 is fixed.
class Rig {
 public:
  explicit Rig(uint32_t body_count) : body_count_(body_count) {}

  void Join(uint32_t a, uint32_t b, uint32_t row_count) {
    BodyPair& pair = pairs_.emplace_back();
    pair = {.a = a, .b = b, .moves_a = a != 0, .moves_b = b != 0};
    pair.inverse_mass = Pair(MassOf(a), MassOf(b));
    for (uint32_t i = 0; i < row_count; ++i) {
      Direction& direction = directions_.emplace_back();
      const btVector3 axis = DrawVector();
      direction.linear = Pair(axis, -axis);
      direction.angular = DrawPair();
      // Turning is as easy around all axes.
      direction.response =
          direction.angular * Pair(a == 0 ? 0.0 : 3.0, b == 0 ? 0.0 : 3.0);
      joints_.push_back(static_cast<uint32_t>(pairs_.size() - 1));
    }
  }

  std::vector<JointSystem::Row> rows() const {
    std::vector<JointSystem::Row> rows;
    for (size_t i = 0; i < joints_.size(); ++i) {
      rows.push_back({.direction = &directions_[i],
                      .pair = &pairs_[joints_[i]],
                      .joint = joints_[i]});
    }
    return rows;
  }
  uint32_t body_count() const { return body_count_; }

  std::vector<double> DrawWanted() {
    std::vector<double> wanted;
    for (size_t i = 0; i < joints_.size(); ++i) wanted.push_back(Draw());
    return wanted;
  }

  // What velocities along the rows are after the impulses.
  std::vector<double> VelocitiesAfter(const std::vector<double>& impulses) {
    std::vector<BodyVelocity> velocities(body_count_);
    std::vector<double> given;  // way
    for (size_t i = 0; i < impulses.size(); ++i) {
      const BodyPair& pair = pairs_[joints_[i]];
      LaneVelocity velocity = Load(pair, velocities);
      const double before = VelocityAlong(directions_[i], velocity);
      Apply(directions_[i], pair, impulses[i], velocity);
      given.push_back(kGive *
                      (VelocityAlong(directions_[i], velocity) - before));
      Store(velocity, pair, velocities);
    }
    std::vector<double> after;
    for (size_t i = 0; i < impulses.size(); ++i) {
      const BodyPair& pair = pairs_[joints_[i]];
      after.push_back(VelocityAlong(directions_[i], Load(pair, velocities)) +
                      given[i]);
    }
    return after;
  }

 private:
  double Draw() { return 2.0 * NextUnit(random_) - 1.0; }
  btVector3 DrawVector() {
    const double x = Draw();
    const double y = Draw();
    return {x, y, Draw()};
  }
  LaneVector3 DrawPair() {
    const btVector3 a = DrawVector();
    return Pair(a, DrawVector());
  }
  static btVector3 MassOf(uint32_t body) {
    const double inverse = body == 0 ? 0.0 : 1.0 / body;
    return {inverse, inverse, inverse};
  }

  uint32_t body_count_;
  std::vector<BodyPair> pairs_;
  std::vector<Direction> directions_;
  std::vector<uint32_t> joints_;  // by row
  RandomStream random_ = MakeRandomStream(1, IdOf("joint_system"));
};

void ExpectSolved(Rig& rig) {
  JointSystem system(VectorWidth::kTwo);
  ASSERT_TRUE(system.Reset(rig.rows(), rig.body_count()));
  JointSystem other(WidestVectors());
  ASSERT_TRUE(other.Reset(rig.rows(), rig.body_count()));
  for (int i = 0; i < 2; ++i) {
    const std::vector<double> wanted = rig.DrawWanted();
    std::vector<double> solved = wanted;
    system.Solve(solved);
    const std::vector<double> after = rig.VelocitiesAfter(solved);
    for (size_t row = 0; row < wanted.size(); ++row) {
      EXPECT_NEAR(after[row], wanted[row], 1e-7) << "row " << row;
    }
    // To the last bit.
    std::vector<double> solved_by_other = wanted;
    other.Solve(solved_by_other);
    EXPECT_EQ(std::memcmp(solved_by_other.data(), solved.data(),
                          solved.size() * sizeof(double)),
              0);
  }
}

TEST(JointSystemTest, SolvesChainsOfAnyRows) {
  for (uint32_t row_count = 1; row_count <= 5; ++row_count) {
    Rig rig(12);
    for (uint32_t i = 0; i + 1 < 12; ++i) rig.Join(i, i + 1, row_count);
    ExpectSolved(rig);
  }
}

TEST(JointSystemTest, SolvesTreesOfDifferentJoints) {
  Rig rig(23);
  for (uint32_t i = 2; i < 23; ++i) rig.Join(i / 2, i, 1 + i % 5);
  ExpectSolved(rig);
}

TEST(JointSystemTest, SolvesLoops) {
  Rig rig(9);
  for (uint32_t i = 1; i < 9; ++i) rig.Join(i, i % 8 + 1, 3);
  rig.Join(0, 4, 5);
  ExpectSolved(rig);
}

TEST(JointSystemTest, SolvesIslandsThatShareNoBody) {
  Rig rig(9);
  rig.Join(1, 2, 3);
  rig.Join(5, 6, 5);
  rig.Join(2, 3, 5);
  rig.Join(6, 7, 3);
  rig.Join(0, 8, 6);
  ExpectSolved(rig);
}

TEST(JointSystemTest, SolvesWhatIsHeldTwice) {
  Rig rig(3);
  // Two bodies can move against each other in nine ways at most.
  for (int i = 0; i < 4; ++i) rig.Join(1, 2, 3);
  JointSystem system;
  ASSERT_TRUE(system.Reset(rig.rows(), rig.body_count()));
  std::vector<double> impulses(12, 0.0);
  impulses[0] = 1.0;
  // Which these rows can have.
  const std::vector<double> wanted = rig.VelocitiesAfter(impulses);
  std::vector<double> solved = wanted;
  system.Solve(solved);
  const std::vector<double> after = rig.VelocitiesAfter(solved);
  for (size_t row = 0; row < wanted.size(); ++row) {
    EXPECT_NEAR(after[row], wanted[row], 1e-6) << "row " << row;
  }
}

TEST(JointSystemTest, RefusesNetsOfManyLoops) {
  constexpr uint32_t kSide = 60;
  Rig rig(kSide * kSide + 1);
  for (uint32_t y = 0; y < kSide; ++y) {
    for (uint32_t x = 0; x < kSide; ++x) {
      const uint32_t body = 1 + y * kSide + x;
      if (x + 1 < kSide) rig.Join(body, body + 1, 3);
      if (y + 1 < kSide) rig.Join(body, body + kSide, 3);
    }
  }
  JointSystem system;
  EXPECT_FALSE(system.Reset(rig.rows(), rig.body_count()));
}

}  // namespace
}  // namespace reprise::sim
