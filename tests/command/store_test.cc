// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that `reprise store` does with the program that people run what its
// help says: puts replays in, finds them by each of their properties, hands
// them to other verbs by the beginning of their digest, and tells people and
// programs what went wrong.

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::SizeIs;

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr char kReprise[] = "tools/reprise/reprise";

// Two short replays of packs that ship, recorded once for all tests.
class StoreTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (const char* const pack : {"marble", "sleepers"}) {
      const CommandResult result =
          RunCommand({kReprise, "run", std::string("sim/packs/") + pack,
                      "--ticks", pack == std::string("marble") ? "20" : "40",
                      "--keyframe-stride", "0", "--record", Replay(pack)});
      ASSERT_EQ(result.exit_code, 0) << result.err;
    }
  }

  StoreTest() { fs::remove_all(folder_); }

  static std::string Replay(const std::string& pack) {
    return TemporaryPath(pack + ".mcap");
  }

  // `reprise store ...` on this test's store.
  CommandResult Store(std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {"env", "REPRISE_STORE=" + folder_, kReprise, "store"});
    return RunCommand(words);
  }

  // The same, with its document.
  Json StoreJson(std::vector<std::string> words, int exit_code = 0) const {
    words.insert(words.end(), {"--format", "json"});
    const CommandResult result = Store(std::move(words));
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    return Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  }

  // Any other verb, with this test's store in its environment.
  CommandResult Run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"env", "REPRISE_STORE=" + folder_, kReprise});
    return RunCommand(words);
  }

  // Adds both replays, and returns their digests.
  std::vector<std::string> AddBoth() const {
    const Json added =
        StoreJson({"add", Replay("marble"), Replay("sleepers"), "--tag",
                   "nightly", "--recorded", "2026-11-22"});
    std::vector<std::string> digests;
    for (const Json& replay : added["replays"]) {
      digests.push_back(replay["replay"]);
    }
    return digests;
  }

  std::vector<std::string> PacksListed(std::vector<std::string> flags) const {
    flags.insert(flags.begin(), "list");
    std::vector<std::string> packs;
    const Json document = StoreJson(flags);
    for (const Json& replay : document["replays"]) {
      packs.push_back(replay["pack"]);
    }
    return packs;
  }

  const std::string folder_ = TemporaryPath("store");
};

TEST_F(StoreTest, ReplayGoesInIsShownAndComesOutTheSame) {
  const std::string digest = AddBoth().front();
  const Json shown = StoreJson({"show", digest.substr(0, 8)});
  EXPECT_EQ(shown["schema_version"], 1);
  EXPECT_EQ(shown["replay"], digest);
  EXPECT_EQ(shown["name"], "marble.mcap");
  EXPECT_EQ(shown["pack"], "marble");
  EXPECT_EQ(shown["tick_count"], 20);
  EXPECT_EQ(shown["outcome"]["status"], "running");
  EXPECT_EQ(shown["recorded_at"], "2026-11-22T00:00:00Z");
  EXPECT_THAT(shown["tags"], ElementsAre("nightly"));

  const std::string copy = TemporaryPath("copy.mcap");
  fs::remove(copy);
  EXPECT_EQ(Store({"get", "store:" + digest, "--output", copy}).exit_code, 0);
  EXPECT_EQ(ReadFileBytes(copy), ReadFileBytes(Replay("marble")));
  EXPECT_EQ(Store({"get", digest, "--output", copy}).exit_code, 2);
}

TEST_F(StoreTest, PeopleSeeATable) {
  AddBoth();
  const CommandResult result = Store({"list", "--pack", "marble"});
  EXPECT_THAT(result.out,
              MatchesRegex("REPLAY +RECORDED +TICKS +OUTCOME +SIZE +PACK +TAGS"
                           "\n[0-9a-f]{12}  2026-11-22T00:00:00Z +20  running "
                           "+[0-9.]+ KB  marble +nightly\n"));
  EXPECT_THAT(result.err, HasSubstr("1 replay, "));
}

