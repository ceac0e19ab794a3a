// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a simulation of others is searched as any other: `reprise fuzz`
// finds what is planted in libraries (a tick that can't be made, state that
// no row shows, a frame that writes, a variable that all share), keeps what
// shows it and a capsule beside that, and `minimize` makes it short.

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr char kReprise[] = "tools/reprise/reprise";
constexpr char kPack[] = "docs/examples/plugin/orchard";

// `library` is "tests/plugins/libdrawing.so".
CommandResult RunWith(const std::string& library,
                      std::vector<std::string> words) {
  // Behind the verb, as of `run`.
  words.insert(words.begin() + 1, {"--plugin", library});
  words.insert(words.begin(), kReprise);
  return RunCommand(words);
}

std::string Folder(const std::string& name) {
  std::string folder = TemporaryPath("fuzzing_" + name);
  fs::remove_all(folder);
  return folder;
}

// The one failure that a search finds; null: it isn't one.
Json Find(const std::string& library, const std::string& corpus,
          const std::vector<std::string>& more) {
  std::vector<std::string> words = {"fuzz",     kPack,  "--corpus", corpus,
                                    "--format", "json", "--seed",   "1"};
  words.insert(words.end(), more.begin(), more.end());
  const CommandResult fuzz = RunWith(library, words);
  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.out << fuzz.err;
  const Json document =
      Json::parse(fuzz.out, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object() || document["failures"].size() != 1) {
    ADD_FAILURE() << fuzz.out << fuzz.err;
    return Json::object();
  }
  return document["failures"][0];
}

std::string TextOf(const Json& failure, const char* key) {
  return failure.contains(key) ? failure[key].get<std::string>() : "";
}

TEST(PluginFuzzingTest, ConditionIsFoundMadeShortAndVerified) {
  const std::string library = "tests/command/libcatch.so";
  const std::string condition = "game.basket_x < 6";
  const Json failure = Find(library, Folder("condition"),
                            {"--ticks", "20K", "--always", condition});
  EXPECT_EQ(TextOf(failure, "signature"), "always " + condition);
  const std::string replay = TextOf(failure, "replay");

  const std::string small = TemporaryPath("fuzzing_small.mcap");
  const CommandResult minimize =
      RunWith(library, {"minimize", replay, "--always", condition, "--output",
                        small, "--format", "json"});
  ASSERT_EQ(minimize.exit_code, 0) << minimize.err;
  const Json document = Json::parse(minimize.out);
  // A sixth of a metre a tick, held from the first on.
  EXPECT_EQ(document["tick_count"], 36) << minimize.out;
  EXPECT_THAT(document["inputs"],
              testing::ElementsAre("tick 0, player 0: move = 32767"));
  EXPECT_EQ(RunWith(library, {"verify", small}).exit_code, 0);
}

TEST(PluginFuzzingTest, CapsuleShowsTheTickThatFails) {
  const std::string library = "tests/command/libcatch.so";
  const Json failure =
      Find(library, Folder("capsule"),
           {"--ticks", "20K", "--always", "game.basket_x < 6"});
  const std::string capsule = TextOf(failure, "capsule");
  ASSERT_TRUE(fs::exists(capsule)) << failure;
  EXPECT_EQ(fs::path(capsule).filename(),
            fs::path(TextOf(failure, "replay")).filename());
  EXPECT_EQ(RunWith(library, {"verify", capsule}).exit_code, 0);
  const CommandResult info =
      RunWith(library, {"info", capsule, "--format", "json"});
  const Json document = Json::parse(info.out);
  EXPECT_EQ(document["is_capsule"], true);
  EXPECT_EQ(document["tick_count"], failure["tick"]);
  // There is one run, which is the same twice.
  EXPECT_EQ(RunWith(library, {"diff", capsule}).exit_code, 0);
}

