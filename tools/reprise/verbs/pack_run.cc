// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verbs/pack_run.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_writer.h"
#include "replays/recording/recorder.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/bots/bot_players.h"
#include "sim/plugins/foreign_call.h"
#include "sim/simulation.h"
#include "sim/systems/script_reloads/script_reload_events.h"
#include "sim/systems/scripts/script_events.h"
#include "sim/world/objects/world_log.h"
#include "sim/world/world.h"
#include "tools/reprise/inputs/recording_flags.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/reports/event_output.h"

namespace reprise::tools {
namespace {

// Of what bots say, and what is said of them, a person reads the beginning.
constexpr uint64_t kBotLinesMax = 20;
// Of what scripts do wrong, too.
constexpr uint64_t kMistakesMax = 20;

absl::Status WithTick(const absl::Status& status, sim::Tick tick) {
  return absl::Status(
      status.code(),
      fmt::format("tick {}: {}", tick, std::string(status.message())));
}

// Steps to the end, through a recorder where there is one.
class Run {
 public:
  Run(RunSetup& setup, const PackRunOptions& options, Console& console)
      : setup_(setup), options_(options), console_(console) {}

  absl::StatusOr<PackRunResult> Make() {
    absl::Status status = StartRecording();
    if (!status.ok()) return status;
    const auto start = std::chrono::steady_clock::now();
    FollowScripts();
    if (options_.events) {
      event_output_.emplace(options_.format.is_json(), &console_);
    }
    // A plug-in that crashes doesn't take along what was recorded.
    sim::CatchForeignCrashes(recorder_ != nullptr);
    status = StepAll();
    if (!status.ok()) return BrokenOff(status);
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    sim::CatchForeignCrashes(false);
    if (recorder_ != nullptr) {
      status = FinishRecording();
      if (!status.ok()) return BrokenOff(OutputError(status));
    }
    result_.root = setup_.simulation().state().ComputeRootDigest();
    if (event_output_) result_.events = event_output_->TakeJson();
    return std::move(result_);
  }

 private:
  absl::Status StartRecording() {
    if (setup_.resumed != nullptr) {
      recorder_ = &setup_.resumed->recorder();
      const bool is_finished =
          !setup_.continued.empty() && setup_.continued != setup_.recording;
      if (!is_finished) return absl::OkStatus();
      // It is no more what it was.
      return replays::RenameFile(setup_.continued, setup_.recording,
                                 options_.recording.durability());
    }
    if (setup_.recording.empty()) return absl::OkStatus();
    absl::StatusOr<replays::ReplayWriterOptions> writer_options =
        WriterOptions();
    if (!writer_options.ok()) return writer_options.status();
    absl::StatusOr<std::unique_ptr<replays::FileSink>> sink =
        replays::FileSink::Create(setup_.recording,
                                  options_.recording.durability());
    if (!sink.ok()) return sink.status();
    absl::StatusOr<std::unique_ptr<replays::ReplayWriter>> writer =
        replays::ReplayWriter::Create(*std::move(sink), setup_.simulation(),
                                      setup_.pack, *writer_options);
    if (!writer.ok()) return OutputError(writer.status());
    writer_ = *std::move(writer);
    owned_recorder_.emplace(&setup_.simulation(), writer_.get());
    recorder_ = &*owned_recorder_;
    return absl::OkStatus();
  }

  absl::Status FinishRecording() {
    absl::Status status = recorder_->Finish();
    if (!status.ok() || setup_.recording == setup_.recorded) return status;
    std::error_code ignored;  // What can't be looked at can't be replaced.
    const bool is_replaced = std::filesystem::exists(setup_.recorded, ignored);
    status = replays::RenameFile(setup_.recording, setup_.recorded,
                                 options_.recording.durability());
    if (status.ok() && is_replaced) {
      console_.Note(
          fmt::format("replaced the {} that was there", setup_.recorded));
    }
    return status;
  }

  // Says what became of the recording of a run that failed with `status`.
  absl::Status BrokenOff(const absl::Status& status) {
    if (recorder_ != nullptr) {
      // Where it was the recording that failed, there is no more to keep.
      recorder_->Flush().IgnoreError();
      console_.Note(fmt::format("what was recorded until then is in {}",
                                setup_.recording));
    }
    return status;
  }

  absl::StatusOr<replays::ReplayWriterOptions> WriterOptions() const {
    // A track that came from a replay says how that was recorded.
    replays::ReplayWriterOptions writer;
    if (setup_.input_file && setup_.input_file->run() != nullptr) {
      writer = setup_.input_file->run()->writer;
    }
    return ToWriterOptions(options_.recording, writer);
  }

  absl::Status StepAll() {
    sim::Simulation& simulation = setup_.simulation();
    ProgressBar progress(console_, "running", setup_.tick_count);
    NoteDigest();
    while (simulation.tick() < setup_.tick_count && !has_ended()) {
      const sim::Tick tick = simulation.tick();
      const auto frames = setup_.FramesAt(tick);
      if (!frames.ok()) return frames.status();
      ShowBotLog();
      const absl::Status status = Step(*frames);
      if (!status.ok()) return WithTick(status, tick);
      ShowLog();
      NoteDigest();
      progress.Update(simulation.tick());
    }
    return absl::OkStatus();
  }

