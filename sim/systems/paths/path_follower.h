// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Path followers: objects that walk along a path of the pack at a speed. With a
// kinematic body they push what is in their way and carry what stands on them:
// lifts, trams, patrols. Here is what packs call their component and behaviour.

#ifndef REPRISE_SIM_SYSTEMS_PATHS_PATH_FOLLOWER_H_
#define REPRISE_SIM_SYSTEMS_PATHS_PATH_FOLLOWER_H_

#include <string_view>

namespace reprise::sim {

inline constexpr std::string_view kPathFollower = "path_follower";
// The property that names the path.
inline constexpr std::string_view kFollowedPath = "path";
inline constexpr std::string_view kFollowPath = "follow_path";

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_PATHS_PATH_FOLLOWER_H_
