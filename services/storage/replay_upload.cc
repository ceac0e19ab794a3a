// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/replay_upload.h"

#include <cstddef>
#include <iterator>
#include <span>
#include <utility>

#include "absl/time/clock.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/store/replay_store.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/base/tenant_quotas.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"

namespace reprise::services {
namespace {

constexpr absl::Duration kStoreWaitMax = absl::Seconds(1);

absl::Status OffsetError(uint64_t offset, uint64_t wanted) {
  const std::string text = fmt::to_string(wanted);
  return WithReason(
      absl::OutOfRangeError(fmt::format(
          "a piece at {}, where the upload goes on at {}", offset, wanted)),
      "UPLOAD_OFFSET_MISMATCH", {{"offset", text}});
}

}  // namespace

absl::StatusOr<UploadKey> ParseUploadKey(const Tenant& tenant,
                                         std::string_view digest,
                                         uint64_t size_bytes) {
  const auto parsed = sim::ParseContentDigest(digest);
  const bool is_digest =
      parsed.ok() && parsed->hash == sim::ContentHash::kSha256;
  if (!is_digest || size_bytes == 0) {
    return WithReason(
        absl::InvalidArgumentError(
            is_digest ? "an upload of 0 bytes is no replay"
                      : "an upload's digest is a SHA-256: 64 lower-case "
                        "hexadecimal digits"),
        "UPLOAD_REFUSED");
  }
  return UploadKey{
      .tenant = tenant, .digest = *parsed, .size_bytes = size_bytes};
}

UploadLease& UploadLease::operator=(UploadLease&& other) noexcept {
  if (this == &other) return *this;
  Release();
  set_ = std::exchange(other.set_, nullptr);
  key_ = std::move(other.key_);
  file_ = std::exchange(other.file_, nullptr);
  return *this;
}

absl::Status UploadLease::Append(uint64_t offset, std::string_view data) {
  CHECK(is_held());
  if (offset != this->offset()) return OffsetError(offset, this->offset());
  if (data.size() > key_.size_bytes - offset) {
    return WithReason(absl::OutOfRangeError(fmt::format(
                          "{} bytes at {} reach past the {} that were "
                          "announced",
                          data.size(), offset, key_.size_bytes)),
                      "UPLOAD_OFFSET_MISMATCH");
  }
  const absl::Status written =
      file_->Append(std::as_bytes(std::span(data.data(), data.size())));
  if (written.ok()) return written;
  absl::Status failed = set_->Unavailable(written);
  // A part of the piece may be there.
  set_->Drop(std::move(*this));
  return failed;
}

void UploadLease::Release() {
  if (set_ == nullptr) return;
  file_ = nullptr;
  std::exchange(set_, nullptr)->Return(key_);
}

void UploadSet::RemoveAbandoned() const {
  const auto files = replays::StoreFiles::Open(store_, kStoreWaitMax);
  if (!files.ok()) return Unavailable(files.status()).IgnoreError();
  const auto lock = files->Lock();
  if (!lock.ok()) return Unavailable(lock.status()).IgnoreError();
  const auto paths = files->ListIncoming();
  if (!paths.ok()) return Unavailable(paths.status()).IgnoreError();
  for (const std::string& path : *paths) {
    const auto removed = files->RemoveAbandoned(path);
    if (!removed.ok()) Unavailable(removed.status()).IgnoreError();
  }
}

uint64_t UploadSet::OffsetOf(const UploadKey& key) const {
  const std::scoped_lock lock(mutex_);
  const auto upload = uploads_.find(key);
  return upload == uploads_.end() ? 0 : upload->second.size_bytes();
}

absl::StatusOr<UploadLease> UploadSet::Take(const UploadKey& key) {
  std::unique_lock lock(mutex_);
  const auto known = uploads_.find(key);
  if (known != uploads_.end()) {
    if (known->second.is_held) {
      return WithReason(
          absl::AbortedError("another stream sends the same replay"),
          "UPLOAD_IN_USE");
    }
    known->second.is_held = true;
    return UploadLease(this, key, known->second.file.get());
  }
  if (key.size_bytes > limits_.bytes_max) return TooLargeError(key);
  std::map<UploadKey, Entry>::node_type dropped = ExtractLeftLocked(key.tenant);
  const auto demand = CheckCountsLocked(key);
  if (!demand.ok()) return demand.status();
  Entry& entry = uploads_[key];  // held, without a file yet
  entry.is_held = true;
  entry.last_activity = clock_();
  // Others give theirs back while this one waits for the disk.
  lock.unlock();
  dropped = {};  // with its file, before room is asked for
  auto file = Begin(key, *demand);
  lock.lock();
  if (!file.ok()) {
    uploads_.erase(key);
    return file.status();
  }
  entry.file = *std::move(file);
  return UploadLease(this, key, entry.file.get());
}

absl::Status UploadSet::TooLargeError(const UploadKey& key) const {
  return WithReason(absl::ResourceExhaustedError(fmt::format(
                        "an upload of {} bytes; this server takes {} at most",
                        key.size_bytes, limits_.bytes_max)),
                    "UPLOAD_TOO_LARGE");
}

std::map<UploadKey, UploadSet::Entry>::node_type UploadSet::ExtractLeftLocked(
    const Tenant& tenant) {
  size_t count = 0;
  auto oldest = uploads_.end();
  for (auto upload = uploads_.begin(); upload != uploads_.end(); ++upload) {
    if (upload->first.tenant != tenant) continue;
    ++count;
    if (upload->second.is_held) continue;
    if (oldest == uploads_.end() ||
        upload->second.last_activity < oldest->second.last_activity) {
      oldest = upload;
    }
  }
  if (count < limits_.tenant_uploads_max || oldest == uploads_.end()) return {};
  return uploads_.extract(oldest);
}

absl::StatusOr<std::unique_ptr<replays::StoreFiles::Incoming>> UploadSet::Begin(
    const UploadKey& key, const Demand& demand) const {
  const absl::Status room =
      replays_.MakeRoom(key.tenant, demand.store_bytes, demand.tenant_bytes);
  if (!room.ok()) return room;
  const auto files = replays::StoreFiles::Open(store_, kStoreWaitMax);
  if (!files.ok()) return Unavailable(files.status());
  auto file = files->Begin();
  if (!file.ok()) return Unavailable(file.status());
  return file;
}

absl::StatusOr<UploadSet::Demand> UploadSet::CheckCountsLocked(
    const UploadKey& key) const {
  size_t tenants_count = 0;
  // What the store has of them is counted there, what a tenant has isn't.
  Demand demand = {.store_bytes = key.size_bytes,
                   .tenant_bytes = key.size_bytes};
  for (const auto& [other, entry] : uploads_) {
    demand.store_bytes += other.size_bytes - entry.size_bytes();
    if (other.tenant != key.tenant) continue;
    demand.tenant_bytes += other.size_bytes;
    ++tenants_count;
  }
  if (uploads_.size() >= limits_.uploads_max) {
    return WithReason(absl::ResourceExhaustedError(fmt::format(
                          "there are {} uploads already", limits_.uploads_max)),
                      "TOO_MANY_UPLOADS");
  }
  if (tenants_count >= limits_.tenant_uploads_max) {
    return QuotaError("uploads", limits_.tenant_uploads_max);
  }
  return demand;
}

absl::StatusOr<std::string> UploadSet::Finish(
    UploadLease lease,
    absl::FunctionRef<std::string(const sim::ContentDigest&)> find_known) {
  CHECK(lease.is_held() && lease.is_whole());
  absl::Status moved = Check(lease);
  std::string id;
  if (moved.ok()) id = find_known(lease.file_->digest());
  if (moved.ok() && id.empty()) {
    const auto kept_under = Identify(*lease.file_);
    if (!kept_under.ok()) return kept_under.status();
    if (*kept_under != lease.file_->digest()) id = find_known(*kept_under);
  }
  if (moved.ok() && id.empty()) {
    id = NewId(absl::Now());
    moved = lease.file_->MoveTo(replays_.PathOf(lease.key().tenant, id));
    if (!moved.ok()) moved = Unavailable(moved);
  }
  // What the disk is to blame for may be tried again, unless it has its name
  // already: then it is a replay, and nothing can be added.
  if (absl::IsUnavailable(moved) && !lease.file_->path().empty()) return moved;
  Drop(std::move(lease));
  if (!moved.ok()) return moved;
  return id;
}

absl::StatusOr<sim::ContentDigest> UploadSet::Identify(
    const replays::StoreFiles::Incoming& file) const {
  const auto files = replays::StoreFiles::Open(store_, kStoreWaitMax);
  if (!files.ok()) return Unavailable(files.status());
  const auto lock = files->Lock();
  if (!lock.ok()) return Unavailable(lock.status());
  const auto digest =
      files->Identify(file.path(), file.digest(), file.old_digest());
  if (!digest.ok()) return Unavailable(digest.status());
  return digest;
}

void UploadSet::Drop(UploadLease lease) {
  std::map<UploadKey, Entry>::node_type dropped;  // goes without the lock
  const std::scoped_lock lock(mutex_);
  dropped = uploads_.extract(lease.key());
  lease.set_ = nullptr;
}

absl::Status UploadSet::Check(const UploadLease& lease) const {
  if (const sim::ContentDigest digest = lease.file_->digest();
      digest != lease.key().digest) {
    return WithReason(
        absl::InvalidArgumentError(fmt::format(
            "the bytes that came have the digest {}, not {}",
            sim::FormatDigest(digest), sim::FormatDigest(lease.key().digest))),
        "UPLOAD_DIGEST_MISMATCH");
  }
  auto source = replays::FileSource::Open(lease.file_->path());
  if (!source.ok()) return Unavailable(source.status());
  const absl::Status read =
      replays::ReadWholeReplay(*std::move(source)).status();
  if (absl::IsDataLoss(read)) return WithReason(read, "REPLAY_DAMAGED");
  if (absl::IsInvalidArgument(read) || absl::IsUnimplemented(read)) {
    return WithReason(absl::InvalidArgumentError(std::string(read.message())),
                      "REPLAY_UNREADABLE");
  }
  return read.ok() ? read : Unavailable(read);
}

void UploadSet::DropIdleSince(absl::Time time) {
  std::map<UploadKey, Entry> dropped;  // goes without the lock
  const std::scoped_lock lock(mutex_);
  for (auto upload = uploads_.begin(); upload != uploads_.end();) {
    const auto next = std::next(upload);
    if (!upload->second.is_held && upload->second.last_activity < time) {
      dropped.insert(uploads_.extract(upload));
    }
    upload = next;
  }
}

size_t UploadSet::size() const {
  const std::scoped_lock lock(mutex_);
  return uploads_.size();
}

void UploadSet::Return(const UploadKey& key) {
  const std::scoped_lock lock(mutex_);
  const auto upload = uploads_.find(key);
  CHECK(upload != uploads_.end());
  upload->second.is_held = false;
  upload->second.last_activity = clock_();
}

absl::Status UploadSet::Unavailable(const absl::Status& status) const {
  LogEntry entry(fmt::format("an upload: {}", std::string(status.message())));
  entry.severity = LogEntry::Severity::kWarning;
  log_(entry);
  return WithReason(absl::UnavailableError("the store can't be written now"),
                    "STORE_UNAVAILABLE");
}

}  // namespace reprise::services
