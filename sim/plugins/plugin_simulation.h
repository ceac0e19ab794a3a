// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A plug-in's simulation as any other: its rows are taken into tables after
// each step, page by page where they changed, and given back to restore. What
// a plug-in does wrong ends its run with a sentence.

#ifndef REPRISE_SIM_PLUGINS_PLUGIN_SIMULATION_H_
#define REPRISE_SIM_PLUGINS_PLUGIN_SIMULATION_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "include/reprise/simulation.h"
#include "sim/pack_archive.h"
#include "sim/plugins/foreign_players.h"
#include "sim/plugins/foreign_rows.h"
#include "sim/plugins/plugin.h"
#include "sim/plugins/plugin_description.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/world/inputs/input_tables.h"

namespace reprise::sim {

class PluginSimulation final : public Simulation {
 public:
  // INVALID_ARGUMENT: the plug-in refuses the pack, or says what can't be of
  // itself or its state.
  static absl::StatusOr<std::unique_ptr<Simulation>> Create(
      std::shared_ptr<const Plugin> plugin, const PackArchive& pack,
      uint64_t seed);

  ~PluginSimulation() override;

  const SimulationInfo& info() const override { return run_->info; }
  const GameDescription& description() const override {
    return run_->description.game;
  }
  Tick tick() const override;
  const State& state() const override { return state_; }
  absl::Status Validate(std::span<const InputFrame> frames) const override;
  void Step(std::span<const InputFrame> frames,
            PhaseObserver* observer) override;
  absl::Status status() const override { return status_; }
  absl::Status Restore(const State& snapshot) override;
  std::unique_ptr<Simulation> Fork() const override;
  std::vector<Event> DrainEvents() override;
  Outcome outcome() const override { return outcome_; }
  Frame ProduceFrame() const override;
  absl::StatusOr<std::optional<FramePicture>> ProducePicture() const override;
  std::string ObjectName(ObjectId object) const override;
  std::string IdName(Id id) const override;
  absl::Status Inject(const FieldAddress& address, FieldValue value) override;

  // What the plug-in's rows have beside their fields; see ForeignRows.
  // Empty where there is nothing, or nothing to rely on.
  std::string FindUndescribedBytes() const;

  // The first field that the last step changed although the plug-in said that
  // it hadn't, as it was kept and as it is: "game.player seen: 1 | 2"; empty:
  // none. The plug-in is asked for all that it has once more; errors are its.
  absl::StatusOr<std::string> FindHiddenChange();

  // Takes what those of another one have there, too: it has the same state.
  // Errors are the plug-in's.
  absl::Status TakeUndescribedBytes(const PluginSimulation& other);

 private:
  // What all simulations of a pack and a seed share.
  struct Run {
    std::shared_ptr<const Plugin> plugin;
    PackArchive pack;
    std::string pack_name;
    SimulationInfo info;
    PluginDescription description;
  };

  explicit PluginSimulation(std::shared_ptr<const Run> run);

  const reprise_plugin& calls() const { return run_->plugin->calls; }

  // Has the plug-in forget its simulation, unless there is none to rely on.
  absl::Status DestroyForeign();
  // Makes the plug-in's simulation of the pack anew.
  absl::Status CreateForeign();
  absl::StatusOr<PluginDescription> Describe() const;
  void AddTables();

  // The plug-in's part of a step: everything that may fail.
  absl::Status StepForeign(std::span<const InputFrame> frames);
  absl::Status TakeOutcome();
  // The rows and the outcome behind a step.
  absl::Status TakeState();

  // What `emit` is; `simulation` is one.
  static void Emit(void* simulation, const reprise_event* event);
  absl::Status TakeEvent(const reprise_event& event);

  // A status with the plug-in's name in front. Behind ABORTED there is nothing
  // to rely on: the plug-in's simulation is given up, this one is over until it
  // is restored, and the result is INTERNAL.
  absl::Status Blame(const absl::Status& status) const;
  // The same of what a pack can't be loaded for: INVALID_ARGUMENT.
  absl::Status BlamePack(const absl::Status& status) const;

  std::shared_ptr<const Run> run_;
  // Null: there is none, or it was given up, which a look at it may lead to.
  mutable reprise_simulation* foreign_ = nullptr;
  State state_;
  TableIndex ticks_;
  InputTables inputs_;
  ForeignRows rows_;
  std::vector<Event> events_;
  Outcome outcome_;
  mutable absl::Status status_;  // not OK where foreign_ is null
  // Why objects have no names any more, which `status_` is then, too.
  mutable absl::Status name_status_;
  absl::Status event_status_;
  // By `emit`, which any thread of a plug-in may call.
  std::atomic<bool> was_told_outside_ = false;
  ForeignPlayers players_;  // kept for its memory
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_PLUGIN_SIMULATION_H_
