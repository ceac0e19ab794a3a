// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that questions about a world have the answers that a look at each
// object gives, and those of queries that are made anew: in random worlds whose
// objects move, fall, sleep, wake, come and go, near and very far away.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/updates/update_context.h"
#include "sim/world/updates/world_queries.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPack = R"(
components { name: "tag" properties { name: "number" type: TYPE_INTEGER } }
components { name: "mark" properties { name: "number" type: TYPE_INTEGER } }
types { name: "asker" behaviours { behaviour: "testing_ask" } }
types { name: "ghost" components { component: "tag" } behaviours { behaviour: "testing_wander" } objects_max: 90 }
types { name: "wraith" extends: "ghost" components { component: "mark" } objects_max: 90 }
types { name: "ball" components { component: "mark" } behaviours { behaviour: "testing_wander" } objects_max: 90
        body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.5 } } } }
types { name: "wall" body { motion: MOTION_FIXED shapes { box { half_extents { x: 0.5 y: 4 z: 4 } } } } }
types { name: "floor" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "asker" type: "asker" }
objects { name: "floor" type: "floor" }
objects { name: "wall" type: "wall" position { x: 2 y: 1 } grid { count_x: 5 spacing { x: 7 } } }
objects { name: "ghost" type: "ghost" position { x: -40 } grid { count_x: 30 spacing { x: 3 } } }
objects { name: "wraith" type: "wraith" position { x: -40 z: 5 } grid { count_x: 20 spacing { x: 4 } } }
objects { name: "ball" type: "ball" position { x: -40 y: 3 } grid { count_x: 30 spacing { x: 3 } } }
)";

constexpr std::string_view kTypes[] = {"ghost", "wraith", "ball", "none"};

// Goes somewhere at times, has others fall asleep, wake, come and go.
class Wander final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder&) override {
    return absl::OkStatus();
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      RandomStream random =
          MakeRandomStream(context.tick(), IdOf("wander"), context.object(i));
      Transform place = context.Place(i);
      switch (NextBelow(random, 40)) {
        case 0:
          place.position.x += NextUnit(random) * 4.0 - 2.0;
          context.SetPlace(i, place);
          break;
        case 1:
          place.position.z = NextBelow(random, 8) == 0 ? 1e48 : 5.0;
          context.SetPlace(i, place);
          break;
        case 2:
          place.position.x = 1e200;  // where nobody is found
          context.SetPlace(i, place);
          break;
        case 3:
          context.ApplyImpulse(i, {2.0, 3.0, -1.0});
          break;
        case 4:
          context.Post(i, context.handle(i), IdOf("sleep"), {});
          context.Post(i, context.handle(i), IdOf("wake"), {},
                       1 + NextBelow(random, 9));
          break;
        case 5:
          context.Destroy(i, context.handle(i));
          break;
        case 6:
          place.position = {NextUnit(random) * 50.0 - 25.0, 3.0,
                            NextUnit(random) * 9.0};
          context.Spawn(i, IdOf(kTypes[NextBelow(random, 3)]), place);
          break;
        default:
          break;
      }
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }
};
REPRISE_REGISTER_BEHAVIOUR(testing_wander, "testing_wander", Wander);

std::vector<Handle> HandlesOf(const std::vector<FoundObject>& found) {
  std::vector<Handle> handles;
  for (const FoundObject& each : found) handles.push_back(each.handle);
  return handles;
}

int asked = 0;
size_t found_count = 0;
bool is_asking = true;

