// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise store check` and `store prune`: keeping a store in order.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/store/replay_store.h"
#include "replays/store/retention.h"
#include "replays/store/store_check.h"
#include "tools/reprise/inputs/store_location.h"
#include "tools/reprise/reports/store_output.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/terminal/quantity.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct CheckOptions {
  std::string store;
  bool repair = false;
  OutputFormat format;
};

struct PruneOptions {
  std::string store;
  std::string older_than;
  std::string larger_than;
  std::vector<std::string> kept_tags;
  bool dry_run = false;
  OutputFormat format;
};

std::string DescribeProblem(const replays::StoreProblem& problem) {
  std::string text = fmt::format(
      "{}: {}", replays::StoreProblemName(problem.kind), problem.path);
  if (problem.replay.has_value()) {
    text += fmt::format(" ({}, {} of {} ticks)", problem.replay->name,
                        problem.replay->pack, problem.replay->tick_count);
  }
  if (!problem.aside.empty()) text += fmt::format("; now {}", problem.aside);
  return text + (problem.is_repaired ? "; repaired\n" : "\n");
}

Json ToJson(const replays::ReplayStore& store,
            const replays::StoreProblem& problem) {
  return {{"kind", replays::StoreProblemName(problem.kind)},
          {"file", problem.path},
          {"is_loss", problem.is_loss()},
          {"is_repaired", problem.is_repaired},
          {"aside", problem.aside},
          {"replay", problem.replay ? tools::ToJson(store, *problem.replay)
                                    : Json(nullptr)}};
}

// A store is in order again once all is repaired, but what it lost stays lost.
ExitCode CodeOf(const replays::StoreReport& report) {
  for (const replays::StoreProblem& problem : report.problems) {
    if (problem.is_loss() || !problem.is_repaired) return ExitCode::kDifferent;
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Check(const CheckOptions& options, Console& console) {
  const auto store = OpenStore(options.store, WarnOfRecordings(console));
  if (!store.ok()) return store.status();
  const absl::StatusOr<replays::StoreReport> report = replays::CheckStore(
      **store, {.repair = options.repair, .now = absl::Now()});
  if (!report.ok()) return report.status();
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("store check");
    document["is_clean"] = report->is_clean();
    document["replay_count"] = report->replay_count;
    document["size_bytes"] = report->size_bytes;
    document["problems"] = Json::array();
    for (const replays::StoreProblem& problem : report->problems) {
      document["problems"].push_back(ToJson(**store, problem));
    }
    PrintJson(document, console);
  } else {
    for (const replays::StoreProblem& problem : report->problems) {
      console.out() << DescribeProblem(problem);
    }
    fmt::print(console.out(), "{}, {}: {}\n",
               FormatReplayCount(report->replay_count),
               FormatByteCount(report->size_bytes),
               report->is_clean()
                   ? "in order"
                   : fmt::format("problems: {}", report->problems.size()));
  }
  return CodeOf(*report);
}

absl::StatusOr<replays::RetentionPolicy> PolicyOf(const PruneOptions& options) {
  replays::RetentionPolicy policy;
  if (options.older_than.empty() && options.larger_than.empty()) {
    return absl::InvalidArgumentError(
        "--older-than or --larger-than says what may go");
  }
  if (!options.older_than.empty()) {
    const absl::StatusOr<absl::Duration> age = ParseAge(options.older_than);
    if (!age.ok()) return age.status();
    policy.age_max = *age;
  }
  if (!options.larger_than.empty()) {
    const absl::StatusOr<uint64_t> size = ParseByteCount(options.larger_than);
    if (!size.ok()) return size.status();
    policy.size_bytes_max = *size;
  }
  policy.kept_tags = options.kept_tags;
  return policy;
}

absl::StatusOr<ExitCode> Prune(const PruneOptions& options, Console& console) {
  const absl::StatusOr<replays::RetentionPolicy> policy = PolicyOf(options);
  if (!policy.ok()) return policy.status();
  const auto store = OpenStore(options.store, WarnOfRecordings(console));
  if (!store.ok()) return store.status();
  const absl::StatusOr<replays::RetentionPlan> plan =
      replays::PlanRetention((*store)->catalogue(), *policy, absl::Now());
  if (!plan.ok()) return plan.status();

  Json removed = Json::array();
  for (const replays::StoredReplay& replay : plan->expired) {
    // While its file is there.
    if (options.format.is_json()) {
      removed.push_back(tools::ToJson(**store, replay));
    }
    const std::string row =
        options.format.is_json() ? "" : FormatStoredReplay(**store, replay);
    if (!options.dry_run) {
      const absl::Status status = (*store)->Remove(replay.digest);
      // Another process may have been faster.
      if (!status.ok() && !absl::IsNotFound(status)) return status;
    }
    console.out() << row;
  }
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("store prune");
    document["is_dry_run"] = options.dry_run;
    document["removed"] = std::move(removed);
    document["removed_size_bytes"] = plan->expired_bytes;
    document["kept_count"] = plan->kept_count;
    document["kept_size_bytes"] = plan->kept_bytes;
    PrintJson(document, console);
  } else {
    fmt::print(console.out(), "{} {}, {}; kept {}, {}\n",
               options.dry_run ? "would remove" : "removed",
               FormatReplayCount(plan->expired.size()),
               FormatByteCount(plan->expired_bytes),
               FormatReplayCount(plan->kept_count),
               FormatByteCount(plan->kept_bytes));
  }
  return ExitCode::kOk;
}

}  // namespace

