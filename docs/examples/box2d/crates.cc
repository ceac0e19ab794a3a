// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Crates fall onto a tray that a player moves: a small game on Box2D 2.4 as a
// plug-in, as it is first written, and with two cures for what `reprise
// conform` finds in it. docs/box2d.md leads through it; `tools/dev box2d`
// builds and tries all three.
//
//   g++ -std=c++17 -O2 -fPIC -shared -ffp-contract=off -DCURE=0 -I include
//       docs/examples/box2d/crates.cc -lbox2d -o libcrates.so

#include <box2d/box2d.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <tuple>
#include <vector>

#include "reprise/simulation.h"

// The cure: 0 none, 1 a solver without memory, 2 its memory as rows.
#ifndef CURE
#define CURE 0
#endif

namespace {

constexpr uint64_t kTray = 0;  // the tray's number where crates have theirs
constexpr int32_t kLostMax = 12;
constexpr uint64_t kCratesMax = 64;
constexpr uint64_t kTicksBetween = 20;
// Without impulses to begin with, a pile takes more rounds to stand.
constexpr int kVelocityRounds = CURE == 1 ? 24 : 8;
constexpr int kPositionRounds = 3;

struct Tray {
  float x;
  int32_t lost;
  uint64_t next_crate;
};

struct Crate {
  uint64_t number;
  float x, y, angle;
  float speed_x, speed_y, spin;
};

// What the solver knows of a contact point from its last step.
struct Impulse {
  uint64_t a, b, point;
  float normal, tangent;
};

const reprise_field kTrayFields[] = {
    REPRISE_MEMBER(Tray, x, "m", REPRISE_FLOAT),
    REPRISE_MEMBER(Tray, lost, "", REPRISE_INT32),
    REPRISE_MEMBER(Tray, next_crate, "", REPRISE_UINT64)};
const reprise_field kCrateFields[] = {
    REPRISE_MEMBER(Crate, number, "", REPRISE_OBJECT),
    REPRISE_MEMBER(Crate, x, "m", REPRISE_FLOAT),
    REPRISE_MEMBER(Crate, y, "m", REPRISE_FLOAT),
    REPRISE_MEMBER(Crate, angle, "rad", REPRISE_FLOAT),
    REPRISE_MEMBER(Crate, speed_x, "m/s", REPRISE_FLOAT),
    REPRISE_MEMBER(Crate, speed_y, "m/s", REPRISE_FLOAT),
    REPRISE_MEMBER(Crate, spin, "rad/s", REPRISE_FLOAT)};
const reprise_field kImpulseFields[] = {
    REPRISE_MEMBER(Impulse, a, "", REPRISE_OBJECT),
    REPRISE_MEMBER(Impulse, b, "", REPRISE_OBJECT),
    REPRISE_MEMBER(Impulse, point, "", REPRISE_UINT64),
    REPRISE_MEMBER(Impulse, normal, "N s", REPRISE_FLOAT),
    REPRISE_MEMBER(Impulse, tangent, "N s", REPRISE_FLOAT)};

enum { kTrays, kCrates, kImpulses };
const reprise_table kTables[] = {
    {"crates", "tray", 0, sizeof(Tray), REPRISE_LIST(kTrayFields), {}},
    {"crates", "crate", 1, sizeof(Crate), REPRISE_LIST(kCrateFields), {}},
#if CURE == 2
    {"crates", "impulse", 3, sizeof(Impulse), REPRISE_LIST(kImpulseFields), {}},
#endif
};
const reprise_action kActions[] = {{"move", REPRISE_ACTION_AXIS, 0, 0, {}}};
const reprise_event_type kEvents[] = {
    {"lost", "a crate falls off the tray", {}}};

uint64_t NumberOf(b2Fixture* fixture) {
  return fixture->GetBody()->GetUserData().pointer;
}

auto KeyOf(const Impulse& impulse) {
  return std::tie(impulse.a, impulse.b, impulse.point);
}

}  // namespace

