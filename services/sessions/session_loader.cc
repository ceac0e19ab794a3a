// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/sessions/session_loader.h"

#include <memory>
#include <new>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/format/replay_topics.h"
#include "services/base/pack_mistakes.h"
#include "services/base/reason.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

absl::Status ReplayError(std::string_view id, const absl::Status& cause,
                         Reason reason) {
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
    const Tenant& tenant, const v1::CreateSessionRequest& request) {
  auto labels = ParseLabels(request.labels());
  if (!labels.ok()) return labels.status();
  SessionSpec spec = {.tenant = tenant,
                      .pack = request.pack(),
                      .pack_digest = request.pack_digest(),
                      .seed = request.seed(),
                      .record = request.record(),
                      .labels = *std::move(labels),
                      .branch = std::nullopt,
                      .fork = std::nullopt,
                      .lockstep = std::nullopt};
  if (request.has_lockstep()) {
    const auto lockstep = ParseLockstep(request.lockstep());
    if (!lockstep.ok()) return lockstep.status();
    spec.lockstep = *lockstep;
  }
  if (!request.has_branch()) return spec;
  const auto id = ParseName(kReplays, request.branch().replay());
  if (!id.ok()) return id.status();
  spec.branch = BranchPoint{.replay_id = *id,
                            .tick = request.branch().tick(),
                            .follow = request.branch().follow()};
  if (!spec.branch->follow) return spec;
  if (spec.record) {
    return FollowError("a session that plays a replay has no recording");
  }
  if (spec.lockstep.has_value() &&
      *spec.lockstep != LockstepOptions{.pace = spec.lockstep->pace}) {
    return FollowError(
        "who watches a replay together has a pace, and nothing else of a "
        "lockstep");
  }
  return spec;
}