TEST(PluginFuzzingTest, TickThatCannotBeMadeIsATrackThatMinimizes) {
  const std::string library = "tests/command/libfails.so";
  const std::string corpus = Folder("fails");
  const Json failure = Find(library, corpus, {"--ticks", "10K"});
  EXPECT_EQ(TextOf(failure, "signature"), "step failed");
  EXPECT_THAT(TextOf(failure, "message"), HasSubstr("the tree is gone"));
  EXPECT_EQ(failure["tick"], 51);
  EXPECT_FALSE(failure.contains("capsule"));
  const std::string track = TextOf(failure, "replay");
  ASSERT_TRUE(track.ends_with(".txtpb")) << track;

  const std::string small = TemporaryPath("fuzzing_fails.txtpb");
  const CommandResult minimize =
      RunWith(library, {"minimize", track, "--pack", kPack, "--output", small,
                        "--format", "json"});
  ASSERT_EQ(minimize.exit_code, 0) << minimize.err;
  const Json document = Json::parse(minimize.out);
  EXPECT_EQ(document["signature"], "step failed");
  EXPECT_EQ(document["tick_count"], 51);
  EXPECT_EQ(document["inputs"], Json::array());
  const CommandResult check =
      RunWith(library, {"minimize", small, "--pack", kPack, "--check"});
  EXPECT_EQ(check.exit_code, 1) << check.err;
  EXPECT_THAT(check.out, HasSubstr("step failed, at tick 51: "));
  const CommandResult refused =
      RunWith(library, {"minimize", small, "--pack", kPack, "--output",
                        TemporaryPath("fuzzing_fails.mcap")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("name a track, such as small.txtpb"));
  // The library as it should be makes that tick.
  EXPECT_EQ(RunWith("tests/command/libcatch.so",
                    {"minimize", small, "--pack", kPack, "--check"})
                .exit_code,
            0);
  // It is met again, without a search.
  const Json again = Find(library, corpus, {"--ticks", "0"});
  EXPECT_EQ(TextOf(again, "signature"), "step failed");
}

TEST(PluginFuzzingTest, HiddenStateIsARestoreWithACapsule) {
  const std::string library = "tests/plugins/libhidden_state.so";
  const Json failure = Find(library, Folder("hidden"), {"--ticks", "20K"});
  EXPECT_EQ(TextOf(failure, "signature"), "restore orchard.game.basket_x");
  EXPECT_TRUE(fs::exists(TextOf(failure, "capsule"))) << failure;
  // A second simulation shows it, too, which isn't what it is.
  const CommandResult minimize = RunWith(
      library, {"minimize", TextOf(failure, "replay"), "--format", "json"});
  ASSERT_EQ(minimize.exit_code, 0) << minimize.err;
  EXPECT_EQ(Json::parse(minimize.out)["signature"], failure["signature"]);
}

// What is perturbed, which a saved state alone doesn't show: found, and kept
// with a capsule.
Json ExpectPerturbation(const std::string& mistake, const std::string& corpus,
                        const std::string& signature) {
  Json failure =
      Find("tests/plugins/lib" + mistake + ".so", corpus, {"--ticks", "100K"});
  EXPECT_THAT(TextOf(failure, "signature"), StartsWith(signature));
  const std::string capsule = TextOf(failure, "capsule");
  EXPECT_TRUE(fs::exists(capsule)) << failure;
  return failure;
}

TEST(PluginFuzzingTest, FrameThatWritesIsAPerturbationThatMinimizes) {
  const std::string library = "tests/plugins/libdrawing.so";
  const std::string corpus = Folder("drawing");
  const Json failure =
      ExpectPerturbation("drawing", corpus, "perturbation watched orchard.");
  // Both runs are in it, whatever plays them now.
  const CommandResult diff = RunWith("tests/command/libcatch.so",
                                     {"diff", TextOf(failure, "capsule")});
  EXPECT_EQ(diff.exit_code, 1) << diff.out << diff.err;
  const CommandResult minimize = RunWith(
      library, {"minimize", TextOf(failure, "replay"), "--format", "json"});
  ASSERT_EQ(minimize.exit_code, 0) << minimize.err;
  const Json document = Json::parse(minimize.out);
  EXPECT_EQ(document["signature"], failure["signature"]);
  EXPECT_EQ(document["tick_count"], 1) << minimize.out;
  // It is met again, without a search.
  const Json again = Find(library, corpus, {"--ticks", "0"});
  EXPECT_EQ(again["signature"], failure["signature"]);
  EXPECT_EQ(again["count"], 0);
}

// Also by who plays it again, which takes simulations of its own.
TEST(PluginFuzzingTest, SharedVariableIsAPerturbationThatMinimizes) {
  const std::string library = "tests/plugins/libshared_state.so";
  const std::string corpus = Folder("shared_state");
  const Json failure = ExpectPerturbation("shared_state", corpus,
                                          "perturbation accompanied orchard.");
  const CommandResult minimize = RunWith(
      library, {"minimize", TextOf(failure, "replay"), "--format", "json"});
  ASSERT_EQ(minimize.exit_code, 0) << minimize.err;
  const Json document = Json::parse(minimize.out);
  EXPECT_EQ(document["signature"], failure["signature"]);
  EXPECT_LE(document["tick_count"], 8) << minimize.out;
  const Json again = Find(library, corpus, {"--ticks", "0"});
  EXPECT_EQ(again["signature"], failure["signature"]);
}

TEST(PluginFuzzingTest, LineThatReproducesNamesThePlugin) {
  const std::string junit = TemporaryPath("fuzzing_plugin.xml");
  RunWith("tests/command/libcatch.so",
          {"fuzz", kPack, "--corpus", Folder("line"), "--ticks", "20K",
           "--always", "game.basket_x < 6", "--junit", junit});
  EXPECT_THAT(ReadFileBytes(junit),
              HasSubstr("reproduce: reprise --plugin tests/command/libcatch.so "
                        "minimize "));
}

}  // namespace
}  // namespace reprise::tests
