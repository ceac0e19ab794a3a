// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/replay_message.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/time/time.h"
#include "fmt/format.h"
#include "replays/store/stored_replay.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "sim/base/digest.h"
#include "sim/base/utf8.h"

namespace reprise::services {
namespace {

// Each outcome, and what the catalogue calls it.
constexpr std::array<std::pair<v1::Replay::Outcome, std::string_view>, 4>
    kOutcomes = {{{v1::Replay::OUTCOME_RUNNING, "running"},
                  {v1::Replay::OUTCOME_WON, "won"},
                  {v1::Replay::OUTCOME_LOST, "lost"},
                  {v1::Replay::OUTCOME_CUT_OFF, "cut_off"}}};

v1::Replay::Outcome ToOutcome(std::string_view name) {
  for (const auto& [outcome, known] : kOutcomes) {
    if (known == name) return outcome;
  }
  return v1::Replay::OUTCOME_UNSPECIFIED;
}

// A catalogue that was changed by hand may hold anything.
std::string TextOf(const std::string& text) {
  return sim::IsUtf8(text) ? text : "";
}

}  // namespace

v1::Replay ToMessage(const KnownReplay& known) {
  v1::Replay message;
  message.set_name(MakeName(kReplays, known.id));
  message.set_size_bytes(known.size_bytes);
  if (!known.is_readable) return message;
  const replays::StoredReplay& replay = known.replay;
  message.set_pack(TextOf(replay.pack));
  message.set_pack_digest(sim::FormatDigest(replay.pack_digest));
  message.set_simulation(TextOf(replay.simulation));
  message.set_rules_revision(replay.rules_revision);
  message.set_format_revision(replay.format_revision);
  message.set_seed(replay.seed);
  message.set_tick_rate(replay.tick_rate);
  message.set_tick_count(replay.tick_count);
  message.set_outcome(ToOutcome(replay.outcome));
  message.set_outcome_reason(TextOf(replay.outcome_reason));
  if (message.outcome() != v1::Replay::OUTCOME_CUT_OFF) {
    message.set_root(sim::FormatDigest(replay.root));
  }
  message.set_build(TextOf(replay.build));
  message.set_platform(TextOf(replay.platform));
  if (!known.is_catalogued) return message;
  message.set_digest(sim::FormatDigest(replay.digest));
  const int64_t micros = absl::ToUnixMicros(replay.recorded_at);
  message.mutable_record_time()->set_seconds(micros / 1'000'000);
  message.mutable_record_time()->set_nanos(
      static_cast<int32_t>(micros % 1'000'000) * 1000);
  message.mutable_tags()->Add(replay.tags.begin(), replay.tags.end());
  return message;
}

absl::StatusOr<ReplayQuery> ParseReplayQuery(
    const v1::ListReplaysRequest& request) {
  ReplayQuery query;
  auto text = ParseReplayText(request.text());
  if (!text.ok()) return text.status();
  query.text = *std::move(text);
  if (!request.pack().empty()) query.filter.pack = request.pack();
  for (const auto& [outcome, name] : kOutcomes) {
    if (request.outcome() == outcome) query.filter.outcome = name;
  }
  if (request.outcome() != v1::Replay::OUTCOME_UNSPECIFIED &&
      !query.filter.outcome.has_value()) {
    return WithReason(absl::InvalidArgumentError(
                          fmt::format("no replay ends with the outcome {}",
                                      static_cast<int>(request.outcome()))),
                      "OUTCOME_REFUSED");
  }
  if (request.tick_count_min() > 0) {
    query.filter.tick_count_min = request.tick_count_min();
  }
  if (request.tick_count_max() > 0) {
    query.filter.tick_count_max = request.tick_count_max();
  }
  if (static_cast<size_t>(request.tags_size()) > replays::kTagsMax) {
    return WithReason(absl::InvalidArgumentError(
                          fmt::format("{} tags are more than {}",
                                      request.tags_size(), replays::kTagsMax)),
                      "TAG_REFUSED");
  }
  query.filter.tags.assign(request.tags().begin(), request.tags().end());
  return query;
}

}  // namespace reprise::services
