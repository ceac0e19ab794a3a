// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objects that find their way: they ask for paths by the world's queue of
// requests, walk along them, and ask anew when a cell on them changes.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/navigation/flow_field.h"
#include "sim/state/state.h"
#include "sim/systems/characters/character_system.h"
#include "sim/systems/characters/character_use.h"
#include "sim/systems/navigation/navigation_definition.h"
#include "sim/systems/navigation/navigation_rows.h"
#include "sim/systems/navigation/navigation_spaces.h"
#include "sim/systems/navigation/path_searches.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {

// Of a pack with grids, graphs, meshes or navigators.
struct NavigationDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "navigation";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
  // What nodes of meshes are: places.
  void Describe(const WorldDefinition& world,
                GameDescription& description) const override;

  std::vector<SpaceDefinition> spaces;           // ascending by name
  std::vector<FlowFieldDefinition> flow_fields;  // ascending by name
  std::vector<GoalSetDefinition> goal_sets;      // ascending by name
  uint64_t expansions_per_tick = kExpansionsPerTickDefault;
  uint64_t expansions_per_search = kExpansionsPerSearchDefault;
};

// The kind of requests that it answers (path_requests.h).
inline constexpr std::string_view kPathRequestName = "path";
inline constexpr Id kPathRequest = IdOf(kPathRequestName);

class Navigators final : public System {
 public:
  static constexpr std::string_view kSystem = NavigationDefinition::kSystem;

  // `definition` outlives this.
  Navigators(const NavigationDefinition& definition, const SystemPlace& place);

  void Connect(const Systems& systems) override;
  void Initialize() override;
  void Load() override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;
  bool OnEvent(uint32_t row, const WorldEvent& event) override;
  void Answer(uint32_t kind, const RequestRow& request) override;
  void AddToDebugFrame(DebugFrame& frame) const override;

  // Whether the object of a row is a navigator that goes by searches.
  bool IsSeeker(uint32_t row) const;
  // The nearest goal of a set as such a one may search for it; nullopt: there
  // is no such set in its space.
  std::optional<uint64_t> FindNearest(uint32_t row, Id goals) const;
  // Keeps the request of such a one for a path to a place, or to a node or what
  // FindNearest returns.
  void Keep(uint32_t row, const RequestRow& request, Vector3 goal);
  void KeepFor(uint32_t row, const RequestRow& request, uint64_t goal_node);
  // Such a one goes to a place, or after an object; it stays where it is.
  void GoTo(uint32_t row, Vector3 goal);
  void GoAfter(uint32_t row, Handle target);
  // Such a one goes to the nearest goal of a set, asked for anew; it fails
  // where there is no such set in its space.
  void GoToNearest(uint32_t row, Id goals);
  void Stay(uint32_t row);
  // What it does. It goes, or is about to, while IsGoing.
  bool IsGoing(uint32_t row) const { return RowAt(row).is_active != 0; }
  int64_t StatusOf(uint32_t row) const { return RowAt(row).status; }
  // The path of such a one; empty when it has none.
  std::vector<Vector3> PathOf(uint32_t row) const;

  // Of flow fields and grids, by their indexes (flow_questions.h).
  std::optional<uint32_t> FindField(Id name) const;
  std::optional<uint32_t> FindSpace(Id name) const;
  std::optional<uint32_t> FindGrid(Id name) const;
  std::optional<Vector3> NextOnField(uint32_t field, Vector3 place);
  std::optional<uint64_t> CostOnField(uint32_t field, Vector3 place);
  Vector3 GoalOfField(uint32_t field) const;
  std::optional<uint16_t> WeightAt(uint32_t space, Vector3 place) const;

 private:
  enum class Going : uint8_t { kOn, kArrived };

  // Its tables, by their places in the declaration.
  enum TableNumber : uint32_t {
    kSearches,
    kReached,
    kCorridor,
    kPathPoints,
    kCells,
    kFlowGoals,
    kCounters
  };

  static bool IsSeekerUse(const NavigatorUse* use);
  const NavigatorUse* UseOf(uint32_t row) const;
  const ObjectRow& ObjectAt(uint32_t row) const;
  const NavigatorRow& RowAt(uint32_t row) const;
  NavigatorRow& MutableRowAt(uint32_t row) const;
  const Table& components() const;

  // Lets searches go on, and navigators have what they found.
  void RunSearches();
  void Settle(const EndedSearch& ended);
  bool TakePath(const NavigatorUse& use, uint32_t row,
                const EndedSearch& ended);
  void AnswerFound(const EndedSearch& ended);
  void AnswerFailed(const EndedSearch& ended);

