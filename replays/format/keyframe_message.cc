// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/keyframe_message.h"

#include <cstdint>
#include <string>
#include <utility>

#include "sim/base/state_codec.h"
#include "sim/base/state_schema_codec.h"

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

}  // namespace reprise::replays
