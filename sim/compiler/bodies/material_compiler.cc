// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/bodies/material_compiler.h"

#include <string_view>

#include "fmt/format.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kDefaultLayer = "default";
constexpr size_t kLayersMax = 32;  // bits of a filter

CombinationRule RuleOf(v1::CombinationRule rule, std::string_view field,
                       const MessageChecker& checker) {
  switch (rule) {
    case v1::COMBINATION_RULE_UNSPECIFIED:
    case v1::COMBINATION_RULE_MULTIPLY:
      return CombinationRule::kMultiply;
    case v1::COMBINATION_RULE_AVERAGE:
      return CombinationRule::kAverage;
    case v1::COMBINATION_RULE_MINIMUM:
      return CombinationRule::kMinimum;
    case v1::COMBINATION_RULE_MAXIMUM:
      return CombinationRule::kMaximum;
    default:
      checker.Problem(field, "is no rule");
      return CombinationRule::kMultiply;
  }
}

MaterialDefinition CompileMaterial(const v1::Material& material,
                                   const MessageChecker& checker) {
  MaterialDefinition compiled;
  if (material.has_friction()) {
    compiled.friction =
        checker.Number("friction", material.friction(), 0.0, kFrictionMax);
  }
  compiled.rolling_friction = checker.Number(
      "rolling_friction", material.rolling_friction(), 0.0, kFrictionMax);
  compiled.restitution =
      checker.Number("restitution", material.restitution(), 0.0, 1.0);
  compiled.density_kg_m3 =
      checker.Number("density", material.density(), 0.0, kDensityMax);
  compiled.friction_rule =
      RuleOf(material.friction_rule(), "friction_rule", checker);
  compiled.rolling_friction_rule = RuleOf(material.rolling_friction_rule(),
                                          "rolling_friction_rule", checker);
  compiled.restitution_rule =
      RuleOf(material.restitution_rule(), "restitution_rule", checker);
  return compiled;
}

}  // namespace

std::map<std::string, MaterialDefinition> CompileMaterials(
    const v1::Pack& pack, const MessageChecker& checker) {
  std::map<std::string, MaterialDefinition> materials = {{"", {}}};
  for (int i = 0; i < pack.materials_size(); ++i) {
    const v1::Material& material = pack.materials(i);
    const MessageChecker place = checker.In(material, "materials", i);
    const bool is_new = materials
                            .emplace(place.Name("name", material.name()),
                                     CompileMaterial(material, place))
                            .second;
    if (!is_new) {
      place.Problem(
          "name", fmt::format("there are two materials '{}'", material.name()));
    }
  }
  return materials;
}

CollisionLayers::CollisionLayers(const v1::Pack& pack,
                                 const MessageChecker& checker) {
  const std::string default_layer(kDefaultLayer);
  std::map<std::string, int> indexes;
  for (int i = 0; i < pack.collision_layers_size(); ++i) {
    const v1::CollisionLayer& layer = pack.collision_layers(i);
    const MessageChecker place = checker.In(layer, "collision_layers", i);
    if (!indexes.emplace(place.Name("name", layer.name()), i).second) {
      place.Problem("name", fmt::format("there are two collision layers '{}'",
                                        layer.name()));
    }
  }
  if (indexes.size() + (indexes.contains(default_layer) ? 0 : 1) > kLayersMax) {
    checker.Problem(
        "collision_layers",
        fmt::format("{} layers; {} besides \"default\" are possible",
                    indexes.size(), kLayersMax - 1));
    indexes.clear();
  }

  uint32_t bit = 1;
  bits_[default_layer] = bit;
  for (const auto& [name, index] : indexes) {
    if (name != kDefaultLayer) bits_[name] = bit <<= 1;
  }
  for (const auto& [name, own] : bits_) masks_[name] = 0;
  masks_[default_layer] = bits_[default_layer];
  for (const auto& [name, index] : indexes) {
    const v1::CollisionLayer& layer = pack.collision_layers(index);
    for (const std::string& other : layer.collides_with()) {
      if (!bits_.contains(other)) {
        checker.In(layer, "collision_layers", index)
            .NoSuch("collides_with", "collision layer", other);
        continue;
      }
      masks_[name] |= bits_[other];
      masks_[other] |= bits_[name];
    }
  }
}

CollisionFilter CollisionLayers::FilterOf(
    const google::protobuf::RepeatedPtrField<std::string>& names,
    const MessageChecker& checker) const {
  // Packs without layers have one that collides with whatever there is.
  if (names.empty() && bits_.size() == 1) return {};
  CollisionFilter filter = {.layers = 0, .collides_with = 0};
  const auto add = [&](const std::string& name) {
    const auto found = bits_.find(name);
    if (found == bits_.end()) {
      checker.NoSuch("layers", "collision layer", name);
      return;
    }
    filter.layers |= found->second;
    filter.collides_with |= masks_.at(name);
  };
  if (names.empty()) add(std::string(kDefaultLayer));
  for (const std::string& name : names) add(name);
  return filter;
}

}  // namespace reprise::sim
