// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/store_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "replays/container/partial_file.h"
#include "replays/store/hash_content.h"
#include "replays/store/recording_names.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFiles = "files";
constexpr std::string_view kIncoming = "incoming";
constexpr std::string_view kDamaged = "damaged";
constexpr std::string_view kReplaySuffix = ".mcap";

absl::Status Failed(std::string_view path, const std::error_code& error) {
  return absl::UnavailableError(fmt::format("{}: {}", path, error.message()));
}

// REQUIRES: called right after the system call that failed.
absl::Status SystemError(std::string_view path) {
  return Failed(path, std::error_code(errno, std::generic_category()));
}

// A store that can't be written is no fault of the replay.
absl::Status AsUnavailable(const absl::Status& status) {
  if (status.ok()) return status;
  return absl::UnavailableError(std::string(status.message()));
}

// Waits until the disk knows the names in `folder`.
absl::Status SyncFolder(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(folder);
  absl::Status status;
  if (fsync(descriptor) != 0) status = SystemError(folder);
  close(descriptor);
  return status;
}

absl::StatusOr<std::vector<std::string>> ListFolder(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  fs::directory_iterator entry(folder, error);
  while (!error && entry != fs::directory_iterator()) {
    paths.push_back(entry->path().string());
    entry.increment(error);
  }
  if (error) return Failed(folder, error);
  std::ranges::sort(paths);
  return paths;
}

absl::StatusOr<bool> HaveSameBytes(const std::string& path,
                                   const std::string& other_path) {
  const auto other = FileSource::Open(other_path);
  if (!other.ok()) return AsUnavailable(other.status());
  const auto source = FileSource::Open(path);
  if (!source.ok()) return AsUnavailable(source.status());
  if ((*source)->size() != (*other)->size()) return false;
  uint64_t offset = 0;
  bool is_same = true;
  Bytes bytes;
  const absl::Status read =
      ReadContent(**source, [&](std::span<const std::byte> piece) {
        bytes.resize(piece.size());
        const absl::Status status = (*other)->ReadAt(offset, bytes);
        is_same = is_same && status.ok() && std::ranges::equal(piece, bytes);
        offset += piece.size();
        return status;
      });
  if (!read.ok()) return AsUnavailable(read);
  return is_same;
}

absl::Status SetModificationTime(const std::string& path, absl::Time time) {
  const timespec when = absl::ToTimespec(time);
  const timespec times[2] = {when, when};
  if (utimensat(AT_FDCWD, path.c_str(), times, 0) != 0) {
    return SystemError(path);
  }
  return absl::OkStatus();
}

}  // namespace

StoreFiles::Incoming::Incoming(std::string path, std::unique_ptr<FileSink> sink)
    : path_(std::move(path)), sink_(std::move(sink)) {}

StoreFiles::Incoming::~Incoming() {
  if (!path_.empty()) unlink(path_.c_str());
}

absl::StatusOr<StoreFiles> StoreFiles::Open(const std::string& folder,
                                            absl::Duration lock_wait_max) {
  for (const std::string_view part : {kFiles, kIncoming, kDamaged}) {
    const std::string path = fmt::format("{}/{}", folder, part);
    std::error_code error;
    fs::create_directories(path, error);
    if (error) return Failed(path, error);
  }
  return StoreFiles(folder, lock_wait_max);
}

absl::StatusOr<std::unique_ptr<FileLock>> StoreFiles::Lock() const {
  return FileLock::Acquire(fmt::format("{}/lock", folder_), lock_wait_max_);
}

absl::Status StoreFiles::Incoming::Append(std::span<const std::byte> bytes) {
  CHECK(!path_.empty());
  const absl::Status written = sink_->Append(bytes);
  if (!written.ok()) return AsUnavailable(written);
  hasher_.Append(bytes);
  old_hasher_.Append(bytes);
  size_bytes_ += bytes.size();
  return absl::OkStatus();
}

absl::Status StoreFiles::Incoming::MoveTo(const std::string& path) {
  CHECK(!path_.empty());
  const absl::Status flushed = sink_->Flush();
  if (!flushed.ok()) return AsUnavailable(flushed);
  if (rename(path_.c_str(), path.c_str()) != 0) return SystemError(path);
  path_.clear();
  return SyncFolder(fs::path(path).parent_path().string());
}

