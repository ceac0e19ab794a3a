// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/storage/replay_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/partial_file.h"
#include "replays/store/recording_names.h"
#include "replays/store/replay_store.h"
#include "services/base/descriptor_limit.h"
#include "services/base/page.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/storage/recording_recovery.h"
#include "services/storage/recording_room.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

namespace filesystem = std::filesystem;

constexpr std::string_view kReplaySuffix = ".mcap";

// What other processes are waited for. Who waits has other things to do.
constexpr absl::Duration kStoreWaitMax = absl::Seconds(1);

// Calls `visit` with each entry of `folder`, of which there are none where it
// is missing.
absl::Status ForEachEntry(
    const std::string& folder,
    absl::FunctionRef<void(const filesystem::directory_entry&)> visit) {
  std::error_code error;
  for (filesystem::directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    visit(*entry);
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return ReadError(folder, error);
  }
  return absl::OkStatus();
}

// Calls `visit` with the name of each file of `folder`.
absl::Status ForEachFile(const std::string& folder,
                         absl::FunctionRef<void(std::string_view)> visit) {
  return ForEachEntry(folder, [&](const filesystem::directory_entry& entry) {
    std::error_code vanished;
    if (entry.is_regular_file(vanished)) {
      visit(entry.path().filename().string());
    }
  });
}

// Whether there is a regular file, and which.
std::optional<FileId> LookAt(const std::string& path, struct stat& file) {
  if (lstat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) {
    return std::nullopt;
  }
  return FileId{.device = file.st_dev, .number = file.st_ino};
}

struct HeldBytes {
  uint64_t all = 0;
  uint64_t unreserved = 0;  // of files that nothing is reserved for
};

// The bytes of all files below `folder`, each counted once whatever names it
// has. What vanishes meanwhile, or can't be looked at, isn't counted.
HeldBytes BytesBelow(const std::string& folder,
                     const std::set<FileId>& reserved) {
  HeldBytes held;
  std::set<FileId> counted;
  std::error_code error;
  filesystem::recursive_directory_iterator entry(
      folder, filesystem::directory_options::skip_permission_denied, error);
  while (!error && entry != filesystem::recursive_directory_iterator()) {
    struct stat file = {};
    const auto id = LookAt(entry->path().string(), file);
    if (id.has_value() && (file.st_nlink == 1 || counted.insert(*id).second)) {
      const auto size_bytes = static_cast<uint64_t>(file.st_size);
      held.all += size_bytes;
      if (!reserved.contains(*id)) held.unreserved += size_bytes;
    }
    entry.increment(error);
  }
  return held;
}

// The bytes of the files of `folder` that nothing is reserved for, without
// those of folders in it.
uint64_t BytesIn(const std::string& folder, const std::set<FileId>& reserved) {
  uint64_t bytes = 0;
  // What can't be looked at isn't counted, as above.
  ForEachEntry(folder, [&](const filesystem::directory_entry& entry) {
    struct stat file = {};
    const auto id = LookAt(entry.path().string(), file);
    if (id.has_value() && !reserved.contains(*id)) {
      bytes += static_cast<uint64_t>(file.st_size);
    }
  }).IgnoreError();
  return bytes;
}

// Whether an error is of the store and not of the recording.
bool IsOfStore(const absl::Status& status) {
  return absl::IsUnavailable(status);
}

// Of a file that is or was there; 0 once it is gone.
uint64_t SizeOf(const filesystem::path& path) {
  std::error_code error;
  const uint64_t size_bytes = filesystem::file_size(path, error);
  return error ? 0 : size_bytes;
}

