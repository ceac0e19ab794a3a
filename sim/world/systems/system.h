// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Game systems: what a world does besides keeping objects, components, events
// and time. A system has a declaration (what it is, whatever pack uses it), a
// definition (what a pack makes of it, shared by all worlds of the pack) and,
// in each world, an instance that does its steps. What lasts from one tick to
// the next is in its tables; an instance keeps nothing but what follows from
// these.
//
//   class Wind final : public System {
//    public:
//     explicit Wind(const SystemPlace& place) : System(place) {}
//     void Run(uint32_t step) override { ... parts().state ... }
//   };
//
//   struct WindDefinition final : public SystemDefinition {
//     static constexpr std::string_view kSystem = "wind";
//     const SystemDeclaration& declaration() const override;
//     std::unique_ptr<System> Create(const SystemPlace& place) const override {
//       return std::make_unique<Wind>(place);
//     }
//     double force_n = 0.0;
//   };
//
// What compiles a definition is registered with REPRISE_REGISTER_SYSTEM
// (sim/compiler/checking/system_compiler.h).

#ifndef REPRISE_SIM_WORLD_SYSTEMS_SYSTEM_H_
#define REPRISE_SIM_WORLD_SYSTEMS_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/game_description.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/world/definition/request_rows.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

class System;
class Systems;

// Where a system's instance finds what it works on.
struct SystemPlace {
  const WorldParts& parts;
  // Of the declaration's tables, in their order.
  std::vector<TableIndex> tables;
};

// What a pack makes of a system. Immutable. It also says `kSystem`, the name of
// its system.
class SystemDefinition {
 public:
  virtual ~SystemDefinition() = default;

  virtual const SystemDeclaration& declaration() const = 0;

  // The instance of a world, which this and what `place` refers to outlive.
  virtual std::unique_ptr<System> Create(const SystemPlace& place) const = 0;

  // The types of events whose account of a step it wants to read
  // (WaitingEvents::step_events).
  virtual std::vector<Id> heard_events() const { return {}; }

  // The types of events that it overhears (System::Overhear), ascending.
  virtual std::vector<Id> overheard_events() const { return {}; }

  // The actions whose commands it takes (System::TakeCommand), in the place of
  // the events that they would be.
  virtual std::vector<Id> taken_commands() const { return {}; }

  // Whether it asks PhysicsWorld::contacts.
  virtual bool follows_contacts() const { return false; }

  // Adds what a pack of this definition has besides what is declared: events
  // whose names the pack chooses, legends.
  virtual void Describe([[maybe_unused]] const WorldDefinition& world,
                        [[maybe_unused]] GameDescription& description) const {}
};

// The instance in one world.
class System {
 public:
  explicit System(const SystemPlace& place) : place_(place) {}
  virtual ~System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  // Finds the others that it works with, once all are there. They may be used
  // from then on, though not written.
  virtual void Connect([[maybe_unused]] const Systems& systems) {}

  // Fills its empty tables as of tick 0, after those of the world and of the
  // systems whose names come before.
  virtual void Initialize() {}

  // Makes anew whatever it keeps beside its tables: the state is another one.
  virtual void Load() {}

  // OK, or DATA_LOSS with a sentence where the rows of a snapshot can't be. The
  // world's rows are in order, but for those of physics, which are checked
  // later; parts().objects finds the snapshot's rows by RowIn and by ObjectIds,
  // all else of it is of the world's own.
  virtual absl::Status CheckRows([[maybe_unused]] const State& snapshot) const {
    return absl::OkStatus();
  }

  // Does a step of its declaration, by its index there.
  virtual void Run([[maybe_unused]] uint32_t step) {}

  // An event for the object of a row, of a type that its declaration says it
  // handles; no behaviour of the object has handled it. Objects that aren't
  // active hear of it, too: it is for the system to look at the status. What it
  // writes counts as the event's. Returns whether it is handled.
  virtual bool OnEvent([[maybe_unused]] uint32_t row,
                       [[maybe_unused]] const WorldEvent& event) {
    return false;
  }

  // An event for the object of a row, of a type that its definition says it
  // overhears, before anybody handles it; others hear of it as ever. Objects
  // that aren't active hear of it, too. What it writes counts as the event's.
  // It sends nothing that is delivered at once.
  virtual void Overhear([[maybe_unused]] uint32_t row,
                        [[maybe_unused]] const WorldEvent& event) {}

  // A command of an action that its definition says it takes, of the tick that
  // begins; `due` is the game's. What it tells of it waits in the queue until
  // then.
  virtual void TakeCommand([[maybe_unused]] uint32_t player,
                           [[maybe_unused]] const Command& command,
                           [[maybe_unused]] Tick due) {}

  // A request of a kind of its declaration, by its index there, whose turn it
  // is; it is out of the queue. Who asked may be gone: what the system keeps
  // for the request goes in any case. AnswerRequest sends the answer.
  virtual void Answer([[maybe_unused]] uint32_t kind,
                      [[maybe_unused]] const RequestRow& request) {}

  // Adds what is drawn of it.
  virtual void AddToFrame([[maybe_unused]] Frame& frame) const {}

  // Adds what is shown of it beside that.
  virtual void AddToDebugFrame([[maybe_unused]] DebugFrame& frame) const {}

 protected:
  const WorldParts& parts() const { return place_.parts; }
  State& state() const { return place_.parts.state; }
  TableIndex index(uint32_t table) const { return place_.tables[table]; }
  // Its tables, by their places in the declaration.
  const Table& table(uint32_t table) const {
    return state().table(index(table));
  }
  Table& mutable_table(uint32_t table) const {
    return state().mutable_table(index(table));
  }

 private:
  SystemPlace place_;
};

// Posts the answer to who asked, if it is still there: the event that it wants,
// with `arguments` and `request`, the request's number. REQUIRES: `arguments`
// leave room for that.
void AnswerRequest(const WorldParts& parts, const RequestRow& request,
                   EventArguments arguments);

// Of each type of a pack its part of a class; null for those that have none.
template <typename Part>
std::vector<const Part*> PartsOfTypes(const WorldDefinition& definition) {
  std::vector<const Part*> parts;
  parts.reserve(definition.types.size());
  for (const TypeDefinition& type : definition.types) {
    parts.push_back(type.parts.Find<Part>());
  }
  return parts;
}

// What a pack makes of a system; null when it doesn't use it.
template <typename Definition>
const Definition* FindSystem(const WorldDefinition& world) {
  for (const std::shared_ptr<const SystemDefinition>& system : world.systems) {
    if (system->declaration().name == Definition::kSystem) {
      return static_cast<const Definition*>(system.get());
    }
  }
  return nullptr;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_SYSTEMS_SYSTEM_H_
