// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_export.h"

#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/claims/export_check.h"
#include "replays/claims/export_claims.h"
#include "replays/container/byte_file.h"
#include "replays/container/named_error.h"
#include "replays/format/replay_reader.h"
#include "replays/store/hash_content.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"

namespace reprise::tools {
namespace {

struct NamedReplay {
  std::string path;
  std::unique_ptr<replays::ReplayReader> replay;
  // Of its bytes, as far as they were asked for.
  std::map<sim::ContentHash, sim::ContentDigest> digests;

  absl::StatusOr<sim::ContentDigest> Digest(sim::ContentHash hash) {
    if (const auto known = digests.find(hash); known != digests.end()) {
      return known->second;
    }
    const auto digest = replays::HashContent(replay->file().source(), hash);
    if (!digest.ok()) return replay->file().Named(digest.status());
    return digests[hash] = *digest;
  }
};

absl::StatusOr<std::vector<replays::ExportClaims>> ReadClaims(
    const std::string& path) {
  const auto source = replays::FileSource::Open(path);
  if (!source.ok()) return source.status();
  std::string bytes((*source)->size(), '\0');
  absl::Status status =
      (*source)->ReadAt(0, std::as_writable_bytes(std::span(bytes)));
  if (!status.ok()) return replays::NamedError(path, status);
  auto claims = replays::ReadExportClaims(bytes);
  if (!claims.ok()) return replays::NamedError(path, claims.status());
  return claims;
}

// The one that the claims are of; null: none of them.
absl::StatusOr<const NamedReplay*> FindReplay(
    const replays::ExportClaims& claims, std::vector<NamedReplay>& replays) {
  for (NamedReplay& named : replays) {
    const auto digest = named.Digest(claims.replay.hash);
    if (!digest.ok()) return digest.status();
    if (*digest == claims.replay) return &named;
  }
  return nullptr;
}

// What came of the claims of one run.
struct Finding {
  const replays::ExportClaims& claims;
  const NamedReplay* replay = nullptr;  // null: none that was named
  replays::ExportCheck check;

  bool is_right() const { return replay != nullptr && !check.difference; }
};

std::string Describe(const std::string& file, const Finding& finding) {
  if (finding.replay == nullptr) {
    return fmt::format("{}: not of this replay: it is of {}\n", file,
                       sim::FormatDigest(finding.claims.replay));
  }
  if (const auto& difference = finding.check.difference) {
    return fmt::format(
        "{}: differs at tick {}: it shows the state {}, {} plays {} there\n",
        file, difference->tick, sim::FormatDigest(difference->shown),
        finding.replay->path, sim::FormatDigest(difference->played));
  }
  const auto& states = finding.claims.states;
  return fmt::format("{}: right: {} {} of {}, ticks {} to {}\n", file,
                     finding.check.states_checked,
                     finding.check.states_checked == 1 ? "state" : "states",
                     finding.replay->path, states.begin()->first,
                     states.rbegin()->first);
}

Json ToJson(const Finding& finding) {
  Json json = {{"replay_digest", sim::FormatDigest(finding.claims.replay)},
               {"states_checked", finding.check.states_checked},
               {"passed", finding.is_right()}};
  if (finding.replay != nullptr) json["replay"] = finding.replay->path;
  if (const auto& difference = finding.check.difference) {
    json["difference"] = {{"tick", difference->tick},
                          {"shown", sim::FormatDigest(difference->shown)},
                          {"played", sim::FormatDigest(difference->played)}};
  }
  return json;
}

}  // namespace

absl::StatusOr<ExitCode> VerifyExport(const VerifyExportOptions& options,
                                      const OutputFormat& format,
                                      Console& console) {
  const auto claims = ReadClaims(options.file);
  if (!claims.ok()) return claims.status();
  const absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(options.pack);
  if (!pack.ok()) return pack.status();
  std::vector<NamedReplay> replays;
  for (const std::string& path : options.replays) {
    auto replay = OpenReplayFile(path, console);
    if (!replay.ok()) return replay.status();
    replays.push_back({path, *std::move(replay), {}});
  }
  bool are_right = true;
  Json runs = Json::array();
  for (const replays::ExportClaims& run : *claims) {
    Finding finding = {.claims = run, .check = {}};
    const auto replay = FindReplay(run, replays);
    if (!replay.ok()) return replay.status();
    finding.replay = *replay;
    if (finding.replay != nullptr) {
      auto check = replays::CheckExport(run, *finding.replay->replay,
                                        pack->has_value() ? &**pack : nullptr);
      if (!check.ok()) return check.status();
      finding.check = *std::move(check);
    }
    are_right = are_right && finding.is_right();
    if (format.is_json()) {
      runs.push_back(ToJson(finding));
    } else {
      console.out() << Describe(options.file, finding);
    }
  }
  if (format.is_json()) {
    Json document = MakeJsonDocument("verify_export");
    document["export"] = options.file;
    document["passed"] = are_right;
    document["runs"] = std::move(runs);
    PrintJson(document, console);
  }
  return are_right ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace reprise::tools
