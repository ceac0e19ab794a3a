// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that columns bring about what calls for single values do, to the bit:
// two worlds in which objects of several types, whose rows lie between each
// other, write random values of every type, some of which are refused, are
// equal in all ticks. And that columns leave alone what nobody changes.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/columns.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kComponents = R"(
components {
  name: "all"
  properties { name: "flag" type: TYPE_BOOLEAN }
  properties { name: "count" type: TYPE_INTEGER minimum: 0 maximum: 9 }
  properties { name: "size" type: TYPE_NUMBER maximum: 9 }
  properties { name: "colour" type: TYPE_CHOICE choices: "red" choices: "green" }
  properties { name: "plan" type: TYPE_VECTOR2 minimum: -1 }
  properties { name: "way" type: TYPE_VECTOR3 maximum: 1 }
  properties { name: "turn" type: TYPE_ROTATION }
  properties { name: "friend" type: TYPE_REFERENCE }
}
components { name: "sum" properties { name: "total" type: TYPE_NUMBER } }
)";

// What an object has, and what comes of it.
struct Values {
  bool flag = false;
  int64_t count = 0;
  double size = 0.0;
  Id colour;
  Vector2 plan;
  Vector3 way;
  Quaternion turn;
  Handle friendly;
  double total = 0.0;
};

// Changes some of the values, by chance: often to what isn't allowed.
void Change(UpdateContext& context, uint32_t i, Values& values,
            Transform& place) {
  RandomStream random =
      MakeRandomStream(context.tick(), IdOf("change"), context.object(i));
  const auto changes = [&random] { return NextBelow(random, 3) == 0; };
  const auto number = [&random]() -> double {
    const uint64_t kind = NextBelow(random, 20);
    if (kind == 0) return std::numeric_limits<double>::quiet_NaN();
    if (kind == 1) return std::numeric_limits<double>::infinity();
    if (kind == 2) return -0.0;
    return NextUnit(random) * 4.0 - 2.0;
  };
  values.total += values.size * context.dt_s();
  if (changes()) values.flag = !values.flag;
  if (changes()) values.count = NextInRange(random, -2, 11);
  if (changes()) values.size = 8.0 * number();
  if (changes()) {
    values.colour = NextBelow(random, 4) == 0 ? IdOf("blue") : IdOf("green");
  }
  if (changes()) values.plan.x = number();
  if (changes()) values.way.z = number();
  if (changes()) {
    values.turn = {0.0, 0.6, 0.0, NextBelow(random, 3) == 0 ? 0.81 : 0.8};
  }
  if (changes()) values.friendly = context.handle(i);
  if (changes()) place.position.y = number();
}

class ChangeBehaviour : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status;
    const auto bind = [&](std::string_view component, std::string_view name,
                          PropertyType type, PropertyRef& ref) {
      status.Update(binder.Property(component, name, type, ref));
    };
    bind("all", "flag", PropertyType::kBool, flag_);
    bind("all", "count", PropertyType::kInt, count_);
    bind("all", "size", PropertyType::kDouble, size_);
    bind("all", "colour", PropertyType::kEnum, colour_);
    bind("all", "plan", PropertyType::kVector2, plan_);
    bind("all", "way", PropertyType::kVector3, way_);
    bind("all", "turn", PropertyType::kQuaternion, turn_);
    bind("all", "friend", PropertyType::kReference, friend_);
    bind("sum", "total", PropertyType::kDouble, total_);
    return status;
  }
  Hooks hooks() const override { return {.before_physics = true}; }

 protected:
  PropertyRef flag_;
  PropertyRef count_;
  PropertyRef size_;
  PropertyRef colour_;
  PropertyRef plan_;
  PropertyRef way_;
  PropertyRef turn_;
  PropertyRef friend_;
  PropertyRef total_;
};

class ChangeOneByOne final : public ChangeBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      Values values = {.flag = context.Bool(i, flag_),
                       .count = context.Int(i, count_),
                       .size = context.Number(i, size_),
                       .colour = context.Name(i, colour_),
                       .plan = context.Vector2(i, plan_),
                       .way = context.Vector(i, way_),
                       .turn = context.Rotation(i, turn_),
                       .friendly = context.Reference(i, friend_),
                       .total = context.Number(i, total_)};
      Transform place = context.Place(i);
      Change(context, i, values, place);
      context.SetBool(i, flag_, values.flag);
      context.SetInt(i, count_, values.count);
      context.SetNumber(i, size_, values.size);
      context.SetName(i, colour_, values.colour);
      context.SetVector2(i, plan_, values.plan);
      context.SetVector(i, way_, values.way);
      context.SetRotation(i, turn_, values.turn);
      context.SetReference(i, friend_, values.friendly);
      context.SetNumber(i, total_, values.total);
      context.SetPlace(i, place);
    }
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_one_by_one, "testing_one_by_one",
                           ChangeOneByOne);

