// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/operations/operation_registry.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/time/clock.h"
#include "fmt/format.h"
#include "services/base/page.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/base/tenant_quotas.h"
#include "services/operations/operation_files.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

namespace fs = std::filesystem;

// How long to wait for news of a worker before clocks are looked at, and how
// often its files are.
constexpr absl::Duration kLookPeriod = absl::Milliseconds(50);
constexpr auto kMeasurePeriod = std::chrono::milliseconds(250);

// A descriptor that is closed when it is forgotten.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(OpenFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

google::protobuf::Timestamp ToTimestamp(absl::Time time) {
  const int64_t nanos = absl::ToUnixNanos(time);
  google::protobuf::Timestamp timestamp;
  timestamp.set_seconds(nanos / 1'000'000'000);
  timestamp.set_nanos(static_cast<int32_t>(nanos % 1'000'000'000));
  return timestamp;
}

bool HasEnded(const v1::Operation& operation) {
  return operation.state() == v1::Operation::STATE_SUCCEEDED ||
         operation.state() == v1::Operation::STATE_FAILED ||
         operation.state() == v1::Operation::STATE_CANCELLED;
}

}  // namespace

OperationRegistry::OperationRegistry(const ServerOptions* options,
                                     const ReplayStore* replays,
                                     const PackCatalog* packs)
    : options_(*options), replays_(*replays), packs_(*packs) {}

void OperationRegistry::Start() {
  if (options_.operations.program.empty()) return;
  const std::string all =
      fmt::format("{}/{}", options_.store_folder, kOperations);
  std::error_code error;
  fs::create_directories(all, error);
  RemoveAbandoned(all);
  folder_ = fs::absolute(fmt::format("{}/{}", all, NewId(absl::Now())), error)
                .string();
  if (!error) fs::create_directory(folder_, error);
  auto lock =
      replays::FileSink::Create(fmt::format("{}/{}", folder_, kLockFile));
  if (error || !lock.ok()) {
    LogEntry entry(fmt::format(
        "no operations: {}: {}", folder_,
        error ? error.message() : std::string(lock.status().message())));
    entry.severity = LogEntry::Severity::kError;
    options_.log(entry);
    folder_.clear();
    return;
  }
  lock_ = *std::move(lock);
  for (uint32_t i = 0; i < options_.operations.running_max; ++i) {
    threads_.emplace_back([this] { Work(); });
  }
}

absl::StatusOr<v1::Operation> OperationRegistry::Begin(
    const Tenant& tenant, const OperationOrder& order) {
  if (folder_.empty() || options_.operations.running_max == 0) {
    return WithReason(absl::FailedPreconditionError(
                          "this server has no program for operations"),
                      "OPERATIONS_UNAVAILABLE");
  }
  if (absl::Status ready = CheckInputs(tenant, order); !ready.ok()) {
    return ready;
  }
  const std::scoped_lock lock(mutex_);
  if (!order.request_id.empty()) {
    for (const auto& [id, entry] : entries_) {
      if (entry->tenant != tenant ||
          entry->order.request_id != order.request_id) {
        continue;
      }
      if (entry->order.arguments == order.arguments &&
          entry->order.replay_ids == order.replay_ids &&
          entry->order.pack == order.pack) {
        return entry->message;
      }
      return WithReason(absl::InvalidArgumentError(fmt::format(
                            "request_id '{}' was given to another request",
                            order.request_id)),
                        "REQUEST_ID_REUSED");
    }
  }
  if (absl::Status room = CheckRoomLocked(tenant); !room.ok()) return room;
  const auto entry = std::make_shared<Entry>();
  const absl::Time now = absl::Now();
  const std::string id = NewId(now);
  entry->tenant = tenant;
  entry->order = order;
  entry->folder = fmt::format("{}/{}", folder_, id);
  entry->message.set_name(MakeName(kOperations, id));
  entry->message.set_kind(order.kind);
  entry->message.set_state(v1::Operation::STATE_QUEUED);
  for (const std::string& replay : order.replay_ids) {
    entry->message.add_replays(MakeName(kReplays, replay));
  }
  *entry->message.mutable_create_time() = ToTimestamp(now);
  entries_[id] = entry;
  queue_.push_back(entry);
  changed_.notify_one();
  return entry->message;
}

absl::Status OperationRegistry::CheckInputs(const Tenant& tenant,
                                            const OperationOrder& order) const {
  for (const std::string& id : order.replay_ids) {
    const auto source = replays_.OpenReplay(tenant, id);
    if (!source.ok()) return source.status();
  }
  if (order.pack.empty()) return absl::OkStatus();
  const auto names = packs_.Names();
  if (!names.ok()) return names.status();
  if (std::ranges::count(*names, order.pack) > 0) return absl::OkStatus();
  return packs_.Load(order.pack).status();
}

absl::Status OperationRegistry::CheckRoomLocked(const Tenant& tenant) const {
  if (is_ending_) {
    return WithReason(absl::UnavailableError("the server stops"),
                      "SERVER_STOPPING");
  }
  const auto own = static_cast<size_t>(std::ranges::count_if(
      entries_,
      [&tenant](const auto& entry) { return entry.second->tenant == tenant; }));
  if (own >= options_.operations.tenant_operations_max) {
    return QuotaError("operations", options_.operations.tenant_operations_max);
  }
  if (entries_.size() >= options_.operations.operations_max) {
    return WithReason(
        absl::ResourceExhaustedError(
            fmt::format("there are {} operations, as many as this server keeps",
                        options_.operations.operations_max)),
        "TOO_MANY_OPERATIONS");
  }
  return absl::OkStatus();
}

absl::StatusOr<OperationRegistry::EntryPointer> OperationRegistry::FindLocked(
    const Tenant& tenant, std::string_view id) const {
  const auto entry = entries_.find(std::string(id));
  if (entry != entries_.end() && entry->second->tenant == tenant) {
    return entry->second;
  }
  return WithReason(
      absl::NotFoundError(fmt::format(
          "there is no operation '{}'; those of a server end with it", id)),
      "OPERATION_NOT_FOUND", {{"operation", MakeName(kOperations, id)}});
}

absl::StatusOr<v1::Operation> OperationRegistry::Get(
    const Tenant& tenant, std::string_view id) const {
  const std::scoped_lock lock(mutex_);
  const auto entry = FindLocked(tenant, id);
  if (!entry.ok()) return entry.status();
  return (*entry)->message;
}

absl::StatusOr<OperationRegistry::Page> OperationRegistry::List(
    const Tenant& tenant, int32_t page_size,
    std::string_view page_token) const {
  const auto count_max = ParsePageSize(page_size, kOperationsPerPageMax);
  if (!count_max.ok()) return count_max.status();
  if (!page_token.empty() && !IsNewId(page_token)) return PageTokenError();
  Page page;
  const std::scoped_lock lock(mutex_);
  auto entry = page_token.empty()
                   ? entries_.end()
                   : entries_.lower_bound(std::string(page_token));
  std::string last;
  while (entry != entries_.begin()) {
    --entry;
    if (entry->second->tenant != tenant) continue;
    if (page.operations.size() == *count_max) {
      page.next_page_token = last;
      break;
    }
    last = entry->first;
    v1::Operation& message = page.operations.emplace_back();
    message = entry->second->message;
    message.clear_files();
    message.clear_notes();
    if (message.has_verification()) {
      message.mutable_verification()->clear_report();
    }
  }
  return page;
}

absl::Status OperationRegistry::Cancel(const Tenant& tenant,
                                       std::string_view id) {
  const std::scoped_lock lock(mutex_);
  const auto entry = FindLocked(tenant, id);
  if (!entry.ok()) return entry.status();
  (*entry)->is_cancelled = true;
  if ((*entry)->message.state() != v1::Operation::STATE_QUEUED) {
    return absl::OkStatus();
  }
  queue_.remove(*entry);
  (*entry)->message.set_state(v1::Operation::STATE_CANCELLED);
  SetEndLocked(**entry);
  return absl::OkStatus();
}

absl::Status OperationRegistry::Delete(const Tenant& tenant,
                                       std::string_view id) {
  std::string folder;
  {
    const std::scoped_lock lock(mutex_);
    const auto entry = FindLocked(tenant, id);
    if (!entry.ok()) return entry.status();
    folder = ForgetLocked(*entry);
  }
  RemoveFolder(folder);
  return absl::OkStatus();
}

std::string OperationRegistry::ForgetLocked(const EntryPointer& entry) {
  entry->is_cancelled = true;
  queue_.remove(entry);
  entries_.erase(fs::path(entry->folder).filename().string());
  // Of one that is under way, whoever works on it removes it.
  return entry->message.state() == v1::Operation::STATE_RUNNING ? std::string()
                                                                : entry->folder;
}

absl::StatusOr<std::unique_ptr<replays::ByteSource>>
OperationRegistry::OpenResult(const Tenant& tenant, std::string_view id,
                              std::string_view file) const {
  const std::scoped_lock lock(mutex_);
  const auto entry = FindLocked(tenant, id);
  if (!entry.ok()) return entry.status();
  if (!HasEnded((*entry)->message)) {
    return WithReason(absl::FailedPreconditionError(
                          fmt::format("operation '{}' hasn't ended", id)),
                      "OPERATION_UNFINISHED");
  }
  const bool is_there = std::ranges::any_of(
      (*entry)->message.files(),
      [file](const v1::ResultFile& known) { return known.name() == file; });
  auto source = replays::FileSource::Open(
      is_there ? fmt::format("{}/{}/{}", (*entry)->folder, kResultsFolder, file)
               : std::string());
  if (is_there && source.ok()) return *std::move(source);
  return WithReason(
      absl::NotFoundError(fmt::format("operation '{}' has no such file", id)),
      "RESULT_NOT_FOUND");
}

void OperationRegistry::DropExpired() {
  const absl::Time now = options_.clock();
  std::vector<std::string> folders;
  {
    const std::scoped_lock lock(mutex_);
    std::vector<EntryPointer> expired;
    for (const auto& [id, entry] : entries_) {
      if (entry->expiry <= now) expired.push_back(entry);
    }
    for (const EntryPointer& entry : expired) {
      folders.push_back(ForgetLocked(entry));
    }
  }
  for (const std::string& folder : folders) RemoveFolder(folder);
}

void OperationRegistry::EndAll() {
  {
    const std::scoped_lock lock(mutex_);
    if (is_ending_) return;
    is_ending_ = true;
    for (const auto& [id, entry] : entries_) entry->is_cancelled = true;
    queue_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
  lock_.reset();
}

void OperationRegistry::Work() {
  std::unique_lock lock(mutex_);
  while (const EntryPointer entry = AwaitTurn(lock)) {
    ++running_[entry->tenant];
    entry->message.set_state(v1::Operation::STATE_RUNNING);
    *entry->message.mutable_start_time() = ToTimestamp(absl::Now());
    lock.unlock();
    const OperationOutcome outcome = Run(*entry);
    lock.lock();
    if (--running_[entry->tenant] == 0) running_.erase(entry->tenant);
    ConcludeLocked(*entry, outcome);
    if (entries_.contains(fs::path(entry->folder).filename().string())) {
      continue;
    }
    // It was deleted meanwhile.
    lock.unlock();
    RemoveFolder(entry->folder);
    lock.lock();
  }
}

OperationRegistry::EntryPointer OperationRegistry::AwaitTurn(
    std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return is_ending_ || !queue_.empty(); });
  if (is_ending_) return nullptr;
  // The tenant of whom least is under way, and of those who came first.
  const auto running_of = [this](const EntryPointer& entry) {
    const auto count = running_.find(entry->tenant);
    return count == running_.end() ? size_t{0} : count->second;
  };
  const auto next = std::ranges::min_element(queue_, {}, running_of);
  EntryPointer entry = *next;
  queue_.erase(next);
  return entry;
}

OperationOutcome OperationRegistry::Run(Entry& entry) {
  const auto failed = [](const absl::Status& status) {
    return OperationOutcome{.error = status, .result = {}};
  };
  std::error_code error;
  fs::create_directories(fmt::format("{}/{}", entry.folder, kResultsFolder),
                         error);
  std::vector<OpenFile> files;
  std::vector<int> inputs;
  for (size_t i = 0; !error && i < entry.order.replay_ids.size(); ++i) {
    // It may have been deleted while it waited.
    const auto source =
        replays_.OpenReplay(entry.tenant, entry.order.replay_ids[i]);
    if (!source.ok()) return failed(source.status());
    files.emplace_back(
        replays_.PathOf(entry.tenant, entry.order.replay_ids[i]));
    inputs.push_back(files.back().descriptor());
    // An open file, whatever becomes of its names.
    fs::create_symlink(
        fmt::format("/proc/self/fd/{}", kInputDescriptor + static_cast<int>(i)),
        fmt::format("{}/{}", entry.folder, kReplayFiles[i]), error);
  }
  if (!error && !entry.order.pack.empty()) {
    const fs::path pack = fs::absolute(
        fmt::format("{}/{}", options_.packs_folder, entry.order.pack), error);
    if (!error) {
      fs::create_directory_symlink(
          pack, fmt::format("{}/{}", entry.folder, kPackFile), error);
    }
  }
  const bool is_open = std::ranges::count(inputs, -1) == 0;
  absl::StatusOr<std::unique_ptr<WorkerProcess>> worker =
      absl::UnavailableError(error ? error.message()
                                   : "a replay can't be read");
  if (!error && is_open) {
    worker = WorkerProcess::Start(
        {.program = options_.operations.program,
         .arguments = entry.order.arguments,
         .folder = entry.folder,
         .inputs = inputs,
         .memory_bytes_max = options_.operations.memory_bytes_max,
         .file_bytes_max = options_.operations.result_bytes_max});
  }
  if (!worker.ok()) {
    LogEntry told(fmt::format("an operation can't be begun: {}",
                              std::string(worker.status().message())));
    told.severity = LogEntry::Severity::kError;
    options_.log(told);
    return failed(WorkerError(absl::StatusCode::kUnavailable,
                              "WORKER_UNAVAILABLE",
                              "no process could be started"));
  }
  const WorkerEnding ending = Watch(entry, **worker);
  OperationOutcome outcome = JudgeWorker(entry.order.kind, **worker, ending,
                                         options_.operations.result_bytes_max);
  const std::string results =
      fmt::format("{}/{}", entry.folder, kResultsFolder);
  if (outcome.error.ok()) {
    for (v1::ResultFile& file : FilesIn(results)) {
      *outcome.result.add_files() = std::move(file);
    }
  } else {
    RemoveFolder(results);
  }
  return outcome;
}

WorkerEnding OperationRegistry::Watch(Entry& entry, WorkerProcess& worker) {
  using Clock = WorkerProcess::Clock;
  const std::string results =
      fmt::format("{}/{}", entry.folder, kResultsFolder);
  const auto start = Clock::now();
  const auto timeout = absl::ToChronoNanoseconds(
      std::min(entry.order.timeout, options_.operations.timeout_max));
  const auto hang_timeout =
      absl::ToChronoNanoseconds(options_.operations.hang_timeout);
  auto measured = start;
  std::optional<WorkerEnding> ending;
  while (!ending.has_value() && worker.Look(kLookPeriod)) {
    const auto now = Clock::now();
    {
      const std::scoped_lock lock(mutex_);
      entry.message.set_ticks_done(worker.ticks_done());
      entry.message.set_tick_count(worker.tick_count());
      if (entry.is_cancelled) ending = WorkerEnding::kCancelled;
    }
    if (ending.has_value()) break;
    if (now - measured >= kMeasurePeriod) {
      measured = now;
      if (HasTooMuch(results, options_.operations.result_bytes_max)) {
        ending = WorkerEnding::kTooMuch;
      }
    }
    if (worker.says_too_much()) ending = WorkerEnding::kTooMuch;
    if (now - worker.last_progress() >= hang_timeout)
      ending = WorkerEnding::kHung;
    if (now - start >= timeout) ending = WorkerEnding::kTimedOut;
  }
  worker.Kill();
  if (!ending.has_value() &&
      (worker.wrote_too_much() ||
       HasTooMuch(results, options_.operations.result_bytes_max))) {
    ending = WorkerEnding::kTooMuch;
  }
  return ending.value_or(WorkerEnding::kByItself);
}

void OperationRegistry::ConcludeLocked(Entry& entry,
                                       const OperationOutcome& outcome) {
  v1::Operation& message = entry.message;
  message.MergeFrom(outcome.result);
  message.set_state(v1::Operation::STATE_SUCCEEDED);
  if (absl::IsCancelled(outcome.error)) {
    message.set_state(v1::Operation::STATE_CANCELLED);
  } else if (!outcome.error.ok()) {
    message.set_state(v1::Operation::STATE_FAILED);
    *message.mutable_error() = ToRpcStatus(outcome.error);
  }
  SetEndLocked(entry);
}

void OperationRegistry::SetEndLocked(Entry& entry) const {
  const absl::Time now = absl::Now();
  *entry.message.mutable_end_time() = ToTimestamp(now);
  *entry.message.mutable_expire_time() =
      ToTimestamp(now + options_.operations.keep_time);
  entry.expiry = options_.clock() + options_.operations.keep_time;
}

}  // namespace reprise::services