  // Each of these works on a copy of the navigator's row.
  void Update(const NavigatorUse& use, uint32_t row);
  // Tells of a character that goes and comes nowhere.
  void NoteProgress(uint32_t row, NavigatorRow& navigator);
  void GoByPath(const NavigatorUse& use, uint32_t row, NavigatorRow& navigator);
  void GoByField(const NavigatorUse& use, uint32_t row,
                 NavigatorRow& navigator);
  void Ask(uint32_t row, uint64_t goal_node, NavigatorRow& navigator);
  // Whether it goes to the nearest of several goals still, where `goal` is the
  // node of the place that it is told to go to.
  bool StaysNearest(const NavigatorUse& use, uint64_t goal,
                    const NavigatorRow& navigator) const;
  // It goes to the nearest of several goals no more, if it did.
  void ForgetNearest(NavigatorRow& navigator);
  // Of the goals of a set that one: where it is.
  Vector3 PlaceOfGoal(const NavigatorUse& use,
                      const GoalSetDefinition::Goal& goal) const;
  void Stop(NavigatorRow& navigator, NavigatorStatus status);
  // A character doesn't walk on; it jumps.
  void Halt(const NavigatorRow& navigator);
  void Jump(const NavigatorRow& navigator);
  void Arrive(NavigatorRow& navigator);
  void Fail(std::string_view reason, NavigatorRow& navigator);
  void DropPath(NavigatorRow& navigator);

  // Goes on along a path, or straight to a place. The last point is reached
  // within the navigator's radius.
  Going Walk(const NavigatorUse& use, uint32_t row, std::optional<Vector3> goal,
             NavigatorRow& navigator);
  Going WalkTo(uint32_t row, Vector3 goal, double radius_m,
               NavigatorRow& navigator);
  // On the ground of a mesh.
  uint32_t MoveOnMesh(const NavigatorUse& use, uint32_t row,
                      const NavigatorRow& navigator);
  template <typename PointAt>
  uint32_t Move(uint32_t row, uint32_t count, const PointAt& point_at,
                uint32_t next, double radius_m, const NavigatorRow& navigator);
  template <typename PointAt>
  uint32_t MoveCharacter(CharacterRow& character, Vector3 place, uint32_t count,
                         const PointAt& point_at, uint32_t next,
                         double radius_m, const NavigatorRow& navigator);
  // The row of a path's first point; the others follow it.
  uint32_t FirstPoint(uint64_t path) const;
  // The node of the point in a row.
  uint64_t NodeOfPoint(uint32_t space, uint64_t row) const;

  // What is shown of paths, and of the search under way.
  void AddPaths(DebugFrame& frame) const;
  void AddSearch(DebugFrame& frame) const;

  void Navigate(uint32_t row, const WorldEvent& event);
  void ChangeCell(uint32_t row, const WorldEvent& event);
  void ChangeArea(uint32_t row, const WorldEvent& event);
  void ChangeLink(uint32_t row, const WorldEvent& event);
  // Gives a cell or an area the weight that an event asks for, and tells
  // `told`, which lacks it.
  void ChangeWeight(uint32_t row, const WorldEvent& event, uint32_t space,
                    uint32_t cell, uint16_t before, WorldEvent told);
  void MoveFlowGoal(uint32_t row, const WorldEvent& event);
  void RefuseCell(uint32_t row, std::string_view reason);
  // Whether the rest of a path leads through a cell or an area that has become
  // dearer, or by a step that there isn't any more.
  bool IsStale(const NavigatorRow& navigator, uint32_t space, uint32_t cell,
               bool is_dearer) const;
  void NoteChange(uint32_t space, uint32_t cell, bool is_dearer);
  // Drops the points of paths that nobody has.
  void SweepPaths();

  absl::Status CheckSearches(const State& snapshot) const;
  bool CheckReached(const State& snapshot) const;
  bool CheckNavigators(const State& snapshot) const;
  bool CheckFlowGoals(const State& snapshot) const;

  uint32_t FlowGoalOf(uint32_t field) const;
  // What the field follows from has changed. Tells where it can't follow in
  // this step any more.
  void NoteFieldChange(uint32_t field);
  // A step begins: its changes are counted anew.
  void ForgetFieldChanges();
  // As of now; past what a step follows as of the last change that
  // counted.
  const FlowField& CurrentField(uint32_t field);

  const NavigationDefinition& definition_;
  std::vector<const NavigatorUse*> uses_;     // of each type
  std::vector<const CharacterUse*> walkers_;  // of each type
  std::optional<uint32_t> component_;         // navigator's, if there is one
  Characters* characters_ = nullptr;          // null where there are none
  NavigationSpaces spaces_;
  PathSearches searches_;
  // What follows from cells and goals, once somebody asks. Whether it is there
  // already differs after a restore, so nothing may depend on that.
  struct KnownField {
    FlowField field;
    bool is_current = false;
    // Of this step: a change that the field doesn't follow yet, and how many it
    // has followed.
    bool has_changed = false;
    bool is_told_late = false;
    uint64_t followed_changes = 0;
  };
  std::vector<KnownField> fields_;
  uint64_t flow_changes_per_step_ = kFlowChangesPerStepMax;
  bool has_dropped_paths_ = false;  // since the last sweep of this step
  std::vector<uint64_t> live_paths_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_SYSTEM_H_
