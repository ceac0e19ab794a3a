// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/uploaded_packs.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/partial_file.h"
#include "replays/playing/pack_folder.h"
#include "services/base/descriptor_limit.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/base/tenant_quotas.h"
#include "services/storage/pack_catalog.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

namespace fs = std::filesystem;

// "ID-DIGEST.pack": ids ascend with time.
constexpr std::string_view kSuffix = ".pack";

// Of callers without a tenant; no tenant can be called so.
constexpr std::string_view kNobody = "_";

absl::Status PackNotFoundError(std::string_view name) {
  return WithReason(
      absl::NotFoundError(fmt::format("no pack '{}' was uploaded",
                                      name.substr(0, kPackNameBytesMax))),
      "PACK_NOT_FOUND", {{"pack", name}});
}

// How often a pack is looked for: one that becomes the last one meanwhile has
// another name of its file.
constexpr int kLooksMax = 4;

// What lies in a folder, of which there is nothing where it is missing.
std::error_code ForEach(
    const std::string& folder,
    absl::FunctionRef<void(const fs::directory_entry&)> visit) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    visit(*entry);
  }
  if (error == std::errc::no_such_file_or_directory ||
      error == std::errc::not_a_directory) {
    error.clear();
  }
  return error;
}

// When the id of a file was made; the infinite past where it isn't one.
absl::Time TimeOf(const fs::path& path) {
  const std::string file = path.filename().string();
  absl::Time second;
  uint32_t micros = 0;
  if (file.size() < 22 ||
      !absl::ParseTime("%E4Y%m%dt%H%M%S", file.substr(0, 15), &second,
                       nullptr) ||
      !absl::SimpleAtoi(file.substr(16, 6), &micros)) {
    return absl::InfinitePast();
  }
  return second + absl::Microseconds(micros);
}

}  // namespace

UploadedPacks::UploadedPacks(std::string store, const PackUploadLimits& limits,
                             Log log, const ReplayStore* room)
    : folder_(fmt::format("{}/packs", store)),
      limits_(limits),
      log_(std::move(log)),
      room_(room) {
  TakeStock();
}

void UploadedPacks::TakeStock() {
  std::error_code error =
      ForEach(folder_, [this](const fs::directory_entry& tenant) {
        const std::string name = tenant.path().filename().string();
        if (name != kNobody && !IsValidId(name)) return;
        RemoveUnfinished(tenant.path().string());
        MeasureBytes({.name = name == kNobody ? "" : name}).IgnoreError();
      });
  if (error) Failed(error).IgnoreError();
}

void UploadedPacks::RemoveUnfinished(const std::string& folder) const {
  const std::string suffix = replays::PartialPath(kSuffix);
  std::vector<std::string> unfinished;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    std::string path = entry->path().string();
    if (path.ends_with(suffix)) unfinished.push_back(std::move(path));
  }
  for (const std::string& path : unfinished) {
    // Another server of this store may be at it.
    const auto lock = replays::WriteLock::TryAcquire(path);
    if (lock.ok() && *lock != nullptr) fs::remove(path, error);
  }
}

std::string UploadedPacks::FolderOf(const Tenant& tenant) const {
  CHECK(tenant.name.empty() || IsValidId(tenant.name), "{}", tenant.name);
  return fmt::format("{}/{}", folder_,
                     tenant.name.empty() ? kNobody : tenant.name);
}

absl::StatusOr<std::vector<std::string>> UploadedPacks::Names(
    const Tenant& tenant) const {
  std::vector<std::string> names;
  absl::Status looked;
  const std::error_code error =
      ForEach(FolderOf(tenant), [&](const fs::directory_entry& entry) {
        std::string name = entry.path().filename().string();
        if (!IsPackName(name)) return;
        const auto versions = Versions(tenant, name);
        looked.Update(versions.status());
        if (versions.ok() && !versions->empty()) {
          names.push_back(std::move(name));
        }
      });
  if (error) return Failed(error);
  if (!looked.ok()) return looked;
  std::ranges::sort(names);
  return names;
}

