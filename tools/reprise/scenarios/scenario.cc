// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/scenarios/scenario.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/playing/pack_folder.h"
#include "reprise/v1/scenario.pb.h"
#include "sim/compiler/checking/manifest_places.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/compiler/reading/manifest_text.h"
#include "tools/reprise/inputs/input_selection.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/scenarios/changed_start.h"
#include "tools/reprise/scenarios/scenario_inputs.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kTicksMax = 10'000'000;
constexpr int kInputsMax = 100'000;
constexpr int kExpectationsMax = 1000;

// Makes a scenario of its message.
class ScenarioReader {
 public:
  ScenarioReader(const sim::PackArchive& pack, const fs::path& folder,
                 const v1::Scenario& message,
                 const sim::MessageChecker& checker)
      : pack_(pack), folder_(folder), message_(message), checker_(checker) {}

  // nullopt after a problem.
  std::optional<Scenario> Read() {
    Scenario scenario;
    scenario.name = checker_.Name("name", message_.name());
    scenario.place = FormatPlace(checker_.Place());
    if (message_.ticks() < 1 || message_.ticks() > kTicksMax) {
      Problem("ticks",
              fmt::format("{} is not in 1..{}", message_.ticks(), kTicksMax));
      return std::nullopt;
    }
    scenario.tick_count = message_.ticks();
    if (!MakeStart(scenario)) return std::nullopt;
    ReadInputs(scenario);
    ReadBots(scenario);
    ReadExpectations(scenario);
    if (!is_ok_) return std::nullopt;
    return scenario;
  }

 private:
  void Problem(std::string_view field, std::string text) {
    checker_.Problem(field, std::move(text));
    is_ok_ = false;
  }

  bool MakeStart(Scenario& scenario) {
    scenario.pack = ChangeStart(pack_, message_.objects());
    // The pack itself has none: what is wrong is of the scenario's objects.
    sim::PackReport report;
    if (sim::CompilePack(scenario.pack, message_.seed(), report) == nullptr) {
      for (const sim::PackProblem& problem : report.problems()) {
        Problem("objects", fmt::format("{}{}{}", problem.field,
                                       problem.field.empty() ? "" : ": ",
                                       problem.message));
      }
      return false;
    }
    auto start = CreatePackSimulation(scenario.pack, message_.seed(), "");
    if (!start.ok()) {
      Problem("objects", std::string(start.status().message()));
      return false;
    }
    scenario.start = *std::move(start);
    return true;
  }

  void ReadInputs(Scenario& scenario) {
    if (message_.inputs_size() > kInputsMax) {
      return Problem("inputs", fmt::format("{}; {} are the most",
                                           message_.inputs_size(), kInputsMax));
    }
    scenario.inputs = {.pack = scenario.start->info().pack,
                       .tick_count = scenario.tick_count,
                       .run = std::nullopt,
                       .ticks = {}};
    if (!message_.recording().empty()) {
      if (message_.inputs_size() > 0) {
        return Problem("recording", "stands beside inputs; one of them counts");
      }
      return ReadRecording(scenario);
    }
    auto ticks =
        MakeScenarioInputs(scenario.start->info().inputs, message_.inputs(),
                           scenario.tick_count, checker_);
    if (!ticks) {
      is_ok_ = false;
      return;
    }
    scenario.inputs.ticks = *std::move(ticks);
  }

  void ReadRecording(Scenario& scenario) {
    const std::string path = (folder_ / message_.recording()).string();
    const absl::StatusOr<InputFile> file = InputFile::Open(path);
    if (!file.ok()) {
      return Problem("recording", std::string(file.status().message()));
    }
    const std::unique_ptr<replays::InputSource> source = file->Read();
    const sim::Tick end =
        std::min(source->tick_count().value_or(scenario.tick_count),
                 scenario.tick_count);
    for (sim::Tick tick = 0; tick < end; ++tick) {
      const auto frames = source->FramesAt(tick);
      if (!frames.ok()) {
        return Problem("recording", std::string(frames.status().message()));
      }
      if (frames->empty()) continue;
      scenario.inputs.ticks.push_back(
          {.tick = tick, .frames = {frames->begin(), frames->end()}});
    }
  }

