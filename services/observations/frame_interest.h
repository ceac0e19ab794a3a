// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which objects of frames somebody is shown: of some types, in some part of
// space.

#ifndef REPRISE_SERVICES_OBSERVATIONS_FRAME_INTEREST_H_
#define REPRISE_SERVICES_OBSERVATIONS_FRAME_INTEREST_H_

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reprise/v1/observation.pb.h"
#include "sim/frame.h"
#include "sim/geometry/vector3.h"

namespace reprise::services {

// Types that an interest names.
inline constexpr int kInterestTypesMax = 64;

// See v1::FrameInterest.
struct FrameInterest {
  struct Box {
    sim::Vector3 least;
    sim::Vector3 greatest;

    friend bool operator==(const Box&, const Box&) = default;
  };
  struct Ball {
    std::string object;  // whose origin is the centre; empty: `centre` is
    sim::Vector3 centre;
    double radius_m = 0;

    friend bool operator==(const Ball&, const Ball&) = default;
  };

  std::set<std::string, std::less<>> types;  // empty: any
  std::optional<Box> within;
  std::optional<Ball> near;

  friend bool operator==(const FrameInterest&, const FrameInterest&) = default;
};

// What to make of a mistake in a field, which is a path in the message.
using FieldError = absl::FunctionRef<absl::Status(std::string_view field,
                                                  std::string_view problem)>;

// `path` is where the message stands. Errors are `error`'s. Whether a pack has
// the types isn't looked at.
absl::StatusOr<FrameInterest> ParseFrameInterest(
    const v1::FrameInterest& message, const std::string& path,
    FieldError error);

v1::FrameInterest ToProto(const FrameInterest& interest);

// The objects of `frame`, in ascending order, that are in all of `interests`.
// An object that is the centre of one has to be in those before it: what they
// hide shows by nothing where it is.
std::vector<const sim::FrameObject*> Select(
    const sim::Frame& frame, std::span<const FrameInterest> interests);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OBSERVATIONS_FRAME_INTEREST_H_