// Asks everything of the world's queries, of new ones, and of each object. It
// runs before anybody has changed anything.
class Ask final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder&) override {
    return absl::OkStatus();
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    Compare(context, IdOf("before"));
  }
  void UpdateAfterPhysics(UpdateContext& context) const override {
    Compare(context, IdOf("after"));
  }
  Hooks hooks() const override {
    return {.before_physics = true, .after_physics = true, .queries = true};
  }

 private:
  static void Compare(UpdateContext& context, Id hook) {
    RandomStream random = MakeRandomStream(context.tick(), hook);
    // Not at every hook, so that more than one has passed between answers.
    if (!is_asking || NextBelow(random, 3) == 0) return;
    ++asked;
    const WorldParts& parts = context.parts();
    const WorldQueries& queries = context.queries();
    WorldQueries anew(parts.definition, parts.tables.physics);
    anew.Look(parts);
    ObjectCriteria criteria;
    if (NextBelow(random, 2) == 0) {
      criteria.type = IdOf(kTypes[NextBelow(random, std::size(kTypes))]);
    }
    if (NextBelow(random, 3) == 0) {
      criteria.component = IdOf(NextBelow(random, 2) == 0 ? "tag" : "mark");
    }
    criteria.includes_dormant = NextBelow(random, 2) == 0;
    const auto coordinate = [&] { return NextUnit(random) * 80.0 - 40.0; };
    const Vector3 at = {coordinate(), 2.0, coordinate() / 8.0};
    const Vector3 far = {coordinate(), 1.0, coordinate()};
    const double radius = NextUnit(random) * 20.0;
    const auto same = [&](const std::vector<FoundObject>& found,
                          const std::vector<FoundObject>& expected) {
      EXPECT_EQ(HandlesOf(found), HandlesOf(expected)) << context.tick();
      found_count += found.size();
    };
    same(queries.Find(criteria), ByLooking(parts, criteria));
    same(queries.FindInSphere({at, radius}, criteria),
         anew.FindInSphere({at, radius}, criteria));
    same(queries.FindNearest(at, 7, criteria),
         anew.FindNearest(at, 7, criteria));
    same(queries.FindAlong({at, far}, criteria),
         anew.FindAlong({at, far}, criteria));
    const OrientedBox box = {
        .center = at, .half_extents = {radius, 2.0, 3.0}, .rotation = {}};
    same(queries.FindInBox(box, criteria), anew.FindInBox(box, criteria));
    std::vector<SightPair> pairs;
    std::vector<bool> expected;
    const std::vector<Handle> all = HandlesOf(queries.Find({}));
    for (int i = 0; i < 10; ++i) {
      const Handle from = all[NextBelow(random, all.size())];
      const Handle to = NextBelow(random, 5) == 0
                            ? Handle{.index = 3, .generation = 77}
                            : all[NextBelow(random, all.size())];
      pairs.push_back({from, to});
      expected.push_back(anew.HasLineOfSight(from, to));
    }
    EXPECT_EQ(queries.HaveLinesOfSight(pairs), expected);
  }

  static std::vector<FoundObject> ByLooking(const WorldParts& parts,
                                            const ObjectCriteria& criteria) {
    std::vector<FoundObject> found;
    const Table& objects = parts.state.table(parts.tables.objects.objects);
    for (uint32_t row = 0; row < objects.row_count(); ++row) {
      const auto& object = objects.Get<ObjectRow>(row);
      const TypeDefinition& type =
          parts.definition.types[parts.objects.TypeOf(row)];
      const bool is_of_type = criteria.type == kNoId ||
                              type.id == criteria.type ||
                              std::ranges::count(type.bases, criteria.type) > 0;
      const auto component = parts.definition.FindComponent(criteria.component);
      const bool has_component =
          criteria.component == kNoId ||
          parts.objects.ComponentRow(row, *component) != kNoRow;
      const bool counts =
          criteria.includes_dormant || object.status == ObjectStatus::kActive;
      if (is_of_type && has_component && counts) {
        found.push_back({.object = object.object, .handle = object.handle});
      }
    }
    return found;
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_ask, "testing_ask", Ask);

TEST(WorldQueriesModelTest, AnswersAreThoseOfALookAtEachObject) {
  asked = 0;
  found_count = 0;
  const auto world = WorldOf(Manifest({kPack}));
  StepTimes(*world, 200);
  EXPECT_GT(asked, 200);
  EXPECT_GT(found_count, 10'000u);
  const std::vector<Event> events = world->DrainEvents();
  const auto count = [&](std::string_view type) {
    return std::ranges::count(events, IdOf(type), &Event::type);
  };
  EXPECT_GT(count("object_spawned"), 50);
  EXPECT_GT(count("object_destroyed"), 50);
}

TEST(WorldQueriesModelTest, AskingChangesNothing) {
  const auto asks = WorldOf(Manifest({kPack}));
  const auto silent = WorldOf(Manifest({kPack}));
  for (int tick = 0; tick < 50; ++tick) {
    StepTimes(*asks, 1);
    is_asking = false;
    StepTimes(*silent, 1);
    is_asking = true;
    ASSERT_EQ(asks->state().ComputeRootDigest(),
              silent->state().ComputeRootDigest());
  }
}

}  // namespace
}  // namespace reprise::sim