absl::StatusOr<std::unique_ptr<StoreFiles::Incoming>> StoreFiles::Begin()
    const {
  // Nobody may take it for abandoned before it is locked.
  const auto store_lock = Lock();
  if (!store_lock.ok()) return store_lock.status();
  for (int number = 0;; ++number) {
    const std::string name = fmt::format("{}/{}/{}.{}.partial", folder_,
                                         kIncoming, getpid(), number);
    std::error_code ignored;
    if (fs::exists(name, ignored)) continue;
    absl::StatusOr<std::unique_ptr<FileSink>> sink =
        FileSink::Create(name, FileSink::Durability::kMachine);
    if (!sink.ok()) return AsUnavailable(sink.status());
    return std::make_unique<Incoming>(name, *std::move(sink));
  }
}

absl::StatusOr<std::unique_ptr<StoreFiles::Incoming>> StoreFiles::Receive(
    const std::string& path) const {
  const auto source = FileSource::Open(path);
  if (!source.ok()) return source.status();
  absl::StatusOr<std::unique_ptr<Incoming>> incoming = Begin();
  if (!incoming.ok()) return incoming.status();
  absl::Status written;
  const absl::Status read =
      ReadContent(**source, [&](std::span<const std::byte> piece) {
        written = (*incoming)->Append(piece);
        return written;
      });
  if (!written.ok()) return written;
  if (!read.ok()) return read;
  const absl::Status status = (*incoming)->sink_->Flush();
  if (!status.ok()) return AsUnavailable(status);
  return incoming;
}

absl::StatusOr<bool> StoreFiles::HasSame(const sim::ContentDigest& digest,
                                         const std::string& other_path) const {
  const std::string path = PathOf(digest);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return false;
  const absl::StatusOr<bool> is_same = HaveSameBytes(path, other_path);
  if (!is_same.ok() || *is_same) return is_same;
  const auto found = Hash(digest);
  if (!found.ok()) return found.status();
  if (*found == digest) {
    return absl::AlreadyExistsError(fmt::format(
        "{}: another replay has the same digest; this one can't be kept",
        path));
  }
  const auto aside = PutAside(path);
  if (!aside.ok()) return aside.status();
  return false;
}

absl::StatusOr<sim::ContentDigest> StoreFiles::Identify(
    const std::string& path, const sim::ContentDigest& digest,
    const sim::ContentDigest& old_digest) const {
  const absl::StatusOr<bool> has_old = HasSame(old_digest, path);
  // Somebody has made other bytes for it, which SHA-256 tells apart.
  if (absl::IsAlreadyExists(has_old.status())) return digest;
  if (!has_old.ok()) return has_old.status();
  return *has_old ? old_digest : digest;
}

absl::StatusOr<bool> StoreFiles::Name(Incoming& incoming,
                                      absl::Time recorded_at) const {
  CHECK(!incoming.path_.empty());
  const absl::StatusOr<sim::ContentDigest> identity =
      Identify(incoming.path_, incoming.digest(), incoming.old_digest());
  if (!identity.ok()) return identity.status();
  incoming.kept_under_ = *identity;
  if (*identity == incoming.old_digest()) return false;
  const absl::StatusOr<bool> has_same =
      HasSame(incoming.digest(), incoming.path_);
  if (!has_same.ok()) return has_same.status();
  if (*has_same) return false;
  absl::Status status = SetModificationTime(incoming.path_, recorded_at);
  if (!status.ok()) return status;
  const std::string path = PathOf(incoming.digest());
  if (rename(incoming.path_.c_str(), path.c_str()) != 0) {
    return SystemError(path);
  }
  incoming.path_.clear();
  status = SyncFolder(fmt::format("{}/{}", folder_, kFiles));
  if (!status.ok()) return status;
  return true;
}

