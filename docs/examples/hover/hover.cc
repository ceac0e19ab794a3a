// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A component and a behaviour of a studio's own: things that hover at a height
// above where they began, and bob.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/math.h"
#include "sim/world/components/component.h"
#include "sim/world/components/property_value.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/columns.h"
#include "sim/world/updates/update_context.h"

namespace hover {
namespace {

using reprise::sim::Behaviour;
using reprise::sim::BehaviourBinder;
using reprise::sim::Columns;
using reprise::sim::ObjectId;
using reprise::sim::ParameterDeclaration;
using reprise::sim::PropertyNote;
using reprise::sim::PropertyRef;
using reprise::sim::PropertyType;
using reprise::sim::PropertyValue;
using reprise::sim::Reads;
using reprise::sim::Transform;
using reprise::sim::UpdateContext;
using reprise::sim::Writes;
using reprise::sim::WritesPlace;

// What a hovering thing remembers. This one description gives the digest, the
// snapshot, the comparison by name and the inspection.
struct HoverRow {
  ObjectId object;
  uint64_t overridden = 0;
  double height_m = 1.0;
  double amplitude_m = 0.1;
  double phase_rad = 0.0;

  static constexpr std::string_view kTable = "hover";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(HoverRow, object, ""),
                      REPRISE_FIELD(HoverRow, overridden, ""),
                      REPRISE_FIELD(HoverRow, height_m, "m"),
                      REPRISE_FIELD(HoverRow, amplitude_m, "m"),
                      REPRISE_FIELD(HoverRow, phase_rad, "rad")};
  }
};

constexpr auto kNotes = std::to_array<PropertyNote>({
    {"height_m", "above the ground", 0.0, 100.0},
    {"amplitude_m", "of the bobbing", 0.0, 10.0},
    {"phase_rad", "where in the bobbing it is"},
});

REPRISE_REGISTER_COMPONENT(
    hover, reprise::sim::NativeComponent<HoverRow>("hovers and bobs", kNotes));

class Hover final : public Behaviour {
 public:
  std::string_view help() const override { return "keeps it up, bobbing"; }

  // What a pack chooses for each type that uses the behaviour.
  std::vector<ParameterDeclaration> parameters() const override {
    return {{.name = "pace",
             .default_value = PropertyValue::OfNumber(2.0),
             .help = "how fast it bobs",
             .unit = "rad/s",
             .minimum = 0.0,
             .maximum = 20.0}};
  }

  absl::Status Bind(const BehaviourBinder& binder) override {
    pace_ = binder.Parameter("pace").AsNumber();
    absl::Status status =
        binder.Property("hover", "height_m", PropertyType::kDouble, height_);
    if (!status.ok()) return status;
    status = binder.Property("hover", "amplitude_m", PropertyType::kDouble,
                             amplitude_);
    if (!status.ok()) return status;
    return binder.Property("hover", "phase_rad", PropertyType::kDouble, phase_);
  }

  void UpdateBeforePhysics(UpdateContext& context) const override {
    Columns(Writes<double>{phase_}, Reads<double>{height_},
            Reads<double>{amplitude_}, WritesPlace{})
        .ForEach(context, [&](uint32_t /*i*/, double& phase, double height,
                              double amplitude, Transform& place) {
          phase += pace_ * context.dt_s();
          // Never std::sin: its bits differ from one processor to the next.
          place.position.y = height + amplitude * reprise::sim::Sin(phase);
        });
  }

  Hooks hooks() const override { return {.before_physics = true}; }

 private:
  double pace_ = 0.0;
  PropertyRef height_;
  PropertyRef amplitude_;
  PropertyRef phase_;
};
REPRISE_REGISTER_BEHAVIOUR(hover, "hover", Hover);

}  // namespace
}  // namespace hover
