// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise store add`, `get`, `tag` and `remove`: what goes into a store, and
// out of it.

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/store/replay_store.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/inputs/store_location.h"
#include "tools/reprise/reports/store_output.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/terminal/quantity.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string store;
  std::string output;
  std::string recorded;
  std::vector<std::string> tags;
  std::vector<std::string> added_tags;
  std::vector<std::string> removed_tags;
  OutputFormat format;
};

// A replay was recorded when its file was last changed.
absl::StatusOr<absl::Time> RecordedAt(const Options& options,
                                      const std::string& path) {
  if (!options.recorded.empty()) return ParseTime(options.recorded);
  struct stat information = {};
  if (stat(path.c_str(), &information) != 0) {
    return absl::ErrnoToStatus(errno, path);
  }
  return absl::TimeFromTimespec(information.st_mtim);
}

absl::StatusOr<replays::ReplayStore::Added> AddFile(const Options& options,
                                                    const std::string& path,
                                                    replays::ReplayStore& store,
                                                    Console& console) {
  const absl::StatusOr<absl::Time> recorded_at = RecordedAt(options, path);
  if (!recorded_at.ok()) return recorded_at.status();
  const absl::Status status = OpenReplayFile(path, console).status();
  if (!status.ok()) return status;
  return store.Add(
      path,
      {.recorded_at = *recorded_at, .now = absl::Now(), .tags = options.tags});
}

// Does `act` for each of `names`, whatever becomes of the others. The worst
// result is that of all.
ExitCode ForEachName(
    const std::vector<std::string>& names, Console& console,
    const std::function<absl::Status(const std::string&)>& act) {
  ExitCode worst = ExitCode::kOk;
  for (const std::string& name : names) {
    const absl::Status status = act(name);
    if (status.ok()) continue;
    TellError(status, console);
    worst = std::max(worst, ExitCodeOf(status));
  }
  return worst;
}

// Prints what was done with each replay: as lines at once, or as one document.
class Results {
 public:
  Results(const Options& options, std::string_view command, Console& console)
      : options_(options),
        document_(MakeJsonDocument(command)),
        console_(console) {
    document_["replays"] = Json::array();
  }

  void Add(std::string_view line, Json json) {
    if (options_.format.is_json()) {
      document_["replays"].push_back(std::move(json));
    } else {
      console_.out() << line;
    }
  }

  void Print() {
    if (options_.format.is_json()) PrintJson(document_, console_);
  }

 private:
  const Options& options_;
  Json document_;
  Console& console_;
};

absl::StatusOr<ExitCode> AddFiles(const Options& options,
                                  const std::vector<std::string>& paths,
                                  Console& console) {
  if (!options.recorded.empty()) {
    const absl::Status status = ParseTime(options.recorded).status();
    if (!status.ok()) return status;
  }
  const auto store = OpenOrMakeStore(options.store, WarnOfRecordings(console));
  if (!store.ok()) return store.status();
  Results results(options, "store add", console);
  const ExitCode worst =
      ForEachName(paths, console, [&](const std::string& path) {
        const auto added = AddFile(options, path, **store, console);
        if (!added.ok()) return added.status();
        Json json = ToJson(**store, added->replay);
        json["is_new"] = added->is_new;
        results.Add(fmt::format("{}  {}{}\n", ShortName(added->replay), path,
                                added->is_new ? "" : " (was there already)"),
                    std::move(json));
        return absl::OkStatus();
      });
  results.Print();
  return worst;
}

