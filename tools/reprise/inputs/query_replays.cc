// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/query_replays.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/named_error.h"
#include "replays/format/replay_reader.h"
#include "replays/query/replay_query.h"
#include "sim/base/tick.h"
#include "tools/reprise/inputs/replay_file.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

using Findings = absl::StatusOr<replays::QueryFindings>;

constexpr char kReplayExtension[] = ".mcap";

// Errors name the file.
Findings AskFile(const QueryRequest& request, const std::string& path,
                 uint32_t threads, Console* console, std::string& damage) {
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      replays::ReplayReader::OpenFile(path);
  if (!replay.ok()) return replay.status();
  damage = DescribeDamage(path, **replay);
  std::optional<ProgressBar> bar;
  if (console != nullptr) {
    bar.emplace(*console, path, (*replay)->tick_count());
  }
  replays::ReplayQueryOptions options;
  options.aim = request.aim;
  options.limit = request.limit;
  options.pack = request.pack;
  options.threads = threads;
  options.progress = [&bar](sim::Tick ticks_done) {
    if (bar) bar->Update(ticks_done);
  };
  Findings findings =
      replays::QueryReplay(**replay, request.expression, options);
  if (findings.ok()) return findings;
  return replays::NamedError(path, findings.status());
}

absl::StatusOr<std::vector<std::string>> ReplaysIn(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  fs::recursive_directory_iterator entry(folder, error);
  while (!error && entry != fs::recursive_directory_iterator()) {
    if (entry->path().extension() == kReplayExtension) {
      paths.push_back(entry->path().string());
    }
    entry.increment(error);
  }
  if (error) {
    return absl::UnavailableError(
        fmt::format("{}: {}", folder, error.message()));
  }
  if (paths.empty()) {
    return absl::NotFoundError(fmt::format("no replays in {}", folder));
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> FindReplays(
    const std::vector<std::string>& paths) {
  std::vector<std::string> replays;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      replays.push_back(path);
      continue;
    }
    absl::StatusOr<std::vector<std::string>> found = ReplaysIn(path);
    if (!found.ok()) return found.status();
    replays.insert(replays.end(), found->begin(), found->end());
  }
  return replays;
}

std::vector<Findings> AskReplays(const QueryRequest& request,
                                 const std::vector<std::string>& paths,
                                 Console& console) {
  std::vector<Findings> findings(paths.size(), absl::UnknownError("not asked"));
  std::vector<std::string> damages(paths.size());
  const uint64_t jobs = std::min<uint64_t>(request.jobs, paths.size());
  // Those that there are no files for.
  const auto threads =
      static_cast<uint32_t>(request.jobs / std::max<uint64_t>(1, paths.size()));
  // One thread at a time may use the console.
  Console* const shown = jobs == 1 ? &console : nullptr;
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < paths.size(); i = next++) {
      findings[i] =
          AskFile(request, paths[i], std::max(1u, threads), shown, damages[i]);
    }
  };
  std::vector<std::thread> others;
  for (uint64_t i = 1; i < jobs; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  for (const std::string& damage : damages) {
    if (!damage.empty()) console.Warning(damage);
  }
  return findings;
}

}  // namespace reprise::tools
