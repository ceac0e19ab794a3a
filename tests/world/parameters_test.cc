// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a pack gives a behaviour its parameters, each type its own; that
// what it leaves out is as the behaviour says; that each mistake is reported
// with its place; and that a description lists what there is.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/world/components/property_value.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Adds `step` to `hits` in each update, and what it is told to `speed`, if its
// mood is angry.
class Step final : public Behaviour {
 public:
  std::string_view help() const override { return "adds up"; }
  std::vector<ParameterDeclaration> parameters() const override {
    PropertyValue more = PropertyValue::ListOf(PropertyType::kDouble);
    more.Append(PropertyValue::OfNumber(0.5));
    return {
        {.name = "step",
         .default_value = PropertyValue::OfInt(1),
         .help = "what is added",
         .minimum = 1,
         .maximum = 9},
        {.name = "mood",
         .default_value = PropertyValue::OfChoice(IdOf("calm")),
         .choices = {"calm", "angry"}},
        {.name = "more", .default_value = more, .unit = "m/s", .list_max = 3}};
  }
  absl::Status Bind(const BehaviourBinder& binder) override {
    step_ = binder.Parameter("step").AsInt();
    if (binder.Parameter("mood").AsId() == IdOf("angry")) {
      const PropertyValue& more = binder.Parameter("more");
      for (uint32_t i = 0; i < more.size(); ++i) speed_ += more.AsNumber(i);
    }
    absl::Status status =
        binder.Property("marker", "hits", PropertyType::kInt, hits_ref_);
    if (!status.ok()) return status;
    return binder.Property("marker", "speed", PropertyType::kDouble,
                           speed_ref_);
  }
  void UpdateBeforePhysics(UpdateContext& context) const override {
    for (uint32_t i = 0; i < context.object_count(); ++i) {
      context.SetInt(i, hits_ref_, context.Int(i, hits_ref_) + step_);
      context.SetNumber(i, speed_ref_, context.Number(i, speed_ref_) + speed_);
    }
  }
  Hooks hooks() const override { return {.before_physics = true}; }

 private:
  int64_t step_ = 0;
  double speed_ = 0.0;
  PropertyRef hits_ref_;
  PropertyRef speed_ref_;
};
REPRISE_REGISTER_BEHAVIOUR(testing_step, "testing_step", Step);

// A type and an object of a name, with these parameters.
std::string Stepper(std::string_view name, std::string_view parameters,
                    std::string_view extends = "") {
  return fmt::format(
      "types {{ name: \"{0}\" extends: \"{2}\" components {{ component: "
      "\"marker\" }} behaviours {{ behaviour: \"testing_step\" {1} }} }}\n"
      "objects {{ name: \"the_{0}\" type: \"{0}\" }}\n",
      std::string(name), std::string(parameters), std::string(extends));
}

double SpeedOf(const Simulation& world, std::string_view object) {
  return ValueOf(world, "components", "marker", object, "speed")->AsDouble();
}

TEST(ParametersTest, EachTypeHasItsOwn) {
  const auto world = WorldOf(Manifest(
      {kMarker, Stepper("plain", ""),
       Stepper("fast", "parameters { name: \"step\" to: \"7\" }"),
       Stepper("angry",
               "parameters { name: \"mood\" value { text: \"angry\" } } "
               "parameters { name: \"more\" to: \"1\" to: \"2.25\" }")}));
  StepTimes(*world, 2);
  EXPECT_EQ(HitsOf(*world, "the_plain"), 2);
  EXPECT_EQ(HitsOf(*world, "the_fast"), 14);
  EXPECT_EQ(HitsOf(*world, "the_angry"), 2);
  EXPECT_EQ(SpeedOf(*world, "the_plain"), 0.0);
  EXPECT_EQ(SpeedOf(*world, "the_angry"), 6.5);
}

TEST(ParametersTest, TypeThatExtendsAnotherHasItsOwnOrThose) {
  const std::string base =
      Stepper("base", "parameters { name: \"step\" to: \"5\" }");
  const auto world =
      WorldOf(Manifest({kMarker, base, Stepper("again", "", "base"),
                        "types { name: \"heir\" extends: \"base\" }\n"
                        "objects { name: \"the_heir\" type: \"heir\" }\n"}));
  StepTimes(*world, 1);
  EXPECT_EQ(HitsOf(*world, "the_heir"), 5);
  // A behaviour that it names takes the place of the inherited one.
  EXPECT_EQ(HitsOf(*world, "the_again"), 1);
}

TEST(ParametersTest, ValuesInOneFormOrTheOther) {
  const auto problems = [](std::string_view parameters) {
    return Problems(Manifest({kMarker, Stepper("plain", parameters)}));
  };
  EXPECT_THAT(problems("parameters { name: \"step\" value { integer: 2 } }"),
              IsEmpty());
  EXPECT_THAT(problems("parameters { name: \"more\" }"), IsEmpty());
  EXPECT_THAT(problems("parameters { name: \"step\" value { integer: 2 } to: "
                       "\"3\" }"),
              ElementsAre(HasSubstr("parameters[0].to: a value stands there")));
}

TEST(ParametersTest, MistakesHaveTheirPlace) {
  const auto problems = [](std::string_view parameters) {
    return Problems(Manifest({kMarker, Stepper("plain", parameters)}));
  };
  EXPECT_THAT(problems("parameters { name: \"setp\" to: \"2\" }"),
              ElementsAre(HasSubstr("types[0].behaviours[0].parameters[0].name:"
                                    " 'testing_step' has no parameter 'setp'; "
                                    "did you mean 'step'?")));
  EXPECT_THAT(problems("parameters { name: \"step\" to: \"fast\" }"),
              ElementsAre(HasSubstr("parameters[0].to: 'step': ")));
  EXPECT_THAT(
      problems("parameters { name: \"step\" value { text: \"fast\" } }"),
      ElementsAre(HasSubstr(
          "parameters[0].value: 'step' wants a value of the kind integer")));
  EXPECT_THAT(problems("parameters { name: \"step\" to: \"10\" }"),
              ElementsAre(HasSubstr("10 is above the maximum 9")));
  EXPECT_THAT(problems("parameters { name: \"mood\" to: \"sad\" }"),
              ElementsAre(HasSubstr("'sad' is not among the choices")));
  EXPECT_THAT(problems("parameters { name: \"more\" to: \"1\" to: \"1\" to: "
                       "\"1\" to: \"1\" }"),
              ElementsAre(HasSubstr("4 values, but the list holds 3")));
  EXPECT_THAT(
      problems("parameters { name: \"step\" to: \"2\" } parameters { "
               "name: \"step\" to: \"3\" }"),
      ElementsAre(HasSubstr("parameters[1].name: 'step' is set twice")));
}

TEST(ParametersTest, ADescriptionListsThem) {
  const auto world = WorldOf(Manifest({kMarker}));
  const auto& behaviours = world->description().behaviours;
  const auto step = std::ranges::find(behaviours, "testing_step",
                                      &BehaviourDescription::name);
  ASSERT_NE(step, behaviours.end());
  EXPECT_EQ(step->help, "adds up");
  ASSERT_EQ(step->parameters.size(), 3u);
  EXPECT_EQ(step->parameters[0].name, "step");
  EXPECT_EQ(step->parameters[0].maximum, 9.0);
  EXPECT_EQ(step->parameters[0].default_value,
            std::vector{FieldValue::OfInt64(1)});
  EXPECT_THAT(step->parameters[1].choices, ElementsAre("calm", "angry"));
  EXPECT_EQ(step->parameters[2].list_max, 3u);
}

}  // namespace
}  // namespace reprise::sim
