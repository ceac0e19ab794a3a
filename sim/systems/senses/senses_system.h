// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objects that notice others: they look in turns, along lines that bodies
// break, hear noises when they are made, and remember for a time.

#ifndef REPRISE_SIM_SYSTEMS_SENSES_SENSES_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_SENSES_SENSES_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/object_id.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/state/state.h"
#include "sim/systems/senses/senses_definition.h"
#include "sim/systems/senses/senses_rows.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/owned_rows.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

// Of a pack with types that have senses.
struct SensesDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "senses";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;

  uint64_t lines_per_tick = kSightLinesPerTickDefault;
};

class SensesSystem final : public System {
 public:
  static constexpr std::string_view kSystem = SensesDefinition::kSystem;

  // `definition` outlives this.
  SensesSystem(const SensesDefinition& definition, const SystemPlace& place);

  void Initialize() override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;
  // A noise.
  bool OnEvent(uint32_t row, const WorldEvent& event) override;

 private:
  // Its tables, by their places in the declaration.
  enum TableNumber : uint32_t { kMemories, kTurns };

  // Somebody who looks, or hears.
  struct Observer {
    ObjectId object;
    uint32_t type = 0;
    uint32_t row = 0;
  };
  // Somebody within reach of a noise.
  struct Listener {
    ObjectId object;
    uint32_t type = 0;
    uint32_t row = 0;
    Vector3 ears;
    double distance_m = 0.0;
  };
  // Somebody who is seen.
  struct Sighting {
    ObjectId object;
    Vector3 place;
    double distance_m = 0.0;
  };

  void Follow();
  void LookAll();
  void Look(const Observer& observer);
  // Those whom it sees, in object order.
  void FindVisible(const Observer& observer, const Vision& vision);
  // Where it looks that looks ahead; notes where it is.
  Vector3 Heading(const Observer& observer, const Vision& vision,
                  const Transform& place);
  bool IsVisible(const Vision& vision, Vector3 eyes, Vector3 forward,
                 ObjectId observer, const Sighting& sighting);
  // Whether no body but those of the two stands between two places.
  bool HasLine(Vector3 from, Vector3 to, ObjectId one, ObjectId other);
  // Brings what it remembers up to date, and tells.
  void Remember(const Observer& observer, std::span<MemoryRow> memories);
  void TakeNew(const Observer& observer, std::span<MemoryRow> memories);
  SensesRow Summary(const Observer& observer, SensesRow own,
                    std::span<const MemoryRow> memories) const;

  // Beyond 1e12 m a place is nowhere, and lines aren't exact enough.
  static bool IsSomewhere(Vector3 place);
  // Those of its types that are active, in object order.
  template <typename IsWanted>
  void FindObservers(const IsWanted& is_wanted);
  // Whether a tick has enough left to ask all who hear; takes it.
  bool CanBeHeard();
  void TellNoiseBudgetPassed();
  // Those within reach of a noise, in object order.
  void FindListeners(ObjectId maker, Vector3 place, double loudness_m);
  void Hear(const Listener& listener, ObjectId maker, Vector3 place,
            double loudness_m, std::optional<Id> sound);

  TableIndex component_table(const SensesUse& use) const {
    return parts().tables.objects.components[use.component];
  }

  const SensesDefinition& definition_;
  std::vector<const SensesUse*> uses_;         // of each type
  std::vector<std::vector<uint32_t>> sights_;  // of each type, those it sees
  PhysicsQueries bodies_;
  bool has_looked_ = false;  // of the bodies, in this step
  uint64_t lines_ = 0;       // looked along in this tick
  // Of this tick's noises: pairs of noise and listener, and lines from one to
  // the other.
  uint64_t listeners_asked_ = 0;
  uint64_t noise_lines_ = 0;
  bool is_told_of_noises_ = false;
  std::vector<Observer> observers_;
  std::vector<Listener> listeners_;
  std::vector<Sighting> sightings_;
  std::vector<MemoryRow> memories_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SENSES_SENSES_SYSTEM_H_
