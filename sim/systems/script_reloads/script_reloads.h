// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Scripts that are replaced while a game runs, by a command of a player. The
// sources are rows, so whoever restores a state goes on with them.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPT_RELOADS_SCRIPT_RELOADS_H_
#define REPRISE_SIM_SYSTEMS_SCRIPT_RELOADS_SCRIPT_RELOADS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/script/script_program.h"
#include "sim/state/state.h"
#include "sim/systems/scripts/script_system.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {

struct ScriptReloadsDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "script_reloads";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
  std::vector<Id> taken_commands() const override { return actions; }

  std::vector<Id> actions;  // by which players replace scripts
};

class ScriptReloads final : public System {
 public:
  static constexpr std::string_view kSystem = ScriptReloadsDefinition::kSystem;

  explicit ScriptReloads(const SystemPlace& place) : System(place) {}

  void Connect(const Systems& systems) override;
  void Load() override;
  absl::Status CheckRows(const State& snapshot) const override;
  void TakeCommand(uint32_t player, const Command& command, Tick due) override;

 private:
  absl::StatusOr<std::shared_ptr<const ScriptProgram>> Revise(
      const std::map<Id, std::string>& sources) const;
  absl::Status Reload(const std::string& file, const std::string& source);

  Scripts* scripts_ = nullptr;
  std::map<Id, std::string> sources_;  // as in the rows
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPT_RELOADS_SCRIPT_RELOADS_H_
