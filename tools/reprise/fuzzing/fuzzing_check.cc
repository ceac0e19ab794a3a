// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/fuzzing_check.h"

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "replays/query/query.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/simulation.h"

namespace reprise::tools {
namespace {

using google::protobuf::RepeatedPtrField;
using sim::ExpressionType;

class FuzzingCheck {
 public:
  FuzzingCheck(const sim::MessageChecker& checker,
               const sim::Simulation& simulation)
      : checker_(checker), simulation_(simulation) {}

  void Check(const v1::Fuzzing& fuzzing) const {
    CheckWords("always", fuzzing.always(), ExpressionType::kBool);
    CheckWords("sometimes", fuzzing.sometimes(), ExpressionType::kBool);
    CheckWords("maximize", fuzzing.maximize(), ExpressionType::kNumber);
    CheckWords("minimize", fuzzing.minimize(), ExpressionType::kNumber);
    for (int i = 0; i < fuzzing.set_size(); ++i) {
      const sim::MessageChecker place = checker_.In(fuzzing.set(i), "set", i);
      for (const std::string& text : fuzzing.set(i).of()) {
        const auto query = replays::Query::Parse(text, simulation_);
        if (!query.ok()) Problem(place, "of", query.status());
      }
    }
  }

 private:
  void CheckWords(std::string_view field,
                  const RepeatedPtrField<v1::FuzzingExpression>& words,
                  ExpressionType type) const {
    for (int i = 0; i < words.size(); ++i) {
      const sim::MessageChecker place = checker_.In(words[i], field, i);
      const auto query = replays::Query::Parse(words[i].that(), simulation_);
      if (!query.ok()) {
        Problem(place, "that", query.status());
      } else if (query->type() != type) {
        place.Problem("that", type == ExpressionType::kBool
                                  ? "it is no condition"
                                  : "it is no number");
      }
    }
  }

  static void Problem(const sim::MessageChecker& place, std::string_view field,
                      const absl::Status& status) {
    place.Problem(field, std::string(status.message()));
  }

  const sim::MessageChecker& checker_;
  const sim::Simulation& simulation_;
};

}  // namespace

void CheckFuzzing(const sim::PackArchive& pack, sim::PackReport& report) {
  const std::unique_ptr<const sim::Manifest> manifest =
      sim::ParseManifest(pack, report);
  if (manifest == nullptr || !manifest->pack.has_fuzzing()) return;
  const auto world = sim::CreateWorld(pack, /*seed=*/0);
  if (!world.ok()) return;
  const sim::MessageChecker checker(manifest->pack,
                                    sim::PackPlace(manifest->places), report);
  const sim::MessageChecker fuzzing =
      checker.In(manifest->pack.fuzzing(), "fuzzing");
  FuzzingCheck(fuzzing, **world).Check(manifest->pack.fuzzing());
}

}  // namespace reprise::tools
