// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/room_ledger.h"

#include <algorithm>

#include "fmt/format.h"
#include "services/base/status.h"
#include "services/base/tenant_quotas.h"

namespace reprise::services {
namespace {

// Whether there may be `more` beside what is there, or anything at all.
bool HasRoom(uint64_t there, uint64_t more, uint64_t max) {
  return there < max && more <= max - there;
}

}  // namespace

RoomLedger::Reservation::~Reservation() {
  const std::scoped_lock lock(ledger_.mutex_);
  ledger_.SetLocked(*this, 0);
  for (Share* share : {&ledger_.store_, &ledger_.tenants_[tenant_]}) {
    share->files_bytes += finished_bytes_;
    share->finished_bytes += finished_bytes_;
  }
  ledger_.reserved_files_.erase(file_);
}

absl::Status RoomLedger::Reservation::GrowTo(uint64_t bytes) {
  const std::scoped_lock lock(ledger_.mutex_);
  if (bytes <= bytes_) return absl::OkStatus();
  const uint64_t more = bytes - bytes_;
  absl::Status room = ledger_.CheckStoreLocked(more);
  if (room.ok()) room = ledger_.CheckTenantLocked(tenant_, more);
  if (room.ok()) ledger_.SetLocked(*this, bytes);
  return room;
}

void RoomLedger::Reservation::Count(uint64_t bytes) {
  const std::scoped_lock lock(ledger_.mutex_);
  ledger_.SetLocked(*this, std::max(bytes_, bytes));
}

void RoomLedger::Reservation::ShrinkTo(uint64_t bytes) {
  const std::scoped_lock lock(ledger_.mutex_);
  ledger_.SetLocked(*this, std::min(bytes_, bytes));
}

void RoomLedger::Reservation::Finish(uint64_t bytes) {
  finished_bytes_ = bytes;
}

std::unique_ptr<RoomLedger::Reservation> RoomLedger::Reserve(
    const Tenant& tenant, const FileId& file) {
  std::unique_ptr<Reservation> reservation(new Reservation(this, tenant, file));
  const std::scoped_lock lock(mutex_);
  reserved_files_.insert(file);
  return reservation;
}

RoomLedger::Look RoomLedger::BeginLook() const {
  const std::scoped_lock lock(mutex_);
  Look look = {.reserved_files = reserved_files_,
               .finished_bytes = store_.finished_bytes,
               .tenant_finished_bytes = {}};
  for (const auto& [tenant, share] : tenants_) {
    look.tenant_finished_bytes[tenant] = share.finished_bytes;
  }
  return look;
}

void RoomLedger::NoteFiles(const Look& look, uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  store_.files_bytes = bytes + store_.finished_bytes - look.finished_bytes;
}

void RoomLedger::NoteFilesOf(const Tenant& tenant, const Look& look,
                             uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  const auto before = look.tenant_finished_bytes.find(tenant);
  Share& share = tenants_[tenant];
  share.files_bytes =
      bytes + share.finished_bytes -
      (before == look.tenant_finished_bytes.end() ? 0 : before->second);
}

absl::Status RoomLedger::CheckStore(uint64_t bytes) const {
  const std::scoped_lock lock(mutex_);
  return CheckStoreLocked(bytes);
}

absl::Status RoomLedger::CheckTenant(const Tenant& tenant,
                                     uint64_t bytes) const {
  const std::scoped_lock lock(mutex_);
  return CheckTenantLocked(tenant, bytes);
}

absl::Status RoomLedger::CheckStoreLocked(uint64_t bytes) const {
  const uint64_t there = store_.files_bytes + store_.reserved_bytes;
  if (HasRoom(there, bytes, limits_.store_bytes_max)) return absl::OkStatus();
  return WithReason(
      absl::ResourceExhaustedError(fmt::format(
          "the store is full: it holds {} of {} bytes, {} of them reserved by "
          "recordings under way",
          there, limits_.store_bytes_max, store_.reserved_bytes)),
      "STORE_FULL");
}

absl::Status RoomLedger::CheckTenantLocked(const Tenant& tenant,
                                           uint64_t bytes) const {
  const uint64_t quota = limits_.tenant_bytes_max;
  if (quota == 0) return absl::OkStatus();
  const auto share = tenants_.find(tenant);
  const uint64_t there =
      share == tenants_.end()
          ? 0
          : share->second.files_bytes + share->second.reserved_bytes;
  return HasRoom(there, bytes, quota) ? absl::OkStatus()
                                      : QuotaError("bytes of replays", quota);
}

void RoomLedger::SetLocked(Reservation& reservation, uint64_t bytes) {
  for (Share* share : {&store_, &tenants_[reservation.tenant_]}) {
    share->reserved_bytes += bytes;
    share->reserved_bytes -= reservation.bytes_;
  }
  reservation.bytes_ = bytes;
}

}  // namespace reprise::services
