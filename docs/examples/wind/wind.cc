// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "docs/examples/wind/wind.h"

#include <array>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/state.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/systems/owned_rows.h"

namespace wind {
namespace {

using reprise::sim::BodyRow;
using reprise::sim::FieldValue;
using reprise::sim::kNoRow;
using reprise::sim::ObjectRow;
using reprise::sim::ObjectStatus;
using reprise::sim::RowSchema;
using reprise::sim::State;
using reprise::sim::StepPoint;
using reprise::sim::Table;
using reprise::sim::WorldEvent;

// Its tables and steps, by their places in the declaration.
enum TableNumber : uint32_t { kWeather, kFurled };
enum StepNumber : uint32_t { kBlow, kForget };

// Of air at sea level, kg/m^3.
constexpr double kAirDensity = 1.225;
// Of a flat plate across the wind.
constexpr double kDragCoefficient = 1.28;

class Wind final : public System {
 public:
  Wind(const WindDefinition& definition, const SystemPlace& place)
      : System(place),
        definition_(definition),
        sails_(reprise::sim::PartsOfTypes<SailUse>(place.parts.definition)) {}

  void Initialize() override {
    mutable_table(kWeather).Resize(1);
    auto& weather = mutable_table(kWeather).Mutable<WeatherRow>(0);
    weather.stream = reprise::sim::MakeRandomStream(
        parts().definition.info.seed, reprise::sim::IdOf("wind"));
    weather.changes_at = DrawTicks(weather.stream);
  }

  absl::Status CheckRows(const State& snapshot) const override {
    const Table& weather = snapshot.table(index(kWeather));
    const Table& furled = snapshot.table(index(kFurled));
    if (weather.row_count() != 1 || weather.Get<WeatherRow>(0).is_gusting > 1) {
      return absl::DataLossError("snapshot: no such weather");
    }
    for (uint32_t row = 0; row < furled.row_count(); ++row) {
      const ObjectId object = furled.Get<FurledRow>(row).object;
      if (parts().objects.RowOf(snapshot, object) == kNoRow ||
          (row > 0 && furled.Get<FurledRow>(row - 1).object >= object)) {
        return absl::DataLossError("snapshot: the sail of no object");
      }
    }
    return absl::OkStatus();
  }

  void Run(uint32_t step) override {
    if (step == kForget) {
      ForgetThoseThatAreGone();
      return;
    }
    ChangeWeather();
    Push();
  }

  bool OnEvent(uint32_t row, const WorldEvent& event) override {
    if (sails_[parts().objects.TypeOf(row)] == nullptr) return false;
    const ObjectId object = ObjectAt(row).object;
    const std::optional<uint32_t> furled = FurledRowOf(object);
    if (event.type == kFurl && !furled.has_value()) {
      Table& table = mutable_table(kFurled);
      const uint32_t at = table.LowerBound(std::array{object.serial});
      table.Insert(at);
      table.Mutable<FurledRow>(at).object = object;
    } else if (event.type == kUnfurl && furled.has_value()) {
      mutable_table(kFurled).Erase(std::array{*furled});
    }
    return true;
  }

 private:
  const ObjectRow& ObjectAt(uint32_t row) const {
    return state().table(parts().tables.objects.objects).Get<ObjectRow>(row);
  }

  std::optional<uint32_t> FurledRowOf(ObjectId object) const {
    return reprise::sim::FindOwnedRow(table(kFurled), object);
  }

  // From none to twice the average, as whole ticks.
  Tick DrawTicks(RandomStream& stream) const {
    return 1 + reprise::sim::NextBelow(stream, 2 * definition_.gust_ticks);
  }

  double factor() const {
    const bool is_gusting = table(kWeather).Get<WeatherRow>(0).is_gusting != 0;
    return is_gusting ? definition_.gust_factor : 1.0;
  }

  void ChangeWeather() {
    if (definition_.gust_factor == 0.0 ||
        table(kWeather).Get<WeatherRow>(0).changes_at > parts().game_tick) {
      return;
    }
    auto& weather = mutable_table(kWeather).Mutable<WeatherRow>(0);
    weather.is_gusting = weather.is_gusting == 0 ? 1 : 0;
    weather.changes_at = parts().game_tick + DrawTicks(weather.stream);
    const double speed =
        factor() * reprise::sim::Length(definition_.velocity_m_s);
    parts().router->Post(
        {.type = weather.is_gusting != 0 ? kGustBegan : kGustEnded,
         .arguments = {{kSpeed, FieldValue::OfDouble(speed)}}});
  }

  // Drag of the air on each sail, in object order within its type; no body gets
  // more than one push.
  void Push() {
    const Vector3 air = factor() * definition_.velocity_m_s;
    for (uint32_t type = 0; type < sails_.size(); ++type) {
      if (sails_[type] == nullptr) continue;
      for (const uint32_t row : parts().objects.RowsOfType(type)) {
        const ObjectRow& object = ObjectAt(row);
        if (object.status != ObjectStatus::kActive ||
            FurledRowOf(object.object).has_value()) {
          continue;
        }
        PushOne(object.object, sails_[type]->area_m2, air);
      }
    }
  }

  void PushOne(ObjectId object, double area_m2, Vector3 air) {
    const auto& tables = parts().tables.physics;
    const std::optional<uint32_t> body =
        reprise::sim::FindBody(state(), tables, object);
    if (!body.has_value()) return;
    const auto& row = state().table(tables.bodies).Get<BodyRow>(*body);
    const Vector3 flow = air - row.linear_velocity;
    const Vector3 force = (0.5 * kAirDensity * kDragCoefficient * area_m2 *
                           reprise::sim::Length(flow)) *
                          flow;
    reprise::sim::ApplyForce(state(), tables, *body,
                             parts().physics.mass_properties(row.kind), force);
  }

  void ForgetThoseThatAreGone() {
    std::vector<uint32_t> gone;
    for (uint32_t row = 0; row < table(kFurled).row_count(); ++row) {
      const ObjectId object = table(kFurled).Get<FurledRow>(row).object;
      if (parts().objects.RowOf(state(), object) == kNoRow) gone.push_back(row);
    }
    if (!gone.empty()) mutable_table(kFurled).Erase(gone);
  }

  const WindDefinition& definition_;
  std::vector<const SailUse*> sails_;  // of each type
};

}  // namespace

const SystemDeclaration& WindDeclaration() {
  static const SystemDeclaration kDeclaration = {
      .name = WindDefinition::kSystem,
      .help = "wind that comes in gusts and pushes sails",
      .tables = {RowSchema::Of<WeatherRow>(), RowSchema::Of<FurledRow>()},
      .steps = {{.name = "wind",
                 .point = StepPoint::kPhysics,
                 // Both push bodies, and sums of floats have an order.
                 .after = {"fields"},
                 .before = {"solver"},
                 .writes = {"physics", "events"}},
                {.name = "furled sails", .point = StepPoint::kAfterObjects}},
      .events = kEvents,
      .handles = {kFurl, kUnfurl}};
  return kDeclaration;
}

std::unique_ptr<System> WindDefinition::Create(const SystemPlace& place) const {
  return std::make_unique<Wind>(*this, place);
}

}  // namespace wind
