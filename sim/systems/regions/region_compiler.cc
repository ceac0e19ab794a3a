// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/regions/region_compiler.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/compiler/checking/volume_compiler.h"
#include "sim/systems/regions/region_system.h"

namespace reprise::sim {
namespace {

class RegionCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompilePack() override {
    // A condition that asks for no region there is would never hold.
    for (const char* const event :
         {"region_entered", "region_left", "region_stayed"}) {
      events().SetNamed(event, "region", "region");
    }
    DeclaredNames names("regions", words());
    for (int i = 0; i < pack().regions_size(); ++i) {
      const v1::Region& region = pack().regions(i);
      definition_->regions.push_back(
          CompileRegion(region, world().info.tick_rate, layers(),
                        checker().In(region, "regions", i), names));
    }
  }

  void Finish() override {
    const absl::Status status = ValidateRegions(
        "region", definition_->regions, LayersOf(layers()), world().names);
    if (!status.ok()) {
      checker().Problem("regions", std::string(status.message()));
      return;
    }
    definition_->rules.emplace(definition_->regions);
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    if (definition_->regions.empty()) return nullptr;
    return definition_;
  }

 private:
  const LayerDefinitions* layers() const {
    return compilation().Find<LayerDefinitions>();
  }

  std::shared_ptr<RegionDefinitions> definition_ =
      std::make_shared<RegionDefinitions>();
};

REPRISE_REGISTER_SYSTEM(regions,
                        MakeSystemModule<RegionCompiler>(
                            RegionDefinitions::Declaration(), {"Pack.regions"},
                            /*reads=*/{LayerDefinitions::kSystem}));

}  // namespace

RegionDefinition CompileRegion(const v1::Region& region, TickRate rate,
                               const LayerDefinitions* layers,
                               const MessageChecker& checker,
                               DeclaredNames& names) {
  RegionDefinition compiled{
      .name = names.Declare("name", region.name(), checker),
      .volume = SphereVolume{.centre = {}, .radius_m = 1.0},
      .margin_m =
          checker.Number("margin", region.margin(), 0.0, kVolumeCoordinateMaxM),
      .layer = ReferToAny("layer", "layer", region.layer(), LayersOf(layers),
                          checker),
      .stay_period = CompilePeriod("stay_period_s", region.stay_period_s(),
                                   rate, checker)};
  if (region.has_volume()) {
    compiled.volume =
        CompileVolume(region.volume(), checker.In(region.volume(), "volume"));
  } else {
    checker.Problem("volume", "a region needs one");
  }
  return compiled;
}

}  // namespace reprise::sim
