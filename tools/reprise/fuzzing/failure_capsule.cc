// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/failure_capsule.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/comparing/capsule.h"
#include "replays/format/digest_batch.h"
#include "replays/format/replay_reader.h"
#include "replays/fuzzing/checks/perturbed_run.h"
#include "replays/fuzzing/checks/restore_check.h"
#include "replays/fuzzing/checks/run_check.h"
#include "replays/fuzzing/corpus/fuzz_corpus.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/verifying/divergence.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/state/state.h"
#include "sim/state/state_codec.h"
#include "tools/reprise/differences/capsule_file.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

// Whether the capsule at `path` is of a failure of this replay's length and
// pack.
bool IsThere(const std::string& path, const replays::ReplayReader& replay) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return false;
  const auto there = replays::ReplayReader::OpenFile(path);
  return there.ok() && replays::IsCapsule(**there) &&
         (*there)->metadata().pack_digest == replay.metadata().pack_digest &&
         (*there)->tick_count() <= replay.tick_count();
}

// What is made beside a run to see this failure; nullopt: it shows by itself.
std::optional<replays::RunShadow> ShadowOf(const std::string& signature) {
  for (const replays::RunShadow& shadow : replays::RunShadows()) {
    const std::string prefix =
        shadow.is_restored ? std::string(replays::kRestoreSignature)
        : shadow.perturbation
            ? fmt::format("{}{} ", replays::kPerturbationSignature,
                          replays::NameOf(*shadow.perturbation))
            : "";
    if (!prefix.empty() && signature.starts_with(prefix)) return shadow;
  }
  return std::nullopt;
}

// Plays the run until it fails so, by parts, of each of which is told.
bool PlayToFailure(const replays::PlayedInputs& run,
                   const std::string& signature,
                   const std::function<void()>& on_progress,
                   replays::RunCheck& check) {
  constexpr sim::Tick kPartTicks = 256;
  for (sim::Tick end = 0; end < run.tick_count;) {
    end = std::min(run.tick_count, end + kPartTicks);
    if (on_progress) on_progress();
    const auto failure = check.Run(run.ticks, end);
    if (failure) return failure->signature == signature && failure->tick > 0;
    check.Adopt();
  }
  return false;
}

// The last tick of the run, as it was recorded and as this build makes it.
absl::StatusOr<replays::Capsule> MakeOfLastTick(
    const replays::ReplayReader& replay, sim::Tick end,
    const std::function<void()>& on_progress) {
  replays::Divergence divergence;
  divergence.last_equal_tick = end - 1;
  divergence.first_different_tick = end;
  return replays::MakeCapsule(replay, /*pack=*/nullptr, divergence,
                              [&](sim::Tick, sim::Tick) {
                                if (on_progress) on_progress();
                                return absl::OkStatus();
                              });
}

// Puts into the place of the run as it was what was made beside it, or the run
// itself, where simulations that share a variable make that one another.
void SetActual(const replays::RunCheck& check, replays::Capsule& capsule) {
  const auto chain_of = [&capsule](const sim::State& state) {
    return sim::ExtendChain(capsule.keyframe.chain, state.ComputeRootDigest());
  };
  const std::vector<replays::DigestEntry>& recorded = capsule.expected.digests;
  const bool is_recorded =
      !recorded.empty() &&
      recorded.back().chain == chain_of(*check.shadow_state());
  const sim::State& state = is_recorded ? check.state() : *check.shadow_state();
  const sim::Tick tick = capsule.tick_count;
  const sim::Digest root = state.ComputeRootDigest();
  const sim::Digest chain = chain_of(state);
  replays::CapsuleSide& actual = capsule.actual;
  actual.digests = {replays::DescribeState(tick, state, root, chain)};
  actual.last_keyframe = {tick, chain, sim::EncodeState(state)};
  actual.end->root = root;
  actual.end->chain = chain;
}

absl::StatusOr<replays::Capsule> Make(
    const replays::ReplayReader& replay, const replays::PlayedInputs& run,
    const std::string& signature, const replays::FuzzRules& rules,
    const sim::Simulation& start, const std::function<void()>& on_progress) {
  const std::optional<replays::RunShadow> shadow = ShadowOf(signature);
  if (shadow) {
    replays::RunCheck check(&rules, start, *shadow);
    if (PlayToFailure(run, signature, on_progress, check) &&
        check.shadow_state() != nullptr) {
      absl::StatusOr<replays::Capsule> capsule =
          MakeOfLastTick(replay, check.tick(), on_progress);
      if (capsule.ok()) SetActual(check, *capsule);
      return capsule;
    }
  }
  return MakeOfLastTick(replay, replay.tick_count(), on_progress);
}

}  // namespace

std::string CapsulePathOf(const std::string& corpus,
                          const std::string& replay) {
  return (fs::path(corpus) / "capsules" / fs::path(replay).filename()).string();
}

absl::StatusOr<std::string> KeepFailureCapsule(
    const std::string& corpus, const std::string& replay,
    const replays::RunFailure& failure, const replays::FuzzRules& rules,
    const sim::Simulation& start, const std::function<void()>& on_progress) {
  const std::string path = CapsulePathOf(corpus, replay);
  const auto reader = replays::ReplayReader::OpenFile(replay);
  if (!reader.ok()) return reader.status();
  if (IsThere(path, **reader)) return path;
  const auto run = replays::ReadPlayedInputs(replay);
  if (!run.ok()) return run.status();
  if (run->tick_count == 0) {
    return absl::FailedPreconditionError("it shows before the first tick");
  }
  const absl::StatusOr<replays::Capsule> capsule =
      Make(**reader, *run, failure.signature, rules, start, on_progress);
  if (!capsule.ok()) return capsule.status();
  Json report = MakeJsonDocument("fuzz");
  report["signature"] = failure.signature;
  report["message"] = failure.message;
  report["tick"] = capsule->tick_count;
  std::error_code ignored;  // the file's own error says more
  fs::create_directories(fs::path(path).parent_path(), ignored);
  fs::remove(path, ignored);
  const absl::Status status = WriteCapsuleFile(*capsule, report, path);
  if (!status.ok()) return status;
  return path;
}

}  // namespace reprise::tools
