// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the order within a bucket is nothing: the same objects under
// other names, and so in another order, end as the same; and that nobody's turn
// shifts when others come and go.

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr int64_t kModulus = 1'000'003;

// Doubles `hits` in each update and adds 1 with each event, so that it shows
// which came first; keeps in `heard` what it has read of its parent, and sends
// events to its parent and its friend, who sends one on to a friend's friend.
template <bool kBefore>
class Mingle final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status =
        binder.Property("mingle", "hits", PropertyType::kInt, hits_);
    if (!status.ok()) return status;
    status = binder.Property("mingle", "heard", PropertyType::kInt, heard_);
    if (!status.ok()) return status;
    return binder.Property("mingle", "friend", PropertyType::kReference,
                           friend_);
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    MingleAll(context);
  }
  void UpdateAfterPhysics(UpdateContext& context) const override {
    MingleAll(context);
  }
  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override {
    context.SetInt(0, hits_, (context.Int(0, hits_) + 1) % kModulus);
    if (event.type != IdOf("met")) return true;
    // What an event causes is delivered before the call returns.
    const Handle next = context.Reference(0, friend_);
    if (!next.is_null()) {
      EXPECT_TRUE(context.Send(0, next, IdOf("passed"), {}));
    }
    return true;
  }
  Hooks hooks() const override {
    return {.before_physics = kBefore,
            .after_physics = !kBefore,
            .on_event = true,
            .reads_others = true};
  }

 private:
  void MingleAll(UpdateContext& context) const {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      context.SetInt(i, hits_, context.Int(i, hits_) * 2 % kModulus);
      const Handle parent = context.parent(i);
      if (!parent.is_null()) {
        EXPECT_FALSE(context.Send(i, parent, IdOf("met"), {}));
        const auto hits =
            context.ReadInt(i, parent, hits_, ReadTime::kThisTick);
        context.SetInt(i, heard_,
                       (context.Int(i, heard_) * 3 + *hits) % kModulus);
      }
      const Handle other = context.Reference(i, friend_);
      if (!other.is_null()) {
        EXPECT_FALSE(context.Send(i, other, IdOf("met"), {}));
      }
    }
  }

  PropertyRef hits_;
  PropertyRef heard_;
  PropertyRef friend_;
};
using MingleBefore = Mingle<true>;
using MingleAfter = Mingle<false>;
REPRISE_REGISTER_BEHAVIOUR(testing_mingle_before, "testing_mingle_before",
                           MingleBefore);
REPRISE_REGISTER_BEHAVIOUR(testing_mingle_after, "testing_mingle_after",
                           MingleAfter);
REPRISE_REGISTER_EVENT(testing_met, {.name = "met",
                                     .sender = "an object",
                                     .receiver = "its friend",
                                     .when = "each tick",
                                     .arguments = {}});
REPRISE_REGISTER_EVENT(testing_passed, {.name = "passed",
                                        .sender = "an object",
                                        .receiver = "its friend",
                                        .when = "it met somebody",
                                        .arguments = {}});

constexpr std::string_view kMingling = R"(
components {
  name: "mingle"
  properties { name: "hits" type: TYPE_INTEGER }
  properties { name: "heard" type: TYPE_INTEGER }
  properties { name: "friend" type: TYPE_REFERENCE }
}
types { name: "guest" components { component: "mingle" }
        behaviours { behaviour: "testing_mingle_before" } }
types { name: "visitor" components { component: "mingle" }
        behaviours { behaviour: "testing_mingle_after" } }
)";

// Who somebody is, whatever the name.
struct Role {
  std::string_view type;
  int hits = 0;
  int parent = -1;  // roles
  int friends = -1;
};