  void ReadBots(Scenario& scenario) {
    std::set<uint32_t> seated;
    for (const v1::ScenarioBot& bot : message_.bots()) {
      seated.insert(bot.player());
      scenario.bots.push_back({.player = bot.player(), .name = bot.name()});
    }
    if (message_.all_bots()) {
      const std::vector<sim::BotChoice> all = sim::AllBots(*scenario.start);
      if (all.empty()) Problem("all_bots", "the pack has none but in reserve");
      for (const sim::BotChoice& choice : all) {
        if (!seated.contains(choice.player)) scenario.bots.push_back(choice);
      }
    }
    if (scenario.bots.empty()) return;
    const auto bots = sim::BotPlayers::Create(*scenario.start, scenario.bots);
    if (!bots.ok()) {
      return Problem(message_.all_bots() ? "all_bots" : "bots",
                     std::string(bots.status().message()));
    }
    for (int i = 0; i < message_.inputs_size(); ++i) {
      if (!(*bots)->Plays(message_.inputs(i).player())) continue;
      checker_.In(message_.inputs(i), "inputs", i)
          .Problem("player", "a bot plays this one");
      is_ok_ = false;
    }
  }

  void ReadExpectations(Scenario& scenario) {
    if (message_.expect_size() < 1 ||
        message_.expect_size() > kExpectationsMax) {
      return Problem("expect",
                     fmt::format("{} are not in 1..{}", message_.expect_size(),
                                 kExpectationsMax));
    }
    for (int i = 0; i < message_.expect_size(); ++i) {
      const sim::MessageChecker place =
          checker_.In(message_.expect(i), "expect", i);
      std::optional<ScenarioExpectation> expectation =
          ReadExpectation(message_.expect(i), place, scenario);
      if (!expectation) {
        is_ok_ = false;
        continue;
      }
      scenario.expectations.push_back(*std::move(expectation));
    }
  }

  static std::optional<ScenarioExpectation> ReadExpectation(
      const v1::ScenarioExpectation& message, const sim::MessageChecker& place,
      const Scenario& scenario) {
    ScenarioExpectation expectation;
    expectation.place = FormatPlace(place.Place());
    const auto refuse = [&place](std::string_view field, std::string text) {
      place.Problem(field, std::move(text));
      return std::nullopt;
    };
    if (message.that().empty() == message.event().empty()) {
      return refuse("that", "either this or an event");
    }
    if (message.has_count() && message.event().empty()) {
      return refuse("count", "of events alone");
    }
    const std::optional<ScenarioSpan> span = ReadSpan(message, place, scenario);
    if (!span) return std::nullopt;
    expectation.span = *span;
    if (!message.event().empty()) {
      if (span->kind == ScenarioSpan::Kind::kAlways) {
        return refuse("always", "of conditions alone; count says how often");
      }
      if (message.has_count() && span->kind == ScenarioSpan::Kind::kNever) {
        return refuse("count", "contradicts never");
      }
      if (!IsEvent(message.event(), place, *scenario.start)) {
        return std::nullopt;
      }
      expectation.event = message.event();
      expectation.event_id = sim::IdOf(message.event());
      if (message.has_count()) expectation.count = message.count();
    } else {
      absl::StatusOr<Expectation> condition =
          Expectation::Parse(message.that(), *scenario.start);
      if (!condition.ok()) {
        return refuse("that", std::string(condition.status().message()));
      }
      expectation.condition = *std::move(condition);
    }
    expectation.text = TextOf(expectation, scenario.tick_count);
    return expectation;
  }

  static std::optional<ScenarioSpan> ReadSpan(
      const v1::ScenarioExpectation& message, const sim::MessageChecker& place,
      const Scenario& scenario) {
    const bool is_of_event = !message.event().empty();
    const int kinds = (message.has_at() ? 1 : 0) + (message.always() ? 1 : 0) +
                      (message.sometimes() ? 1 : 0) + (message.never() ? 1 : 0);
    if (kinds > 1) {
      place.Problem("at", "at, sometimes, always and never exclude each other");
      return std::nullopt;
    }
    ScenarioSpan span{.begin = scenario.tick_count, .end = scenario.tick_count};
    if (message.has_at()) {
      span.begin = span.end = message.at();
    } else if (kinds == 1 || is_of_event) {
      span.kind = message.always()  ? ScenarioSpan::Kind::kAlways
                  : message.never() ? ScenarioSpan::Kind::kNever
                                    : ScenarioSpan::Kind::kSometimes;
      span.begin = message.has_from() ? message.from() : 0;
      if (message.has_to()) span.end = message.to();
    } else if (message.has_from() || message.has_to()) {
      place.Problem(message.has_from() ? "from" : "to",
                    "goes with sometimes, always or never");
      return std::nullopt;
    }
    for (const auto& [field, tick] :
         {std::pair(message.has_at() ? "at" : "from", span.begin),
          std::pair(message.has_at() ? "at" : "to", span.end)}) {
      if (tick <= scenario.tick_count) continue;
      place.Problem(field, fmt::format("{}: the scenario ends after {} ticks",
                                       tick, scenario.tick_count));
      return std::nullopt;
    }
    if (span.begin > span.end) {
      place.Problem("from",
                    fmt::format("{} is behind {}", span.begin, span.end));
      return std::nullopt;
    }
    return span;
  }

