// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verbs/inspect_trace.h"

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/replay_player.h"
#include "sim/base/nearest_name.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/script/script_machine.h"
#include "sim/script/script_profile.h"
#include "sim/script/script_program.h"
#include "sim/script/script_watcher.h"
#include "sim/simulation.h"
#include "sim/systems/scripts/script_system.h"
#include "sim/systems/scripts/script_trace.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

// A file and a line as a person says it.
struct Place {
  std::string file;
  int line = 0;
};

absl::StatusOr<Place> ParsePlace(const std::string& text) {
  const size_t colon = text.rfind(':');
  Place place;
  if (colon != std::string::npos && colon > 0) {
    const char* const end = text.data() + text.size();
    const auto [rest, error] =
        std::from_chars(text.data() + colon + 1, end, place.line);
    if (error == std::errc() && rest == end && place.line >= 1) {
      place.file = text.substr(0, colon);
      return place;
    }
  }
  return absl::InvalidArgumentError(fmt::format(
      "--trace: '{}' is no FILE:LINE, as scripts/ball.lua:12", text));
}

// The nearest line of the file that has code; 0: none has.
int NearestWithCode(const sim::ScriptProfile& profile, int file, int line) {
  const auto lines = profile.lines(file);
  int nearest = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].has_code) continue;
    const int each = static_cast<int>(i) + 1;
    if (nearest == 0 || std::abs(each - line) < std::abs(nearest - line)) {
      nearest = each;
    }
  }
  return nearest;
}

absl::StatusOr<sim::ScriptLine> FindLine(const Place& place,
                                         const sim::ScriptMachine& machine) {
  const sim::ScriptProgram& program = machine.program();
  const int file = program.Find(place.file);
  if (file < 0) {
    std::vector<std::string_view> names;
    for (const sim::ScriptFile& each : program.files()) {
      names.push_back(each.name);
    }
    return absl::NotFoundError("--trace: " +
                               sim::ThereIsNo("script", place.file, names));
  }
  const auto lines = machine.profile().lines(file);
  const auto index = static_cast<size_t>(place.line) - 1;
  if (index < lines.size() && lines[index].has_code) {
    return sim::ScriptLine{.file = file, .line = place.line};
  }
  const int nearest = NearestWithCode(machine.profile(), file, place.line);
  return absl::InvalidArgumentError(
      fmt::format("--trace: {}:{} has no code{}", place.file, place.line,
                  nearest == 0 ? "" : fmt::format("; line {} has", nearest)));
}

// One time that the line began.
struct Visit {
  std::optional<sim::Tick> tick;  // unset: while the world was made
  std::string object;
  sim::ScriptVisit script;
};

class Tracing {
 public:
  Tracing(const TraceOptions& options, replays::ReplayPlayer& player)
      : options_(options), player_(player) {}

  absl::Status Run(const Place& place, sim::Tick from, sim::Tick to,
                   Console& console) {
    absl::Status status = player_.SeekTo(from);
    if (!status.ok()) return status;
    sim::Scripts* const scripts = sim::FindScripts(player_.simulation());
    if (scripts == nullptr) {
      return absl::NotFoundError("--trace: the pack has no scripts");
    }
    scripts->CountScripts();
    const absl::StatusOr<sim::ScriptLine> line =
        FindLine(place, *scripts->counting_machines().back());
    if (!line.ok()) return line.status();
    if (from == 0) TraceStart(*line);
    sim::ScriptTrace trace(*line);
    scripts->Watch(&trace);
    status = StepTo(to, trace, console);
    scripts->Watch(nullptr);
    dropped_ += trace.dropped_count();
    return status;
  }

  const std::vector<Visit>& visits() const { return visits_; }
  // With those that aren't among visits().
  uint64_t count() const { return count_ + dropped_; }

 private:
  // Objects that are there from the start come while a world is made.
  void TraceStart(const sim::ScriptLine& line) {
    sim::ScriptTrace trace(line);
    sim::Scripts* made = nullptr;
    const std::unique_ptr<sim::Simulation> again = sim::BeginAgain(
        player_.simulation(), [&trace, &made](sim::Scripts& scripts) {
          scripts.CountScripts();
          scripts.Watch(&trace);
          made = &scripts;
        });
    made->Watch(nullptr);
    Take(trace, *again, std::nullopt);
  }