TEST_F(StoreTest, ListFindsByEachProperty) {
  AddBoth();
  EXPECT_THAT(PacksListed({}), SizeIs(2));
  EXPECT_THAT(PacksListed({"--pack", "marble"}), ElementsAre("marble"));
  EXPECT_THAT(PacksListed({"--ticks-min", "21"}), ElementsAre("sleepers"));
  EXPECT_THAT(PacksListed({"--ticks-max", "39"}), ElementsAre("marble"));
  EXPECT_THAT(PacksListed({"--outcome", "won"}), IsEmpty());
  EXPECT_THAT(PacksListed({"--tag", "nightly"}), SizeIs(2));
  EXPECT_THAT(PacksListed({"--tag", "golden"}), IsEmpty());
  EXPECT_THAT(PacksListed({"--build", "msvc"}), IsEmpty());
  EXPECT_THAT(PacksListed({"--recorded-from", "2026-11-23"}), IsEmpty());
  EXPECT_THAT(PacksListed({"--recorded-before", "2026-11-23"}), SizeIs(2));
  EXPECT_THAT(PacksListed({"--limit", "1"}), SizeIs(1));
}

TEST_F(StoreTest, OtherVerbsTakeTheBeginningOfADigest) {
  const std::vector<std::string> digests = AddBoth();
  const std::string marble = "store:" + digests[0].substr(0, 10);
  EXPECT_EQ(Run({"verify", marble}).exit_code, 0);
  EXPECT_THAT(Run({"info", marble}).out, HasSubstr("ticks       20"));
  EXPECT_EQ(Run({"diff", marble, Replay("marble")}).exit_code, 0);
  EXPECT_EQ(Run({"query", marble, "tick == 5"}).exit_code, 0);
  EXPECT_EQ(Run({"run", "--inputs=" + marble}).exit_code, 0);
  const CommandResult missing = Run({"verify", "store:ffffffffffff"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("has no replay ffffffffffff"));
}

TEST_F(StoreTest, LineThatReproducesNamesTheStore) {
  const std::string marble = "store:" + AddBoth()[0].substr(0, 10);
  const CommandResult result = Run({"verify", marble, "--outcome", "lost"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("reproduce: REPRISE_STORE=" + folder_ +
                        " reprise verify " + marble + " --outcome lost\n"));
}

TEST_F(StoreTest, PathsAreForOtherPrograms) {
  AddBoth();
  const std::string out = Store({"list", "--paths"}).out;
  EXPECT_THAT(out, MatchesRegex("[^\n]+\\.mcap\n[^\n]+\\.mcap\n"));
  EXPECT_TRUE(fs::exists(out.substr(0, out.find('\n'))));
}

TEST_F(StoreTest, TagsComeAndGo) {
  const std::string digest = AddBoth().front();
  const Json tagged =
      StoreJson({"tag", digest, "--add", "golden", "--remove", "nightly"});
  EXPECT_THAT(tagged["replays"][0]["tags"], ElementsAre("golden"));
  EXPECT_EQ(Store({"tag", digest, "--add", "no tag"}).exit_code, 2);
  EXPECT_EQ(Store({"tag", digest}).exit_code, 2);
}

// What the help says of tags is so.
TEST_F(StoreTest, TagsAreWhatTheHelpSays) {
  EXPECT_THAT(Run({"store", "tag", "--help"}).out,
              HasSubstr("A tag has 1 to 160 letters, digits and `._-/:`; a "
                        "replay has up to 64.\n"));
  const std::string digest = AddBoth().front();
  const std::string longest = "Az09._-/:" + std::string(151, 'x');
  EXPECT_EQ(Store({"tag", digest, "--add", longest}).exit_code, 0);
  for (const std::string& bad : {longest + "x", std::string(), std::string("ä"),
                                 std::string("a+b"), std::string("a\tb")}) {
    EXPECT_EQ(Store({"tag", digest, "--add", bad}).exit_code, 2) << bad;
  }
  // With the two that it has by now.
  std::vector<std::string> words = {"tag", digest};
  for (int i = 2; i < 64; ++i) {
    words.insert(words.end(), {"--add", "t" + std::to_string(i)});
  }
  ASSERT_EQ(Store(words).exit_code, 0);
  EXPECT_NE(Store({"tag", digest, "--add", "one_more"}).exit_code, 0);
  EXPECT_THAT(StoreJson({"show", digest})["tags"], SizeIs(64));
}

TEST_F(StoreTest, RemovedReplayIsNotFound) {
  const std::string digest = AddBoth().front();
  EXPECT_EQ(Store({"remove", digest}).exit_code, 0);
  EXPECT_EQ(Store({"show", digest}).exit_code, 3);
  EXPECT_EQ(Store({"remove", digest}).exit_code, 3);
}

TEST_F(StoreTest, OneBadFileDoesNotKeepTheOthersOut) {
  const std::string bad = TemporaryPath("bad.mcap");
  WriteFileBytes(bad, "this is no replay");
  const CommandResult result =
      Store({"add", bad, Replay("marble"), TemporaryPath("none.mcap")});
  EXPECT_EQ(result.exit_code, 3);  // the worst of all
  EXPECT_THAT(result.err, HasSubstr(bad));
  EXPECT_THAT(result.err, HasSubstr("none.mcap"));
  EXPECT_THAT(PacksListed({}), ElementsAre("marble"));
}

TEST_F(StoreTest, PruneSaysWhatItWouldDoThenDoesIt) {
  const std::vector<std::string> digests = AddBoth();
  ASSERT_EQ(Store({"tag", digests[0], "--add", "golden"}).exit_code, 0);
  const std::vector<std::string> prune = {
      "prune", "--larger-than", "1KB",   "--older-than",
      "1000w", "--keep-tag",    "golden"};
  std::vector<std::string> dry = prune;
  dry.push_back("--dry-run");
  const Json planned = StoreJson(dry);
  EXPECT_EQ(planned["is_dry_run"], true);
  EXPECT_THAT(planned["removed"], SizeIs(1));
  EXPECT_THAT(PacksListed({}), SizeIs(2));
  EXPECT_EQ(StoreJson(prune)["kept_count"], 1);
  EXPECT_THAT(PacksListed({}), ElementsAre("marble"));
  EXPECT_EQ(Store({"prune"}).exit_code, 2);
  EXPECT_EQ(Store({"prune", "--older-than", "soon"}).exit_code, 2);
}

TEST_F(StoreTest, CheckNamesWhatIsWrongAndRepairs) {
  const std::string digest = AddBoth().front();
  EXPECT_EQ(Store({"check"}).exit_code, 0);
  WriteFileBytes(folder_ + "/files/" + digest + ".mcap", "changed");
  const CommandResult found = Store({"check"});
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_THAT(found.out, HasSubstr("damaged: " + folder_));
  const Json repaired = StoreJson({"check", "--repair"}, 1);
  EXPECT_EQ(repaired["problems"][0]["kind"], "damaged");
  EXPECT_EQ(repaired["problems"][0]["is_loss"], true);
  EXPECT_EQ(repaired["problems"][0]["replay"]["pack"], "marble");
  EXPECT_TRUE(fs::exists(std::string(repaired["problems"][0]["aside"])));
  EXPECT_EQ(Store({"check"}).exit_code, 0);
}

TEST_F(StoreTest, DamagedCatalogueSaysHowItIsMadeAnew) {
  AddBoth();
  WriteFileBytes(folder_ + "/catalogue.sqlite", std::string(5000, 'x'));
  fs::remove(folder_ + "/catalogue.sqlite-wal");
  const CommandResult result = Store({"check"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("catalogue.sqlite"));
  EXPECT_THAT(result.err, HasSubstr("--repair"));
  fs::rename(folder_ + "/catalogue.sqlite", folder_ + "/moved_away");
  EXPECT_EQ(Store({"check", "--repair"}).exit_code, 0);
  EXPECT_THAT(PacksListed({}), SizeIs(2));
}

TEST_F(StoreTest, WithoutAStoreItSaysWhichIsMissing) {
  const CommandResult missing = Store({"list"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr(folder_));
  const CommandResult unnamed =
      RunCommand({"env", "-u", "REPRISE_STORE", kReprise, "store", "list"});
  EXPECT_EQ(unnamed.exit_code, 2);
  EXPECT_THAT(unnamed.err, HasSubstr("REPRISE_STORE"));
  EXPECT_EQ(
      RunCommand({"env", "-u", "REPRISE_STORE", kReprise, "info", "store:00"})
          .exit_code,
      2);
}

}  // namespace
}  // namespace reprise::tests
