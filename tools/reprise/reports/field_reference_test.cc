// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the paths which errors print lead to what the reference says.

#include "tools/reprise/reports/field_reference.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string Explained(std::string_view path) {
  const auto text = ExplainField(FieldReferencePage(), path);
  return text.ok() ? *text : std::string(text.status().message());
}

TEST(FieldReferenceTest, PathsOfErrorsHaveTheirUnitRangeAndDefault) {
  EXPECT_THAT(Explained("types[2].body.shapes[0].sphere.radius"),
              AllOf(HasSubstr("types.body.shapes.sphere.radius:"),
                    HasSubstr("number, m; 0.001 to 10,000; needed\n"),
                    HasSubstr("  as in radius: ")));
  EXPECT_THAT(Explained("types[0].body.friction"),
              HasSubstr("number; 0 to 10; else the material's\n"));
}

TEST(FieldReferenceTest, FieldThatHoldsOthersShowsThem) {
  EXPECT_THAT(Explained("physics"),
              AllOf(HasSubstr("\n    gravity "),
                    HasSubstr("\n    substeps_per_tick ")));
  EXPECT_THAT(Explained("types.body.motion"),
              HasSubstr("\n    MOTION_FIXED: "));
}

TEST(FieldReferenceTest, EndOfAPathIsEnoughAndEachFieldComesOnce) {
  const std::string text = Explained("body.mass_kg");
  EXPECT_THAT(text, HasSubstr("types.body.mass_kg:"));
  EXPECT_THAT(Explained("mass_kg"),
              AllOf(HasSubstr("types.body.mass_kg:"),
                    HasSubstr("types.character.mass_kg:")));
  const std::string frictions = Explained("friction");
  EXPECT_EQ(frictions.find("types.body.friction:"),
            frictions.rfind("types.body.friction:"));
}

// "OutcomeEffect has no field 'lost'" names a message.
TEST(FieldReferenceTest, MessagesOfErrorsHaveTheirFields) {
  EXPECT_THAT(Explained("OutcomeEffect"),
              AllOf(HasSubstr("OutcomeEffect.decision"),
                    HasSubstr("OutcomeEffect.reason"),
                    Not(HasSubstr("packs have no field"))));
  EXPECT_THAT(
      Explained("OutcomeEffect.decision"),
      AllOf(HasSubstr("OutcomeEffect.decision:\n"), HasSubstr("DECISION_WON"),
            Not(HasSubstr("OutcomeEffect.reason"))));
  EXPECT_THAT(Explained("OutcomeEffect.lost"),
              HasSubstr("packs have no field 'OutcomeEffect.lost'"));
}

TEST(FieldReferenceTest, NoSuchFieldNamesTheNearest) {
  EXPECT_THAT(Explained("types.body.fricton"),
              HasSubstr("packs have no field 'types.body.fricton'; did you "
                        "mean 'types.body.friction'?"));
}

}  // namespace
}  // namespace reprise::tools