class ChangeColumns final : public ChangeBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    Columns(Writes<bool>{flag_}, Writes<int64_t>{count_}, Writes<double>{size_},
            Writes<Id>{colour_}, Writes<Vector2>{plan_}, Writes<Vector3>{way_},
            Writes<Quaternion>{turn_}, Writes<Handle>{friend_},
            Writes<double>{total_}, WritesPlace{})
        .ForEach(context,
                 [&](uint32_t i, bool& flag, int64_t& count, double& size,
                     Id& colour, Vector2& plan, Vector3& way, Quaternion& turn,
                     Handle& friendly, double& total, Transform& place) {
                   Values values = {flag, count, size,     colour, plan,
                                    way,  turn,  friendly, total};
                   Change(context, i, values, place);
                   flag = values.flag;
                   count = values.count;
                   size = values.size;
                   colour = values.colour;
                   plan = values.plan;
                   way = values.way;
                   turn = values.turn;
                   friendly = values.friendly;
                   total = values.total;
                 });
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_columns, "testing_columns", ChangeColumns);

// Objects of three types in turns, in two buckets, one type without the
// behaviour and some with a body; then many of one type, over several pages.
std::string Pack(std::string_view behaviour) {
  std::string text(kComponents);
  const auto type = [&](std::string_view name, std::string_view more) {
    text += fmt::format(
        "types {{ name: \"{}\" components {{ component: \"all\" set {{ "
        "property: \"colour\" value {{ text: \"red\" }} }} }} components {{ "
        "component: \"sum\" }} {} }}\n",
        name, more);
  };
  const std::string uses =
      fmt::format("behaviours {{ behaviour: \"{}\" }} ", behaviour);
  type("ghost", uses);
  type("block", uses +
                    "body { motion: MOTION_KINEMATIC shapes { sphere { radius: "
                    "0.1 } } }");
  type("stone", "");
  text += "objects { name: \"m\" type: \"ghost\" grid { count_x: 700 } }\n";
  for (int i = 0; i < 60; ++i) {
    const char* const types[] = {"ghost", "block", "stone"};
    text += fmt::format(
        "objects {{ name: \"o{:02}\" type: \"{}\" position {{ x: {} }} {} }}\n",
        i, types[i * 7 % 11 % 3], 10 * i, i % 5 == 4 ? "parent: \"o00\"" : "");
  }
  return Manifest({text});
}

TEST(ColumnsTest, ColumnsDoWhatSingleCallsDo) {
  const auto single = WorldOf(Pack("testing_one_by_one"));
  const auto columns = WorldOf(Pack("testing_columns"));
  size_t refused = 0;
  for (int tick = 0; tick < 60; ++tick) {
    // Pages that others hold, too, are not written.
    const State kept = columns->state();
    const Digest digest = kept.ComputeRootDigest();
    StepTimes(*single, 1);
    StepTimes(*columns, 1);
    ASSERT_EQ(columns->state().ComputeRootDigest(),
              single->state().ComputeRootDigest())
        << tick;
    ASSERT_EQ(kept.ComputeRootDigest(), digest);
    const auto told = EventsOf(*columns, "property_refused").size();
    ASSERT_EQ(told, EventsOf(*single, "property_refused").size());
    refused += told;
  }
  EXPECT_GT(refused, 1000u);
}

class TouchColumns final : public ChangeBehaviour {
 public:
  void UpdateBeforePhysics(UpdateContext& context) const override {
    Columns(Writes<int64_t>{count_}, Reads<double>{size_})
        .ForEach(context, [&](uint32_t i, int64_t& count, double /*size*/) {
          if (context.tick() == 3 && i == 650) ++count;
          // An own value beside the columns, in a page that they share.
          if (context.tick() == 5 && i == 10) context.SetNumber(i, size_, 4.5);
          if (context.tick() == 5 && i == 11) ++count;
        });
  }
};
REPRISE_REGISTER_BEHAVIOUR(testing_touch, "testing_touch", TouchColumns);

uint32_t PagesShared(const Table& a, const Table& b) {
  uint32_t count = 0;
  for (uint32_t page = 0; page < a.page_count(); ++page) {
    if (a.PageBytes(page).data() == b.PageBytes(page).data()) ++count;
  }
  return count;
}

TEST(ColumnsTest, PageInWhichNothingChangesStaysShared) {
  const auto world = WorldOf(Pack("testing_touch"));
  const TableIndex all = *world->state().Find("components", "all");
  StepTimes(*world, 3);
  const Table before = world->state().table(all);
  ASSERT_GT(before.page_count(), 20u);
  StepTimes(*world, 1);
  EXPECT_EQ(PagesShared(before, world->state().table(all)),
            before.page_count() - 1);
  const Table after = world->state().table(all);
  StepTimes(*world, 1);
  EXPECT_EQ(PagesShared(after, world->state().table(all)), after.page_count());
}

TEST(ColumnsTest, CallsForSingleValuesStandBesideColumns) {
  const auto world = WorldOf(Pack("testing_touch"));
  StepTimes(*world, 5);
  const State kept = world->state();
  StepTimes(*world, 1);
  std::vector<std::string> names;
  for (int i = 0; i < 700; ++i) names.push_back(fmt::format("m_{}", i));
  std::ranges::sort(names);
  const auto value = [&](int i, const char* property) {
    return ValueOf(*world, "components", "all", names[i], property);
  };
  EXPECT_EQ(value(10, "size")->AsDouble(), 4.5);
  EXPECT_EQ(value(10, "count")->bits, 0u);
  EXPECT_EQ(value(11, "size")->AsDouble(), 0.0);
  EXPECT_EQ(value(11, "count")->bits, 1u);
}

}  // namespace
}  // namespace reprise::sim
