// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nothing of a corpus is lost that isn't `reprise fuzz`'s to drop:
// what is another pack's, newer or too long is named, counted and left; a
// mended failure doesn't hide a new one; what takes long without being the
// game's is no hang; and the example of a nightly job does what it says.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

using Json = nlohmann::json;

constexpr char kLock[] = "tests/fuzzing/packs/lock";

CommandResult Reprise(std::vector<std::string> words) {
  words.insert(words.begin(), "tools/reprise/reprise");
  return RunCommand(words);
}

CommandResult Fuzz(const std::string& pack, const std::string& corpus,
                   std::vector<std::string> more) {
  std::vector<std::string> words = {"fuzz", pack, "--corpus", corpus};
  words.insert(words.end(), more.begin(), more.end());
  return Reprise(words);
}

// An empty folder for a corpus, with the folder of its runs.
std::string Corpus(const std::string& name) {
  std::string path = TemporaryPath(name);
  fs::remove_all(path);
  fs::create_directories(path + "/runs");
  return path;
}

std::vector<std::string> FilesOf(const std::string& folder,
                                 const std::string& ending) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (path.ends_with(ending)) files.push_back(path);
  }
  return files;
}

TEST(FuzzCorpusTest, MergeLeavesWhatItSkipped) {
  const std::string corpus = Corpus("merge_leaves");
  Fuzz(kLock, corpus, {"--ticks", "5K"});
  const std::string ours = corpus + "/runs/ours.txtpb";
  fs::copy_file(FilesOf(corpus + "/runs", ".txtpb").front(), ours);
  const std::vector<std::string> theirs = {
      corpus + "/runs/other.txtpb", corpus + "/runs/damaged.txtpb",
      corpus + "/runs/newer.txtpb", corpus + "/runs/empty.txtpb"};
  WriteFileBytes(theirs[0], "pack: \"marble\" tick_count: 5");
  WriteFileBytes(theirs[1], "pack: \"lock\" tick_count: 5 ticks { tick");
  WriteFileBytes(theirs[2], "pack: \"lock\" tick_count: 5 of_next_year: 3");
  WriteFileBytes(theirs[3], "pack: \"lock\"");

  const CommandResult merge =
      Fuzz(kLock, corpus, {"--ticks", "0", "--merge", "--format", "json"});

  EXPECT_EQ(Json::parse(merge.out)["files_skipped"], 4) << merge.err;
  EXPECT_THAT(merge.err, HasSubstr("--merge left the 4 files that it skipped"));
  for (const std::string& path : theirs) {
    EXPECT_TRUE(fs::exists(path)) << path;
    EXPECT_THAT(merge.err, HasSubstr(path + ": skipped: "));
  }
  EXPECT_FALSE(fs::exists(ours));  // the same under another name
}

TEST(FuzzCorpusTest, MergeOfAGameThatFailsAtOnceDropsNothing) {
  const std::string corpus = Corpus("merge_broken");
  Fuzz(kLock, corpus, {"--ticks", "5K"});
  const size_t count = FilesOf(corpus + "/runs", ".txtpb").size();
  ASSERT_GT(count, 0u);
  const CommandResult merge =
      Fuzz(kLock, corpus, {"--ticks", "0", "--merge", "--always", "tick > 0"});
  EXPECT_NE(merge.exit_code, 0) << merge.err;
  EXPECT_THAT(merge.err,
              HasSubstr("--merge dropped nothing: the game fails at tick 0"));
  EXPECT_EQ(FilesOf(corpus + "/runs", ".txtpb").size(), count);
}

