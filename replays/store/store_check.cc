// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/store_check.h"

#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "replays/container/byte_file.h"
#include "replays/store/recording_names.h"
#include "replays/store/store_files.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

using Kind = StoreProblem::Kind;

class StoreCheck {
 public:
  StoreCheck(ReplayStore& store, const StoreCheckOptions& options)
      : store_(store), options_(options) {}

  absl::StatusOr<StoreReport> Run() {
    absl::Status status = store_.catalogue().CheckIntegrity();
    if (status.ok()) {
      status = ForEachStoredReplay(
          store_.catalogue(), {},
          [this](const StoredReplay& replay) { return CheckRow(replay); });
    }
    if (status.ok()) status = CheckNamedFiles();
    if (status.ok()) status = CheckIncomingFiles();
    if (!status.ok()) return status;
    return std::move(report_);
  }

 private:
  // What is wrong with the file of a row, if anything.
  absl::StatusOr<std::optional<Kind>> Examine(
      const sim::ContentDigest& digest) const {
    const auto found = store_.files().Hash(digest);
    if (absl::IsNotFound(found.status())) return Kind::kMissing;
    if (!found.ok()) return found.status();
    if (*found != digest) return Kind::kDamaged;
    return std::nullopt;
  }

  absl::Status CheckRow(const StoredReplay& replay) {
    const absl::StatusOr<std::optional<Kind>> seen = Examine(replay.digest);
    if (!seen.ok()) return seen.status();
    if (seen->has_value()) {
      const absl::Status status = CheckRowAlone(replay);
      if (!status.ok()) return status;
    }
    ++report_.replay_count;
    report_.size_bytes += replay.size_bytes;
    if (options_.progress) options_.progress(replay);
    return absl::OkStatus();
  }

  // Looks again while nobody adds or removes anything.
  absl::Status CheckRowAlone(const StoredReplay& replay) {
    const auto lock = store_.files().Lock();
    if (!lock.ok()) return lock.status();
    const absl::Status known = store_.catalogue().Find(replay.digest).status();
    if (absl::IsNotFound(known)) return absl::OkStatus();
    if (!known.ok()) return known;
    const absl::StatusOr<std::optional<Kind>> seen = Examine(replay.digest);
    if (!seen.ok()) return seen.status();
    if (!seen->has_value()) return absl::OkStatus();

    StoreProblem problem = {.kind = **seen,
                            .path = store_.files().PathOf(replay.digest),
                            .replay = replay};
    if (options_.repair) {
      if (problem.kind == Kind::kDamaged) {
        const absl::Status status = PutAside(problem);
        if (!status.ok()) return status;
      }
      const absl::Status status = store_.catalogue().Erase(replay.digest);
      if (!status.ok()) return status;
      problem.is_repaired = true;
    }
    report_.problems.push_back(std::move(problem));
    return absl::OkStatus();
  }

