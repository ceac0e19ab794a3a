// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves whom an event reaches and in which order, that whatever would not end
// is ended by a bound that says so, and that the journal tells what happened.

#include "sim/world/events/event_router.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/state/state_codec.h"
#include "sim/world/events/interests.h"
#include "sim/world/events/testing_receivers.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr Id kHit = IdOf("hit");
constexpr Id kAlarm = IdOf("alarm");
constexpr Id kForce = IdOf("force");
constexpr Id kDropped = IdOf("event_dropped");

class Journal final : public EventJournal {
 public:
  void Record(Event event) override { events.push_back(std::move(event)); }

  std::vector<Event> events;
};

class EventRouterTest : public testing::Test {
 protected:
  // An object that notes who it is, and handles events or not.
  Handle Add(std::string name, bool handles = false,
             Handle parent = kNullHandle) {
    return receivers_.Create(
        [this, name = std::move(name), handles](const WorldEvent&) {
          reached_.push_back(name);
          return handles;
        },
        parent);
  }

  // An object that does `work` for each event.
  Handle AddWorker(std::function<void(const WorldEvent&)> work) {
    return receivers_.Create([work = std::move(work)](const WorldEvent& event) {
      work(event);
      return true;
    });
  }

  void Register(Id type, Handle object, int64_t priority = 0) {
    ASSERT_TRUE(RegisterInterest(state_.mutable_table(tables_.interests), type,
                                 receivers_.ObjectOf(object), object, priority)
                    .ok());
  }

  // With the limits and connections that the test has set by the first tick.
  void BeginTick() {
    if (router_ == nullptr) {
      router_ = std::make_unique<EventRouter>(limits_, connections_, state_,
                                              tables_, receivers_, &journal_);
    }
    router_->BeginTick(++now_);
  }

  // Delivers what is due and returns the counts of the bounds reported.
  std::map<Id, int64_t> EndTick() {
    std::map<Id, int64_t> counts;
    journal_.events.clear();
    router_->DeliverQueued();
    router_->ReportBounds();
    for (const Event& event : journal_.events) {
      if (event.type == kEventQueueFull || event.type == kEventCascadeBounded ||
          event.type == kEventDepthBounded || event.type == kEventTargetStale) {
        counts[event.type] =
            static_cast<int64_t>(event.arguments[0].value.bits);
      }
    }
    return counts;
  }

  State state_;
  EventTables tables_ = AddEventTables(state_);
  EventLimits limits_;
  EventConnections connections_;
  TestingReceivers receivers_;
  Journal journal_;
  Tick now_ = 0;
  std::unique_ptr<EventRouter> router_;
  std::vector<std::string> reached_;
};

TEST_F(EventRouterTest, ChainOfParentsEndsWithTheOneThatHandlesIt) {
  const Handle root = Add("root");
  const Handle vehicle = Add("vehicle", /*handles=*/true, root);
  const Handle seat = Add("seat", /*handles=*/false, vehicle);
  BeginTick();
  EXPECT_TRUE(router_->Send({.type = kHit, .target = seat}));
  EXPECT_THAT(reached_, ElementsAre("seat", "vehicle"));
  EXPECT_FALSE(router_->Send({.type = kHit, .target = root}));
}

TEST_F(EventRouterTest, ChainGoesOnWhenAHandlerDestroysItsObject) {
  const Handle root = Add("root");
  Handle mine;
  mine = receivers_.Create(
      [&](const WorldEvent&) {
        receivers_.Destroy(mine);
        return false;
      },
      root);
  BeginTick();
  router_->Send({.type = kHit, .target = mine});
  EXPECT_THAT(reached_, ElementsAre("root"));
}

TEST_F(EventRouterTest, CycleOfParentsIsCutAndSaysSo) {
  const Handle a = Add("a");
  const Handle b = Add("b", /*handles=*/false, a);
  receivers_.SetParent(a, b);
  BeginTick();
  router_->Post({.type = kHit, .target = a});
  EXPECT_THAT(EndTick(), ElementsAre(Pair(kEventDepthBounded, 1)));
  EXPECT_EQ(reached_.size(), limits_.depth_max);
}

