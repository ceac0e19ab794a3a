// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/conforming/trial_worker.h"

#include <signal.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/conforming/conformance.h"
#include "sim/base/digest.h"
#include "sim/plugins/foreign_call.h"
#include "sim/plugins/plugin_simulation.h"
#include "sim/simulation_registry.h"
#include "sim/state/state.h"
#include "sim/state/state_codec.h"
#include "tools/reprise/conforming/enclosure.h"
#include "tools/reprise/conforming/evidence.h"
#include "tools/reprise/conforming/hidden_change.h"
#include "tools/reprise/conforming/surroundings.h"
#include "tools/reprise/conforming/trial_process.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

using replays::ConformanceFailure;

constexpr std::string_view kEnclosed = "enclosed";

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Json ErrorOf(const absl::Status& status) {
  return {{"error", std::string(status.message())},
          {"code", static_cast<int>(status.code())}};
}

Json FailureOf(sim::Tick tick, std::string_view difference,
               std::string_view evidence) {
  return {
      {"failure",
       {{"tick", tick}, {"difference", difference}, {"evidence", evidence}}}};
}

class Worker {
 public:
  Worker(const TrialRun& run, int answers) : run_(run), answers_(answers) {}

  Json Answer(const Json& question) {
    const std::string make = question.value("make", "");
    const std::string digests = question.value("digests", "");
    const std::string state = question.value("state", "");
    const std::string name = question.value("name", "");
    if (make == "run") return MakeRun(name, digests);
    if (made_ == nullptr) return {{"error", "there is no run"}};
    if (make == "check") return Check(name);
    const auto tick = question.value("tick", sim::Tick{});
    if (tick >= made_->states().size()) return {{"error", "no such tick"}};
    if (make == "state") {
      std::ofstream file(state, std::ios::binary);
      file << sim::EncodeState(made_->states()[tick]) << std::flush;
      return Json::object();
    }
    if (make == "compare") {
      return Explain(made_->Compare(tick, ReadFile(state)));
    }
    return {{"error", "there is no such question"}};
  }

 private:
  absl::StatusOr<std::unique_ptr<sim::Simulation>> Create() const {
    return sim::CreateSimulation(run_.simulation, run_.pack, run_.seed);
  }

  absl::StatusOr<replays::ConformanceInputs> MakeInputs() const {
    const absl::StatusOr<std::unique_ptr<sim::Simulation>> made = Create();
    if (!made.ok()) return made.status();
    return replays::MakeConformanceInputs((*made)->info().inputs,
                                          run_.tick_count, run_.inputs_seed);
  }

  Json MakeRun(const std::string& name, const std::string& digests) {
    const absl::Status entered = EnterSurroundings(name);
    if (!entered.ok()) return {{"missing", std::string(entered.message())}};
    absl::StatusOr<replays::ConformanceInputs> inputs = MakeInputs();
    if (!inputs.ok()) return ErrorOf(inputs.status());
    made_ = std::make_unique<replays::ConformanceRun>(
        [this] { return Create(); }, *std::move(inputs),
        [this](sim::Tick tick) { OnTick(tick); });
    name_ = name;
    std::ofstream file(digests, std::ios::binary);
    const absl::StatusOr<std::optional<ConformanceFailure>> failure =
        made_->MakeReference();
    name_.clear();
    if (!failure.ok()) return ErrorOf(failure.status());
    if (!enclosed_.ok()) return {{"missing", std::string(enclosed_.message())}};
    if (const std::optional<EnclosedCall> call = FirstEnclosedCall()) {
      // Of the last tick, where none before told of it.
      return FailureOf(call_tick_.value_or(run_.tick_count - 1), call->what,
                       call->kind);
    }
    if (failure->has_value()) return Explain(*failure);
    for (const sim::State& state : made_->states()) {
      const uint64_t digest = state.ComputeRootDigest().value;
      file.write(reinterpret_cast<const char*>(&digest), sizeof(digest));
    }
    file.close();
    if (!file) {
      return ErrorOf(absl::UnavailableError(
          fmt::format("{}: it can't be written", digests)));
    }
    return Json::object();
  }

  // Before each tick of whatever is made.
  void OnTick(sim::Tick tick) {
    TellTick(answers_, tick);
    if (name_.empty()) return;
    StirSurroundings(name_);
    if (name_ != kEnclosed) return;
    // Once it is made; making it may take whatever it takes.
    if (tick == 0) enclosed_ = Enclose();
    if (tick > 0 && !call_tick_.has_value() &&
        FirstEnclosedCall().has_value()) {
      call_tick_ = tick - 1;
    }
  }

