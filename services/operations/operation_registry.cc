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

#include "absl/strings/ascii.h"
#include "absl/time/clock.h"
#include "fmt/format.h"
#include "services/base/page.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/base/tenant_quotas.h"
#include "services/operations/worker_report.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

namespace fs = std::filesystem;

// In a server's folder; locked as long as the server lives.
constexpr std::string_view kLockFile = "lock";

// How long to wait for news of a worker before clocks are looked at, and how
// often its files are.
constexpr absl::Duration kLookPeriod = absl::Milliseconds(50);
constexpr auto kMeasurePeriod = std::chrono::milliseconds(250);

// Exit codes of the command, which never change their meaning.
constexpr int kOk = 0;
constexpr int kDifferent = 1;
constexpr int kCrashed = 4;
constexpr int kMachineFailed = 5;

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

// Names that are safe in messages and headers.
bool IsResultName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && name.front() != '.' &&
         std::ranges::all_of(name, [](unsigned char character) {
           return absl::ascii_isalnum(character) || character == '.' ||
                  character == '_' || character == '-';
         });
}

std::string_view MediaTypeOf(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {".csv", "text/csv"},
      {".jsonl", "application/jsonl"},
      {".glb", "model/gltf-binary"},
      {".usda", "model/vnd.usda"},
      {".mcap", "application/octet-stream"},
      {".html", "text/html"},
      {".png", "image/png"},
      {".mp4", "video/mp4"}};
  for (const auto& [suffix, type] : kTypes) {
    if (name.ends_with(suffix)) return type;
  }
  return "application/octet-stream";
}

// Nothing, where there is none or `folder` is empty.
void RemoveFolder(const std::string& folder) {
  std::error_code ignored;
  if (!folder.empty()) fs::remove_all(folder, ignored);
}

// The files of a folder, in ascending order of names.
std::vector<v1::ResultFile> FilesIn(const std::string& folder) {
  std::vector<v1::ResultFile> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code vanished;
    if (!fs::is_regular_file(entry->symlink_status(vanished)) ||
        !IsResultName(name)) {
      continue;
    }
    v1::ResultFile& file = files.emplace_back();
    file.set_name(name);
    const uint64_t size_bytes = entry->file_size(vanished);
    file.set_size_bytes(vanished ? 0 : size_bytes);
    file.set_media_type(std::string(MediaTypeOf(name)));
  }
  std::ranges::sort(files, {}, &v1::ResultFile::name);
  return files;
}

// Whether a worker has left more than it may.
bool HasTooMuch(const std::string& folder, uint64_t bytes_max) {
  uint64_t bytes = 0;
  size_t count = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code vanished;
    const uint64_t size_bytes = entry->file_size(vanished);
    if (!vanished) bytes += size_bytes;
    if (++count > kResultFilesMax || bytes > bytes_max) return true;
  }
  return false;
}

// Folders of servers that don't live any more.
void RemoveAbandoned(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> abandoned;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto lives = replays::IsBeingWritten(
        (entry->path() / std::string(kLockFile)).string());
    if (absl::IsNotFound(lives.status()) || (lives.ok() && !*lives)) {
      abandoned.push_back(entry->path());
    }
  }
  for (const fs::path& path : abandoned) fs::remove_all(path, error);
}

absl::Status WorkerError(absl::StatusCode code, Reason reason,
                         std::string_view sentence) {
  return WithReason(absl::Status(code, std::string(sentence)), reason);
}

