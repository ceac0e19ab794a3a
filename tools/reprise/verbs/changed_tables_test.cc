// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what is said of a replay that was recorded with other tables than this
// program's, or that can't be run here: the recorded state is shown whole, and
// what differs, and what isn't verified, is named.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "replays/container/byte_stream.h"
#include "replays/testing/reshaped_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/verbs/command.h"
#include "tools/reprise/verbs/commands.h"
#include "tools/reprise/verifying/verify_file.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ChangedTablesTest : public testing::Test {
 protected:
  // Pieces had a mass once.
  static replays::Bytes RecordWithMass() {
    return replays::RecordReshaped(
        replays::ChangeShape(replays::MakeTiny()->state(),
                             [](std::string_view, std::string_view table,
                                std::vector<sim::Field>& fields) {
                               if (table != "pieces") return;
                               fields.push_back(replays::NewField(
                                   "mass", sim::ScalarType::kDouble, "kg"));
                             }));
  }

  // Its path.
  static std::string Write(const replays::Bytes& file) {
    std::string path = testing::TempDir() + "changed_tables.mcap";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()),
               static_cast<std::streamsize>(file.size()));
    return path;
  }

  ExitCode Inspect(const replays::Bytes& file,
                   std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"inspect", Write(file)});
    const std::vector<Command> commands = {MakeInspectCommand()};
    Console console(out_, err_, /*is_err_terminal=*/false);
    return RunCommandLine(commands, arguments, console);
  }

  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(ChangedTablesTest, RecordedStateIsShownAtAKeyframe) {
  EXPECT_EQ(Inspect(RecordWithMass(), {"--tick", "40"}), ExitCode::kOk);
  EXPECT_THAT(out_.str(),
              AllOf(HasSubstr("tick 40, digest"), HasSubstr(", as recorded\n"),
                    HasSubstr("    runner\n"), HasSubstr("mass: 0 kg")));
  EXPECT_THAT(err_.str(),
              AllOf(HasSubstr("its tables are not this build's"),
                    HasSubstr("board.pieces mass: removed, double [kg]")));
}

TEST_F(ChangedTablesTest, ProgramsAreToldWhatDiffers) {
  EXPECT_EQ(Inspect(RecordWithMass(), {"--tick", "40", "--format", "json"}),
            ExitCode::kOk);
  const nlohmann::json state = nlohmann::json::parse(out_.str());
  EXPECT_EQ(state["outcome"], nullptr);
  EXPECT_EQ(state["schema_differences"][0]["field"], "mass");
  EXPECT_EQ(state["rooms"].size(), 2u);
}

TEST_F(ChangedTablesTest, BetweenKeyframesTheInputsArePlayedAndTheReasonSaid) {
  EXPECT_EQ(Inspect(RecordWithMass(), {"--tick", "85"}), ExitCode::kOk);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("tick 85, digest"),
                                Not(HasSubstr("as recorded"))));
  EXPECT_THAT(err_.str(), HasSubstr("the keyframe of tick 80: not all of it is "
                                    "found by name: board.pieces mass: "
                                    "removed, double [kg]; this is the state"));
}

TEST_F(ChangedTablesTest, RecordingWithoutItsPackShowsItsKeyframes) {
  replays::TinyRecordingOptions options;
  options.writer.pack_bytes_max = 0;
  EXPECT_EQ(Inspect(replays::RecordTiny(options), {"--tick", "80"}),
            ExitCode::kOk);
  EXPECT_THAT(out_.str(), HasSubstr("    object#1\n"));
  EXPECT_THAT(err_.str(), HasSubstr("it can't be run here: "));
  EXPECT_EQ(Inspect(replays::RecordTiny(options), {"--tick", "81"}),
            ExitCode::kMissing);
}

TEST_F(ChangedTablesTest, VerificationNamesWhatItCouldNotCompare) {
  const VerifyResult result = VerifyFile(Write(RecordWithMass()), {}, {});
  EXPECT_EQ(result.verdict, Verdict::kUnproven);
  EXPECT_EQ(result.ticks_verified, 0u);
  EXPECT_EQ(result.summary,
            "recorded with other tables: 0 of 100 ticks verified; 1 of 2 rooms "
            "are equal by 11 digests, and what both have in 3 keyframes");
  EXPECT_EQ(result.report,
            "the schemas of the states differ:\n"
            "  board.pieces mass: removed, double [kg]\n"
            "not verified: board\n");
}

// A capsule's two states are of the same tables.
TEST_F(ChangedTablesTest, FailureWithoutACapsuleSaysWhy) {
  const std::string folder = testing::TempDir() + "changed_tables_capsules";
  std::filesystem::remove_all(folder);

  const VerifyResult result =
      VerifyFile(Write(RecordWithMass()), {.capsules = folder}, {});

  EXPECT_EQ(result.verdict, Verdict::kUnproven);
  EXPECT_THAT(result.report,
              HasSubstr("no capsule: it holds states of one build's tables, "
                        "and these were recorded with others\n"));
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_THAT(VerifyFile(Write(RecordWithMass()), {}, {}).report,
              Not(HasSubstr("capsule")));
}

}  // namespace
}  // namespace reprise::tools