absl::StatusOr<bool> StoreFiles::Link(const std::string& path,
                                      const sim::ContentDigest& digest) const {
  const absl::StatusOr<bool> has_same = HasSame(digest, path);
  if (!has_same.ok()) return has_same.status();
  const std::string named = PathOf(digest);
  if (!*has_same) {
    if (link(path.c_str(), named.c_str()) != 0) {
      return absl::UnavailableError(
          fmt::format("{}: can't have the second name {}: {}; a store that a "
                      "server records "
                      "into needs hard links",
                      path, named, std::generic_category().message(errno)));
    }
    absl::Status status = SyncFolder(fmt::format("{}/{}", folder_, kFiles));
    if (!status.ok()) return status;
    return true;
  }
  // The same bytes are kept once. Whoever reads the other file goes on.
  const std::string replacement = fmt::format(
      "{}/{}/{}.link{}", folder_, kIncoming, getpid(), PartialPath(""));
  unlink(replacement.c_str());
  if (link(named.c_str(), replacement.c_str()) != 0) {
    return SystemError(replacement);
  }
  const int renamed = rename(replacement.c_str(), path.c_str());
  const absl::Status status =
      renamed == 0 ? absl::OkStatus() : SystemError(path);
  // Of two names of one file neither was replaced.
  unlink(replacement.c_str());
  if (!status.ok()) return status;
  return false;
}

absl::Status StoreFiles::Remove(const sim::ContentDigest& digest) const {
  const std::string path = PathOf(digest);
  struct stat information = {};
  if (stat(path.c_str(), &information) == 0 && information.st_nlink > 1) {
    const absl::Status status = RemoveRecordingNames(folder_, path);
    if (!status.ok()) return status;
  }
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return SystemError(path);
  return SyncFolder(fmt::format("{}/{}", folder_, kFiles));
}

absl::StatusOr<std::string> StoreFiles::PutAside(
    const std::string& path) const {
  const absl::Status status = RemoveRecordingNames(folder_, path);
  if (!status.ok()) return status;
  std::error_code error;
  std::string aside;
  int number = 0;
  do {
    aside = fmt::format("{}/{}/{}.{}", folder_, kDamaged,
                        fs::path(path).filename().string(), ++number);
  } while (fs::exists(aside, error));
  fs::rename(path, aside, error);
  if (error) return Failed(path, error);
  return aside;
}

std::string StoreFiles::PathOf(const sim::ContentDigest& digest) const {
  return fmt::format("{}/{}/{}{}", folder_, kFiles, sim::FormatDigest(digest),
                     kReplaySuffix);
}

absl::StatusOr<sim::ContentDigest> StoreFiles::Hash(
    const sim::ContentDigest& digest) const {
  const auto source = FileSource::Open(PathOf(digest));
  if (absl::IsNotFound(source.status())) return source.status();
  if (!source.ok()) return AsUnavailable(source.status());
  const auto found = HashContent(**source, digest.hash);
  if (!found.ok()) return AsUnavailable(found.status());
  return found;
}

absl::StatusOr<absl::Time> StoreFiles::RecordedAt(
    const std::string& path) const {
  struct stat information = {};
  if (stat(path.c_str(), &information) != 0) return SystemError(path);
  return absl::TimeFromTimespec(information.st_mtim);
}

absl::StatusOr<std::vector<std::string>> StoreFiles::ListNamed() const {
  return ListFolder(NamedFolder(folder_));
}

std::string StoreFiles::NamedFolder(const std::string& folder) {
  return fmt::format("{}/{}", folder, kFiles);
}

absl::StatusOr<std::vector<std::string>> StoreFiles::ListIncoming() const {
  return ListFolder(fmt::format("{}/{}", folder_, kIncoming));
}

absl::StatusOr<sim::ContentDigest> StoreFiles::DigestIn(
    const std::string& path) {
  const fs::path file(path);
  if (file.extension() != kReplaySuffix) {
    return absl::InvalidArgumentError(
        fmt::format("{}: isn't named as a replay of a store", path));
  }
  return sim::ParseContentDigest(file.stem().string());
}

absl::StatusOr<bool> StoreFiles::IsAbandoned(const std::string& path) const {
  const absl::StatusOr<bool> is_being_written = IsBeingWritten(path);
  if (absl::IsNotFound(is_being_written.status())) return false;
  if (!is_being_written.ok()) return AsUnavailable(is_being_written.status());
  return !*is_being_written;
}

absl::StatusOr<bool> StoreFiles::RemoveAbandoned(
    const std::string& path) const {
  const absl::StatusOr<bool> is_abandoned = IsAbandoned(path);
  if (!is_abandoned.ok() || !*is_abandoned) return is_abandoned;
  if (unlink(path.c_str()) != 0) return SystemError(path);
  return true;
}

}  // namespace reprise::replays