struct reprise_simulation : b2ContactListener {
  Tray tray = {0, 0, 1};
  std::vector<Crate> crates;      // ascending by number
  std::vector<Impulse> impulses;  // ascending by key
  std::unique_ptr<b2World> world;
  b2Body* tray_body = nullptr;
  std::vector<b2Body*> bodies;  // of the crates

  b2Body* AddBody(uint64_t number, b2BodyType type, b2Vec2 half_size) {
    b2BodyDef definition;
    definition.type = type;
    definition.userData.pointer = number;
    b2PolygonShape box;
    box.SetAsBox(half_size.x, half_size.y);
    b2Body* const body = world->CreateBody(&definition);
    body->CreateFixture(&box, /*density=*/1)->SetFriction(0.6f);
    return body;
  }

  void AddCrate(const Crate& crate) {
    b2Body* const body = AddBody(crate.number, b2_dynamicBody, {0.4f, 0.4f});
    body->SetTransform({crate.x, crate.y}, crate.angle);
    body->SetLinearVelocity({crate.speed_x, crate.speed_y});
    body->SetAngularVelocity(crate.spin);
    bodies.push_back(body);
  }

  // Has the world be what the rows say.
  void BuildWorld() {
    world = std::make_unique<b2World>(b2Vec2(0, -9.81f));
    world->SetAllowSleeping(false);
    world->SetWarmStarting(CURE != 1);
    if (CURE == 2) world->SetContactListener(this);
    tray_body = AddBody(kTray, b2_kinematicBody, {4, 0.25f});
    tray_body->SetTransform({tray.x, 0}, 0);
    bodies.clear();
    for (const Crate& crate : crates) AddCrate(crate);
  }

  // A contact that is new in this world has met before, if it has a row.
  void PreSolve(b2Contact* contact, const b2Manifold* before) override {
    if (before->pointCount > 0) return;
    b2Manifold* const manifold = contact->GetManifold();
    for (int32 i = 0; i < manifold->pointCount; ++i) {
      b2ManifoldPoint& point = manifold->points[i];
      const Impulse wanted = {NumberOf(contact->GetFixtureA()),
                              NumberOf(contact->GetFixtureB()), point.id.key, 0,
                              0};
      const auto row = std::lower_bound(
          impulses.begin(), impulses.end(), wanted,
          [](const auto& x, const auto& y) { return KeyOf(x) < KeyOf(y); });
      if (row == impulses.end() || KeyOf(*row) != KeyOf(wanted)) continue;
      point.normalImpulse = row->normal;
      point.tangentImpulse = row->tangent;
    }
  }

  void TakeRows() {
    tray.x = tray_body->GetPosition().x;
    for (size_t i = 0; i < crates.size(); ++i) {
      const b2Body& body = *bodies[i];
      const b2Vec2 at = body.GetPosition(), speed = body.GetLinearVelocity();
      crates[i] = {crates[i].number,         at.x,    at.y,
                   body.GetAngle(),          speed.x, speed.y,
                   body.GetAngularVelocity()};
    }
    impulses.clear();
    for (b2Contact* contact = world->GetContactList(); contact != nullptr;
         contact = contact->GetNext()) {
      const b2Manifold& manifold = *contact->GetManifold();
      for (int32 i = 0; i < manifold.pointCount; ++i) {
        const b2ManifoldPoint& point = manifold.points[i];
        impulses.push_back({NumberOf(contact->GetFixtureA()),
                            NumberOf(contact->GetFixtureB()), point.id.key,
                            point.normalImpulse, point.tangentImpulse});
      }
    }
    std::sort(impulses.begin(), impulses.end(),
              [](const auto& x, const auto& y) { return KeyOf(x) < KeyOf(y); });
  }

  void LoseCrates(const reprise_step_arguments& arguments) {
    for (size_t i = crates.size(); i-- > 0;) {
      if (crates[i].y > -4) continue;
      const reprise_event event = {sizeof(event), "lost", crates[i].number, {}};
      arguments.emit(arguments.sink, &event);
      ++tray.lost;
      world->DestroyBody(bodies[i]);
      bodies.erase(bodies.begin() + static_cast<ptrdiff_t>(i));
      crates.erase(crates.begin() + static_cast<ptrdiff_t>(i));
    }
  }