TEST_F(EventRouterTest, MulticastReachesAllInOrderWhoeverHandlesIt) {
  const Handle first = Add("first", /*handles=*/true);
  const Handle second = Add("second");
  const Handle urgent = Add("urgent");
  Register(kAlarm, second);
  Register(kAlarm, first);
  Register(kAlarm, urgent, 1);
  BeginTick();
  EXPECT_TRUE(router_->Send({.type = kAlarm}));
  EXPECT_THAT(reached_, ElementsAre("urgent", "first", "second"));
  EXPECT_FALSE(router_->Send({.type = kHit}));
}

TEST_F(EventRouterTest, InterestChangedDuringAMulticastCounts) {
  const Handle second = Add("second");
  const Handle third = Add("third");
  const Handle first = AddWorker([&](const WorldEvent&) {
    UnregisterInterest(state_.mutable_table(tables_.interests), kAlarm,
                       receivers_.ObjectOf(second));
    receivers_.Destroy(third);
    Register(kAlarm, Add("newcomer"));
  });
  Register(kAlarm, first, 1);
  Register(kAlarm, second);
  Register(kAlarm, third);
  BeginTick();
  router_->Send({.type = kAlarm});
  EXPECT_THAT(reached_, IsEmpty());
  router_->Send({.type = kAlarm});
  EXPECT_THAT(reached_, ElementsAre("newcomer"));
}

TEST_F(EventRouterTest, ImmediateComesBeforeWhatItsSenderDoesNext) {
  const Handle inner = Add("inner");
  const Handle outer = AddWorker([&](const WorldEvent&) {
    router_->Post({.type = kHit, .target = inner});
    router_->Send({.type = kHit, .target = inner});
    reached_.push_back("outer");
  });
  BeginTick();
  router_->Send({.type = kHit, .target = outer});
  EXPECT_THAT(reached_, ElementsAre("inner", "outer"));
  EndTick();
  EXPECT_THAT(reached_, ElementsAre("inner", "outer", "inner"));
}

TEST_F(EventRouterTest, TimedEventIsDeliveredAtItsTickAfterASave) {
  const Handle object = Add("object");
  BeginTick();
  router_->Post({.type = kHit, .target = object}, 3);
  EndTick();
  const std::string saved = EncodeState(state_);
  state_ = *DecodeState(std::as_bytes(std::span(saved)), state_);
  for (int tick = 2; tick <= 3; ++tick) {
    BeginTick();
    EndTick();
    EXPECT_THAT(reached_, IsEmpty());
  }
  BeginTick();
  EndTick();
  EXPECT_THAT(reached_, ElementsAre("object"));
}

TEST_F(EventRouterTest, EndlessCascadeStopsAndGoesOnNextTick) {
  limits_.events_per_tick_max = 100;
  uint64_t work_count = 0;
  Handle worker;
  worker = AddWorker([&](const WorldEvent& event) {
    ++work_count;
    router_->Post(event);
    router_->Post(event, 1);
  });
  BeginTick();
  router_->Post({.type = kHit, .target = worker});
  EXPECT_THAT(EndTick(), ElementsAre(Pair(kEventCascadeBounded, 1)));
  EXPECT_EQ(work_count, 100u);
  BeginTick();
  EndTick();
  EXPECT_EQ(work_count, 200u);
}

TEST_F(EventRouterTest, RecursionStopsAtTheDepth) {
  limits_.depth_max = 5;
  uint64_t work_count = 0;
  Handle worker;
  worker = AddWorker([&](const WorldEvent& event) {
    ++work_count;
    router_->Send(event);
  });
  BeginTick();
  router_->Post({.type = kHit, .target = worker});
  EXPECT_THAT(EndTick(), ElementsAre(Pair(kEventDepthBounded, 1)));
  EXPECT_EQ(work_count, 5u);
}

