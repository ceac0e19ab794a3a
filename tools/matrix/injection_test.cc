// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an injection changes exactly the field it names, by one unit in
// the last place, and that one that names nothing is refused with what is
// missing: on a pack of one ball.

#include "tools/matrix/injection.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"
#include "sim/state/state.h"
#include "sim/state/state_comparison.h"

namespace reprise::tools {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kManifest = R"pb(
  name: "one_ball"
  tick_rate: 60
  types {
    name: "ball"
    body {
      motion: MOTION_DYNAMIC
      mass_kg: 1
      shapes { sphere { radius: 0.5 } }
    }
  }
  objects {
    name: "ball"
    type: "ball"
    position { y: 2 }
  }
)pb";

class InjectionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    sim::PackArchive pack;
    ASSERT_TRUE(pack.Add("pack.txtpb", std::string(kManifest)).ok());
    auto simulation = sim::CreateWorld(pack, /*seed=*/0);
    ASSERT_TRUE(simulation.ok()) << simulation.status();
    simulation_ = *std::move(simulation);
  }

  absl::Status InjectInto(std::string table, std::string key,
                          std::string field) {
    return Inject({.tick = 0,
                   .room = "physics",
                   .table = std::move(table),
                   .key = std::move(key),
                   .field = std::move(field)},
                  *simulation_);
  }

  std::unique_ptr<sim::Simulation> simulation_;
};

TEST_F(InjectionTest, ChangesOneFieldByOneUlp) {
  const sim::State before = simulation_->state();

  ASSERT_TRUE(InjectInto("bodies", "ball", "position.y").ok());

  const std::vector<sim::FieldDifference> differences =
      sim::CompareStates(before, simulation_->state(), /*limit=*/2);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(
      sim::FormatDifference(differences[0], before, sim::NamesOf(*simulation_)),
      "physics.bodies ball position.y: 2 | 2.0000000000000004 (1 ulp) "
      "[m]");
}

TEST_F(InjectionTest, UnknownTableIsNotFound) {
  const absl::Status status = InjectInto("ghosts", "ball", "position.y");

  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("physics.ghosts"));
}

TEST_F(InjectionTest, UnknownRowIsNotFound) {
  const absl::Status status = InjectInto("bodies", "cube", "position.y");

  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cube"));
}

TEST_F(InjectionTest, UnknownFieldIsNotFound) {
  const absl::Status status = InjectInto("bodies", "ball", "colour");

  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("colour"));
}

TEST_F(InjectionTest, WholeNumberIsRefused) {
  EXPECT_EQ(InjectInto("bodies", "ball", "activation").code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ParseInjectionTest, TextNamesTickTableRowAndField) {
  const absl::StatusOr<Injection> injection =
      ParseInjection("60:physics.bodies:crate_7:linear_velocity.y");

  ASSERT_TRUE(injection.ok()) << injection.status();
  EXPECT_EQ(*injection, (Injection{.tick = 60,
                                   .room = "physics",
                                   .table = "bodies",
                                   .key = "crate_7",
                                   .field = "linear_velocity.y"}));
}

TEST(ParseInjectionTest, AnythingElseIsRefused) {
  for (const std::string_view text :
       {"", ":::", "x:physics.bodies:ball:mass", "-1:physics.bodies:ball:mass",
        "1:bodies:ball:mass", "1:a.b.c:ball:mass", "1:physics.bodies:ball",
        "1:physics.bodies:ball:mass:more"}) {
    EXPECT_EQ(ParseInjection(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace reprise::tools