  static bool IsEvent(const std::string& name, const sim::MessageChecker& place,
                      const sim::Simulation& simulation) {
    std::vector<std::string> known;
    for (const sim::EventDescription& event : simulation.description().events) {
      if (event.name == name) return true;
      known.push_back(event.name);
    }
    place.NoSuch("event", "event", name, known);
    return false;
  }

  static std::string TextOf(const ScenarioExpectation& expectation,
                            sim::Tick tick_count) {
    using Kind = ScenarioSpan::Kind;
    const ScenarioSpan& span = expectation.span;
    std::string when;
    if (span.kind == Kind::kOnce) {
      when = span.begin == tick_count ? "at the end"
                                      : fmt::format("at tick {}", span.begin);
    } else {
      when = span.kind == Kind::kAlways  ? "always"
             : span.kind == Kind::kNever ? "never"
                                         : "sometimes";
      if (span.begin != 0) when += fmt::format(" from tick {}", span.begin);
      if (span.end != tick_count) when += fmt::format(" to tick {}", span.end);
    }
    std::string what = expectation.condition
                           ? expectation.condition->text()
                           : fmt::format("event {}", expectation.event);
    if (expectation.count) what += fmt::format(" {} times", *expectation.count);
    return fmt::format("{}: {}", when, what);
  }

  const sim::PackArchive& pack_;
  const fs::path& folder_;
  const v1::Scenario& message_;
  const sim::MessageChecker& checker_;
  bool is_ok_ = true;
};

absl::StatusOr<std::string> ReadText(const fs::path& path) {
  const auto source = replays::FileSource::Open(path.string());
  if (!source.ok()) return source.status();
  if ((*source)->size() > sim::kManifestBytesMax) {
    return absl::ResourceExhaustedError(
        fmt::format("{}: larger than 64 MiB", path.string()));
  }
  std::string text((*source)->size(), '\0');
  absl::Status status =
      (*source)->ReadAt(0, std::as_writable_bytes(std::span(text)));
  if (!status.ok()) return status;
  return text;
}

absl::Status ReadFile(const sim::PackArchive& pack, const fs::path& path,
                      sim::PackReport& report,
                      std::vector<Scenario>& scenarios) {
  const absl::StatusOr<std::string> text = ReadText(path);
  if (!text.ok()) return text.status();
  sim::ManifestPlaces places;
  sim::ManifestFile& file = places.AddFile(path.string());
  v1::ScenarioFile message;
  if (!sim::ParseManifestText(*text, sim::UnknownFields::kRefuse, file, message,
                              report)) {
    return absl::OkStatus();
  }
  const sim::MessageChecker checker(message, sim::PackPlace(places), report);
  if (message.scenarios().empty()) {
    checker.Problem("scenarios", "there is none");
  }
  const fs::path folder = path.parent_path();
  std::set<std::string> names;
  for (int i = 0; i < message.scenarios_size(); ++i) {
    const v1::Scenario& one = message.scenarios(i);
    const sim::MessageChecker place = checker.In(one, "scenarios", i);
    if (!names.insert(one.name()).second) {
      place.Problem("name", fmt::format("'{}' stands there twice", one.name()));
      continue;
    }
    std::optional<Scenario> scenario =
        ScenarioReader(pack, folder, one, place).Read();
    if (scenario) scenarios.push_back(*std::move(scenario));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Scenario>> ReadScenarios(const std::string& path,
                                                    sim::PackReport& report) {
  const absl::StatusOr<sim::PackArchive> pack = OpenPack(path);
  if (!pack.ok()) return pack.status();
  const absl::Status compiles = sim::CreateWorld(*pack, /*seed=*/0).status();
  if (!compiles.ok()) return compiles;
  const fs::path folder = fs::path(path) / replays::kPackTestsFolder;
  std::set<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".txtpb") files.insert(entry.path());
  }
  if (files.empty()) {
    return absl::NotFoundError(
        fmt::format("{}: no scenario is there (*.txtpb)", folder.string()));
  }
  std::vector<Scenario> scenarios;
  for (const fs::path& file : files) {
    const absl::Status status = ReadFile(*pack, file, report, scenarios);
    if (!status.ok()) return status;
  }
  return scenarios;
}

}  // namespace reprise::tools