  absl::Status CheckNamedFiles() {
    const auto paths = store_.files().ListNamed();
    if (!paths.ok()) return paths.status();
    for (const std::string& path : *paths) {
      const auto digest = StoreFiles::DigestIn(path);
      if (!digest.ok()) {
        report_.problems.push_back({.kind = Kind::kForeign, .path = path});
        continue;
      }
      absl::Status status = store_.catalogue().Find(*digest).status();
      if (absl::IsNotFound(status)) status = CheckUnknownFile(path, *digest);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // A file whose row wasn't there a moment ago.
  absl::Status CheckUnknownFile(const std::string& path,
                                const sim::ContentDigest& digest) {
    const auto lock = store_.files().Lock();
    if (!lock.ok()) return lock.status();
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return absl::OkStatus();
    const absl::Status known = store_.catalogue().Find(digest).status();
    if (!absl::IsNotFound(known)) return known;
    const absl::StatusOr<std::optional<Kind>> seen = Examine(digest);
    if (!seen.ok()) return seen.status();

    StoreProblem problem = {.kind = seen->value_or(Kind::kUncatalogued),
                            .path = path};
    if (options_.repair) {
      const absl::Status status = problem.kind == Kind::kDamaged
                                      ? PutAside(problem)
                                      : Catalogue(problem, digest);
      if (!status.ok()) return status;
    }
    report_.problems.push_back(std::move(problem));
    return absl::OkStatus();
  }

  absl::Status CheckIncomingFiles() {
    const auto paths = store_.files().ListIncoming();
    if (!paths.ok()) return paths.status();
    for (const std::string& path : *paths) {
      const auto lock = store_.files().Lock();
      if (!lock.ok()) return lock.status();
      const auto is_abandoned = options_.repair
                                    ? store_.files().RemoveAbandoned(path)
                                    : store_.files().IsAbandoned(path);
      if (!is_abandoned.ok()) return is_abandoned.status();
      if (!*is_abandoned) continue;
      report_.problems.push_back({.kind = Kind::kAbandoned,
                                  .path = path,
                                  .is_repaired = options_.repair});
    }
    return absl::OkStatus();
  }

  absl::Status PutAside(StoreProblem& problem) {
    absl::StatusOr<std::string> aside = store_.files().PutAside(problem.path);
    if (!aside.ok()) return aside.status();
    problem.aside = *std::move(aside);
    problem.is_repaired = true;
    return absl::OkStatus();
  }

  // Gives a file its row back; one that is no replay stays without.
  absl::Status Catalogue(StoreProblem& problem,
                         const sim::ContentDigest& digest) {
    auto source = FileSource::Open(problem.path);
    if (!source.ok()) return source.status();
    const uint64_t size_bytes = (*source)->size();
    absl::StatusOr<StoredReplay> replay = ReadWholeReplay(*std::move(source));
    if (!replay.ok()) {
      problem.kind = Kind::kForeign;
      return absl::OkStatus();
    }
    const absl::StatusOr<absl::Time> recorded_at =
        store_.files().RecordedAt(problem.path);
    if (!recorded_at.ok()) return recorded_at.status();
    replay->digest = digest;
    replay->size_bytes = size_bytes;
    const absl::StatusOr<std::string> name = NameOf(problem.path);
    if (!name.ok()) return name.status();
    replay->name = *name;
    replay->recorded_at = *recorded_at;
    replay->added_at = options_.now;
    const absl::Status status = store_.catalogue().Insert(*replay);
    if (!status.ok()) return status;
    problem.replay = *std::move(replay);
    problem.is_repaired = true;
    return absl::OkStatus();
  }

  // What a server calls the file, or else the name it has here.
  absl::StatusOr<std::string> NameOf(const std::string& path) {
    const std::filesystem::path file(path);
    struct stat information = {};
    if (stat(path.c_str(), &information) != 0 || information.st_nlink == 1) {
      return file.filename().string();
    }
    if (!recordings_.has_value()) {
      auto recordings = ListRecordingsByFile(store_.files().folder());
      if (!recordings.ok()) return recordings.status();
      recordings_ = *std::move(recordings);
    }
    const auto found =
        recordings_->find({information.st_dev, information.st_ino});
    if (found == recordings_->end()) return file.filename().string();
    return std::filesystem::path(found->second)
        .lexically_relative(store_.files().folder())
        .string();
  }

  ReplayStore& store_;
  const StoreCheckOptions& options_;
  StoreReport report_;
  std::optional<RecordingsByFile> recordings_;  // once it was needed
};

}  // namespace

std::string_view StoreProblemName(StoreProblem::Kind kind) {
  switch (kind) {
    case Kind::kUncatalogued:
      return "uncatalogued";
    case Kind::kAbandoned:
      return "abandoned";
    case Kind::kDamaged:
      return "damaged";
    case Kind::kMissing:
      return "missing";
    case Kind::kForeign:
      break;
  }
  return "foreign";
}

absl::StatusOr<StoreReport> CheckStore(ReplayStore& store,
                                       const StoreCheckOptions& options) {
  return StoreCheck(store, options).Run();
}

}  // namespace reprise::replays