TEST(FuzzCorpusTest, MergeLeavesRunsThatFailOrAreRefused) {
  const std::string corpus = Corpus("merge_fails");
  Fuzz(kLock, corpus, {"--ticks", "5K"});
  const std::vector<std::string> theirs = {corpus + "/runs/fails.txtpb",
                                           corpus + "/runs/refused.txtpb"};
  WriteFileBytes(theirs[0], "pack: \"lock\" tick_count: 6000");
  WriteFileBytes(theirs[1],
                 "pack: \"lock\" tick_count: 9\n"
                 "ticks { tick: 3 frames { player: 1 device {} } }\n");
  const CommandResult merge = Fuzz(
      kLock, corpus, {"--ticks", "0", "--merge", "--always", "tick < 5999"});
  EXPECT_THAT(merge.err, HasSubstr("--merge left 2 runs that fail, end"));
  for (const std::string& path : theirs) EXPECT_TRUE(fs::exists(path)) << path;
}

TEST(FuzzCorpusTest, RunsWithoutTicksAndWithTooManyAreToldAndNotPlayed) {
  const std::string corpus = Corpus("bounds");
  WriteFileBytes(corpus + "/runs/long.txtpb",
                 "pack: \"lock\" tick_count: 2000000000");
  WriteFileBytes(corpus + "/runs/none.txtpb", "pack: \"lock\"");
  const CommandResult fuzz =
      Fuzz(kLock, corpus, {"--ticks", "0", "--format", "json"});

  EXPECT_EQ(fuzz.exit_code, 0) << fuzz.err;
  EXPECT_THAT(fuzz.err, HasSubstr("long.txtpb: skipped: it has 2000000000 "
                                  "ticks, and at most 4194304 are played"));
  EXPECT_THAT(fuzz.err, HasSubstr("none.txtpb: skipped: it has no ticks"));
  EXPECT_EQ(Json::parse(fuzz.out)["files_skipped"], 2);
  EXPECT_EQ(Json::parse(fuzz.out)["ticks_loaded"], 0);
}

TEST(FuzzCorpusTest, RefusedInputsAreCounted) {
  const std::string corpus = Corpus("refused");
  // The lock has one player.
  WriteFileBytes(corpus + "/runs/two.txtpb",
                 "pack: \"lock\" tick_count: 9\n"
                 "ticks { tick: 3 frames { player: 1 device {} } }\n"
                 "ticks { tick: 4 frames { player: 1 device {} } }\n");
  const CommandResult json =
      Fuzz(kLock, corpus, {"--ticks", "0", "--format", "json"});
  EXPECT_EQ(Json::parse(json.out)["refused_ticks"], 2) << json.err;
  const CommandResult text = Fuzz(kLock, corpus, {"--ticks", "0"});
  EXPECT_THAT(text.err, HasSubstr("the game refused the inputs of 2 ticks"));
}

TEST(FuzzCorpusTest, FailureOfAMendedPackDoesNotHideTheNewOne) {
  const std::string corpus = Corpus("mended");
  const std::string old = TemporaryPath("old_lock");
  fs::remove_all(old);
  fs::create_directories(old);
  const std::string text = ReadFileBytes(std::string(kLock) + "/pack.txtpb");
  WriteFileBytes(old + "/pack.txtpb", "# of last year\n" + text);
  const std::vector<std::string> flags = {"--always", "lock.dial.progress < 1",
                                          "--ticks", "20K"};
  const auto replay_of = [&](const std::string& pack) {
    EXPECT_EQ(Fuzz(pack, corpus, flags).exit_code, 1);
    const auto replays = FilesOf(corpus + "/failures", ".mcap");
    EXPECT_EQ(replays.size(), 1);
    return replays.empty() ? "" : ReadFileBytes(replays.front());
  };
  const std::string before = replay_of(old);
  const std::string after = replay_of(kLock);
  EXPECT_NE(before, after);
  // And of the same pack the shortest stays.
  EXPECT_EQ(replay_of(kLock), after);
}

