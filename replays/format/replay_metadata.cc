// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/replay_metadata.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "replays/format/engine.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

// Packs are known by SHA-256 in later ones.
constexpr uint32_t kXxh3RevisionMax = 3;

using Entries = std::map<std::string, std::string>;

// Before the engine in the name of a build.
constexpr std::string_view kEngineMark = ", engine ";

std::string CompilerOf(const std::string& build) {
  return build.substr(0, build.find(kEngineMark));
}

bool HasEngine(const std::string& build) {
  return build.find(kEngineMark) != std::string::npos;
}

// Takes typed values out of the entries; the first failure stays.
class EntryReader {
 public:
  explicit EntryReader(const Entries& entries) : entries_(entries) {}

  std::string Text(const std::string& key) {
    const auto found = entries_.find(key);
    if (found != entries_.end()) return found->second;
    Fail(key, "is missing");
    return "";
  }

  template <typename Integer>
  Integer Number(const std::string& key) {
    const std::string text = Text(key);
    Integer number = 0;
    // One spelling for each number: no sign, space or leading zero.
    if (!absl::SimpleAtoi(text, &number) || absl::StrCat(number) != text) {
      Fail(key, "is not a number in range");
      return 0;
    }
    return number;
  }

  // The same, where it may be missing.
  template <typename Integer>
  Integer NumberOr(const std::string& key, Integer otherwise) {
    return entries_.contains(key) ? Number<Integer>(key) : otherwise;
  }

  template <typename DigestType>
  DigestType Digest(const std::string& key,
                    absl::StatusOr<DigestType> (*parse)(std::string_view)) {
    const absl::StatusOr<DigestType> digest = parse(Text(key));
    if (digest.ok()) return *digest;
    Fail(key, "is not a digest");
    return {};
  }

  void Fail(const std::string& key, std::string_view reason) {
    if (!status_.ok()) return;
    status_ = absl::DataLossError(
        fmt::format("replay metadata: \"{}\" {}", key, reason));
  }

  const absl::Status& status() const { return status_; }

 private:
  const Entries& entries_;
  absl::Status status_;
};

// The program's, found once: it takes a millisecond, which is a tenth of the
// verification of a short replay.
sim::Digest CurrentMathFingerprint() {
  static const sim::Digest fingerprint = sim::MathFingerprint();
  return fingerprint;
}

}  // namespace

std::string CurrentCompiler() {
#if defined(__clang__)
  std::string compiler = fmt::format("clang {}.{}.{}", __clang_major__,
                                     __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  std::string compiler = fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__,
                                     __GNUC_PATCHLEVEL__);
#else
#error "name this compiler here"
#endif
#if defined(__OPTIMIZE__)
  compiler += " optimised";
#else
  compiler += " unoptimised";
#endif
  return compiler;
}

std::string CurrentBuild() {
  const std::string compiler = CurrentCompiler();
  const std::string engine = CurrentEngine();
  return engine.empty() ? compiler
                        : fmt::format("{}{}{}", compiler, kEngineMark, engine);
}

std::string CurrentPlatform() {
#if defined(__linux__) && defined(__x86_64__)
  return "linux x86_64";
#elif defined(__linux__) && defined(__aarch64__)
  return "linux aarch64";
#else
#error "name this platform here, once its digests have been compared"
#endif
}

ReplayMetadata DescribeRun(const sim::Simulation& simulation) {
  const sim::SimulationInfo& info = simulation.info();
  ReplayMetadata metadata{
      .format_revision = kReplayFormatRevision,
      .simulation = info.simulation,
      .pack = info.pack,
      .pack_digest = info.pack_digest,
      .seed = info.seed,
      .tick_rate = info.tick_rate,
      .rules_revision = info.rules_revision,
      .build = CurrentBuild(),
      .platform = CurrentPlatform(),
      .plugin = CurrentPlugin(info.simulation),
      .math_fingerprint = CurrentMathFingerprint(),
      .rooms = {},
  };
  for (const sim::State::Room& room : simulation.state().rooms()) {
    metadata.rooms.push_back(room.name);
  }
  return metadata;
}

Entries EncodeReplayBranch(const ReplayBranch& branch) {
  return {
      {"chain", sim::FormatDigest(branch.chain)},
      {"parent", branch.parent},
      {"tick", absl::StrCat(branch.tick)},
  };
}

absl::StatusOr<ReplayBranch> DecodeReplayBranch(const Entries& entries) {
  EntryReader reader(entries);
  ReplayBranch branch;
  branch.parent = reader.Text("parent");
  branch.tick = reader.Number<uint64_t>("tick");
  if (branch.tick > sim::kTickMax) reader.Fail("tick", "is out of range");
  branch.chain = reader.Digest<sim::Digest>("chain", &sim::ParseDigest);
  if (!reader.status().ok()) return reader.status();
  return branch;
}

