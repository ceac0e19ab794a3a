// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Checks lists of points, and reports the coordinate that is wrong:
// points[2].x.

#ifndef REPRISE_SIM_COMPILER_CHECKING_POINT_CHECKER_H_
#define REPRISE_SIM_COMPILER_CHECKING_POINT_CHECKER_H_

#include <string_view>

#include "google/protobuf/repeated_field.h"
#include "reprise/v1/geometry.pb.h"
#include "sim/compiler/checking/message_checker.h"

namespace reprise::sim {

// Whether all points of the field `name` of the checker's message are finite
// and within +-limit. The first that isn't is reported: of a long list it tells
// as much as all.
bool CheckPoints(std::string_view name,
                 const google::protobuf::RepeatedPtrField<v1::Vector3>& points,
                 double limit, const MessageChecker& checker);
bool CheckPoints(std::string_view name,
                 const google::protobuf::RepeatedPtrField<v1::Vector2>& points,
                 double limit, const MessageChecker& checker);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_POINT_CHECKER_H_
