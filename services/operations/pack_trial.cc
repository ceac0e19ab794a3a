// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/operations/pack_trial.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "services/base/pack_mistakes.h"
#include "services/base/status.h"
#include "services/operations/worker_report.h"

namespace reprise::services {
namespace {

using Json = nlohmann::json;

constexpr absl::Duration kLookPeriod = absl::Milliseconds(50);

// More than a server has at a time. Forgetting costs another trial.
constexpr size_t kKnownMax = 4096;

// Exit codes of the command, which never change their meaning.
constexpr int kLost = 1;
constexpr int kBadInput = 2;
constexpr int kMissing = 3;

// A file without a name, for one worker.
class NamelessFile {
 public:
  explicit NamelessFile(std::string_view contents)
      : descriptor_(memfd_create("pack", MFD_CLOEXEC)) {
    while (descriptor_ >= 0 && !contents.empty()) {
      const ssize_t count =
          write(descriptor_, contents.data(), contents.size());
      if (count <= 0) break;
      contents.remove_prefix(static_cast<size_t>(count));
    }
    is_whole_ = descriptor_ >= 0 && contents.empty();
  }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;
  ~NamelessFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool is_whole() const { return is_whole_; }
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
  bool is_whole_ = false;
};

std::string PathInWorker() {
  return fmt::format("/proc/self/fd/{}", kInputDescriptor);
}

absl::Status DemandingError(const std::string& sentence) {
  return WithReason(absl::ResourceExhaustedError(sentence),
                    "PACK_TOO_DEMANDING");
}

std::string TextOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : std::string();
}

uint64_t NumberOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned()
             ? found->get<uint64_t>()
             : 0;
}

}  // namespace

absl::Status ParsePackCheck(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("packs")) return absl::OkStatus();
  const Json& packs = json["packs"];
  if (!packs.is_array() || packs.empty() || !packs[0].is_object() ||
      !packs[0].contains("problems") || !packs[0]["problems"].is_array()) {
    return absl::OkStatus();
  }
  std::string message;
  std::vector<Violation> violations;
  for (const Json& problem : packs[0]["problems"]) {
    if (!problem.is_object()) continue;
    const uint64_t line = NumberOf(problem, "line");
    const std::string file = TextOf(problem, "file");
    const std::string field = TextOf(problem, "field");
    Violation& violation = violations.emplace_back();
    violation.field = line > 0 ? fmt::format("{}:{}", file, line) : file;
    violation.description = fmt::format(
        "{}{}{}", field, field.empty() ? "" : ": ", TextOf(problem, "message"));
    message += fmt::format("{}{}: {}", message.empty() ? "" : "\n",
                           violation.field, violation.description);
  }
  if (violations.empty()) return absl::OkStatus();
  return WithViolations(
      WithReason(absl::InvalidArgumentError(message), "PACK_INVALID"),
      violations);
}

std::string ParsePackName(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? TextOf(json, "pack") : std::string();
}

absl::StatusOr<TriedPack> PackTrial::Try(
    const Tenant& tenant, TrialWaiter waiter, const sim::ContentDigest& digest,
    const sim::PackArchive& pack, const replays::IsCancelled& is_cancelled) {
  if (options_.operations.program.empty()) return TriedPack();
  {
    const std::scoped_lock lock(mutex_);
    const auto known = known_.find(sim::FormatDigest(digest));
    if (known != known_.end()) return known->second;
    // One that takes long keeps nobody waiting but its own tenant.
    if (tenants_.contains(tenant.name)) return BusyError();
    const size_t loads_max = std::max<size_t>(options_.loader_count, 2) - 1;
    if (waiter == TrialWaiter::kLoad) {
      if (loads_count_ >= loads_max) return BusyError();
      ++loads_count_;
    }
    tenants_.insert(tenant.name);
  }
  const Place place(this, tenant.name, waiter);
  auto tried = Play(pack, is_cancelled);
  if (tried.ok()) Remember(digest, *tried);
  return tried;
}

void PackTrial::Trust(const sim::ContentDigest& digest, std::string_view name) {
  if (options_.operations.program.empty()) return;
  Remember(digest, {.bytes = 0, .name = std::string(name)});
}