Entries EncodeReplayMetadata(const ReplayMetadata& metadata) {
  for (const std::string& room : metadata.rooms) {
    CHECK(!room.empty() && room.find(',') == std::string::npos, "room '{}'",
          room);
  }
  Entries entries = {
      {"batch_ticks", absl::StrCat(metadata.batch_ticks)},
      {"build", metadata.build},
      {"digest_stride", absl::StrCat(metadata.digest_stride)},
      {"format_revision", absl::StrCat(metadata.format_revision)},
      {"keyframe_bytes_per_tick",
       absl::StrCat(metadata.keyframe_bytes_per_tick)},
      {"keyframe_stride", absl::StrCat(metadata.keyframe_stride)},
      {"math_fingerprint", sim::FormatDigest(metadata.math_fingerprint)},
      {"pack", metadata.pack},
      {"pack_digest", sim::FormatDigest(metadata.pack_digest)},
      {"platform", metadata.platform},
      {"rooms", absl::StrJoin(metadata.rooms, ",")},
      {"rules_revision", absl::StrCat(metadata.rules_revision)},
      {"seed", absl::StrCat(metadata.seed)},
      {"simulation", metadata.simulation},
      {"tick_rate", absl::StrCat(metadata.tick_rate.ticks_per_second)},
  };
  if (!metadata.plugin.empty()) entries.emplace("plugin", metadata.plugin);
  return entries;
}

absl::StatusOr<ReplayMetadata> DecodeReplayMetadata(const Entries& entries) {
  EntryReader reader(entries);
  ReplayMetadata metadata;
  metadata.format_revision = reader.Number<uint32_t>("format_revision");
  if (!reader.status().ok()) return reader.status();
  if (metadata.format_revision > kReplayFormatRevision) {
    return absl::UnimplementedError(fmt::format(
        "the replay is of format revision {}; this build reads revisions up "
        "to {}",
        metadata.format_revision, kReplayFormatRevision));
  }
  if (metadata.format_revision == 0) reader.Fail("format_revision", "is 0");
  metadata.simulation = reader.Text("simulation");
  metadata.pack = reader.Text("pack");
  metadata.pack_digest = reader.Digest<sim::ContentDigest>(
      "pack_digest", &sim::ParseContentDigest);
  if (reader.status().ok() &&
      (metadata.pack_digest.hash == sim::ContentHash::kXxh3) !=
          (metadata.format_revision <= kXxh3RevisionMax)) {
    reader.Fail("pack_digest", "is of another hash than its revision has");
  }
  metadata.seed = reader.Number<uint64_t>("seed");
  metadata.tick_rate.ticks_per_second = reader.Number<uint32_t>("tick_rate");
  if (!sim::ValidateTickRate(metadata.tick_rate).ok()) {
    reader.Fail("tick_rate", "is out of range");
  }
  metadata.rules_revision = reader.Number<uint32_t>("rules_revision");
  metadata.build = reader.Text("build");
  metadata.platform = reader.Text("platform");
  if (entries.contains("plugin")) metadata.plugin = reader.Text("plugin");
  metadata.math_fingerprint =
      reader.Digest<sim::Digest>("math_fingerprint", &sim::ParseDigest);
  metadata.rooms = absl::StrSplit(reader.Text("rooms"), ',', absl::SkipEmpty());
  metadata.digest_stride = reader.Number<uint32_t>("digest_stride");
  if (metadata.digest_stride == 0) reader.Fail("digest_stride", "is 0");
  metadata.keyframe_stride = reader.Number<uint64_t>("keyframe_stride");
  metadata.keyframe_bytes_per_tick =
      reader.NumberOr<uint64_t>("keyframe_bytes_per_tick", 0);
  metadata.batch_ticks =
      reader.NumberOr<uint64_t>("batch_ticks", kBatchTicksDefault);
  if (metadata.batch_ticks == 0) reader.Fail("batch_ticks", "is 0");
  if (!reader.status().ok()) return reader.status();
  return metadata;
}

ReplayRemarks CompareWithRun(const ReplayMetadata& recorded,
                             const sim::Simulation& simulation) {
  const ReplayMetadata current = DescribeRun(simulation);
  ReplayRemarks remarks;
  const auto compare = [](std::vector<std::string>& into, std::string_view what,
                          const std::string& then, const std::string& now) {
    if (then == now) return;
    into.push_back(
        fmt::format("recorded with {} {}, replayed with {}", what, then, now));
  };
  // Who doesn't say an engine may be any of its compiler.
  const bool have_engines =
      HasEngine(recorded.build) && HasEngine(current.build);
  compare(remarks.notes, "build",
          have_engines ? recorded.build : CompilerOf(recorded.build),
          have_engines ? current.build : CompilerOf(current.build));
  compare(remarks.notes, "platform", recorded.platform, current.platform);
  // Nor need who recorded a plug-in's run have said which.
  if (!recorded.plugin.empty() && !current.plugin.empty()) {
    compare(remarks.notes, "plug-in", recorded.plugin, current.plugin);
  }
  compare(remarks.notes, "pack", recorded.pack, current.pack);
  if (!simulation.info().IsOfPack(recorded.pack_digest)) {
    compare(remarks.notes, "pack digest",
            sim::FormatDigest(recorded.pack_digest),
            sim::FormatDigest(current.pack_digest));
  }
  compare(remarks.notes, "tick rate",
          absl::StrCat(recorded.tick_rate.ticks_per_second),
          absl::StrCat(current.tick_rate.ticks_per_second));
  compare(remarks.notes, "rooms", absl::StrJoin(recorded.rooms, ","),
          absl::StrJoin(current.rooms, ","));
  compare(remarks.warnings, "rules revision",
          absl::StrCat(recorded.rules_revision),
          absl::StrCat(current.rules_revision));
  compare(remarks.warnings, "math fingerprint",
          sim::FormatDigest(recorded.math_fingerprint),
          sim::FormatDigest(current.math_fingerprint));
  return remarks;
}

}  // namespace reprise::replays