absl::StatusOr<std::vector<UploadedPacks::Version>> UploadedPacks::Versions(
    const Tenant& tenant, std::string_view name) const {
  std::vector<Version> versions;
  if (!IsPackName(name)) return versions;
  const std::error_code error =
      ForEach(fmt::format("{}/{}", FolderOf(tenant), name),
              [&](const fs::directory_entry& entry) {
                const std::string file = entry.path().filename().string();
                const size_t dash = file.rfind('-');
                if (!file.ends_with(kSuffix) || dash == std::string::npos)
                  return;
                const auto digest = sim::ParseContentDigest(file.substr(
                    dash + 1, file.size() - dash - 1 - kSuffix.size()));
                std::error_code vanished;
                const uint64_t size_bytes = entry.file_size(vanished);
                if (!digest.ok() || vanished) return;
                versions.push_back({.digest = *digest,
                                    .size_bytes = size_bytes,
                                    .path = entry.path().string()});
              });
  if (error) return Failed(error);
  std::ranges::sort(versions, std::greater(), &Version::path);
  return versions;
}

absl::StatusOr<UploadedPacks::Version> UploadedPacks::Find(
    const Tenant& tenant, std::string_view name,
    std::string_view digest) const {
  auto versions = Versions(tenant, name);
  if (!versions.ok()) return versions.status();
  for (Version& version : *versions) {
    if (digest.empty() || sim::FormatDigest(version.digest) == digest) {
      return std::move(version);
    }
  }
  return PackNotFoundError(name);
}

absl::StatusOr<sim::PackArchive> UploadedPacks::Load(
    const Tenant& tenant, std::string_view name,
    std::string_view digest) const {
  auto pack = LoadOnce(tenant, name, digest);
  for (int i = 1; i < kLooksMax && absl::IsNotFound(pack.status()); ++i) {
    pack = LoadOnce(tenant, name, digest);
  }
  return pack;
}

absl::StatusOr<sim::PackArchive> UploadedPacks::LoadOnce(
    const Tenant& tenant, std::string_view name,
    std::string_view digest) const {
  const auto version = Find(tenant, name, digest);
  if (!version.ok()) return version.status();
  auto pack = replays::ReadPackFolder(version->path);
  if (pack.ok() && pack->ComputeDigest() == version->digest) return pack;
  if (absl::IsNotFound(pack.status())) return PackNotFoundError(name);
  // What can't be read now may be whole.
  if (!pack.ok() && !absl::IsDataLoss(pack.status())) {
    return Failed(pack.status());
  }
  return WithReason(absl::DataLossError(fmt::format(
                        "pack '{}': what was kept of it is damaged", name)),
                    "PACK_DAMAGED", {{"pack", name}});
}

absl::Status UploadedPacks::Keep(const Tenant& tenant, std::string_view name,
                                 const sim::PackArchive& pack) {
  CHECK(IsPackName(name), "{}", name);
  const std::string archive = pack.Encode();
  const sim::ContentDigest digest = pack.ComputeDigest();
  const std::string folder = fmt::format("{}/{}", FolderOf(tenant), name);
  const std::scoped_lock lock(mutex_);
  const auto versions = Versions(tenant, name);
  if (!versions.ok()) return versions.status();
  absl::Time time = absl::Now();
  if (!versions->empty()) {
    // Behind the last one, also where the machine's clock was put back.
    time =
        std::max(time, TimeOf(versions->front().path) + absl::Microseconds(1));
  }
  const std::string path = fmt::format("{}/{}-{}{}", folder, NewId(time),
                                       sim::FormatDigest(digest), kSuffix);
  std::error_code error;
  for (const Version& known : *versions) {
    if (known.digest != digest) continue;
    // It becomes the last one.
    fs::rename(known.path, path, error);
    return error ? Failed(error) : absl::OkStatus();
  }
  if (absl::Status room = CheckRoom(tenant, archive.size()); !room.ok()) {
    return room;
  }
  fs::create_directories(folder, error);
  if (error) return Failed(error);
  if (absl::Status written = Write(path, archive); !written.ok()) {
    return Failed(written);
  }
  MeasureBytes(tenant).IgnoreError();
  return absl::OkStatus();
}

