// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The systems of one world.

#ifndef REPRISE_SIM_WORLD_SYSTEMS_SYSTEMS_H_
#define REPRISE_SIM_WORLD_SYSTEMS_SYSTEMS_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/system.h"
#include "sim/world/updates/step_writers.h"

namespace reprise::sim {

class Systems {
 public:
  // Adds the tables of all systems that the pack uses, a room each.
  static std::vector<std::vector<TableIndex>> AddTables(
      const WorldDefinition& definition, State& state);

  // `tables` are those that AddTables returned. `parts` and `writers` outlive
  // this; `parts.systems` is this.
  Systems(const WorldParts& parts, std::vector<std::vector<TableIndex>> tables,
          StepWriters& writers);

  // A system's instance, by its class, which says `kSystem`; null when the pack
  // doesn't use it.
  template <typename Instance>
  Instance* Find() const {
    return static_cast<Instance*>(Find(Instance::kSystem));
  }

  // Fills all tables as of tick 0.
  void Initialize();

  // Tells all that the state is another one.
  void Load();

  // OK, or DATA_LOSS as System::CheckRows.
  absl::Status CheckRows(const State& snapshot) const;

  // Does the steps at a point, calling own(step) for those of the world's, by
  // their index in WorldSteps().
  template <typename Own>
  void RunAt(StepPoint point, const Own& own) {
    for (const Due& due : points_[static_cast<size_t>(point)]) {
      if (due.system == nullptr) {
        own(due.step);
      } else {
        Run(due);
      }
    }
  }
  // The same where the world has none.
  void RunAt(StepPoint point) {
    RunAt(point, [](uint32_t) {});
  }

  // Has an event handled by the system that handles its type. Returns whether
  // there is one, and it did.
  bool OnEvent(uint32_t row, const WorldEvent& event) const;

  // Has an event overheard by the systems that want to.
  void Overhear(uint32_t row, const WorldEvent& event) const;

  // Has a command taken by the system that takes those of its action. Returns
  // whether there is one.
  bool TakeCommand(uint32_t player, const Command& command, Tick due) const;

  // Has a request answered by the system that declares its kind.
  void Answer(const RequestRow& request) const;

  void AddToFrame(Frame& frame) const;
  void AddToDebugFrame(DebugFrame& frame) const;

  // Who is told what else writes while systems are at work.
  StepWriters& writers() const { return writers_; }

 private:
  // A step; of the world's own without a system.
  struct Due {
    System* system = nullptr;
    uint32_t step = 0;
    std::string_view name;
  };

  System* Find(std::string_view name) const;
  void Run(const Due& due);

  const WorldParts& parts_;
  StepWriters& writers_;
  std::vector<std::unique_ptr<System>> systems_;  // as the definition's
  std::array<std::vector<Due>, kStepPointCount> points_;
  std::map<Id, System*> handlers_;
  std::map<Id, System*> command_takers_;
  std::vector<std::pair<Id, System*>> overhearers_;  // ascending by event
  // By the kinds of requests: who answers, and the index of the kind there.
  std::map<Id, std::pair<System*, uint32_t>> answerers_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_SYSTEMS_SYSTEMS_H_
