// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who commands whom in a tick. It follows from the rows, and keeps nothing but
// memory.

#ifndef REPRISE_SIM_SYSTEMS_COMMANDERS_ROSTER_H_
#define REPRISE_SIM_SYSTEMS_COMMANDERS_ROSTER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/handle.h"
#include "sim/base/object_id.h"
#include "sim/systems/commanders/commander_definition.h"
#include "sim/systems/commanders/commander_rows.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// In the place of a commander of the roster: there is none.
inline constexpr uint32_t kNobody = 0xffffffff;

class Roster {
 public:
  struct Commander {
    ObjectId object;
    Handle handle;
    uint32_t type = 0;           // index into WorldDefinition::types
    uint32_t row = 0;            // of the table of objects
    uint32_t component_row = 0;  // of its CommandRow
    bool is_active = false;      // it gives orders
  };
  struct Unit {
    ObjectId object;
    Handle handle;
    uint32_t row = 0;
    uint32_t component_row = 0;  // of its OrdersRow
    uint32_t commander = kNobody;
  };

  // `parts` and the definitions outlive this.
  Roster(const WorldParts& parts,
         std::span<const CommanderDefinition> commanders);

  // Looks anew.
  void Look();

  // In object order, active or not.
  std::span<const Commander> commanders() const { return commanders_; }
  // Those that are active, in object order. Beyond what their commander can
  // have they have none.
  std::span<const Unit> units() const { return units_; }
  // The unit; null when it isn't there, or has another commander.
  const Unit* Find(ObjectId unit, uint32_t commander) const;
  // How many obey a commander, and how many more would.
  uint32_t UnitsOf(uint32_t commander) const { return counts_[commander]; }
  uint32_t LeftOutOf(uint32_t commander) const { return left_out_[commander]; }

  const CommanderDefinition& DefinitionOf(uint32_t type) const {
    return definitions_[commander_uses_[type]->commander];
  }
  const CommanderUse* CommanderUseOf(uint32_t type) const {
    return commander_uses_[type];
  }
  const OrdersUse* OrdersUseOf(uint32_t type) const {
    return orders_uses_[type];
  }

 private:
  // Whom a unit obeys.
  uint32_t CommanderOf(const OrdersRow& orders, uint32_t type) const;
  bool Covers(uint32_t commander_type, uint32_t unit_type) const {
    return covers_[commander_type][unit_type] != 0;
  }
  void FindFirst();

  const WorldParts& parts_;
  std::span<const CommanderDefinition> definitions_;
  std::vector<const CommanderUse*> commander_uses_;  // of each type
  std::vector<const OrdersUse*> orders_uses_;        // of each type
  // Of each type that commands, whether it does of each type.
  std::vector<std::vector<uint8_t>> covers_;
  std::vector<uint32_t> first_;   // of each type, the first that commands it
  std::vector<uint8_t> is_seen_;  // of each type that commands
  std::vector<Commander> commanders_;
  std::vector<Unit> units_;
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> left_out_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_COMMANDERS_ROSTER_H_
