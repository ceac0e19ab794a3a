// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/operator_metrics.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "services/monitoring/metrics_text.h"

namespace reprise::services {
namespace {

using Type = MetricsText::Type;

constexpr auto kStateNames =
    std::to_array<std::pair<v1::Session::State, std::string_view>>({
        {v1::Session::STATE_FREE, "free"},
        {v1::Session::STATE_IN_USE, "in_use"},
        {v1::Session::STATE_RECORDING_FULL, "recording_full"},
        {v1::Session::STATE_RECORDING_FAILED, "recording_failed"},
        {v1::Session::STATE_SIMULATION_FAILED, "simulation_failed"},
        {v1::Session::STATE_PLAYED, "played"},
    });

void AppendSessions(const OperatorView& view, MetricsText& text) {
  std::array<uint64_t, v1::Session::State_ARRAYSIZE> by_state = {};
  uint64_t recording_bytes = 0;
  uint64_t state_bytes = 0;
  uint64_t loaded_bytes = 0;
  for (const SessionGlance& session : view.sessions->Glance()) {
    ++by_state[static_cast<size_t>(session.state)];
    recording_bytes += session.recording_bytes;
    state_bytes += session.state_bytes;
    loaded_bytes += session.loaded_bytes;
  }
  text.BeginFamily("reprise_sessions", Type::kGauge,
                   "Sessions by state, as ListSessions says it.");
  for (const auto& [state, name] : kStateNames) {
    text.Add({{"state", name}}, by_state[static_cast<size_t>(state)]);
  }
  text.BeginFamily("reprise_sessions_limit", Type::kGauge,
                   "Sessions that there may be at a time.");
  text.Add({}, uint64_t{view.options->sessions.sessions_max});
  text.BeginFamily("reprise_session_state_bytes", Type::kGauge,
                   "Rows of the states of sessions and of their snapshots.");
  text.Add({}, state_bytes);
  text.BeginFamily("reprise_session_loaded_bytes", Type::kGauge,
                   "What making the sessions took beside their states, about.");
  text.Add({}, loaded_bytes);
  text.BeginFamily("reprise_memory_bytes", Type::kGauge,
                   "Memory that the process has allocated.");
  text.Add({}, view.options->memory_meter());
  text.BeginFamily("reprise_memory_limit_bytes", Type::kGauge,
                   "Memory from which on nothing new is begun; 0: no limit.");
  text.Add({}, view.options->memory_bytes_max);
  text.BeginFamily("reprise_recording_bytes", Type::kGauge,
                   "Bytes of the recordings that are under way.");
  text.Add({}, recording_bytes);
}

void AppendQueues(const OperatorView& view, MetricsText& text) {
  const std::array<std::pair<std::string_view, const WorkQueue*>, 3> queues = {
      {{"step", view.stepping}, {"load", view.loading}, {"file", view.files}}};
  text.BeginFamily("reprise_queue_tasks", Type::kGauge,
                   "Requests that wait for a thread or have one: to step, to "
                   "load packs and replays, to use files.");
  for (const auto& [name, queue] : queues) {
    text.Add({{"queue", name}}, uint64_t{queue->size()});
  }
  text.BeginFamily("reprise_queue_wait_seconds", Type::kHistogram,
                   "How long requests waited for a thread.");
  for (const auto& [name, queue] : queues) {
    text.AddTimes({{"queue", name}}, queue->waits());
  }
}

void AppendStore(const OperatorView& view, MetricsText& text) {
  text.BeginFamily("reprise_store_bytes", Type::kGauge,
                   "Bytes of all files of the store, a minute ago at most.");
  text.Add({}, view.replays->bytes());
  text.BeginFamily("reprise_store_limit_bytes", Type::kGauge,
                   "Bytes of the store from which on no recording is begun.");
  text.Add({}, view.options->recordings.store_bytes_max);
}

// Names and meanings are those of Prometheus' own client libraries.
void AppendProcess(MetricsText& text) {
  constexpr uint64_t kMicroseconds = 1000;  // in nanoseconds
  constexpr uint64_t kSeconds = 1'000'000'000;
  const auto nanoseconds = [](const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * kSeconds +
           static_cast<uint64_t>(time.tv_usec) * kMicroseconds;
  };
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  text.BeginFamily("process_cpu_seconds_total", Type::kCounter,
                   "Time of CPUs, of the program and the system for it.");
  text.AddSeconds({},
                  nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime));
  // Of the pages: all, and those in memory.
  uint64_t pages = 0;
  uint64_t resident_pages = 0;
  if (std::ifstream("/proc/self/statm") >> pages >> resident_pages) {
    const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    text.BeginFamily("process_resident_memory_bytes", Type::kGauge,
                     "Memory that the process has.");
    text.Add({}, resident_pages * page_bytes);
  }
  if (DIR* const folder = opendir("/proc/self/fd"); folder != nullptr) {
    uint64_t count = 0;
    while (const dirent* entry = readdir(folder)) {
      if (entry->d_name[0] != '.') ++count;
    }
    closedir(folder);
    text.BeginFamily("process_open_fds", Type::kGauge,
                     "File descriptors in use.");
    text.Add({}, count - 1);  // without the one to count them by
  }
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    text.BeginFamily("process_max_fds", Type::kGauge,
                     "File descriptors that there may be.");
    text.Add({}, uint64_t{limit.rlim_cur});
  }
}

}  // namespace

std::string FormatMetrics(const OperatorView& view) {
  MetricsText text;
  text.BeginFamily("reprise_build_info", Type::kGauge,
                   "1, with what the program is.");
  const std::string rules = fmt::to_string(view.options->rules_revision);
  text.Add({{"version", view.options->version}, {"rules_revision", rules}},
           uint64_t{1});
  text.BeginFamily("reprise_serving", Type::kGauge,
                   "1 while health says SERVING.");
  text.Add({}, uint64_t{view.is_serving() ? 1u : 0u});
  AppendSessions(view, text);
  text.BeginFamily("reprise_streams", Type::kGauge,
                   "Streams that are open, to step and to download.");
  text.Add({}, uint64_t{view.streams->size()});
  text.BeginFamily("reprise_streams_limit", Type::kGauge,
                   "Streams that there may be at a time.");
  text.Add({}, uint64_t{view.options->streams_max});
  view.metrics->AppendTo(text);
  AppendQueues(view, text);
  AppendStore(view, text);
  text.BeginFamily("reprise_audit_lines_lost_total", Type::kCounter,
                   "Lines of the audit log that couldn't be written.");
  text.Add({}, view.audit == nullptr ? uint64_t{0} : view.audit->lines_lost());
  AppendProcess(text);
  return text.text();
}

}  // namespace reprise::services
