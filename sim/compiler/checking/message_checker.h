// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Checks the fields of one message of a manifest and reports each mistake at
// its place.

#ifndef REPRISE_SIM_COMPILER_CHECKING_MESSAGE_CHECKER_H_
#define REPRISE_SIM_COMPILER_CHECKING_MESSAGE_CHECKER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "google/protobuf/message.h"
#include "reprise/v1/geometry.pb.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Lengths, velocities and forces in a pack stay below this, so that their
// squares and products stay finite and exact enough for the solver.
inline constexpr double kMagnitudeMax = 1e9;

// Passed by value; refers to a message and a report that outlive it.
class MessageChecker {
 public:
  MessageChecker(const google::protobuf::Message& message, PackPlace place,
                 PackReport& report);

  // The checker of the message `child`, which is the field `name` of this one.
  MessageChecker In(const google::protobuf::Message& child,
                    std::string_view name, int index = -1) const;

  // The checker of `message`, which stands where an Any does that holds it.
  MessageChecker Inside(const google::protobuf::Message& message) const {
    return {message, place_, report_};
  }

  // Where the message itself stands.
  FixedPlace Place() const { return place_.Place(); }

  // Reports a problem with the field `name`.
  void Problem(std::string_view name, std::string text) const;

  // Reports what can be run, but hardly meant.
  void Warning(std::string_view name, std::string text) const;

  // Reports a name that leads nowhere, and was let through once: a problem to
  // the pack's author, and a warning to whoever runs it.
  void LeadsNowhere(std::string_view name, std::string text) const;

  // Reports that a baked file has to be baked: no problem to whoever does.
  void NeedsBaking(std::string_view name, std::string text) const;

  // Reports that the field names something that isn't there: "there is no
  // region 'lak'; did you mean 'lake'?", and what there is where that is short.
  // `kind` is one of those that KnownNames knows.
  void NoSuch(std::string_view name, std::string_view kind,
              const std::string& value) const;
  // The same, of things that have these names.
  void NoSuch(std::string_view name, std::string_view kind,
              const std::string& value,
              std::span<const std::string> known) const;
  // The same where another sentence says it: what stands behind it. Nothing
  // where that very name is known.
  std::string SuggestionFor(const std::string& value,
                            std::span<const std::string> known) const;
  std::string SuggestionFor(const std::string& value,
                            std::string_view kind) const;
  // The whole manifest; null where it isn't known.
  const v1::Pack* manifest() const { return place_.manifest(); }

  // Each returns its value whether or not it is in order, so that checking goes
  // on; what is wrong is in the report.

  // 1 to 64 of a-z, 0-9 and _, starting with a letter.
  const std::string& Name(std::string_view name,
                          const std::string& value) const;
  // minimum <= value <= maximum.
  uint32_t Count(std::string_view name, uint32_t value, uint32_t minimum,
                 uint32_t maximum) const;
  double Number(std::string_view name, double value, double minimum,
                double maximum) const;
  // 0 < value <= maximum.
  double Positive(std::string_view name, double value,
                  double maximum = kMagnitudeMax) const;
  // Each component finite and within +-limit.
  Vector3 Vector(std::string_view name, const v1::Vector3& value,
                 double limit = kMagnitudeMax) const;
  // A vector that is not zero.
  Vector3 Direction(std::string_view name, const v1::Vector3& value) const;
  // Turns about x, then y, then z of the frame in which the angles are given.
  Quaternion Rotation(std::string_view name, const v1::Vector3& degrees) const;

 private:
  const google::protobuf::Message& message_;
  PackPlace place_;
  PackReport& report_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_MESSAGE_CHECKER_H_
