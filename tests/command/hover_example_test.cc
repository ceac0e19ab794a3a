// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the example of docs/your_own_behaviours.md works as that page
// says, with the command that its BUILD file makes.

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::HasSubstr;

constexpr char kPack[] = "docs/examples/hover/pack";

CommandResult Reprise(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "docs/examples/hover/reprise_with_hover");
  return RunCommand(arguments);
}

TEST(HoverExampleTest, RunIsRecordedAndVerified) {
  const std::string replay = TemporaryPath("lanterns.mcap");
  EXPECT_EQ(
      Reprise({"run", kPack, "--ticks", "200", "--record", replay}).exit_code,
      0);
  const CommandResult verified = Reprise({"verify", replay});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("verified 200 of 200 ticks"));
}

TEST(HoverExampleTest, ItsComponentIsInspectedByName) {
  const CommandResult result = Reprise({"inspect", kPack, "--tick", "10"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("odd_one"));
  EXPECT_THAT(result.out, HasSubstr("amplitude_m"));
  EXPECT_THAT(result.out, HasSubstr("phase_rad"));
}

TEST(HoverExampleTest, ItsParametersAreDescribed) {
  const CommandResult result = Reprise({"describe", kPack, "hover.pace"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("pace                  number [rad/s] 0 to "
                                    "20; at first 2; how fast it bobs"));
}

TEST(HoverExampleTest, MistypedParameterIsReportedWithWhatWasMeant) {
  const std::string folder = TemporaryPath("fast");
  RunCommand({"mkdir", "-p", folder});
  WriteFileBytes(folder + "/pack.txtpb",
                 "name: \"fast\"\n"
                 "types {\n  name: \"lantern\"\n"
                 "  components { component: \"hover\" }\n"
                 "  behaviours { behaviour: \"hover\" parameters { name: "
                 "\"pcae\" to: \"2\" } }\n}\n");
  const CommandResult result = Reprise({"pack", "check", folder});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out + result.err,
              HasSubstr("types[0].behaviours[0].parameters[0].name: 'hover' "
                        "has no parameter 'pcae'; did you mean 'pace'?"));
}

TEST(HoverExampleTest, ValueOutOfItsBoundsIsReportedWithItsPlace) {
  const std::string folder = TemporaryPath("too_high");
  RunCommand({"mkdir", "-p", folder});
  WriteFileBytes(folder + "/pack.txtpb",
                 "name: \"too_high\"\n"
                 "types {\n  name: \"lantern\"\n  components {\n"
                 "    component: \"hover\"\n"
                 "    set { property: \"height_m\" value { number: 101 } }\n"
                 "  }\n}\n");
  const CommandResult result = Reprise({"pack", "check", folder});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out + result.err,
              HasSubstr("pack.txtpb:6:32: types[0].components[0].set[0].value: "
                        "101 is above the maximum 100"));
}

}  // namespace
}  // namespace reprise::tests