  Json CheckHiddenChange() {
    const absl::StatusOr<replays::ConformanceInputs> inputs = MakeInputs();
    if (!inputs.ok()) return ErrorOf(inputs.status());
    const absl::StatusOr<std::optional<ConformanceFailure>> failure =
        FindHiddenChange([this] { return Create(); }, *inputs, made_->states(),
                         [this](sim::Tick tick) { OnTick(tick); });
    if (absl::IsFailedPrecondition(failure.status())) {
      return {{"missing", std::string(failure.status().message())}};
    }
    if (!failure.ok()) return ErrorOf(failure.status());
    if (!failure->has_value()) return Json::object();
    return FailureOf((*failure)->tick, (*failure)->difference, "hidden-change");
  }

  Json Check(const std::string& name) {
    if (name == kHiddenChangeCheck.name) return CheckHiddenChange();
    const auto checks = replays::ConformanceChecks();
    const auto found =
        std::ranges::find(checks, name, &replays::ConformanceCheck::name);
    if (found == checks.end()) return {{"error", "there is no such check"}};
    const std::optional<ConformanceFailure> failure = made_->Make(*found);
    Json answer = Explain(failure);
    if (failure.has_value() && failure->tick > 0 &&
        answer["failure"]["evidence"] == "") {
      const std::string undescribed = UndescribedState(failure->tick);
      if (!undescribed.empty()) {
        answer["failure"]["difference"] =
            fmt::format("{}; {}", failure->difference, undescribed);
        answer["failure"]["evidence"] = "padding";
      }
    }
    return answer;
  }

  // A failure with what shows which mistake it is.
  static Json Explain(const std::optional<ConformanceFailure>& failure) {
    if (!failure.has_value()) return Json::object();
    if (failure->difference.find(sim::kFloatControlChanged) !=
        std::string::npos) {
      return FailureOf(failure->tick, failure->difference, "float-control");
    }
    const Evidence evidence = EvidenceOf(*failure);
    return FailureOf(
        failure->tick,
        evidence.field == nullptr ? failure->difference : evidence.field->text,
        evidence.kind);
  }

  // Which bytes of rows without a field are the state without which a restored
  // simulation doesn't come to the run's `tick`; empty: none are.
  std::string UndescribedState(sim::Tick tick) const {
    std::string where;
    if (!ComesTo(tick, /*with_undescribed=*/false, where) &&
        ComesTo(tick, /*with_undescribed=*/true, where)) {
      return where;
    }
    return "";
  }

  // Whether the last step before `tick` is the run's when a simulation makes it
  // that was restored; `where` is what its rows have beside their fields.
  bool ComesTo(sim::Tick tick, bool with_undescribed,
               std::string& where) const {
    const absl::StatusOr<replays::ConformanceInputs> inputs = MakeInputs();
    const absl::StatusOr<std::unique_ptr<sim::Simulation>> made = Create();
    const absl::StatusOr<std::unique_ptr<sim::Simulation>> other = Create();
    if (!inputs.ok() || !made.ok() || !other.ok()) return false;
    auto* const whole = dynamic_cast<sim::PluginSimulation*>(made->get());
    auto* const restored = dynamic_cast<sim::PluginSimulation*>(other->get());
    if (whole == nullptr || restored == nullptr) return false;
    while (whole->status().ok() && whole->tick() + 1 < tick) {
      whole->Step((*inputs)[whole->tick()], nullptr);
    }
    if (!whole->status().ok() || !restored->Restore(whole->state()).ok() ||
        (with_undescribed && !restored->TakeUndescribedBytes(*whole).ok())) {
      return false;
    }
    where = whole->FindUndescribedBytes();
    restored->Step((*inputs)[tick - 1], nullptr);
    return restored->status().ok() &&
           restored->state().ComputeRootDigest() ==
               made_->states()[tick].ComputeRootDigest();
  }

  const TrialRun& run_;
  const int answers_;
  std::unique_ptr<replays::ConformanceRun> made_;
  // While the run is made: within which surroundings, and what was noticed.
  std::string name_;
  absl::Status enclosed_;
  std::optional<sim::Tick> call_tick_;
};

}  // namespace

void AnswerTrials(const TrialRun& run, int answers) {
  // Who asks tells of crashes.
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    signal(number, SIG_DFL);
  }
  Worker worker(run, answers);
  AnswerQuestions(answers, [&worker](const Json& question) {
    return worker.Answer(question);
  });
}

}  // namespace reprise::tools