absl::Status UploadedPacks::CheckRoom(const Tenant& tenant,
                                      uint64_t bytes) const {
  const auto stock = MeasureBytes(tenant);
  if (!stock.ok()) return stock.status();
  if (stock->count >= limits_.tenant_packs_max) {
    return QuotaError("packs", limits_.tenant_packs_max);
  }
  if (bytes > limits_.tenant_bytes_max -
                  std::min(limits_.tenant_bytes_max, stock->bytes)) {
    return QuotaError("bytes of packs", limits_.tenant_bytes_max);
  }
  return room_ == nullptr ? absl::OkStatus() : room_->CheckRoom(bytes);
}

absl::Status UploadedPacks::Write(const std::string& path,
                                  std::string_view archive) {
  const std::string partial = replays::PartialPath(path);
  const auto write = [&]() -> absl::Status {
    auto sink = replays::FileSink::Create(
        partial, replays::FileSink::Durability::kMachine);
    if (!sink.ok()) return sink.status();
    absl::Status written = (*sink)->Append(std::as_bytes(std::span(archive)));
    if (written.ok()) written = (*sink)->Flush();
    if (!written.ok()) return written;
    return replays::RenameFile(partial, path,
                               replays::FileSink::Durability::kMachine);
  };
  absl::Status written = write();
  std::error_code ignored;
  if (!written.ok()) fs::remove(partial, ignored);
  return written;
}

absl::Status UploadedPacks::Delete(const Tenant& tenant, std::string_view name,
                                   std::string_view digest) {
  const std::scoped_lock lock(mutex_);
  const auto versions = Versions(tenant, name);
  if (!versions.ok()) return versions.status();
  bool was_there = false;
  for (const Version& version : *versions) {
    if (!digest.empty() && sim::FormatDigest(version.digest) != digest) {
      continue;
    }
    std::error_code error;
    fs::remove(version.path, error);
    if (error) return Failed(error);
    was_there = true;
  }
  MeasureBytes(tenant).IgnoreError();
  return was_there ? absl::OkStatus() : PackNotFoundError(name);
}

uint64_t UploadedPacks::BytesOf(const Tenant& tenant) const {
  const std::scoped_lock lock(bytes_mutex_);
  const auto known = bytes_.find(tenant);
  return known == bytes_.end() ? 0 : known->second;
}

absl::StatusOr<UploadedPacks::Stock> UploadedPacks::MeasureBytes(
    const Tenant& tenant) const {
  const auto names = Names(tenant);
  if (!names.ok()) return names.status();
  Stock stock;
  for (const std::string& name : *names) {
    const auto versions = Versions(tenant, name);
    if (!versions.ok()) return versions.status();
    stock.count += versions->size();
    for (const Version& version : *versions) stock.bytes += version.size_bytes;
  }
  const std::scoped_lock lock(bytes_mutex_);
  bytes_[tenant] = stock.bytes;
  return stock;
}

absl::Status UploadedPacks::Failed(const std::error_code& error) const {
  return Failed(absl::ErrnoToStatus(error.value(), "its folder"));
}

absl::Status UploadedPacks::Failed(const absl::Status& cause) const {
  const std::string problem(cause.message());
  LogEntry entry(fmt::format("an uploaded pack: {}", problem));
  entry.severity = LogEntry::Severity::kWarning;
  log_(entry);
  return StoreError(cause);
}

}  // namespace reprise::services
