// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/status_page.h"

#include <chrono>
#include <cstdint>
#include <iterator>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "fmt/format.h"
#include "services/monitoring/metric.h"
#include "services/monitoring/phase_times.h"

namespace reprise::services {
namespace {

constexpr int32_t kReplaysShown = 20;

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="5">
<meta name="viewport" content="width=device-width">
<title>Reprise</title>
<style>
body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 60em;
       padding: 0 1em; color: #222; background: #fff; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 2em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .2em .8em .2em 0;
         border-bottom: 1px solid #ddd; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: .9em; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818; }
  th, td { border-color: #444; }
}
</style>
</head>
<body>
)";

std::string Row(const std::vector<std::string>& cells) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += cell;
  return row + "</tr>\n";
}

std::string Text(std::string_view text) {
  return fmt::format("<td>{}</td>", EscapeHtml(text));
}

std::string Code(std::string_view text) {
  return fmt::format("<td><code>{}</code></td>", EscapeHtml(text));
}

std::string Number(std::string_view text) {
  return fmt::format("<td class=\"number\">{}</td>", EscapeHtml(text));
}

// "12.3 MiB"
std::string FormatBytes(uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  auto amount = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  while (amount >= 1024 && unit + 1 < std::size(kUnits)) {
    amount /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

// "2.5 ms"
std::string FormatTime(std::chrono::nanoseconds time) {
  const auto count = static_cast<double>(time.count());
  if (count < 1e6) return fmt::format("{:g} µs", count / 1e3);
  if (count < 1e9) return fmt::format("{:g} ms", count / 1e6);
  return fmt::format("{:g} s", count / 1e9);
}

// "STATE_IN_USE" as "in use".
std::string FormatState(v1::Session::State state) {
  std::string name = v1::Session::State_Name(state);
  constexpr std::string_view kPrefix = "STATE_";
  if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  return absl::AsciiStrToLower(absl::StrReplaceAll(name, {{"_", " "}}));
}

std::string FormatTimes(std::string_view name, const TimeCounts& times) {
  if (times.total() == 0) return Row({Text(name), Number("0"), Number("")});
  return Row({Text(name), Number(fmt::to_string(times.total())),
              Number(fmt::format("half within {}, 99 of 100 within {}",
                                 FormatTime(times.Quantile(0.5)),
                                 FormatTime(times.Quantile(0.99))))});
}

// "12.5 %" of all phases of the simulation.
std::string FormatShare(const PhaseTimes::Phase& phase,
                        const std::vector<PhaseTimes::Phase>& phases) {
  uint64_t all_ns = 0;
  for (const PhaseTimes::Phase& other : phases) {
    if (other.simulation == phase.simulation) all_ns += other.times.sum_ns;
  }
  if (all_ns == 0) return "";
  return fmt::format("{:.1f} %", 100.0 *
                                     static_cast<double>(phase.times.sum_ns) /
                                     static_cast<double>(all_ns));
}

std::string FormatPhases(const std::vector<PhaseTimes::Phase>& phases) {
  if (phases.empty()) return "";
  std::string rows;
  for (const PhaseTimes::Phase& phase : phases) {
    rows += Row({Text(phase.simulation), Text(phase.phase),
                 Number(FormatShare(phase, phases)),
                 Number(fmt::format("half within {}, 99 of 100 within {}",
                                    FormatTime(phase.times.Quantile(0.5)),
                                    FormatTime(phase.times.Quantile(0.99))))});
  }
  return fmt::format(
      "<h2>Phases of ticks</h2>\n<table id=\"phases\">\n<tr>"
      "<th>simulation</th><th>phase</th><th class=\"number\">share</th>"
      "<th class=\"number\">how long</th></tr>\n{}</table>\n"
      "<p>Of one tick in {} of each session.</p>\n",
      rows, kPhaseSampleTicks);
}

std::string FormatServer(const OperatorView& view) {
  std::string html = "<h2>Server</h2>\n<table>\n";
  const auto fact = [&](std::string_view name, const std::string& value) {
    html += Row({Text(name), Number(value)});
  };
  fact("Sessions", fmt::format("{} of {}", view.sessions->size(),
                               view.options->sessions.sessions_max));
  fact("Streams", fmt::format("{} of {}", view.streams->size(),
                              view.options->streams_max));
  fact("Store",
       fmt::format("{} of {}", FormatBytes(view.replays->bytes()),
                   FormatBytes(view.options->recordings.store_bytes_max)));
  fact("Calls that ended", fmt::to_string(view.metrics->ended_calls()));
  fact("Of them not OK", fmt::to_string(view.metrics->failed_calls()));
  fact("Requests that wait or run",
       fmt::format("{} to step, {} to load, {} to use files",
                   view.stepping->size(), view.loading->size(),
                   view.files->size()));
  html += "</table>\n<h2>Times</h2>\n<table>\n";
  html +=
      "<tr><th>what</th><th class=\"number\">how many</th>"
      "<th class=\"number\">how long</th></tr>\n";
  html += FormatTimes("Ticks", view.metrics->tick_time.Read());
  html += FormatTimes("Waits to step", view.stepping->waits());
  html += FormatTimes("Waits to load", view.loading->waits());
  html += FormatTimes("Waits to use files", view.files->waits());
  return html + "</table>\n" + FormatPhases(view.metrics->phase_times.Read());
}

std::string FormatSessions(const OperatorView& view, const Tenant& tenant) {
  std::string rows;
  size_t count = 0;
  for (const SessionGlance& session : view.sessions->Glance()) {
    if (session.tenant != tenant) continue;
    if (++count > kStatusRowsMax) continue;
    rows += Row({Code(session.id), Text(session.pack),
                 Text(FormatState(session.state)),
                 Number(fmt::to_string(session.tick)),
                 Number(FormatBytes(session.state_bytes)),
                 Number(session.recording_bytes == 0
                            ? "-"
                            : FormatBytes(session.recording_bytes))});
  }
  if (count == 0) return "<h2>Sessions</h2>\n<p>None.</p>\n";
  std::string html = fmt::format(
      "<h2>Sessions</h2>\n<table>\n<tr><th>session</th><th>pack</th>"
      "<th>state</th><th class=\"number\">tick</th>"
      "<th class=\"number\">rows</th><th class=\"number\">recording</th></tr>\n"
      "{}</table>\n",
      rows);
  if (count > kStatusRowsMax) {
    html += fmt::format("<p>And {} more.</p>\n", count - kStatusRowsMax);
  }
  return html;
}

std::string FormatReplays(const OperatorView& view,
                          const StatusReader& reader) {
  const auto page = view.replays->List(reader.tenant, kReplaysShown, "");
  if (!page.ok()) {
    return fmt::format("<h2>Newest replays</h2>\n<p>{}</p>\n",
                       EscapeHtml(std::string(page.status().message())));
  }
  if (page->replays.empty()) {
    return "<h2>Newest replays</h2>\n<p>None.</p>\n";
  }
  std::string rows;
  for (const ReplayStore::Entry& replay : page->replays) {
    const std::string id = EscapeHtml(replay.id);
    const std::string link = fmt::format(
        "<td><a href=\"/replays/{}\"><code>{}</code></a></td>", id, id);
    rows += Row({reader.may_play ? link : Code(replay.id),
                 Number(FormatBytes(replay.size_bytes))});
  }
  return fmt::format(
      "<h2>Newest replays</h2>\n<table>\n<tr><th>replay</th>"
      "<th class=\"number\">size</th></tr>\n{}</table>\n",
      rows);
}

}  // namespace

std::string FormatStatusPage(const OperatorView& view,
                             const StatusReader& reader) {
  std::string html(kHead);
  html += fmt::format("<h1>Reprise {}</h1>\n<p id=\"health\">{}</p>\n",
                      EscapeHtml(view.options->version),
                      view.is_serving() ? "Serving." : "Not serving.");
  if (reader.is_operator) html += FormatServer(view);
  html += FormatSessions(view, reader.tenant);
  html += FormatReplays(view, reader);
  return html + "</body>\n</html>\n";
}

std::string EscapeHtml(std::string_view text) {
  return absl::StrReplaceAll(std::string(text), {{"&", "&amp;"},
                                                 {"<", "&lt;"},
                                                 {">", "&gt;"},
                                                 {"\"", "&quot;"},
                                                 {"'", "&#39;"}});
}

}  // namespace reprise::services
