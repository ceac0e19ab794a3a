// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise store list` and `store show`: what a store holds.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/store/catalogue.h"
#include "replays/store/replay_store.h"
#include "tools/reprise/inputs/store_location.h"
#include "tools/reprise/reports/store_output.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/terminal/quantity.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kAnyOutcome = "any";

struct ListOptions {
  std::string store;
  std::string pack;
  std::string_view outcome = kAnyOutcome;
  std::optional<uint64_t> ticks_min;
  std::optional<uint64_t> ticks_max;
  std::string build;
  std::string name;
  std::vector<std::string> tags;
  std::string recorded_from;
  std::string recorded_before;
  std::optional<uint64_t> limit;
  bool paths = false;
  OutputFormat format;
};

struct ShowOptions {
  std::string store;
  OutputFormat format;
};

absl::StatusOr<replays::StoredReplayFilter> FilterOf(
    const ListOptions& options) {
  replays::StoredReplayFilter filter;
  if (!options.pack.empty()) filter.pack = options.pack;
  if (options.outcome != kAnyOutcome) filter.outcome = options.outcome;
  filter.tick_count_min = options.ticks_min;
  filter.tick_count_max = options.ticks_max;
  if (!options.build.empty()) filter.build = options.build;
  if (!options.name.empty()) filter.name = options.name;
  filter.tags = options.tags;
  if (!options.recorded_from.empty()) {
    const absl::StatusOr<absl::Time> time = ParseTime(options.recorded_from);
    if (!time.ok()) return time.status();
    filter.recorded_from = *time;
  }
  if (!options.recorded_before.empty()) {
    const absl::StatusOr<absl::Time> time = ParseTime(options.recorded_before);
    if (!time.ok()) return time.status();
    filter.recorded_before = *time;
  }
  return filter;
}

absl::StatusOr<ExitCode> ListReplays(const ListOptions& options,
                                     Console& console) {
  const auto filter = FilterOf(options);
  if (!filter.ok()) return filter.status();
  const auto store = OpenStore(options.store, WarnOfRecordings(console));
  if (!store.ok()) return store.status();

  Json replays = Json::array();
  uint64_t count = 0;
  uint64_t size_bytes = 0;
  bool has_more = false;
  const absl::Status listed = replays::ForEachStoredReplay(
      (*store)->catalogue(), *filter, [&](const replays::StoredReplay& replay) {
        if (count == options.limit) {
          has_more = true;
          return absl::CancelledError();
        }
        if (options.format.is_json()) {
          replays.push_back(ToJson(**store, replay));
        } else if (options.paths) {
          console.out() << (*store)->files().PathOf(replay.digest) << "\n";
        } else {
          if (count == 0) console.out() << FormatStoredReplayHead();
          console.out() << FormatStoredReplay(**store, replay);
        }
        ++count;
        size_bytes += replay.size_bytes;
        return absl::OkStatus();
      });
  if (!listed.ok() && !has_more) return listed;
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("store list");
    document["replays"] = std::move(replays);
    document["has_more"] = has_more;
    PrintJson(document, console);
  } else {
    console.Note(fmt::format("{}, {}{}", FormatReplayCount(count),
                             FormatByteCount(size_bytes),
                             has_more ? "; there are more" : ""));
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> ShowReplay(const ShowOptions& options,
                                    const std::string& name, Console& console) {
  const auto store = OpenStore(options.store, WarnOfRecordings(console));
  if (!store.ok()) return store.status();
  const auto replay = (*store)->Resolve(WithoutStorePrefix(name));
  if (!replay.ok()) return replay.status();
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("store show");
    document.update(ToJson(**store, *replay));
    PrintJson(document, console);
  } else {
    PrintStoredReplay(**store, *replay, console);
  }
  return ExitCode::kOk;
}

std::vector<Flag> ListFlags(ListOptions& options) {
  std::vector<std::string_view> outcomes = replays::ReplayOutcomeNames();
  outcomes.push_back(kAnyOutcome);
  return {
      StoreFlag(&options.store),
      {"pack", "NAME", "Only replays of this pack.", &options.pack},
      {"outcome", "won|lost|running|cut_off",
       "Only replays that ended so. cut_off: recordings without an end.",
       ChoiceTarget{&options.outcome, std::move(outcomes)}},
      {"ticks-min", "N", "Only replays of so many ticks or more.",
       &options.ticks_min},
      {"ticks-max", "N", "Only replays of so many ticks or fewer.",
       &options.ticks_max},
      {"build", "TEXT", "Only replays whose build has this in its name.",
       &options.build},
      {"name", "TEXT",
       "Only replays whose name has this in it: replays/ for what a server "
       "recorded, replays/TENANT/ for a tenant's.",
       &options.name},
      {"tag", "TAG", "Only replays with this tag. May be repeated.",
       &options.tags},
      {"recorded-from", "TIME",
       "Only replays recorded then or later: 2026-11-22 or "
       "2026-11-22T08:30:00Z.",
       &options.recorded_from},
      {"recorded-before", "TIME", "Only replays recorded earlier.",
       &options.recorded_before},
      {"limit", "N", "At most so many. All if unset.", &options.limit},
      {"paths", "", "Print the paths of the files alone, a line each.",
       &options.paths},
      options.format.flag(),
  };
}

}  // namespace

Command MakeStoreListCommand() {
  const auto options = std::make_shared<ListOptions>();
  Command command;
  command.name = "store list";
  command.summary = "Lists the replays of a store that match";
  command.description = "The last recorded comes first.";
  command.arguments = {"", 0, 0};
  command.flags = ListFlags(*options);
  command.examples = {
      {"Which long games of marble were lost?",
       "reprise store list --store ~/replays --pack marble --outcome lost "
       "--ticks-min 3600"},
      {"Verify all that are tagged",
       "reprise store list --tag golden --paths | xargs reprise verify"},
  };
  command.run = [options](const std::vector<std::string>&, Console& console) {
    return ListReplays(*options, console);
  };
  return command;
}

Command MakeStoreShowCommand() {
  const auto options = std::make_shared<ShowOptions>();
  Command command;
  command.name = "store show";
  command.summary = "Says what a store knows of a replay";
  command.description =
      "From the catalogue, and whether it is a capsule from the file; `reprise "
      "info` looks into all of that.";
  command.arguments = {"REPLAY", 1, 1};
  command.flags = {StoreFlag(&options->store), options->format.flag()};
  command.examples = {
      {"Look at one", "reprise store show 3fa9 --store ~/replays"}};
  command.run = [options](const std::vector<std::string>& names,
                          Console& console) {
    return ShowReplay(*options, names.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