std::string DescribeRecovery(const RecoveredRecording& recovered) {
  if (recovered.is_under_way) return "still being written, left alone";
  if (recovered.damage.empty()) {
    return fmt::format("recovered, {} ticks", recovered.tick_count);
  }
  return fmt::format("recovered, {} ticks; {}, so the recording is kept as {}",
                     recovered.tick_count, recovered.damage, kDamagedSuffix);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ReplayStore>> ReplayStore::Open(
    const std::string& folder, const RecordingOptions& options) {
  std::unique_ptr<ReplayStore> store(new ReplayStore(folder, options));
  std::error_code error;
  filesystem::create_directories(store->folder_, error);
  if (error) {
    return absl::FailedPreconditionError(
        fmt::format("store folder {}: {}", store->folder_, error.message()));
  }
  return store;
}

ReplayStore::ReplayStore(std::string store, const RecordingOptions& options)
    : store_(std::move(store)),
      folder_(fmt::format("{}/{}", store_, replays::kRecordingsFolder)),
      options_(options),
      ledger_(std::make_unique<RoomLedger>(
          RoomLedger::Limits{.store_bytes_max = options.store_bytes_max,
                             .tenant_bytes_max = options.tenant_bytes_max})),
      ids_(std::make_unique<ReplayIds>()),
      writers_(std::make_unique<DiskWriters>()) {}

absl::StatusOr<std::unique_ptr<Recording>> ReplayStore::Record(
    const Tenant& tenant, std::string_view id, sim::Simulation* simulation,
    const sim::PackArchive& pack) const {
  if (absl::Status room = MakeRoom(tenant); !room.ok()) return room;
  auto recording =
      Recording::Start(PathOf(tenant, id), simulation, pack, options_.writer,
                       options_.durability, writers_.get());
  if (!recording.ok()) return recording;
  if (absl::Status room = ReserveRoom(tenant, id, **recording); !room.ok()) {
    (*recording)->Discard();
    return room;
  }
  return recording;
}

absl::StatusOr<RecordedRun> ReplayStore::RecordBranch(
    const Tenant& tenant, std::string_view id,
    const replays::ReplayReader& parent, std::string_view parent_id,
    sim::Tick tick, const sim::PackArchive* pack,
    replays::IsCancelled is_cancelled) const {
  if (absl::Status room = MakeRoom(tenant); !room.ok()) return room;
  auto branch = Recording::Branch(
      PathOf(tenant, id), parent, fmt::format("{}{}", parent_id, kReplaySuffix),
      tick, pack, options_.durability, is_cancelled, writers_.get());
  if (!branch.ok()) return branch;
  if (absl::Status room = ReserveRoom(tenant, id, *branch->recording);
      !room.ok()) {
    branch->recording->Discard();
    return room;
  }
  return branch;
}

absl::Status ReplayStore::ReserveRoom(const Tenant& tenant, std::string_view id,
                                      Recording& recording) const {
  const std::string path = replays::PartialPath(PathOf(tenant, id));
  struct stat file = {};
  const auto file_id = LookAt(path, file);
  // Somebody has taken it away: whatever it writes has no place to count.
  if (!file_id.has_value()) return absl::OkStatus();
  recording.ReserveIn(std::make_unique<RecordingRoom>(
      ledger_->Reserve(tenant, *file_id), path, [this, tenant] {
        MeasureBytes();
        MeasureTenant(tenant);
      }));
  return recording.is_out_of_room() ? recording.room_refusal()
                                    : absl::OkStatus();
}

absl::Status ReplayStore::CheckRoom(uint64_t bytes) const {
  MeasureBytes();
  return ledger_->CheckStore(bytes);
}

absl::Status ReplayStore::MakeRoom(const Tenant& tenant, uint64_t store_bytes,
                                   uint64_t tenant_bytes) const {
  std::error_code error;
  filesystem::create_directories(FolderOf(tenant), error);
  if (error) {
    return StoreError(absl::ErrnoToStatus(error.value(), FolderOf(tenant)));
  }
  if (absl::Status room = CheckRoom(store_bytes); !room.ok()) return room;
  MeasureTenant(tenant);
  return ledger_->CheckTenant(tenant, tenant_bytes);
}

uint64_t ReplayStore::MeasureBytes() const {
  const RoomLedger::Look look = ledger_->BeginLook();
  const HeldBytes held = BytesBelow(store_, look.reserved_files);
  ledger_->NoteFiles(look, held.unreserved);
  bytes_ = held.all;
  return held.all;
}

void ReplayStore::MeasureTenant(const Tenant& tenant) const {
  if (options_.tenant_bytes_max == 0) return;
  const RoomLedger::Look look = ledger_->BeginLook();
  ledger_->NoteFilesOf(tenant, look,
                       BytesIn(FolderOf(tenant), look.reserved_files));
}

void ReplayStore::RecoverUnfinished(
    absl::FunctionRef<void(std::string_view)> report) const {
  const auto tenants = ListTenants();
  if (!tenants.ok()) report(std::string(tenants.status().message()));
  std::vector<std::pair<Tenant, std::string>> unfinished;
  for (const Tenant& tenant : tenants.value_or(std::vector<Tenant>())) {
    const absl::Status listed =
        ForEachFile(FolderOf(tenant), [&](std::string_view name) {
          const std::string suffix = replays::PartialPath(kReplaySuffix);
          if (!name.ends_with(suffix)) return;
          name.remove_suffix(suffix.size());
          if (IsValidId(name)) unfinished.emplace_back(tenant, name);
        });
    if (!listed.ok()) report(std::string(listed.message()));
  }
  std::ranges::sort(unfinished);
  for (const auto& [tenant, id] : unfinished) {
    const auto recovered = RecoverRecording(PathOf(tenant, id));
    const std::string name =
        tenant.name.empty() ? id : fmt::format("{}/{}", tenant.name, id);
    if (!recovered.ok()) {
      report(fmt::format("replay {}: not recovered: {}", name,
                         std::string(recovered.status().message())));
    } else if (recovered->has_value()) {
      report(fmt::format("replay {}: {}", name, DescribeRecovery(**recovered)));
    }
  }
}

void ReplayStore::TakeIn(absl::Time now, replays::IsCancelled is_cancelled,
                         absl::FunctionRef<void(std::string_view)> report) {
  const auto tell_once = [&](const absl::Status& status) {
    if (status.message() == trouble_) return;
    trouble_ = std::string(status.message());
    report(fmt::format("the store's catalogue: {}", trouble_));
  };
  auto paths = replays::ListNewRecordings(store_);
  if (!paths.ok()) return tell_once(paths.status());
  std::erase_if(*paths, [this](const std::string& path) {
    return refused_.contains(path);
  });
  if (paths->empty()) return;
  // Opened each time: somebody may put another catalogue there.
  const auto store = replays::ReplayStore::Open(store_, kStoreWaitMax);
  if (!store.ok()) return tell_once(store.status());
  for (const std::string& path : *paths) {
    if (is_cancelled()) return;
    const absl::Status status = (*store)->TakeIn(path, now);
    if (IsOfStore(status)) return tell_once(status);
    if (status.ok()) continue;
    refused_.insert(path);
    report(fmt::format("not taken into the store's catalogue: {}",
                       std::string(status.message())));
  }
  trouble_.clear();
}

absl::StatusOr<ReplayStore::Page> ReplayStore::List(
    const Tenant& tenant, int32_t page_size,
    std::string_view page_token) const {
  const auto count_max = ParsePageSize(page_size, kReplaysPerPageMax);
  if (!count_max.ok()) return count_max.status();
  // A token is the id that the page before ended with.
  if (!page_token.empty() && !IsValidId(page_token)) return PageTokenError();

  const auto ids = ids_->Of(FolderOf(tenant));
  if (!ids.ok()) return ids.status();
  auto next = (*ids)->begin();
  if (!page_token.empty()) {
    next = std::ranges::upper_bound(**ids, page_token, std::greater());
  }
  Page page;
  // The sizes of one page are asked for, not those of all there are.
  for (; next != (*ids)->end(); ++next) {
    if (page.replays.size() == *count_max) {
      page.next_page_token = page.replays.back().id;
      break;
    }
    page.replays.push_back(
        {.id = *next, .size_bytes = SizeOf(PathOf(tenant, *next))});
  }
  return page;
}

bool ReplayStore::IsUnfinished(const Tenant& tenant,
                               std::string_view id) const {
  std::error_code ignored;
  return filesystem::exists(replays::PartialPath(PathOf(tenant, id)), ignored);
}

absl::StatusOr<GrowingFile> ReplayStore::Look(const Tenant& tenant,
                                              std::string_view id) const {
  // Asked before the file is opened: what is no longer written by then is
  // whole when it is.
  const auto is_written =
      replays::IsBeingWritten(replays::PartialPath(PathOf(tenant, id)));
  if (!is_written.ok() && !absl::IsNotFound(is_written.status())) {
    return StoreError(is_written.status());
  }
  auto source =
      is_written.ok() ? OpenUnfinished(tenant, id) : OpenReplay(tenant, id);
  if (!source.ok()) return source.status();
  GrowingFile file{.source = *std::move(source),
                   .may_grow = is_written.value_or(false),
                   .end = absl::OkStatus()};
  // Its writer lets go of a file that it has finished under its new name.
  if (!file.may_grow && is_written.ok() && IsUnfinished(tenant, id)) {
    file.end = WithReason(
        absl::DataLossError(fmt::format("the recording '{}' broke off", id)),
        "RECORDING_FAILED", {{"replay", MakeName(kReplays, id)}});
  }
  return file;
}

absl::StatusOr<std::unique_ptr<replays::ByteSource>>
ReplayStore::OpenUnfinished(const Tenant& tenant, std::string_view id) const {
  auto source =
      replays::FileSource::Open(replays::PartialPath(PathOf(tenant, id)));
  if (!source.ok() && absl::IsNotFound(source.status())) {
    return OpenReplay(tenant, id);
  }
  if (!source.ok()) return StoreError(source.status());
  return *std::move(source);
}

absl::StatusOr<std::unique_ptr<replays::ByteSource>> ReplayStore::OpenReplay(
    const Tenant& tenant, std::string_view id) const {
  auto source = replays::FileSource::Open(PathOf(tenant, id));
  if (source.ok()) return *std::move(source);
  if (!absl::IsNotFound(source.status())) return StoreError(source.status());
  if (IsUnfinished(tenant, id)) {
    return WithReason(absl::FailedPreconditionError(
                          fmt::format("replay '{}' is unfinished", id)),
                      "REPLAY_UNFINISHED",
                      {{"replay", MakeName(kReplays, id)}});
  }
  return WithReason(
      absl::NotFoundError(fmt::format("there is no replay '{}'", id)),
      "REPLAY_NOT_FOUND", {{"replay", MakeName(kReplays, id)}});
}

absl::StatusOr<std::vector<Tenant>> ReplayStore::ListTenants() const {
  std::vector<Tenant> tenants = {Tenant()};
  absl::Status listed =
      ForEachEntry(folder_, [&](const filesystem::directory_entry& entry) {
        std::error_code vanished;
        std::string name = entry.path().filename().string();
        if (entry.is_directory(vanished) && IsValidId(name)) {
          tenants.push_back({.name = std::move(name)});
        }
      });
  if (!listed.ok()) return listed;
  return tenants;
}

std::string ReplayStore::FolderOf(const Tenant& tenant) const {
  if (tenant.name.empty()) return folder_;
  CHECK(IsValidId(tenant.name), "{}", tenant.name);
  return fmt::format("{}/{}", folder_, tenant.name);
}

std::string ReplayStore::PathOf(const Tenant& tenant,
                                std::string_view id) const {
  CHECK(IsValidId(id), "{}", id);
  return fmt::format("{}/{}{}", FolderOf(tenant), id, kReplaySuffix);
}

}  // namespace reprise::services
