// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/comparing/capsule.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "replays/comparing/replay_excerpt.h"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_reader.h"
#include "replays/format/digest_batch.h"
#include "replays/format/input_source.h"
#include "replays/playing/replay_player.h"
#include "replays/verifying/progress_teller.h"
#include "sim/base/digest.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/state/state_codec.h"

namespace reprise::replays {
namespace {

// Of the capsule's metadata.
constexpr char kTickEntry[] = "tick";

// As a verification's.
constexpr std::string_view kStateMediaType = "application/octet-stream";

absl::StatusOr<std::optional<sim::PackArchive>> ReadPackIfThere(
    const ReplayReader& replay) {
  absl::StatusOr<sim::PackArchive> pack = replay.ReadPack();
  if (absl::IsNotFound(pack.status())) return std::nullopt;
  if (!pack.ok()) return pack.status();
  return *std::move(pack);
}

// What a recorder of this run would have said, with the recording's strides.
ReplayMetadata MetadataOf(const sim::Simulation& simulation,
                          const ReplayMetadata& recorded) {
  ReplayMetadata metadata = DescribeRun(simulation);
  metadata.digest_stride = recorded.digest_stride;
  metadata.keyframe_stride = recorded.keyframe_stride;
  metadata.keyframe_bytes_per_tick = recorded.keyframe_bytes_per_tick;
  metadata.batch_ticks = recorded.batch_ticks;
  return metadata;
}

// A side that ends with `state`, one tick behind the last equal one.
absl::StatusOr<CapsuleSide> MakeSide(const ReplaySide& run,
                                     const sim::PackArchive* pack,
                                     sim::Digest chain_before,
                                     const sim::State& state,
                                     const sim::Outcome& outcome,
                                     sim::Tick tick) {
  const sim::Digest root = state.ComputeRootDigest();
  const sim::Digest chain = sim::ExtendChain(chain_before, root);
  CapsuleSide side;
  side.replay = run.replay;
  side.metadata = MetadataOf(*run.simulation, run.replay->metadata());
  if (pack != nullptr) {
    side.pack = *pack;
  } else {
    absl::StatusOr<std::optional<sim::PackArchive>> recorded =
        ReadPackIfThere(*run.replay);
    if (!recorded.ok()) return recorded.status();
    side.pack = *std::move(recorded);
  }
  const DigestEntry entry = DescribeState(tick, state, root, chain);
  if (tick % side.metadata.digest_stride == 0) side.digests.push_back(entry);
  side.last_keyframe = {tick, chain, sim::EncodeState(state)};
  side.end = {
      .tick_count = tick, .outcome = outcome, .root = root, .chain = chain};
  return side;
}

// The chain up to and with `tick`, which has a digest or a keyframe.
absl::StatusOr<sim::Digest> RecordedChainAt(const ReplayReader& replay,
                                            sim::Tick tick) {
  const auto digest = replay.ReadDigests(tick)->Next();
  if (!digest.ok()) return digest.status();
  if (digest->has_value() && (*digest)->tick == tick) return (*digest)->chain;
  const auto keyframe = replay.FindKeyframe(tick);
  if (!keyframe.ok()) return keyframe.status();
  if (keyframe->has_value() && (*keyframe)->tick == tick) {
    return (*keyframe)->chain;
  }
  return absl::DataLossError(
      fmt::format("nothing was recorded of tick {}", tick));
}

// What was recorded behind tick `begin`, up to `end`.
absl::StatusOr<CapsuleSide> MakeRecordedSide(const ReplayReader& replay,
                                             sim::Tick begin, sim::Tick end) {
  CapsuleSide side;
  side.replay = &replay;
  side.metadata = replay.metadata();
  absl::StatusOr<std::optional<sim::PackArchive>> pack =
      ReadPackIfThere(replay);
  if (!pack.ok()) return pack.status();
  side.pack = *std::move(pack);
  const auto digests = replay.ReadDigests(begin + 1);
  while (true) {
    absl::StatusOr<std::optional<DigestEntry>> entry = digests->Next();
    if (!entry.ok()) return entry.status();
    if (!entry->has_value() || (*entry)->tick > end) break;
    side.digests.push_back(**std::move(entry));
  }
  absl::StatusOr<std::optional<ReplayKeyframe>> keyframe =
      replay.FindKeyframe(end);
  if (!keyframe.ok()) return keyframe.status();
  if (keyframe->has_value() && (*keyframe)->tick == end) {
    side.last_keyframe = **std::move(keyframe);
  }
  if (end == replay.tick_count()) side.end = replay.end();
  return side;
}

}  // namespace

absl::StatusOr<Capsule> MakeCapsule(const ReplaySide& expected,
                                    const ReplaySide& actual,
                                    const sim::PackArchive* actual_pack,
                                    const RunComparison& comparison) {
  if (!comparison.states.has_value()) {
    return absl::FailedPreconditionError(
        "no tick of these runs begins with equal states and ends with "
        "different ones");
  }
  const DivergedStates& states = *comparison.states;
  Capsule capsule;
  capsule.tick_count = states.tick + 1;
  capsule.keyframe = {states.tick, states.chain, states.before};
  absl::StatusOr<CapsuleSide> left =
      MakeSide(expected, nullptr, states.chain, states.expected,
               comparison.expected_outcome, capsule.tick_count);
  if (!left.ok()) return left.status();
  absl::StatusOr<CapsuleSide> right =
      MakeSide(actual, actual_pack, states.chain, states.actual,
               comparison.actual_outcome, capsule.tick_count);
  if (!right.ok()) return right.status();
  capsule.expected = *std::move(left);
  capsule.actual = *std::move(right);
  return capsule;
}

absl::StatusOr<Capsule> MakeCapsule(const ReplayReader& replay,
                                    const sim::PackArchive* pack,
                                    const Divergence& divergence,
                                    const ProgressCallback& progress) {
  const sim::Tick end =
      divergence.fields_tick.value_or(divergence.first_different_tick);
  if (!divergence.last_equal_tick.has_value() ||
      *divergence.last_equal_tick >= end ||
      divergence.kind == Divergence::Kind::kRefusedInputs ||
      divergence.kind == Divergence::Kind::kEvents) {
    return absl::FailedPreconditionError(
        "no ticks of this run lead from equal states to different ones");
  }
  const sim::Tick begin = *divergence.last_equal_tick;
  Capsule capsule;
  capsule.tick_count = end;
  const absl::StatusOr<sim::Digest> chain = RecordedChainAt(replay, begin);
  if (!chain.ok()) return chain.status();
  absl::StatusOr<CapsuleSide> expected = MakeRecordedSide(replay, begin, end);
  if (!expected.ok()) return expected.status();
  capsule.expected = *std::move(expected);

  const absl::StatusOr<std::unique_ptr<ReplayPlayer>> player =
      ReplayPlayer::Create(&replay, pack);
  if (!player.ok()) return player.status();
  sim::Simulation& simulation = (*player)->simulation();
  // The keyframes of a recording on another pack are of that.
  absl::Status status;
  ProgressTeller teller(progress);
  const auto on_step = [&] { return teller.Tell(simulation.tick(), end); };
  while (pack != nullptr && status.ok() && simulation.tick() < begin) {
    status = (*player)->Step();
    simulation.DrainEvents();
    if (status.ok()) status = on_step();
  }
  if (status.ok()) status = (*player)->SeekTo(begin, on_step);
  if (!status.ok()) return status;
  capsule.keyframe = {begin, *chain, simulation.state()};
  CapsuleSide& actual = capsule.actual;
  actual.replay = &replay;
  actual.metadata = MetadataOf(simulation, replay.metadata());
  actual.pack = pack != nullptr ? *pack : capsule.expected.pack;
  DigestEntry last;
  last.chain = *chain;
  while (simulation.tick() < end) {
    status = (*player)->Step();
    if (status.ok()) status = on_step();
    if (!status.ok()) return status;
    simulation.DrainEvents();
    const sim::State& state = simulation.state();
    const sim::Digest root = state.ComputeRootDigest();
    last = DescribeState(simulation.tick(), state, root,
                         sim::ExtendChain(last.chain, root));
    if (last.tick % actual.metadata.digest_stride == 0) {
      actual.digests.push_back(last);
    }
  }
  actual.last_keyframe = {end, last.chain,
                          sim::EncodeState(simulation.state())};
  actual.end = {.tick_count = end,
                .outcome = simulation.outcome(),
                .root = last.root,
                .chain = last.chain};
  return capsule;
}

absl::Status WriteCapsule(const Capsule& capsule, const std::string& report,
                          ByteSink* sink) {
  const auto excerpt_of = [&capsule](const CapsuleSide& side) {
    ReplayExcerpt excerpt;
    excerpt.replay = side.replay;
    excerpt.metadata = side.metadata;
    excerpt.pack = side.pack.has_value() ? &*side.pack : nullptr;
    excerpt.keyframe = capsule.keyframe;
    excerpt.digests = side.digests;
    excerpt.last_keyframe = side.last_keyframe;
    excerpt.end = side.end;
    excerpt.tick_count = capsule.tick_count;
    return excerpt;
  };
  Bytes actual;
  MemorySink actual_sink(&actual);
  absl::Status status = WriteExcerpt(excerpt_of(capsule.actual), &actual_sink);
  if (!status.ok()) return status;

  ReplayExcerpt excerpt = excerpt_of(capsule.expected);
  excerpt.note = {
      .name = std::string(kCapsuleMetadataName),
      .entries = {{kTickEntry, std::to_string(capsule.keyframe.tick)},
                  {"states_tick", std::to_string(capsule.tick_count)}}};
  const auto attach = [&excerpt](std::string_view name,
                                 std::string_view media_type,
                                 std::span<const std::byte> data) {
    excerpt.attachments.push_back({.name = std::string(name),
                                   .media_type = std::string(media_type),
                                   .data = data});
  };
  if (capsule.expected.last_keyframe.has_value()) {
    attach(kExpectedStateAttachment, kStateMediaType,
           std::as_bytes(std::span(capsule.expected.last_keyframe->state)));
  }
  if (capsule.actual.last_keyframe.has_value()) {
    attach(kActualStateAttachment, kStateMediaType,
           std::as_bytes(std::span(capsule.actual.last_keyframe->state)));
  }
  attach(kReportAttachment, "application/json",
         std::as_bytes(std::span(report)));
  attach(kActualReplayAttachment, "application/octet-stream", actual);
  return WriteExcerpt(excerpt, sink);
}

bool IsCapsule(const ReplayReader& replay) {
  return replay.file().FindMetadata(kCapsuleMetadataName) != nullptr;
}

std::string FailureTick(const ReplayReader& capsule) {
  const McapMetadata& metadata =
      *capsule.file().FindMetadata(kCapsuleMetadataName);
  const auto tick = metadata.entries.find(kTickEntry);
  return tick == metadata.entries.end() ? "unknown" : tick->second;
}

absl::StatusOr<Bytes> ReadActualReplay(const ReplayReader& capsule) {
  const McapAttachmentIndex* const attachment =
      capsule.file().FindAttachment(kActualReplayAttachment);
  if (!IsCapsule(capsule) || attachment == nullptr) {
    return absl::NotFoundError("this replay is no capsule: it holds one run");
  }
  absl::Status status = capsule.file().CheckSingle(kActualReplayAttachment);
  if (!status.ok()) return status;
  return capsule.file().ReadAttachment(*attachment);
}

}  // namespace reprise::replays
