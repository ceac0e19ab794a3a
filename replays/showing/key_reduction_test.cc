// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what is read between the keys is never further from the samples
// than was asked for, on tracks whose values are known by formula, and that
// straight lines and steady turns take two keys.

#include "replays/showing/key_reduction.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

template <typename Value>
Value ReadAt(const std::vector<typename KeyReducer<Value>::Key>& keys,
             double time) {
  size_t next = 0;
  while (next < keys.size() && keys[next].time < time) ++next;
  if (next == keys.size()) return keys.back().value;
  if (next == 0) return keys.front().value;
  const auto& from = keys[next - 1];
  const auto& to = keys[next];
  return Interpolate(from.value, to.value,
                     (time - from.time) / (to.time - from.time));
}

// A ball that is thrown, lands and lies there.
sim::Vector3 Thrown(double seconds) {
  const double flight = std::min(seconds, 2.0);
  return {3 * flight, 9.81 * flight - 0.5 * 9.81 * flight * flight, 0};
}

sim::Quaternion Turned(double radians) {
  return sim::FromAxisAngle({0.6, 0, 0.8}, radians);
}

TEST(KeyReductionTest, ParabolaStaysWithinTheErrorAndRestTakesNoKeys) {
  KeyReducer<sim::Vector3> reducer(0.001);
  for (int i = 0; i <= 600; ++i) {
    reducer.Add(i / 60.0, Thrown(i / 60.0), Thrown(i / 60.0));
  }
  reducer.Finish();
  double error = 0;
  for (int i = 0; i <= 600; ++i) {
    const double time = i / 60.0;
    error = std::max(error,
                     DistanceBetween(ReadAt<sim::Vector3>(reducer.keys(), time),
                                     Thrown(time)));
  }
  EXPECT_LE(error, 0.001);
  EXPECT_NEAR(reducer.error(), error, 1e-12);
  // A chord of h seconds is g h^2 / 8 off its parabola: here 28.5 ms, so that
  // one tick of 16.7 ms fits and two don't.
  EXPECT_LE(reducer.keys().size(), 123u);
  EXPECT_GE(reducer.keys().size(), 100u);
}

TEST(KeyReductionTest, StraightLineTakesTwoKeysInSixtyFour) {
  KeyReducer<sim::Vector3> reducer(1e-9);
  for (int i = 0; i <= 60; ++i) {
    const sim::Vector3 at = {0.5 * i, 1, -0.25 * i};
    reducer.Add(i, at, at);
  }
  reducer.Finish();
  EXPECT_EQ(reducer.keys().size(), 2u);
}

TEST(KeyReductionTest, SteadyTurnTakesTwoKeysAndIsReadByTheShortWay) {
  KeyReducer<sim::Quaternion> reducer(1e-6);
  for (int i = 0; i <= 60; ++i) {
    // Every other sample is the same rotation by the other sign.
    const sim::Quaternion turn = Turned(0.02 * i);
    const double sign = i % 2 == 0 ? 1 : -1;
    const sim::Quaternion signed_turn = {sign * turn.x, sign * turn.y,
                                         sign * turn.z, sign * turn.w};
    reducer.Add(i, signed_turn, signed_turn);
  }
  reducer.Finish();
  EXPECT_EQ(reducer.keys().size(), 2u);
  EXPECT_LT(DistanceBetween(ReadAt<sim::Quaternion>(reducer.keys(), 25.5),
                            Turned(0.02 * 25.5)),
            1e-9);
}

TEST(KeyReductionTest, RoundingOfTheFormatIsPartOfTheError) {
  KeyReducer<sim::Vector3> reducer(1e-6);
  const sim::Vector3 far = {8000.0003, 0, 0};
  const sim::Vector3 rounded = {static_cast<float>(far.x), 0, 0};
  reducer.Add(0, far, rounded);
  reducer.Finish();
  EXPECT_DOUBLE_EQ(reducer.error(), sim::Abs(far.x - rounded.x));
  EXPECT_GT(reducer.error(), 1e-5);
}

TEST(KeyReductionTest, SmallAnglesAreMeasuredExactly) {
  EXPECT_NEAR(DistanceBetween(Turned(1.0), Turned(1.0 + 1e-9)), 1e-9, 1e-15);
  EXPECT_NEAR(DistanceBetween(Turned(0), Turned(sim::kPi)), sim::kPi, 1e-12);
}

}  // namespace
}  // namespace reprise::replays
