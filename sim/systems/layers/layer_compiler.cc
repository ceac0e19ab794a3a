// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the layers of a pack.

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/systems/layers/layer_system.h"
#include "sim/systems/layers/layers.h"

namespace reprise::sim {
namespace {

class LayerCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompilePack() override {
    // A constant that names no layer would only be refused in the game.
    events().SetNamed("layer_off", "layer", "layer");
    events().SetNamed("layer_on", "layer", "layer");
    DeclaredNames names("layers", words());
    for (int i = 0; i < pack().layers_size(); ++i) {
      const v1::Layer& layer = pack().layers(i);
      const MessageChecker place = checker().In(layer, "layers", i);
      definition_->layers.push_back(
          {.name = names.Declare("name", layer.name(), place),
           .is_enabled = !layer.disabled()});
    }
  }

  void Finish() override {
    const absl::Status status =
        ValidateLayers(definition_->layers, world().names);
    if (!status.ok()) {
      checker().Problem("layers", std::string(status.message()));
    }
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    if (definition_->layers.empty()) return nullptr;
    return definition_;
  }

 private:
  std::shared_ptr<LayerDefinitions> definition_ =
      std::make_shared<LayerDefinitions>();
};

REPRISE_REGISTER_SYSTEM(
    layers, MakeSystemModule<LayerCompiler>(LayerDefinitions::Declaration(),
                                            {"Pack.layers"}));

}  // namespace
}  // namespace reprise::sim