absl::StatusOr<ExitCode> GetReplay(const Options& options,
                                   const std::string& name, Console& console) {
  const auto store = OpenStore(options.store, WarnOfRecordings(console));
  if (!store.ok()) return store.status();
  const auto replay = (*store)->Resolve(WithoutStorePrefix(name));
  if (!replay.ok()) return replay.status();
  const std::string output =
      options.output.empty() ? replay->name : options.output;
  const absl::Status status = (*store)->CopyTo(replay->digest, output);
  if (!status.ok()) return status;
  fmt::print(console.out(), "{}  {}\n", ShortName(*replay), output);
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> TagReplays(const Options& options,
                                    const std::vector<std::string>& names,
                                    Console& console) {
  if (options.added_tags.empty() && options.removed_tags.empty()) {
    return absl::InvalidArgumentError("--add or --remove says which tags");
  }
  for (const auto* tags : {&options.added_tags, &options.removed_tags}) {
    for (const std::string& tag : *tags) {
      const absl::Status status = replays::ValidateTag(tag);
      if (!status.ok()) return status;
    }
  }
  const auto store = OpenStore(options.store, WarnOfRecordings(console));
  if (!store.ok()) return store.status();
  Results results(options, "store tag", console);
  const ExitCode worst =
      ForEachName(names, console, [&](const std::string& name) {
        const auto replay = (*store)->Resolve(WithoutStorePrefix(name));
        if (!replay.ok()) return replay.status();
        replays::Catalogue& catalogue = (*store)->catalogue();
        const absl::Status status = catalogue.ChangeTags(
            replay->digest, options.added_tags, options.removed_tags);
        if (!status.ok()) return status;
        const auto changed = catalogue.Find(replay->digest);
        if (!changed.ok()) return changed.status();
        results.Add(fmt::format("{}  {}\n", ShortName(*changed),
                                fmt::join(changed->tags, " ")),
                    ToJson(**store, *changed));
        return absl::OkStatus();
      });
  results.Print();
  return worst;
}

absl::StatusOr<ExitCode> RemoveReplays(const Options& options,
                                       const std::vector<std::string>& names,
                                       Console& console) {
  const auto store = OpenStore(options.store, WarnOfRecordings(console));
  if (!store.ok()) return store.status();
  Results results(options, "store remove", console);
  const ExitCode worst =
      ForEachName(names, console, [&](const std::string& name) {
        const auto replay = (*store)->Resolve(WithoutStorePrefix(name));
        if (!replay.ok()) return replay.status();
        const absl::Status status = (*store)->Remove(replay->digest);
        if (!status.ok()) return status;
        results.Add(fmt::format("{}  removed\n", ShortName(*replay)),
                    ToJson(**store, *replay));
        return absl::OkStatus();
      });
  results.Print();
  return worst;
}

}  // namespace

Command MakeStoreAddCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "store add";
  command.summary = "Puts replays into a store, each once";
  command.description =
      "Copies each file, once all its checksums are right, to a name made of "
      "its content, and notes in the catalogue what it holds. The store is "
      "made where there is none. Prints the beginning of each replay's digest, "
      "by which other verbs take it: `reprise verify store:3fa9`, with "
      "$REPRISE_STORE set.";
  command.arguments = {"FILE...", 1, kManyArguments};
  command.flags = {
      StoreFlag(&options->store),
      {"tag", "TAG", "Tag them. May be repeated.", &options->tags},
      {"recorded", "TIME",
       "When they were recorded. If unset, when each file was last changed.",
       &options->recorded},
      options->format.flag(),
  };
  command.examples = {
      {"Keep what the night's runs recorded",
       "reprise store add --store ~/replays nightly/*.mcap --tag nightly"}};
  command.run = [options](const std::vector<std::string>& paths,
                          Console& console) {
    return AddFiles(*options, paths, console);
  };
  return command;
}

Command MakeStoreGetCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "store get";
  command.summary = "Copies a replay out of a store";
  command.description =
      "Fails, and leaves no file, where the content isn't any more what was "
      "added.";
  command.arguments = {"REPLAY", 1, 1};
  command.flags = {
      StoreFlag(&options->store),
      {"output", "FILE",
       "Where to, a file that isn't there yet. If unset, the name that it came "
       "with, here.",
       &options->output},
  };
  command.examples = {{"Take one out",
                       "reprise store get 3fa9 --store "
                       "~/replays --output game.mcap"}};
  command.run = [options](const std::vector<std::string>& names,
                          Console& console) {
    return GetReplay(*options, names.front(), console);
  };
  return command;
}

Command MakeStoreTagCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "store tag";
  command.summary = "Tags replays of a store, and takes tags away";
  command.description =
      "A tag has 1 to 160 letters, digits and `._-/:`; a replay has up to 64.";
  command.arguments = {"REPLAY...", 1, kManyArguments};
  command.flags = {
      StoreFlag(&options->store),
      {"add", "TAG", "Add this tag. May be repeated.", &options->added_tags},
      {"remove", "TAG", "Take this tag away. May be repeated.",
       &options->removed_tags},
      options->format.flag(),
  };
  command.examples = {{"Keep one for good",
                       "reprise store tag 3fa9 --add golden --remove nightly"}};
  command.run = [options](const std::vector<std::string>& names,
                          Console& console) {
    return TagReplays(*options, names, console);
  };
  return command;
}

Command MakeStoreRemoveCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "store remove";
  command.summary = "Deletes replays from a store";
  command.description = "The files go, too; nothing brings them back.";
  command.arguments = {"REPLAY...", 1, kManyArguments};
  command.flags = {StoreFlag(&options->store), options->format.flag()};
  command.examples = {
      {"Delete one", "reprise store remove 3fa9 --store ~/replays"}};
  command.run = [options](const std::vector<std::string>& names,
                          Console& console) {
    return RemoveReplays(*options, names, console);
  };
  return command;
}

}  // namespace reprise::tools