// What no version before knew of: nothing is repeated, and nothing lost.
TEST(FuzzCorpusTest, CorpusGrowsByWhatIsNewAndReadsAsWholeRuns) {
  const std::string corpus = Corpus("branches");
  Fuzz(kLock, corpus, {"--ticks", "60K", "--seed", "3"});
  std::string branch;
  for (const std::string& path : FilesOf(corpus + "/runs", ".txtpb")) {
    if (ReadFileBytes(path).starts_with("goes_on_from: ")) branch = path;
  }
  ASSERT_FALSE(branch.empty());
  const CommandResult run = Reprise({"run", kLock, "--inputs", branch});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const CommandResult check =
      Reprise({"minimize", branch, "--check", "--pack", kLock});
  EXPECT_LE(check.exit_code, 1) << check.err;

  const CommandResult again =
      Fuzz(kLock, corpus, {"--ticks", "0", "--format", "json"});
  EXPECT_EQ(Json::parse(again.out)["files_skipped"], 0) << again.err;
  EXPECT_EQ(Json::parse(again.out)["runs_loaded"],
            FilesOf(corpus + "/runs", ".txtpb").size());
}

TEST(FuzzCorpusTest, WordsThatAreNeverReachedAreTold) {
  const std::string corpus = Corpus("never");
  const std::string pack = TemporaryPath("never_lock");
  fs::remove_all(pack);
  fs::create_directories(pack);
  std::string text = ReadFileBytes(std::string(kLock) + "/pack.txtpb");
  const std::string opening = "fuzzing {\n";
  const size_t place = text.find(opening);
  ASSERT_NE(place, std::string::npos);
  text.insert(place + opening.size(),
              "  sometimes { name: \"backwards\" that: "
              "\"lock.dial.progress > 900\" }\n");
  WriteFileBytes(pack + "/pack.txtpb", text);
  const CommandResult fuzz = Fuzz(pack, corpus, {"--ticks", "5K"});
  EXPECT_THAT(fuzz.out, HasSubstr("never     sometimes backwards\n"));
}

TEST(FuzzCorpusTest, KnownFailuresThatDoNotComeAreTold) {
  const std::string corpus = Corpus("known_nothing");
  WriteFileBytes(corpus + "/known.txt", "always opend  # misspelt\n");
  const CommandResult fuzz = Fuzz(kLock, corpus, {"--ticks", "100"});
  EXPECT_EQ(fuzz.exit_code, 0) << fuzz.err;
  EXPECT_THAT(fuzz.err,
              HasSubstr("known.txt: 'always opend' didn't come this time"));
  fs::remove(corpus + "/known.txt");
  fs::create_directories(corpus + "/known.txt");
  const CommandResult folder = Fuzz(kLock, corpus, {"--ticks", "100"});
  EXPECT_EQ(folder.exit_code, 2) << folder.err;
  EXPECT_THAT(folder.err, HasSubstr("known.txt: not a file"));
}

TEST(FuzzCorpusTest, ReportSaysHowToSeeTheFailureAgain) {
  const std::string corpus = Corpus("reproduce");
  const std::string junit = TemporaryPath("reproduce.xml");
  Fuzz(kLock, corpus,
       {"--always", "lock.dial.progress < 1", "--ticks", "20K", "--junit",
        junit});
  EXPECT_THAT(ReadFileBytes(junit), HasSubstr(std::string(" --check --pack ") +
                                              kLock + " --always "));
}

TEST(FuzzCorpusTest, FullDiskCostsNothingThatWasFound) {
  const std::string corpus = Corpus("full");
  // No file may have more than a KiB, which a replay has.
  const CommandResult fuzz = RunCommand(
      {"bash", "-c",
       "trap '' XFSZ; ulimit -f 1; tools/reprise/reprise fuzz " +
           std::string(kLock) + " --corpus " + corpus +
           " --always 'lock.dial.progress < 1' --ticks 20K 2>&1 | cat; exit "
           "${PIPESTATUS[0]}"});
  EXPECT_EQ(fuzz.exit_code, 5) << fuzz.out;
  EXPECT_THAT(fuzz.out, HasSubstr("found and not kept: always "
                                  "lock.dial.progress < 1, at tick "));
  EXPECT_TRUE(FilesOf(corpus + "/failures", ".mcap").empty());
  EXPECT_TRUE(FilesOf(corpus + "/failures", ".partial").empty());
  EXPECT_TRUE(FilesOf(corpus + "/runs", ".partial").empty());
}