bool PackTrial::IsKnown(const sim::ContentDigest& digest) const {
  const std::scoped_lock lock(mutex_);
  return options_.operations.program.empty() ||
         known_.contains(sim::FormatDigest(digest));
}

void PackTrial::Remember(const sim::ContentDigest& digest,
                         const TriedPack& tried) {
  const std::scoped_lock lock(mutex_);
  if (known_.size() >= kKnownMax) known_.clear();
  known_.emplace(sim::FormatDigest(digest), tried);
}

absl::StatusOr<TriedPack> PackTrial::Play(
    const sim::PackArchive& pack,
    const replays::IsCancelled& is_cancelled) const {
  const NamelessFile file(pack.Encode());
  if (!file.is_whole()) {
    return WithReason(absl::UnavailableError("no process could be started"),
                      "WORKER_UNAVAILABLE");
  }
  const auto end =
      Run({"run", "--ticks=1", "--format=json", "--", PathInWorker()},
          file.descriptor(), is_cancelled);
  if (!end.ok()) return end.status();
  if (!end->broken_off.ok()) return end->broken_off;
  const WorkerProcess& worker = *end->worker;
  const int code = worker.exit_code();
  if (code == 0 || code == kLost) {
    return TriedPack{.bytes = worker.peak_memory_bytes(),
                     .name = ParsePackName(worker.out())};
  }
  const std::string sentence = ErrorIn(worker.err());
  if (code == kMissing) {
    return WithReason(absl::NotFoundError(sentence), "SIMULATION_NOT_FOUND");
  }
  if (code == kBadInput) {
    if (absl::Status mistakes = MistakesOf(file.descriptor(), is_cancelled);
        !mistakes.ok()) {
      return mistakes;
    }
    return PackInvalidError(absl::InvalidArgumentError(
        sentence.empty() ? "the pack can't be made" : sentence));
  }
  const uint64_t memory_max = options_.operations.memory_bytes_max;
  if (memory_max > 0 && worker.peak_memory_bytes() > memory_max / 8 * 7) {
    return DemandingError(fmt::format(
        "the pack was tried apart, and took more than {} bytes of memory",
        memory_max));
  }
  return WithReason(
      absl::AbortedError(fmt::format(
          "the pack was tried apart, and its process crashed, {}{}{}",
          worker.DescribeEnd(), sentence.empty() ? "" : ": ", sentence)),
      "WORKER_CRASHED");
}

absl::Status PackTrial::MistakesOf(
    int pack, const replays::IsCancelled& is_cancelled) const {
  const auto end = Run({"pack", "check", "--format=json", "--", PathInWorker()},
                       pack, is_cancelled);
  if (!end.ok() || !end->broken_off.ok()) return absl::OkStatus();
  return ParsePackCheck(end->worker->out());
}

absl::StatusOr<PackTrial::End> PackTrial::Run(
    std::vector<std::string> arguments, int pack,
    const replays::IsCancelled& is_cancelled) const {
  using Clock = WorkerProcess::Clock;
  const auto timeout =
      absl::ToChronoNanoseconds(options_.pack_uploads.trial_timeout);
  const auto start = Clock::now();
  auto worker = WorkerProcess::Start(
      {.program = options_.operations.program,
       .arguments = std::move(arguments),
       .folder = "/",
       .inputs = {pack},
       .memory_bytes_max = options_.operations.memory_bytes_max,
       .file_bytes_max = 1});
  if (!worker.ok()) {
    LogEntry told(fmt::format("a pack can't be tried: {}",
                              std::string(worker.status().message())));
    told.severity = LogEntry::Severity::kError;
    options_.log(told);
    return WithReason(absl::UnavailableError("no process could be started"),
                      "WORKER_UNAVAILABLE");
  }
  End end = {.worker = *std::move(worker), .broken_off = absl::OkStatus()};
  while (end.broken_off.ok() && end.worker->Look(kLookPeriod)) {
    if (is_cancelled()) end.broken_off = CancelledError();
    if (Clock::now() - start >= timeout) {
      end.broken_off = DemandingError(
          "the pack was tried apart, and took longer to be made and played for "
          "a tick than it may");
    }
  }
  end.worker->Kill();
  return end;
}

}  // namespace reprise::services