  void Step(const reprise_step_arguments& arguments) {
    if (CURE != 0) BuildWorld();
    if (arguments.tick % kTicksBetween == 0 && crates.size() < kCratesMax) {
      const float x = static_cast<float>(tray.next_crate * 5 % 7) - 3;
      crates.push_back({tray.next_crate++, x, 9, 0.1f * x, 0, 0, 0});
      AddCrate(crates.back());
    }
    const auto* player = REPRISE_ITEM(arguments.players, reprise_player, 0);
    tray_body->SetLinearVelocity(
        {static_cast<float>(player->axes[0]) / 32767.0f * 2.0f, 0});
    world->Step(1 / 60.0f, kVelocityRounds, kPositionRounds);
    TakeRows();
    LoseCrates(arguments);
  }

  int32_t Restore(const reprise_list& tables, reprise_error& error) {
    const auto* trays = REPRISE_ITEM(tables, reprise_rows, kTrays);
    const auto* rows = REPRISE_ITEM(tables, reprise_rows, kCrates);
    if (trays->row_count != 1 || rows->row_count > kCratesMax) {
      std::snprintf(error.text, error.capacity, "so many rows can't be");
      return REPRISE_DATA_LOSS;
    }
    tray = *static_cast<const Tray*>(trays->rows);
    const auto* crate = static_cast<const Crate*>(rows->rows);
    crates.assign(crate, crate + rows->row_count);
    if (CURE == 2) {
      const auto* known = REPRISE_ITEM(tables, reprise_rows, kImpulses);
      const auto* impulse = static_cast<const Impulse*>(known->rows);
      impulses.assign(impulse, impulse + known->row_count);
    }
    BuildWorld();
    return REPRISE_OK;
  }
};

namespace {

int32_t Create(const reprise_create_arguments* /*arguments*/,
               reprise_simulation** simulation, reprise_error* /*error*/) {
  *simulation = new reprise_simulation;
  (*simulation)->BuildWorld();
  return REPRISE_OK;
}

void Info(const reprise_simulation* /*simulation*/, reprise_info* info) {
  info->ticks_per_second = 60;
  info->rules_revision = 1;
  info->player_count = 1;
  info->actions = REPRISE_LIST(kActions);
  info->tables = REPRISE_LIST(kTables);
  info->events = REPRISE_LIST(kEvents);
}

void Rows(reprise_simulation* simulation, uint32_t table, reprise_rows* rows) {
  const auto show = [&](const auto& all) {
    rows->rows = all.data();
    rows->row_count = all.size();
  };
  if (table == kCrates) return show(simulation->crates);
  if (table == kImpulses) return show(simulation->impulses);
  rows->rows = &simulation->tray;
  rows->row_count = 1;
}

void Outcome(const reprise_simulation* simulation, reprise_outcome* outcome) {
  if (simulation->tray.lost < kLostMax) return;
  outcome->status = REPRISE_LOST;
  outcome->reason = "a dozen crates fell off";
}

const reprise_plugin kPlugin = {
    sizeof(reprise_plugin),
    REPRISE_INTERFACE_VERSION,
    "crates",
    Create,
    [](reprise_simulation* simulation) { delete simulation; },
    Info,
    [](reprise_simulation* simulation, const reprise_step_arguments* arguments,
       reprise_error* /*error*/) -> int32_t {
      simulation->Step(*arguments);
      return REPRISE_OK;
    },
    Rows,
    [](reprise_simulation* simulation, const reprise_list* tables,
       reprise_error* error) { return simulation->Restore(*tables, *error); },
    Outcome,
    /*frame=*/nullptr,
    [](const reprise_simulation* /*simulation*/, uint64_t object, char* name,
       uint32_t capacity) {
      std::snprintf(name, capacity, "crate_%llu",
                    static_cast<unsigned long long>(object));
    }};

}  // namespace

const reprise_plugin* reprise_plugin_describe() { return &kPlugin; }