// A host, two bodies beside each other below it who are friends, one of another
// type, one behind them, and one beside the host whose friend is behind it.
constexpr std::array kRoles = {
    Role{.type = "guest", .hits = 1},
    Role{.type = "guest", .hits = 2, .parent = 0, .friends = 2},
    Role{.type = "guest", .hits = 3, .parent = 0, .friends = 3},
    Role{.type = "visitor", .hits = 4, .parent = 0, .friends = 1},
    Role{.type = "guest", .hits = 5, .parent = 3, .friends = 0},
    Role{.type = "visitor", .hits = 6, .friends = 4},
};

// What all have in the end, by their roles, if role i is called names[i].
std::vector<int64_t> EndsOf(const std::vector<std::string>& names) {
  std::string objects;
  for (size_t i = 0; i < kRoles.size(); ++i) {
    const Role& role = kRoles[i];
    const auto name = [&](int other) {
      return names[static_cast<size_t>(other)];
    };
    objects += fmt::format(
        "objects {{ name: \"{}\" type: \"{}\" {} components {{ component: "
        "\"mingle\" set {{ property: \"hits\" value {{ integer: {} }} }} {} }} "
        "}}\n",
        names[i], std::string(role.type),
        role.parent < 0 ? "" : fmt::format("parent: \"{}\"", name(role.parent)),
        role.hits,
        role.friends < 0 ? ""
                         : fmt::format("set {{ property: \"friend\" value {{ "
                                       "text: \"{}\" }} }}",
                                       name(role.friends)));
  }
  const auto world = WorldOf(Manifest({kMingling, objects}));
  StepTimes(*world, 30);
  std::vector<int64_t> ends;
  for (const std::string& name : names) {
    for (const std::string_view property : {"hits", "heard"}) {
      const auto value =
          ValueOf(*world, "components", "mingle", name, property);
      ends.push_back(static_cast<int64_t>(value->bits));
    }
  }
  return ends;
}

TEST(BucketOrderTest, EndsAreTheSameWhoeverComesFirst) {
  std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
  const std::vector<int64_t> expected = EndsOf(names);
  EXPECT_EQ(std::ranges::count(expected, 0), 2);  // two have no parent to hear
  while (std::next_permutation(names.begin(), names.end())) {
    ASSERT_EQ(EndsOf(names), expected)
        << fmt::format("{} {} {} {} {} {}", names[0], names[1], names[2],
                       names[3], names[4], names[5]);
  }
}

// Eight ants of which each is updated every fourth tick.
constexpr std::string_view kAnts = R"(
types { name: "ant" components { component: "marker" }
        behaviours { behaviour: "testing_count" every_ticks: 4 spread: true } }
types { name: "foot" timers { name: "t" event: "step" delay_s: 0.3 } }
objects { name: "ant" type: "ant" grid { count_x: 8 } }
objects { name: "foot" type: "foot" }
)";

// The ticks of 60 in which an ant is updated.
std::vector<int> TurnsOf(std::string_view ant, std::string_view more) {
  const auto world = WorldOf(Manifest({kMarker, kAnts, more}));
  std::vector<int> ticks;
  int64_t hits = 0;
  for (int tick = 0; tick < 60; ++tick) {
    StepTimes(*world, 1);
    if (HitsOf(*world, ant) == hits) continue;
    hits = HitsOf(*world, ant);
    ticks.push_back(tick);
  }
  return ticks;
}

TEST(BucketOrderTest, NobodysTurnShiftsWhenOthersGoOrSleep) {
  for (const std::string_view event : {"destroy", "sleep"}) {
    const std::string step = fmt::format(
        "connections {{ name: \"c\" source: \"foot\" event: \"step\" target: "
        "\"ant_2\" send: \"{}\" }}\n",
        std::string(event));
    for (const std::string_view ant : {"ant_0", "ant_3", "ant_4", "ant_7"}) {
      const std::vector<int> turns = TurnsOf(ant, "");
      EXPECT_EQ(turns.size(), 15u);
      EXPECT_EQ(TurnsOf(ant, step), turns) << ant << " " << event;
    }
  }
}

}  // namespace
}  // namespace reprise::sim