// Two immediate events each, 32 deep, would be 2^32.
TEST_F(EventRouterTest, ImmediateTreeStopsAtTheEventsOfATick) {
  limits_.events_per_tick_max = 1000;
  uint64_t work_count = 0;
  Handle worker;
  worker = AddWorker([&](const WorldEvent& event) {
    ++work_count;
    router_->Send(event);
    router_->Send(event);
  });
  BeginTick();
  router_->Post({.type = kHit, .target = worker});
  const std::map<Id, int64_t> counts = EndTick();
  EXPECT_EQ(work_count, 1000u);
  EXPECT_GT(counts.at(kEventCascadeBounded), 0);
  EXPECT_GT(counts.at(kEventDepthBounded), 0);
}

TEST_F(EventRouterTest, StormIsReportedOnceWithItsCount) {
  int64_t heard = 0;
  const Handle warden = AddWorker([&](const WorldEvent& event) {
    heard += *event.arguments.GetInt64(IdOf("count"));
  });
  Register(kEventQueueFull, warden);
  const Handle object = Add("object");
  BeginTick();
  for (int i = 0; i < 100'000; ++i) {
    router_->Post({.type = kHit, .target = object});
  }
  EXPECT_LE(journal_.events.size(), 64u);
  EXPECT_THAT(EndTick(), ElementsAre(Pair(kEventQueueFull, 100'000 - 4096)));
  EXPECT_EQ(heard, 100'000 - 4096);
  EXPECT_EQ(reached_.size(), 4096u);
  BeginTick();
  EXPECT_THAT(EndTick(), IsEmpty());
}

// What listens to the report fills the queue again: once a tick, not for ever.
TEST_F(EventRouterTest, ReportThatCausesItselfIsReportedOnceATick) {
  limits_.queue_capacity = 1;
  const Handle object = Add("object");
  const Handle warden = AddWorker([&](const WorldEvent&) {
    router_->Post({.type = kHit, .target = object}, 100);
    router_->Post({.type = kHit, .target = object}, 100);
  });
  Register(kEventQueueFull, warden);
  BeginTick();
  router_->Post({.type = kHit, .target = object}, 100);
  router_->Post({.type = kHit, .target = object}, 100);
  EXPECT_THAT(EndTick(), ElementsAre(Pair(kEventQueueFull, 1)));
  BeginTick();
  EXPECT_THAT(EndTick(), ElementsAre(Pair(kEventQueueFull, 2)));
}

TEST_F(EventRouterTest, StaleTargetIsDroppedAndNeverAMulticast) {
  const Handle listener = Add("listener");
  const Handle gone = Add("gone");
  Register(kHit, listener);
  BeginTick();
  router_->Post({.type = kHit, .target = gone});
  receivers_.Destroy(gone);
  EXPECT_THAT(EndTick(), ElementsAre(Pair(kEventTargetStale, 1)));
  EXPECT_THAT(reached_, IsEmpty());
  const Event& dropped = journal_.events[0];
  EXPECT_EQ(dropped.type, kDropped);
  EXPECT_THAT(dropped.arguments,
              ElementsAre(EventArgument{IdOf("type"), FieldValue::OfId(kHit)},
                          EventArgument{IdOf("reason"),
                                        FieldValue::OfId(kEventTargetStale)}));
}

TEST_F(EventRouterTest, ConnectionPostsToItsTargetAfterItsDelay) {
  const Handle button = Add("button");
  const Handle door = Add("door");
  connections_ = EventConnections({{.source = receivers_.ObjectOf(button),
                                    .type = IdOf("pressed"),
                                    .name = IdOf("opens"),
                                    .target = receivers_.ObjectOf(door),
                                    .posted_type = IdOf("open"),
                                    .delay = 2}});
  BeginTick();
  router_->Post({.type = IdOf("pressed"), .sender = button});
  EndTick();
  BeginTick();
  EndTick();
  EXPECT_THAT(reached_, IsEmpty());
  BeginTick();
  EndTick();
  EXPECT_THAT(reached_, ElementsAre("door"));
  EXPECT_EQ(journal_.events[0].object, receivers_.ObjectOf(door));
}

TEST_F(EventRouterTest, ConnectionToAnObjectThatIsGoneIsStale) {
  const Handle button = Add("button");
  const Handle door = Add("door");
  const Handle listener = Add("listener");
  Register(IdOf("open"), listener);
  connections_ = EventConnections({{.type = IdOf("pressed"),
                                    .name = IdOf("opens"),
                                    .target = receivers_.ObjectOf(door),
                                    .posted_type = IdOf("open")}});
  receivers_.Destroy(door);
  BeginTick();
  router_->Post({.type = IdOf("pressed"), .sender = button});
  EXPECT_THAT(EndTick(), ElementsAre(Pair(kEventTargetStale, 1)));
  EXPECT_THAT(reached_, IsEmpty());
}

TEST_F(EventRouterTest, ConnectionsInARingAreACascade) {
  limits_.events_per_tick_max = 50;
  connections_ = EventConnections({{.type = IdOf("ping"),
                                    .name = IdOf("there"),
                                    .posted_type = IdOf("pong")},
                                   {.type = IdOf("pong"),
                                    .name = IdOf("back"),
                                    .posted_type = IdOf("ping")}});
  BeginTick();
  router_->Post({.type = IdOf("ping")});
  EXPECT_THAT(EndTick(), ElementsAre(Pair(kEventCascadeBounded, 1)));
}

TEST_F(EventRouterTest, JournalTellsCausesBeforeTheirEffects) {
  const Handle b = Add("b", /*handles=*/true);
  Handle a;
  a = AddWorker([&](const WorldEvent&) {
    router_->Send({.type = kAlarm, .sender = a, .target = b});
  });
  BeginTick();
  router_->Send({.type = kHit,
                 .target = a,
                 .arguments = {{kForce, FieldValue::OfInt64(3)}}});
  const Event hit = {.tick = 1,
                     .type = kHit,
                     .object = receivers_.ObjectOf(a),
                     .arguments = {{kForce, FieldValue::OfInt64(3)}}};
  const Event alarm = {
      .tick = 1,
      .type = kAlarm,
      .object = receivers_.ObjectOf(b),
      .arguments = {
          {IdOf("sender"), FieldValue::OfObject(receivers_.ObjectOf(a))}}};
  EXPECT_THAT(journal_.events, ElementsAre(hit, alarm));
}

TEST_F(EventRouterTest, AnnouncedEventIsRecordedWhenItHappensAndHeardLater) {
  Register(kAlarm, Add("listener"));
  BeginTick();
  EXPECT_TRUE(router_->Announce({.type = kAlarm}));
  const Event alarm = {.tick = 1, .type = kAlarm};
  EXPECT_THAT(journal_.events, ElementsAre(alarm));
  EXPECT_THAT(reached_, IsEmpty());
  router_->Settle();  // it waits in a row, as over the end of a tick
  BeginTick();
  router_->DeliverQueued();
  EXPECT_THAT(reached_, ElementsAre("listener"));
  EXPECT_THAT(journal_.events, ElementsAre(alarm));
}

TEST_F(EventRouterTest, AnnouncedEventThatIsPassedOnIsRecordedAsItsOwn) {
  Register(kAlarm, AddWorker([&](const WorldEvent& event) {
             if (now_ == 1) router_->Post(event, 1);
           }));
  BeginTick();
  router_->Announce({.type = kAlarm});
  router_->DeliverQueued();
  BeginTick();
  router_->DeliverQueued();
  EXPECT_EQ(journal_.events.size(), 2u);
}

TEST_F(EventRouterTest, RunsWithAndWithoutAJournalAreTheSame) {
  const auto run = [](EventJournal* journal) {
    State state;
    const EventTables tables = AddEventTables(state);
    TestingReceivers receivers;
    const EventConnections connections;
    EventRouter router({.queue_capacity = 64}, connections, state, tables,
                       receivers, journal);
    const Handle object = receivers.Create([&](const WorldEvent& event) {
      router.Post(event, 1);
      router.Post(event, 2);
      return true;
    });
    for (Tick now = 0; now < 20; ++now) {
      router.BeginTick(now);
      if (now == 0) router.Post({.type = kHit, .target = object});
      router.DeliverQueued();
      router.ReportBounds();
    }
    return state.ComputeRootDigest();
  };
  Journal journal;
  EXPECT_EQ(run(nullptr), run(&journal));
  EXPECT_FALSE(journal.events.empty());
}

TEST_F(EventRouterTest, HeldEventsAreDeliveredInOrderAndTheirAnswersAtOnce) {
  const Handle other = Add("other", /*handles=*/true);
  const Handle asked = AddWorker([&](const WorldEvent&) {
    EXPECT_TRUE(router_->Send({.type = kHit, .target = other}));
    reached_.push_back("asked");
  });
  BeginTick();
  router_->HoldSent();
  EXPECT_FALSE(router_->Send({.type = kHit, .target = asked}));
  EXPECT_FALSE(router_->Send({.type = kHit, .target = other}));
  EXPECT_THAT(reached_, IsEmpty());
  router_->DeliverSent();
  EXPECT_THAT(reached_, ElementsAre("other", "asked", "other"));
}

TEST_F(EventRouterTest, WhoIsGoneWhenHeldEventsAreDeliveredIsToldOf) {
  const Handle object = Add("object");
  BeginTick();
  router_->HoldSent();
  router_->Send({.type = kHit, .target = object});
  receivers_.Destroy(object);
  router_->DeliverSent();
  EXPECT_THAT(EndTick(), ElementsAre(Pair(kEventTargetStale, 1)));
}

TEST_F(EventRouterTest, NoMoreAreHeldThanAreDeliveredInATick) {
  limits_.events_per_tick_max = 10;
  const Handle object = Add("object");
  BeginTick();
  router_->HoldSent();
  for (int i = 0; i < 25; ++i) {
    EXPECT_FALSE(router_->Send({.type = kHit, .target = object}));
  }
  router_->DeliverSent();
  EXPECT_EQ(reached_.size(), 10u);
  EXPECT_EQ(EndTick()[kEventCascadeBounded], 15);
}

TEST_F(EventRouterTest, PostedBetweenTicksItIsDueAtItsTickAndADropIsRecorded) {
  limits_.queue_capacity = 1;
  const Handle object = Add("object");
  BeginTick();
  EndTick();
  EXPECT_TRUE(router_->PostAt({.type = kHit, .target = object}, now_ + 2));
  EXPECT_FALSE(router_->PostAt({.type = kHit, .target = object}, now_ + 1));
  router_->Settle();
  ASSERT_EQ(journal_.events.size(), 1u);
  EXPECT_EQ(journal_.events[0].type, kDropped);
  BeginTick();
  EndTick();
  EXPECT_THAT(reached_, IsEmpty());
  BeginTick();
  EndTick();
  EXPECT_THAT(reached_, ElementsAre("object"));
}

TEST(EventLimitsTest, EachLimitIsNamed) {
  EXPECT_TRUE(ValidateEventLimits({}).ok());
  for (const EventLimits limits :
       {EventLimits{.queue_capacity = 0},
        EventLimits{.queue_capacity = kEventQueueCapacityMax + 1},
        EventLimits{.events_per_tick_max = 0}, EventLimits{.depth_max = 0},
        EventLimits{.depth_max = 257}}) {
    EXPECT_EQ(ValidateEventLimits(limits).code(),
              absl::StatusCode::kOutOfRange);
  }
}

}  // namespace
}  // namespace reprise::sim
