// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/tracks/input_rows.h"

#include <utility>

#include "fmt/format.h"
#include "replays/messages/proto_conversion.h"
#include "sim/base/tick.h"

namespace reprise::replays {

absl::Status InputRows::Add(uint32_t line, uint64_t tick,
                            const v1::InputFrame& frame) {
  const uint64_t tick_count = track_.tick_count();
  if (tick >= (tick_count > 0 ? tick_count : sim::kTickMax)) {
    return ErrorAt(
        line,
        tick_count > 0
            ? fmt::format("tick {} is not below the tick_count {}", tick,
                          tick_count)
            : fmt::format("tick {} is not below {}", tick, sim::kTickMax));
  }
  const bool is_first = track_.ticks().empty();
  if (!is_first && tick < track_.ticks().rbegin()->tick()) {
    return ErrorAt(line, fmt::format("tick {} follows tick {}; ticks ascend",
                                     tick, track_.ticks().rbegin()->tick()));
  }
  if (is_first || tick > track_.ticks().rbegin()->tick()) {
    track_.add_ticks()->set_tick(tick);
  }
  v1::TickInputs& inputs = *track_.mutable_ticks()->rbegin();
  *inputs.add_frames() = frame;
  const auto converted = FromProto(inputs.frames());
  if (!converted.ok()) {
    return ErrorAt(line, std::string(converted.status().message()));
  }
  if (HasUtf8Texts(frame)) return absl::OkStatus();
  return ErrorAt(line, "a text or a name isn't UTF-8");
}

absl::Status InputRows::ErrorAt(uint32_t line, std::string_view message) const {
  return absl::InvalidArgumentError(
      fmt::format("{}:{}: {}", file_name_, line, message));
}

v1::InputTrack InputRows::Take() && {
  if (track_.tick_count() == 0 && !track_.ticks().empty()) {
    track_.set_tick_count(track_.ticks().rbegin()->tick() + 1);
  }
  return std::move(track_);
}

}  // namespace reprise::replays
