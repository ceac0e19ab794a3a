// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Lines of a frame as a message of Foxglove's: contacts, joints and whatever
// else can be looked at but isn't a solid.

#ifndef REPRISE_REPLAYS_SHOWING_FORMATS_FOXGLOVE_LINES_H_
#define REPRISE_REPLAYS_SHOWING_FORMATS_FOXGLOVE_LINES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "replays/showing/shown_scene.h"

namespace reprise::replays {

// More than one message of an MCAP file has room for, at some 400 bytes each.
inline constexpr size_t kFoxgloveLinesMax = 60000;

// A foxglove.SceneUpdate with all lines in one entity, in place of those of the
// message before; widths are pixels of the screen. RESOURCE_EXHAUSTED: more
// than kFoxgloveLinesMax.
absl::StatusOr<nlohmann::json> FoxgloveLinesOf(std::span<const DrawnLine> lines,
                                               std::string_view frame_id,
                                               uint64_t time_ns);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_FORMATS_FOXGLOVE_LINES_H_
