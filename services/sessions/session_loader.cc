// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/session_loader.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/replay_topics.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

absl::Status ReplayError(std::string_view id, const absl::Status& cause,
                         std::string_view reason) {
  const std::string name = MakeName(kReplays, id);
  return WithReason(
      absl::Status(cause.code(),
                   fmt::format("{}: {}", name, std::string(cause.message()))),
      reason, {{"replay", name}});
}

// Why a replay can't be gone on with.
absl::Status BranchError(std::string_view id, const absl::Status& cause) {
  switch (cause.code()) {
    case absl::StatusCode::kCancelled:
      return CancelledError();
    case absl::StatusCode::kOutOfRange:
      return ReplayError(id, cause, "TICK_OUT_OF_RANGE");
    case absl::StatusCode::kFailedPrecondition:
      return ReplayError(id, cause, "REPLAY_NOT_RESUMABLE");
    case absl::StatusCode::kDataLoss:
      return ReplayError(id, cause, "REPLAY_DAMAGED");
    case absl::StatusCode::kNotFound:
      return ReplayError(id, cause, "SIMULATION_NOT_FOUND");
    case absl::StatusCode::kInvalidArgument:
      return ReplayError(id, cause, "PACK_INVALID");
    default:  // the disk's, or the store's
      return cause;
  }
}

}  // namespace

absl::StatusOr<SessionSpec> ParseSessionSpec(
    const v1::CreateSessionRequest& request) {
  SessionSpec spec = {.pack = request.pack(),
                      .seed = request.seed(),
                      .record = request.record(),
                      .branch = std::nullopt};
  if (!request.has_branch()) return spec;
  const auto id = ParseName(kReplays, request.branch().replay());
  if (!id.ok()) return id.status();
  spec.branch = BranchPoint{.replay_id = *id, .tick = request.branch().tick()};
  return spec;
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> MakeSimulation(
    const ServerOptions& options, const sim::PackArchive& pack, uint64_t seed) {
  auto simulation = options.simulation_factory(pack, seed);
  if (!simulation.ok()) {
    return WithReason(simulation.status(), absl::IsNotFound(simulation.status())
                                               ? "SIMULATION_NOT_FOUND"
                                               : "PACK_INVALID");
  }
  return simulation;
}

absl::StatusOr<RecordedRun> SessionLoader::Load(
    const SessionSpec& spec, std::string_view id,
    replays::IsCancelled is_cancelled) const {
  if (!spec.branch.has_value()) return LoadPack(spec, id);
  if (!spec.pack.empty() || spec.seed != 0) {
    return WithReason(
        absl::InvalidArgumentError("a branch has the pack and the seed of its "
                                   "replay; the request names its own"),
        "BRANCH_WITH_PACK_OR_SEED");
  }
  return LoadBranch(*spec.branch, spec.record, id, is_cancelled);
}

absl::StatusOr<RecordedRun> SessionLoader::LoadPack(const SessionSpec& spec,
                                                    std::string_view id) const {
  const auto pack = packs_.Load(spec.pack);
  if (!pack.ok()) return pack.status();
  auto simulation = MakeSimulation(options_, *pack, spec.seed);
  if (!simulation.ok()) return simulation.status();
  RecordedRun run{.simulation = *std::move(simulation), .recording = nullptr};
  if (spec.record) {
    auto recording = replays_.Record(id, run.simulation.get(), *pack);
    if (!recording.ok()) return recording.status();
    run.recording = *std::move(recording);
  }
  return run;
}

absl::StatusOr<RecordedRun> SessionLoader::LoadBranch(
    const BranchPoint& branch, bool record, std::string_view id,
    replays::IsCancelled is_cancelled) const {
  auto source = replays_.OpenReplay(branch.replay_id);
  if (!source.ok()) return source.status();
  const auto parent = replays::ReplayReader::Open(*std::move(source));
  if (!parent.ok()) {
    return ReplayError(branch.replay_id, parent.status(), "REPLAY_UNREADABLE");
  }
  const auto missing_pack = FindMissingPack(**parent);
  if (!missing_pack.ok()) return missing_pack.status();
  const sim::PackArchive* const pack =
      missing_pack->has_value() ? &**missing_pack : nullptr;
  if (!record) {
    auto simulation =
        replays::ResumeSimulation(**parent, branch.tick, pack, is_cancelled);
    if (!simulation.ok()) {
      return BranchError(branch.replay_id, simulation.status());
    }
    return RecordedRun{.simulation = *std::move(simulation),
                       .recording = nullptr};
  }
  auto run = replays_.RecordBranch(id, **parent, branch.replay_id, branch.tick,
                                   pack, is_cancelled);
  if (!run.ok()) return BranchError(branch.replay_id, run.status());
  return run;
}

absl::StatusOr<std::optional<sim::PackArchive>> SessionLoader::FindMissingPack(
    const replays::ReplayReader& replay) const {
  if (replay.file().FindAttachment(replays::kPackAttachment) != nullptr) {
    return std::nullopt;
  }
  auto pack = packs_.Load(replay.metadata().pack);
  if (!pack.ok()) return pack.status();
  return *std::move(pack);
}

}  // namespace reprise::services