  absl::Status StepTo(sim::Tick to, sim::ScriptTrace& trace, Console& console) {
    ProgressBar progress(console, "playing", to);
    while (player_.simulation().tick() <= to) {
      const sim::Tick tick = player_.simulation().tick();
      absl::Status status = player_.Step();
      if (!status.ok()) return status;
      Take(trace, player_.simulation(), tick);
      progress.Update(tick);
    }
    return absl::OkStatus();
  }

  void Take(sim::ScriptTrace& trace, const sim::Simulation& simulation,
            std::optional<sim::Tick> tick) {
    for (sim::ScriptTraceEntry& entry : trace.Drain()) {
      std::string object = simulation.ObjectName(entry.object);
      if (!options_.object.empty() && object != options_.object) continue;
      if (++count_ > kTraceLinesMax) continue;
      visits_.push_back({.tick = tick,
                         .object = std::move(object),
                         .script = std::move(entry.visit)});
    }
  }

  const TraceOptions& options_;
  replays::ReplayPlayer& player_;
  std::vector<Visit> visits_;
  uint64_t count_ = 0;
  uint64_t dropped_ = 0;
};

void PrintHuman(const Tracing& tracing, sim::Tick from, sim::Tick to,
                Console& console) {
  for (const Visit& visit : tracing.visits()) {
    const std::string tick =
        visit.tick ? fmt::format("tick {}", *visit.tick) : "start";
    std::string locals;
    for (const sim::ScriptLocal& local : visit.script.locals) {
      locals += fmt::format("{} {} = {}", locals.empty() ? ":" : ",",
                            local.name, local.value);
    }
    fmt::print(console.out(), "{}, {}, {}{}\n", tick, visit.object,
               visit.script.function, locals);
  }
  fmt::print(console.out(), "{} times in ticks {} to {}\n", tracing.count(),
             from, to);
}

void PrintJson(const Tracing& tracing, const TraceOptions& options,
               const sim::Simulation& simulation, sim::Tick from, sim::Tick to,
               Console& console) {
  Json visits = Json::array();
  for (const Visit& visit : tracing.visits()) {
    Json locals = Json::array();
    for (const sim::ScriptLocal& local : visit.script.locals) {
      locals.push_back({{"name", local.name}, {"value", local.value}});
    }
    visits.push_back({{"tick", visit.tick ? Json(*visit.tick) : Json(nullptr)},
                      {"object", visit.object},
                      {"function", visit.script.function},
                      {"locals", std::move(locals)}});
  }
  Json document = MakeJsonDocument("inspect");
  document["pack"] = simulation.info().pack;
  document["trace"] = options.place;
  document["from"] = from;
  document["to"] = to;
  document["count"] = tracing.count();
  document["visits"] = std::move(visits);
  PrintJson(document, console);
}

}  // namespace

absl::StatusOr<ExitCode> ShowTrace(const TraceOptions& options,
                                   const std::string& path, Console& console) {
  const absl::StatusOr<Place> place = ParsePlace(options.place);
  if (!place.ok()) return place.status();
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      OpenReplayFile(path, console);
  if (!replay.ok()) return replay.status();
  const sim::Tick end = (*replay)->tick_count();
  if (end == 0 || options.from.value_or(0) >= end ||
      options.to.value_or(0) >= end) {
    return absl::OutOfRangeError(fmt::format("{} ends at tick {}", path, end));
  }
  const sim::Tick from = options.from.value_or(0);
  const sim::Tick to = options.to.value_or(end - 1);
  if (from > to) {
    return absl::InvalidArgumentError(
        fmt::format("--from {} is behind --to {}", from, to));
  }
  const absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(options.pack);
  if (!pack.ok()) return pack.status();
  const absl::StatusOr<std::unique_ptr<replays::ReplayPlayer>> player =
      replays::ReplayPlayer::Create(replay->get(), *pack ? &**pack : nullptr);
  if (!player.ok()) return player.status();
  NoteOtherPack(path, **replay, (*player)->simulation(), console);
  Tracing tracing(options, **player);
  const absl::Status status = tracing.Run(*place, from, to, console);
  if (!status.ok()) return status;
  if (options.as_json) {
    PrintJson(tracing, options, (*player)->simulation(), from, to, console);
  } else {
    PrintHuman(tracing, from, to, console);
  }
  if (tracing.count() > tracing.visits().size()) {
    console.Warning(fmt::format(
        "only the first {} are shown; OBJECT, --from and --to ask for fewer",
        tracing.visits().size()));
  }
  return ExitCode::kOk;
}

}  // namespace reprise::tools