absl::StatusOr<SessionSpec> ParseSessionSpec(
    const Tenant& tenant, const v1::ForkSessionRequest& request) {
  auto labels = ParseLabels(request.labels());
  if (!labels.ok()) return labels.status();
  const auto id = ParseName(kSessions, request.name());
  if (!id.ok()) return id.status();
  ForkPoint fork = {.session_id = *id, .snapshot = std::nullopt};
  if (!request.snapshot().empty()) {
    const auto snapshot = ParseSnapshotName(request.snapshot());
    if (!snapshot.ok()) return snapshot.status();
    if (snapshot->session_id != *id) {
      return WithReason(
          absl::InvalidArgumentError(fmt::format(
              "'{}' is no snapshot of session '{}'", request.snapshot(), *id)),
          "NAME_MALFORMED");
    }
    fork.snapshot = snapshot->number;
  }
  return SessionSpec{.tenant = tenant,
                     .pack = "",
                     .pack_digest = "",
                     .seed = 0,
                     .record = request.record(),
                     .labels = *std::move(labels),
                     .branch = std::nullopt,
                     .fork = std::move(fork),
                     .lockstep = std::nullopt};
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> MakeSimulation(
    const ServerOptions& options, const sim::PackArchive& pack, uint64_t seed) {
  auto simulation = options.simulation_factory(pack, seed);
  if (simulation.ok()) return simulation;
  return absl::IsNotFound(simulation.status())
             ? WithReason(simulation.status(), "SIMULATION_NOT_FOUND")
             : WithViolations(
                   WithReason(simulation.status(), "PACK_INVALID"),
                   ParseMistakes(std::string(simulation.status().message())));
}

absl::StatusOr<RecordedRun> SessionLoader::Load(
    const SessionSpec& spec, std::string_view id,
    replays::IsCancelled is_cancelled) const {
  CHECK(!spec.fork.has_value());
  if (!spec.branch.has_value()) return LoadPack(spec, id, is_cancelled);
  if (!spec.pack.empty() || spec.seed != 0 || !spec.pack_digest.empty()) {
    return WithReason(
        absl::InvalidArgumentError("a branch has the pack and the seed of its "
                                   "replay; the request names its own"),
        "BRANCH_WITH_PACK_OR_SEED");
  }
  if (spec.branch->follow) {
    return LoadFollowed(spec.tenant, *spec.branch, is_cancelled);
  }
  return LoadBranch(spec.tenant, *spec.branch, spec.record, id, is_cancelled);
}

absl::StatusOr<sim::PackArchive> SessionLoader::FindPack(
    const Tenant& tenant, std::string_view name, std::string_view digest,
    replays::IsCancelled is_cancelled) const {
  auto pack = packs_.Load(name);
  if (!absl::IsNotFound(pack.status()) || sources_.uploads == nullptr) {
    return pack;
  }
  // The digest that the file has in its name; who asks for another one is told
  // which it is.
  auto uploaded = sources_.uploads->Load(tenant, name, digest);
  if (absl::IsNotFound(uploaded.status()) && !digest.empty()) {
    uploaded = sources_.uploads->Load(tenant, name, "");
  }
  if (absl::IsNotFound(uploaded.status())) return pack;
  if (!uploaded.ok()) return uploaded;
  const auto own_name = TryPack(tenant, *uploaded, is_cancelled);
  if (!own_name.ok()) return own_name.status();
  // What an older server kept may call itself by the name of another one, whose
  // sessions and replays would be found by it.
  if (!own_name->empty() && *own_name != name) {
    return WithReason(absl::InvalidArgumentError(
                          fmt::format("what was uploaded as '{}' calls itself "
                                      "'{}'; upload it by that name",
                                      name, *own_name)),
                      "PACK_INVALID", {{"pack", name}});
  }
  return uploaded;
}

absl::StatusOr<std::string> SessionLoader::TryPack(
    const Tenant& tenant, const sim::PackArchive& pack,
    replays::IsCancelled is_cancelled) const {
  if (sources_.trial == nullptr) return std::string();
  const sim::ContentDigest digest = pack.ComputeDigest();
  auto tried = sources_.trial->Try(tenant, TrialWaiter::kLoad, digest, pack,
                                   is_cancelled);
  if (!tried.ok()) return tried.status();
  costs_.Note(digest, tried->bytes);
  return std::move(tried->name);
}

absl::StatusOr<uint64_t> SessionLoader::MakeMeasured(
    const sim::PackArchive& pack,
    absl::FunctionRef<absl::Status()> make) const {
  auto load = costs_.Begin(pack.ComputeDigest(), pack);
  if (!load.ok()) return load.status();
  absl::Status made = MemoryExhaustedError();
  try {
    made = make();
  } catch (const std::bad_alloc&) {
  }
  const uint64_t bytes = costs_.End(*std::move(load), made.ok());
  if (!made.ok()) return made;
  return bytes;
}

absl::StatusOr<MemoryClaim> SessionLoader::ClaimMemory(uint64_t bytes) const {
  if (sources_.budget == nullptr) return MemoryClaim();
  return sources_.budget->Claim(bytes);
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> SessionLoader::Make(
    const sim::PackArchive& pack) const {
  std::unique_ptr<sim::Simulation> made;
  const auto bytes = MakeMeasured(pack, [&]() -> absl::Status {
    auto simulation = MakeSimulation(options_, pack, /*seed=*/0);
    if (!simulation.ok()) return simulation.status();
    made = *std::move(simulation);
    return absl::OkStatus();
  });
  if (!bytes.ok()) return bytes.status();
  return made;
}

absl::StatusOr<RecordedRun> SessionLoader::LoadPack(
    const SessionSpec& spec, std::string_view id,
    replays::IsCancelled is_cancelled) const {
  auto pack = FindPack(spec.tenant, spec.pack, spec.pack_digest, is_cancelled);
  if (!pack.ok()) return pack.status();
  const sim::ContentDigest digest = pack->ComputeDigest();
  if (!spec.pack_digest.empty()) {
    const auto wanted = sim::ParseContentDigest(spec.pack_digest);
    if (!wanted.ok() || *wanted != pack->ComputeDigest(wanted->hash)) {
      return WithReason(
          absl::FailedPreconditionError(fmt::format(
              "pack '{}' has the digest {}, not {}", spec.pack,
              sim::FormatDigest(digest), spec.pack_digest.substr(0, 64))),
          "PACK_CHANGED", {{"pack", spec.pack}});
    }
  }
  RecordedRun run;
  run.pack = pool_.Share(digest, *std::move(pack));
  if (absl::Status started =
          Start(spec.tenant, spec.seed, spec.record ? id : "", run);
      !started.ok()) {
    return started;
  }
  return run;
}

absl::Status SessionLoader::Start(const Tenant& tenant, uint64_t seed,
                                  std::string_view replay_id,
                                  RecordedRun& run) const {
  CHECK(run.pack != nullptr);
  if (run.simulation == nullptr) {
    const auto bytes = MakeMeasured(*run.pack, [&]() -> absl::Status {
      auto simulation = MakeSimulation(options_, *run.pack, seed);
      if (!simulation.ok()) return simulation.status();
      run.simulation = *std::move(simulation);
      return absl::OkStatus();
    });
    if (!bytes.ok()) return bytes.status();
    run.loaded_bytes = *bytes;
  }
  if (replay_id.empty()) return absl::OkStatus();
  auto recording =
      replays_.Record(tenant, replay_id, run.simulation.get(), *run.pack);
  if (!recording.ok()) return recording.status();
  run.recording = *std::move(recording);
  return absl::OkStatus();
}

absl::StatusOr<RecordedRun> SessionLoader::LoadBranch(
    const Tenant& tenant, const BranchPoint& branch, bool record,
    std::string_view id, replays::IsCancelled is_cancelled) const {
  auto source = replays_.OpenReplay(tenant, branch.replay_id);
  if (!source.ok()) return source.status();
  const auto parent = replays::ReplayReader::Open(*std::move(source));
  if (!parent.ok()) {
    return ReplayError(branch.replay_id, parent.status(), "REPLAY_UNREADABLE");
  }
  auto pack = FindPackOf(tenant, **parent, branch.replay_id, is_cancelled);
  if (!pack.ok()) return pack.status();
  const sim::ContentDigest digest = pack->ComputeDigest();
  return Resume(tenant, **parent, branch, record, id,
                pool_.Share(digest, *std::move(pack)), is_cancelled);
}

absl::StatusOr<std::unique_ptr<FollowedReplay>> SessionLoader::OpenFollowed(
    const Tenant& tenant, const std::string& replay_id) const {
  const ReplayStore* const store = &replays_;
  // As far as it was flushed, where it is being recorded.
  FollowedReplay::OpenFile open = [store, tenant, replay_id] {
    return store->OpenUnfinished(tenant, replay_id);
  };
  auto source = open();
  if (!source.ok()) return source.status();
  auto reader = replays::ReplayReader::Open(*std::move(source));
  if (!reader.ok()) {
    return ReplayError(replay_id, reader.status(), "REPLAY_UNREADABLE");
  }
  return std::make_unique<FollowedReplay>(
      replay_id, std::move(open),
      [store, tenant, replay_id] {
        return store->IsUnfinished(tenant, replay_id);
      },
      *std::move(reader));
}

absl::StatusOr<RecordedRun> SessionLoader::LoadFollowed(
    const Tenant& tenant, const BranchPoint& point,
    replays::IsCancelled is_cancelled) const {
  auto followed = OpenFollowed(tenant, point.replay_id);
  if (!followed.ok()) return followed.status();
  const replays::ReplayReader& replay = (*followed)->reader();
  auto pack = FindPackOf(tenant, replay, point.replay_id, is_cancelled);
  if (!pack.ok()) return pack.status();
  const sim::ContentDigest digest = pack->ComputeDigest();
  auto run = Resume(tenant, replay, point, /*record=*/false, /*id=*/"",
                    pool_.Share(digest, *std::move(pack)), is_cancelled);
  if (run.ok()) run->followed = *std::move(followed);
  return run;
}

absl::Status SessionLoader::Seek(const Tenant& tenant, const BranchPoint& point,
                                 replays::IsCancelled is_cancelled,
                                 RecordedRun& run) const {
  auto followed = OpenFollowed(tenant, point.replay_id);
  if (!followed.ok()) return followed.status();
  const auto is_there =
      (*followed)->SeekTo(point.tick, run.start, *run.simulation, is_cancelled);
  if (!is_there.ok()) return BranchError(point.replay_id, is_there.status());
  if (*is_there) {
    run.followed = *std::move(followed);
    return absl::OkStatus();
  }
  auto loaded = LoadFollowed(tenant, point, is_cancelled);
  if (!loaded.ok()) return loaded.status();
  run = *std::move(loaded);
  return absl::OkStatus();
}

absl::StatusOr<RecordedRun> SessionLoader::LoadPoint(
    const RecordedPoint& point, std::string_view id,
    std::shared_ptr<const sim::PackArchive> pack,
    replays::IsCancelled is_cancelled) const {
  auto source = replays_.OpenUnfinished(point.tenant, point.replay_id);
  if (!source.ok()) return source.status();
  const auto parent = replays::ReplayReader::Open(*std::move(source));
  if (!parent.ok()) {
    return ReplayError(point.replay_id, parent.status(), "REPLAY_UNREADABLE");
  }
  auto run = Resume(point.tenant, **parent,
                    {.replay_id = point.replay_id, .tick = point.tick},
                    /*record=*/true, id, std::move(pack), is_cancelled);
  if (!run.ok()) return run;
  if (run->simulation->state().ComputeRootDigest() != point.digest) {
    run->recording->Discard();
    return ReplayError(point.replay_id,
                       absl::FailedPreconditionError(fmt::format(
                           "tick {} is another one than it was", point.tick)),
                       "REPLAY_NOT_RESUMABLE");
  }
  return run;
}

absl::StatusOr<RecordedRun> SessionLoader::Resume(
    const Tenant& tenant, const replays::ReplayReader& parent,
    const BranchPoint& branch, bool record, std::string_view id,
    std::shared_ptr<const sim::PackArchive> pack,
    replays::IsCancelled is_cancelled) const {
  RecordedRun run;
  const auto bytes = MakeMeasured(*pack, [&]() -> absl::Status {
    if (record) {
      auto recorded =
          replays_.RecordBranch(tenant, id, parent, branch.replay_id,
                                branch.tick, pack.get(), is_cancelled);
      if (!recorded.ok()) return recorded.status();
      run = *std::move(recorded);
      return absl::OkStatus();
    }
    auto simulation = replays::ResumeSimulation(parent, branch.tick, pack.get(),
                                                is_cancelled);
    if (!simulation.ok()) return simulation.status();
    run.simulation = *std::move(simulation);
    return absl::OkStatus();
  });
  if (!bytes.ok()) return BranchError(branch.replay_id, bytes.status());
  run.loaded_bytes = *bytes;
  run.pack = std::move(pack);
  return run;
}

absl::StatusOr<sim::PackArchive> SessionLoader::FindPackOf(
    const Tenant& tenant, const replays::ReplayReader& replay,
    std::string_view id, replays::IsCancelled is_cancelled) const {
  const std::string& name = replay.metadata().pack;
  if (replay.file().FindAttachment(replays::kPackAttachment) == nullptr) {
    return FindPack(tenant, name, /*digest=*/"", is_cancelled);
  }
  auto pack = replay.ReadPack();
  if (!pack.ok()) return ReplayError(id, pack.status(), "REPLAY_DAMAGED");
  if (sources_.trial == nullptr) return pack;
  // What the server offers itself needs no trial; what came with a replay may
  // be anybody's.
  const sim::ContentDigest digest = pack->ComputeDigest();
  if (sources_.trial->IsKnown(digest)) return pack;
  const auto offered = packs_.Load(name);
  if (offered.ok() && offered->ComputeDigest() == digest) {
    sources_.trial->Trust(digest, name);
  }
  if (const auto tried = TryPack(tenant, *pack, is_cancelled); !tried.ok()) {
    return tried.status();
  }
  return pack;
}

}  // namespace reprise::services