// Searches for much longer than anybody waits, and is ended once it has kept
// something.
CommandResult EndedBySignal(const std::string& corpus,
                            const std::string& isolation) {
  return RunCommand(
      {"bash", "-c",
       "tools/reprise/reprise fuzz " + std::string(kLock) + " --corpus " +
           corpus + " --ticks 1000M --format json --isolation " + isolation +
           " & while [ ! -e " + corpus +
           "/progress.txt ] && kill -0 $!; do sleep 0.1; done; kill -TERM $!; "
           "wait $!"});
}

TEST(FuzzCorpusTest, SearchThatIsEndedKeepsAndTellsWhatItFound) {
  for (const std::string isolation : {"process", "none"}) {
    const std::string corpus = Corpus("ended_" + isolation);
    const CommandResult fuzz = EndedBySignal(corpus, isolation);
    // It may have found how the lock opens.
    EXPECT_LE(fuzz.exit_code, 1) << fuzz.err;
    EXPECT_THAT(fuzz.err, HasSubstr("ended by a signal after "));
    ASSERT_TRUE(Json::accept(fuzz.out)) << fuzz.out;
    const Json told = Json::parse(fuzz.out);
    EXPECT_LT(told["ticks"], 1'000'000'000);
    EXPECT_THAT(ReadFileBytes(corpus + "/progress.txt"),
                HasSubstr("ticks: " + told["ticks"].dump() + "\n"));
  }
}

TEST(FuzzCorpusTest, ReadingACorpusIsNoHang) {
  const std::string corpus = Corpus("slow_reading");
  // Long to read, and wrong at its end, so that nothing of it is played.
  const std::string track = TemporaryPath("long_to_read.txtpb");
  std::ofstream file(track);
  file << "pack: \"lock\"\ntick_count: 200000\n";
  for (int tick = 0; tick < 60'000; ++tick) {
    file << "ticks { tick: " << tick
         << " frames { device { buttons: " << tick % 2 + 1 << " } } }\n";
  }
  file << "ticks { tick: 3 }\n";
  file.close();
  for (int i = 0; i < 100; ++i) {
    fs::create_hard_link(track,
                         corpus + "/runs/" + std::to_string(i) + ".txtpb");
  }
  const CommandResult fuzz = Fuzz(
      kLock, corpus,
      {"--ticks", "100", "--hang-timeout-seconds", "5", "--format", "json"});
  EXPECT_EQ(fuzz.exit_code, 0) << fuzz.err;
  EXPECT_EQ(Json::parse(fuzz.out)["files_skipped"], 100);
}

TEST(FuzzCorpusTest, SearchOfAWayIsNoHang) {
  const CommandResult fuzz = Reprise(
      {"fuzz", "tests/fuzzing/packs/well", "--ticks", "100", "--goal",
       "outcome == lost", "--goal-ticks", "5M", "--hang-timeout-seconds", "5"});
  EXPECT_EQ(fuzz.exit_code, 0) << fuzz.out << fuzz.err;
  EXPECT_THAT(fuzz.err, HasSubstr("soft locks weren't looked for"));
}

TEST(FuzzCorpusTest, FailureThatIsNotMendedIsOneWhateverTheSearchMeets) {
  const std::string corpus = Corpus("unmended");
  const std::string junit = TemporaryPath("unmended.xml");
  const std::vector<std::string> rule = {"--always", "lock.dial.progress < 1"};
  const auto fuzz = [&](const std::string& ticks) {
    return Fuzz(kLock, corpus,
                {rule[0], rule[1], "--ticks", ticks, "--junit", junit});
  };
  ASSERT_EQ(fuzz("20K").exit_code, 1);
  for (const std::string& path : FilesOf(corpus + "/runs", ".txtpb")) {
    fs::remove(path);  // which would lead there again
  }

  const CommandResult again = fuzz("0");

  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_THAT(again.out, HasSubstr("failure: always lock.dial.progress < 1"));
  EXPECT_THAT(again.out, HasSubstr("met before, and still there"));
  EXPECT_THAT(ReadFileBytes(junit), HasSubstr("met before, and still there"));
  EXPECT_THAT(ReadFileBytes(junit), HasSubstr("failures=\"1\""));

  // Known, or no failure by today's rules: no news.
  EXPECT_EQ(Fuzz(kLock, corpus, {"--ticks", "0"}).exit_code, 0);
  WriteFileBytes(corpus + "/known.txt",
                 "always lock.dial.progress < 1  # by design\n");
  EXPECT_EQ(fuzz("0").exit_code, 0);
}

// The pack of the lock with a rule that a few presses break.
std::string ShutLock(const std::string& name) {
  std::string pack = TemporaryPath(name);
  fs::remove_all(pack);
  fs::create_directories(pack);
  std::string text = ReadFileBytes(std::string(kLock) + "/pack.txtpb");
  const std::string opening = "fuzzing {\n";
  text.insert(text.find(opening) + opening.size(),
              "  always { name: \"shut\" that: \"lock.dial.progress < 1\" }\n");
  WriteFileBytes(pack + "/pack.txtpb", text);
  return pack;
}

TEST(FuzzCorpusTest, NightlyJobTakesInMergesMakesShortAndTellsWhatIsNew) {
  const std::string pack = ShutLock("nightly_lock");
  const std::string ours = Corpus("nightly_ours");
  const std::string theirs = Corpus("nightly_theirs");
  const std::string words = pack + " " + ours + " " + theirs;
  ASSERT_EQ(Fuzz(pack, theirs, {"--ticks", "20K"}).exit_code, 1);
  WriteFileBytes(theirs + "/runs/damaged.txtpb", "pack: \"lock\" ticks { tick");
  WriteFileBytes(theirs + "/runs/half.txtpb.partial", "pack: \"lock\"");
  const auto night = [&] {
    return RunCommand({"bash", "-c",
                       "PATH=\"$PWD/tools/reprise:$PATH\" TICKS=5K bash "
                       "docs/examples/fuzzing/nightly.sh " +
                           words});
  };

  const CommandResult first = night();

  EXPECT_EQ(first.exit_code, 1) << first.err;
  EXPECT_THAT(first.err, HasSubstr("damaged.txtpb: skipped: "));
  EXPECT_THAT(first.err,
              HasSubstr("--merge left the file that it skipped as it is"));
  EXPECT_THAT(first.out, HasSubstr("news      always shut: " + ours));
  EXPECT_FALSE(fs::exists(ours + "/runs/half.txtpb.partial"));
  const auto small = FilesOf(ours + "/small", ".mcap");
  ASSERT_EQ(small.size(), 1u);
  EXPECT_EQ(Reprise({"minimize", small[0], "--check"}).exit_code, 1);
  const std::string bytes = ReadFileBytes(small[0]);

  EXPECT_EQ(night().exit_code, 1);
  EXPECT_EQ(ReadFileBytes(small[0]), bytes);

  WriteFileBytes(ours + "/known.txt",
                 "always shut  # until the next release\n");
  const CommandResult known = night();
  EXPECT_EQ(known.exit_code, 0) << known.err;
  EXPECT_THAT(known.out, HasSubstr("known     always shut\n"));
  EXPECT_THAT(known.out, testing::Not(HasSubstr("news ")));
}

}  // namespace
}  // namespace reprise::tests
