// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/keyframe_message.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "sim/state/state_codec.h"
#include "sim/state/state_schema_codec.h"

namespace reprise::replays {
namespace {

// The first revision of the format whose files say what their tables are.
constexpr uint32_t kSchemaRevisionMin = 3;

}  // namespace

absl::StatusOr<v1::Keyframe> MakeKeyframe(sim::Tick tick,
                                          const sim::State& state,
                                          sim::Digest chain,
                                          const ReplayMetadata& metadata,
                                          bool is_first) {
  v1::Keyframe keyframe;
  keyframe.set_tick(tick);
  keyframe.set_chain(chain.value);
  if (metadata.format_revision < kSchemaRevisionMin) {
    keyframe.set_state(sim::EncodeStateWithFingerprints(state));
    return keyframe;
  }
  keyframe.set_state(sim::EncodeState(state));
  if (!is_first) return keyframe;
  absl::StatusOr<std::string> schema = sim::EncodeStateSchema(state);
  if (!schema.ok()) return schema.status();
  keyframe.set_schema(*std::move(schema));
  return keyframe;
}

absl::Status WriteKeyframe(
    v1::Keyframe keyframe, uint32_t format_revision, uint64_t part_bytes,
    absl::FunctionRef<absl::Status(const v1::Keyframe& part)> write) {
  const uint64_t size = keyframe.state().size();
  if (size > kWrittenStateBytesMax) {
    return absl::ResourceExhaustedError(
        fmt::format("the state of tick {} has {} bytes; at most {} are written",
                    keyframe.tick(), size, kWrittenStateBytesMax));
  }
  if (format_revision < kCountedRevisionMin || size <= part_bytes) {
    return write(keyframe);
  }
  const std::string state = std::move(*keyframe.mutable_state());
  for (uint64_t offset = 0; offset < size; offset += part_bytes) {
    const uint64_t part_size = std::min(part_bytes, size - offset);
    keyframe.set_state(state.data() + offset, part_size);
    keyframe.set_state_offset(offset);
    keyframe.set_state_bytes_left(size - offset - part_size);
    absl::Status status = write(keyframe);
    if (!status.ok()) return status;
    keyframe.clear_schema();
  }
  return absl::OkStatus();
}

}  // namespace reprise::replays
