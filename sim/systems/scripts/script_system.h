// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The scripts of a pack, and the machine of each world that runs them. A
// machine follows from the pack alone and keeps nothing from call to call, so
// it is no state: it is made when a world first needs it.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_SYSTEM_H_

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/script/script_machine.h"
#include "sim/script/script_probes.h"
#include "sim/script/script_program.h"
#include "sim/script/script_watcher.h"
#include "sim/simulation.h"
#include "sim/systems/scripts/script_event_types.h"
#include "sim/systems/scripts/script_hooks.h"
#include "sim/systems/scripts/script_place.h"
#include "sim/systems/scripts/script_properties.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

struct ScriptsDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "scripts";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;

  // Loads without a mistake: the compiler has tried it.
  std::shared_ptr<const ScriptProgram> program;
  // Those that are behaviours of a type, and not only asked for by others.
  std::set<std::string> files;
  // That they may send.
  ScriptEventTypes event_types;
};

// The file by which a type has states.
struct ScriptStatesUse {
  static constexpr std::string_view kPart = "script states";

  std::string file;
};

class Scripts final : public System {
 public:
  static constexpr std::string_view kSystem = ScriptsDefinition::kSystem;

  Scripts(const ScriptsDefinition& definition, const SystemPlace& place);

  // What of a file is called; until other sources take the place of those.
  const ScriptHooks& HooksOf(const std::string& file);
  // The same of a file as a type uses it. `use` is one of the pack's, and lives
  // as long as this.
  const ScriptHooks& HooksOf(const ScriptUse& use);

  const ScriptProperties& properties() const { return properties_; }

  const ScriptsDefinition& definition() const { return definition_; }

  // Counts what scripts do from now on. They are loaded anew, which is counted,
  // too. REQUIRES: not called while the world steps.
  void CountScripts();

  // Counts no longer, and tells `probes` of what they look for, as the
  // machine's SetProbes does; null: nobody. REQUIRES: as CountScripts, which
  // was called; the sources don't change.
  void SetProbes(ScriptProbes* probes);

  // In whose profiles what was counted stands: one more each time that other
  // sources took the place of those before. They live as long as this.
  std::vector<const ScriptMachine*> counting_machines() const;

  // Tells `watcher`, which outlives this or is followed by another one, of
  // lines that begin; null: nobody. REQUIRES: as CountScripts, which was
  // called.
  void Watch(ScriptWatcher* watcher);

  // Runs `program` from now on; the state is one of its. REQUIRES:
  // ReviseProgram has made it of the definition; no script is running.
  void Use(std::shared_ptr<const ScriptProgram> program);

  // The same where the state is one of the program's before: objects stay in
  // their states and at their steps, but begin a step anew that is of another
  // kind, do no more steps where there aren't so many, and leave a state that
  // is gone for the initial one, with no `exit`.
  void ChangeTo(std::shared_ptr<const ScriptProgram> program);

  // Calls a function of a file. After a mistake the place's object is inert,
  // `script_failed` tells of it, and nothing is returned. A string of the
  // result lives until the next call.
  std::optional<ScriptValue> Call(ScriptEntry entry, ScriptPlace& place);

  // Tells of a mistake that isn't one within a function, and stops the object.
  // `line` is where it is in the file; 0: nowhere.
  void Fail(ScriptPlace& place, int line, std::string message);

  // Where a function begins, which is one of HooksOf.
  int LineOf(ScriptEntry entry) const { return machine_->LineOf(entry); }

 private:
  void MakeMachine();
  void Tell(const ScriptError& error, ScriptPlace& place) const;

  const ScriptsDefinition& definition_;
  ScriptProperties properties_;
  std::shared_ptr<const ScriptProgram> program_;
  bool is_counted_ = false;
  ScriptWatcher* watcher_ = nullptr;
  std::unique_ptr<ScriptMachine> machine_;  // null until it is needed
  // What counted before others took their place.
  std::vector<std::unique_ptr<ScriptMachine>> replaced_;
  std::map<std::string, ScriptHooks> hooks_;  // by file, of machine_
  // Of those that were asked for last; machine_'s, too.
  struct Recent {
    const ScriptUse* use = nullptr;
    const ScriptHooks* hooks = nullptr;
  };
  static constexpr size_t kRecentCount = 16;
  std::array<Recent, kRecentCount> recent_;
};

// The scripts of a world; null where it has none. They live as long as the
// simulation.
Scripts* FindScripts(Simulation& simulation);

// The world of `simulation` at tick 0, made anew, where `prepare` is called
// before any script runs: those of objects that are there from the start run
// while a world is made. Null where there are no scripts.
std::unique_ptr<Simulation> BeginAgain(
    Simulation& simulation, const std::function<void(Scripts&)>& prepare);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_SYSTEM_H_