std::string PlaceOf(const WorkerProcess& worker) {
  if (worker.tick_count() == 0) return "before its first tick";
  return fmt::format("after {} of {} ticks", worker.ticks_done(),
                     worker.tick_count());
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
  if (!page_token.empty() && !IsValidId(page_token)) return PageTokenError();
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
    const Outcome outcome = Run(*entry);
    lock.lock();
    if (--running_[entry->tenant] == 0) running_.erase(entry->tenant);
    ConcludeLocked(*entry, outcome);
    if (entries_.contains(fs::path(entry->folder).filename().string())) {
      continue;
    }
    std::error_code ignored;
    fs::remove_all(entry->folder, ignored);  // it was deleted meanwhile
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

OperationRegistry::Outcome OperationRegistry::Run(Entry& entry) {
  const auto failed = [](const absl::Status& status) {
    return Outcome{.error = status, .result = {}};
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
  const Ending ending = Watch(entry, **worker);
  return Judge(entry, **worker, ending);
}

OperationRegistry::Ending OperationRegistry::Watch(Entry& entry,
                                                   WorkerProcess& worker) {
  using Clock = WorkerProcess::Clock;
  const std::string results =
      fmt::format("{}/{}", entry.folder, kResultsFolder);
  const auto start = Clock::now();
  const auto timeout = absl::ToChronoNanoseconds(
      std::min(entry.order.timeout, options_.operations.timeout_max));
  const auto hang_timeout =
      absl::ToChronoNanoseconds(options_.operations.hang_timeout);
  auto measured = start;
  std::optional<Ending> ending;
  while (!ending.has_value() && worker.Look(kLookPeriod)) {
    const auto now = Clock::now();
    {
      const std::scoped_lock lock(mutex_);
      entry.message.set_ticks_done(worker.ticks_done());
      entry.message.set_tick_count(worker.tick_count());
      if (entry.is_cancelled) ending = Ending::kCancelled;
    }
    if (ending.has_value()) break;
    if (now - measured >= kMeasurePeriod) {
      measured = now;
      if (HasTooMuch(results, options_.operations.result_bytes_max)) {
        ending = Ending::kTooMuch;
      }
    }
    if (worker.says_too_much()) ending = Ending::kTooMuch;
    if (now - worker.last_progress() >= hang_timeout) ending = Ending::kHung;
    if (now - start >= timeout) ending = Ending::kTimedOut;
  }
  worker.Kill();
  if (!ending.has_value() &&
      (worker.wrote_too_much() ||
       HasTooMuch(results, options_.operations.result_bytes_max))) {
    ending = Ending::kTooMuch;
  }
  return ending.value_or(Ending::kByItself);
}

OperationRegistry::Outcome OperationRegistry::Judge(const Entry& entry,
                                                    const WorkerProcess& worker,
                                                    Ending ending) {
  Outcome outcome;
  v1::Operation& result = outcome.result;
  result.set_ticks_done(worker.ticks_done());
  result.set_tick_count(worker.tick_count());
  const bool is_verify = entry.order.kind == v1::Operation::KIND_VERIFY;
  // Of a process that ended without saying what came of it.
  const auto end_as = [&](absl::StatusCode code, Reason reason,
                          v1::Verification::Verdict verdict,
                          const std::string& sentence) {
    outcome.error = WorkerError(code, reason, sentence);
    if (!is_verify) return;
    result.mutable_verification()->set_verdict(verdict);
    result.mutable_verification()->set_summary(sentence);
    result.mutable_verification()->set_tick_count(worker.tick_count());
  };
  for (std::string& note : NotesIn(worker.err())) {
    result.add_notes(std::move(note));
  }
  switch (ending) {
    case Ending::kCancelled:
      outcome.error = absl::CancelledError("it was cancelled");
      return outcome;
    case Ending::kTimedOut:
      end_as(absl::StatusCode::kDeadlineExceeded, "WORKER_TIMED_OUT",
             v1::Verification::VERDICT_HUNG,
             fmt::format("it took longer than it may, {}", PlaceOf(worker)));
      return outcome;
    case Ending::kHung:
      end_as(absl::StatusCode::kAborted, "WORKER_HUNG",
             v1::Verification::VERDICT_HUNG,
             fmt::format("hung, no progress, {}", PlaceOf(worker)));
      return outcome;
    case Ending::kTooMuch:
      outcome.error = WorkerError(
          absl::StatusCode::kResourceExhausted, "RESULT_TOO_LARGE",
          fmt::format("its result is larger than {} bytes, or than {} files",
                      options_.operations.result_bytes_max, kResultFilesMax));
      return outcome;
    case Ending::kByItself:
      break;
  }
  if (is_verify) {
    auto verification = ParseVerification(worker.out());
    if (verification.ok()) {
      *result.mutable_verification() = *std::move(verification);
      return outcome;
    }
  } else if (entry.order.kind == v1::Operation::KIND_COMPARE) {
    auto comparison = ParseComparison(worker.out());
    if (comparison.ok() &&
        (worker.exit_code() == kOk || worker.exit_code() == kDifferent)) {
      *result.mutable_comparison() = *std::move(comparison);
      return outcome;
    }
  } else if (worker.exit_code() == kOk) {
    return outcome;
  }
  const std::string sentence = ErrorIn(worker.err());
  const int code = worker.exit_code();
  if (code > kOk && code <= kMachineFailed && code != kCrashed &&
      !sentence.empty()) {
    outcome.error = WorkerError(code == kMachineFailed
                                    ? absl::StatusCode::kUnavailable
                                    : absl::StatusCode::kFailedPrecondition,
                                "WORKER_REFUSED", sentence);
    return outcome;
  }
  end_as(absl::StatusCode::kAborted, "WORKER_CRASHED",
         v1::Verification::VERDICT_CRASHED,
         fmt::format("crashed, {}, {}{}{}", worker.DescribeEnd(),
                     PlaceOf(worker), sentence.empty() ? "" : ": ", sentence));
  return outcome;
}

void OperationRegistry::ConcludeLocked(Entry& entry, const Outcome& outcome) {
  v1::Operation& message = entry.message;
  message.MergeFrom(outcome.result);
  message.set_state(v1::Operation::STATE_SUCCEEDED);
  std::error_code ignored;
  const std::string results =
      fmt::format("{}/{}", entry.folder, kResultsFolder);
  if (absl::IsCancelled(outcome.error)) {
    message.set_state(v1::Operation::STATE_CANCELLED);
  } else if (!outcome.error.ok()) {
    message.set_state(v1::Operation::STATE_FAILED);
    *message.mutable_error() = ToRpcStatus(outcome.error);
  }
  if (outcome.error.ok()) {
    for (v1::ResultFile& file : FilesIn(results)) {
      *message.add_files() = std::move(file);
    }
  } else {
    fs::remove_all(results, ignored);
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