  // What scripts say from now on, where somebody wants to know.
  void FollowScripts() {
    const std::optional<sim::LogLevel> level = sim::LogLevelOf(options_.log);
    if (!level.has_value()) return;
    log_ = sim::FindWorldLog(setup_.simulation());
    if (log_ != nullptr) log_->Keep(*level);
  }

  void ShowLog() {
    if (log_ == nullptr) return;
    const sim::Simulation& simulation = setup_.simulation();
    for (const sim::WorldLogLine& line : log_->Drain()) {
      console_.Note(fmt::format("tick {}, {}, {}, {}: {}", line.tick,
                                sim::LogLevelName(line.level), line.channel,
                                simulation.ObjectName(line.object), line.text));
    }
  }

  void ShowBotLog() {
    if (setup_.bots == nullptr) return;
    for (const sim::BotLogEntry& entry : setup_.bots->DrainLog()) {
      if (++bot_lines_ > kBotLinesMax) {
        if (bot_lines_ == kBotLinesMax + 1) {
          console_.Note("what else bots say is not shown");
        }
        break;
      }
      const std::string line = sim::FormatBotLogEntry(entry);
      if (entry.is_error) {
        console_.Warning(line);
      } else {
        console_.Note(line);
      }
    }
  }

  bool has_ended() const {
    return setup_.stops_at_outcome && setup_.simulation().outcome().status !=
                                          sim::Outcome::Status::kRunning;
  }

  absl::Status Step(std::span<const sim::InputFrame> frames) {
    if (recorder_ != nullptr) {
      const absl::Status status = recorder_->Step(frames);
      if (!recorder_->recording_status().ok()) return OutputError(status);
      if (!status.ok()) return status;
      TakeEvents(recorder_->DrainEvents());
      return absl::OkStatus();
    }
    sim::Simulation& simulation = setup_.simulation();
    const absl::Status status = simulation.Validate(frames);
    if (!status.ok()) return status;
    simulation.Step(frames, /*observer=*/nullptr);
    TakeEvents(simulation.DrainEvents());
    return simulation.status();
  }

  // What scripts do wrong, and reloads that came to nothing: the run goes on.
  void ShowMistakes(const std::vector<sim::Event>& events) {
    const sim::Simulation& simulation = setup_.simulation();
    for (const sim::Event& event : events) {
      const bool is_failure = event.type == sim::kScriptFailed;
      if (!is_failure && event.type != sim::kScriptReloadRefused) continue;
      if (++mistake_count_ > kMistakesMax) {
        if (mistake_count_ == kMistakesMax + 1) {
          console_.Note("what else scripts do wrong is not shown");
        }
        return;
      }
      std::string file;
      std::string message;
      int64_t line = 0;
      for (const sim::EventArgument& argument : event.arguments) {
        const sim::Id id{argument.value.bits};
        if (argument.name == sim::kScriptFile) file = simulation.IdName(id);
        if (argument.name == sim::kScriptMessage) {
          message = simulation.IdName(id);
        }
        if (argument.name == sim::kScriptLine) {
          line = static_cast<int64_t>(argument.value.bits);
        }
      }
      if (line > 0) file += fmt::format(":{}", line);
      if (is_failure) {
        console_.Warning(
            fmt::format("tick {}, {}: {}: {}; it is inert now", event.tick,
                        simulation.ObjectName(event.object), file, message));
      } else {
        console_.Warning(fmt::format("tick {}: {} is not replaced: {}",
                                     event.tick, file, message));
      }
    }
  }

  void TakeEvents(std::vector<sim::Event> events) {
    ShowMistakes(events);
    if (event_output_) event_output_->Take(events, setup_.simulation());
    if (setup_.bots != nullptr) setup_.bots->Hear(events);
    result_.event_count += events.size();
    result_.flood.Count(setup_.simulation().tick() - 1, events.size());
    result_.last_events = std::move(events);
  }

  void NoteDigest() {
    if (!options_.digests) return;
    result_.roots.push_back(
        recorder_ != nullptr ? recorder_->root()
                             : setup_.simulation().state().ComputeRootDigest());
  }

  RunSetup& setup_;
  const PackRunOptions& options_;
  Console& console_;
  std::unique_ptr<replays::ReplayWriter> writer_;
  std::optional<replays::Recorder> owned_recorder_;
  replays::Recorder* recorder_ = nullptr;  // null: nothing is recorded
  uint64_t bot_lines_ = 0;
  uint64_t mistake_count_ = 0;
  sim::WorldLog* log_ = nullptr;  // null: nobody reads it
  std::optional<EventOutput> event_output_;
  PackRunResult result_;
};

}  // namespace

absl::StatusOr<PackRunResult> MakePackRun(RunSetup& setup,
                                          const PackRunOptions& options,
                                          Console& console) {
  return Run(setup, options, console).Make();
}

}  // namespace reprise::tools