Command MakeStoreCheckCommand() {
  const auto options = std::make_shared<CheckOptions>();
  Command command;
  command.name = "store check";
  command.summary = "Checks that a store holds what its catalogue says";
  command.description =
      "Reads every file. Finds files that are damaged, missing, not in the "
      "catalogue or no replays, and what processes that died were adding. "
      "Exits with 1 where something is lost or not repaired.";
  command.arguments = {"", 0, 0};
  command.flags = {
      StoreFlag(&options->store),
      {"repair", "",
       "Catalogue what isn't, put aside what is damaged, forget what is "
       "missing.",
       &options->repair},
      options->format.flag(),
  };
  command.examples = {
      {"After a power cut", "reprise store check --repair --store ~/replays"}};
  command.run = [options](const std::vector<std::string>&, Console& console) {
    const absl::StatusOr<ExitCode> result = Check(*options, console);
    if (absl::IsDataLoss(result.status())) {
      console.Note(
          "the replays are files of their own: with the catalogue moved away, "
          "`reprise store check --repair` makes it anew, without tags");
    }
    return result;
  };
  return command;
}

Command MakeStorePruneCommand() {
  const auto options = std::make_shared<PruneOptions>();
  Command command;
  command.name = "store prune";
  command.summary = "Deletes old replays from a store";
  command.description =
      "Deletes what was recorded too long ago, then what was recorded first "
      "until the rest fits.";
  command.arguments = {"", 0, 0};
  command.flags = {
      StoreFlag(&options->store),
      {"older-than", "AGE",
       "Delete what was recorded longer ago: 12h, 30d, 8w.",
       &options->older_than},
      {"larger-than", "SIZE",
       "Delete until the store is no larger: 500MB, 10GB.",
       &options->larger_than},
      {"keep-tag", "TAG", "Never delete what has this tag. May be repeated.",
       &options->kept_tags},
      {"dry-run", "", "Only say what would be deleted.", &options->dry_run},
      options->format.flag(),
  };
  command.examples = {{"What would go?",
                       "reprise store prune --store ~/replays --older-than 30d "
                       "--larger-than 10GB --keep-tag golden --dry-run"}};
  command.run = [options](const std::vector<std::string>&, Console& console) {
    return Prune(*options, console);
  };
  return command;
}

}  // namespace reprise::tools
