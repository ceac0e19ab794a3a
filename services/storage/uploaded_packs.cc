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
#include "absl/time/clock.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/partial_file.h"
#include "replays/playing/pack_folder.h"
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

// What lies in a folder, of which there is nothing where it is missing.
void ForEach(const std::string& folder,
             absl::FunctionRef<void(const fs::directory_entry&)> visit) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    visit(*entry);
  }
}

}  // namespace

UploadedPacks::UploadedPacks(std::string store, const PackUploadLimits& limits,
                             Log log)
    : folder_(fmt::format("{}/packs", store)),
      limits_(limits),
      log_(std::move(log)) {}

std::string UploadedPacks::FolderOf(const Tenant& tenant) const {
  CHECK(tenant.name.empty() || IsValidId(tenant.name), "{}", tenant.name);
  return fmt::format("{}/{}", folder_,
                     tenant.name.empty() ? kNobody : tenant.name);
}

std::vector<std::string> UploadedPacks::Names(const Tenant& tenant) const {
  std::vector<std::string> names;
  ForEach(FolderOf(tenant), [&](const fs::directory_entry& entry) {
    std::string name = entry.path().filename().string();
    if (IsPackName(name) && !Versions(tenant, name).empty()) {
      names.push_back(std::move(name));
    }
  });
  std::ranges::sort(names);
  return names;
}

std::vector<UploadedPacks::Version> UploadedPacks::Versions(
    const Tenant& tenant, std::string_view name) const {
  std::vector<Version> versions;
  if (!IsPackName(name)) return versions;
  ForEach(fmt::format("{}/{}", FolderOf(tenant), name),
          [&](const fs::directory_entry& entry) {
            const std::string file = entry.path().filename().string();
            const size_t dash = file.rfind('-');
            if (!file.ends_with(kSuffix) || dash == std::string::npos) return;
            const auto digest = sim::ParseContentDigest(
                file.substr(dash + 1, file.size() - dash - 1 - kSuffix.size()));
            std::error_code error;
            const uint64_t size_bytes = entry.file_size(error);
            if (!digest.ok() || error) return;
            versions.push_back({.digest = *digest,
                                .size_bytes = size_bytes,
                                .path = entry.path().string()});
          });
  std::ranges::sort(versions, std::greater(), &Version::path);
  return versions;
}

absl::StatusOr<UploadedPacks::Version> UploadedPacks::Find(
    const Tenant& tenant, std::string_view name,
    std::string_view digest) const {
  for (Version& version : Versions(tenant, name)) {
    if (digest.empty() || sim::FormatDigest(version.digest) == digest) {
      return std::move(version);
    }
  }
  return PackNotFoundError(name);
}

absl::StatusOr<sim::PackArchive> UploadedPacks::Load(
    const Tenant& tenant, std::string_view name,
    std::string_view digest) const {
  const auto version = Find(tenant, name, digest);
  if (!version.ok()) return version.status();
  auto pack = replays::ReadPackFolder(version->path);
  if (absl::IsNotFound(pack.status())) return PackNotFoundError(name);
  if (pack.ok() && pack->ComputeDigest() == version->digest) return pack;
  if (absl::IsUnavailable(pack.status())) {
    return Unavailable(std::string(pack.status().message()));
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
  const std::string path = fmt::format("{}/{}-{}{}", folder, NewId(absl::Now()),
                                       sim::FormatDigest(digest), kSuffix);
  const std::scoped_lock lock(mutex_);
  std::error_code error;
  for (const Version& known : Versions(tenant, name)) {
    if (known.digest != digest) continue;
    // It becomes the last one.
    fs::rename(known.path, path, error);
    return error ? Unavailable(error.message()) : absl::OkStatus();
  }
  if (archive.size() >
      limits_.tenant_bytes_max -
          std::min(limits_.tenant_bytes_max, MeasureBytes(tenant))) {
    return QuotaError("bytes of packs", limits_.tenant_bytes_max);
  }
  fs::create_directories(folder, error);
  if (error) return Unavailable(error.message());
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
  const absl::Status written = write();
  if (written.ok()) {
    MeasureBytes(tenant);
    return written;
  }
  fs::remove(partial, error);
  return Unavailable(std::string(written.message()));
}

absl::Status UploadedPacks::Delete(const Tenant& tenant, std::string_view name,
                                   std::string_view digest) {
  const std::scoped_lock lock(mutex_);
  bool was_there = false;
  for (const Version& version : Versions(tenant, name)) {
    if (!digest.empty() && sim::FormatDigest(version.digest) != digest) {
      continue;
    }
    std::error_code error;
    fs::remove(version.path, error);
    if (error) return Unavailable(error.message());
    was_there = true;
  }
  MeasureBytes(tenant);
  return was_there ? absl::OkStatus() : PackNotFoundError(name);
}

uint64_t UploadedPacks::BytesOf(const Tenant& tenant) const {
  {
    const std::scoped_lock lock(bytes_mutex_);
    const auto known = bytes_.find(tenant);
    if (known != bytes_.end()) return known->second;
  }
  return MeasureBytes(tenant);
}

uint64_t UploadedPacks::MeasureBytes(const Tenant& tenant) const {
  uint64_t bytes = 0;
  for (const std::string& name : Names(tenant)) {
    for (const Version& version : Versions(tenant, name)) {
      bytes += version.size_bytes;
    }
  }
  const std::scoped_lock lock(bytes_mutex_);
  bytes_[tenant] = bytes;
  return bytes;
}

absl::Status UploadedPacks::Unavailable(std::string_view problem) const {
  LogEntry entry(fmt::format("an uploaded pack: {}", problem));
  entry.severity = LogEntry::Severity::kWarning;
  log_(entry);
  return WithReason(
      absl::UnavailableError("the store can't be read or written now"),
      "STORE_UNAVAILABLE");
}

}  // namespace reprise::services
