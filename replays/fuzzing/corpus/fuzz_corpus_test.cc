// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a corpus of runs that go on from one another grows by what is new
// in each, that it reads back as the same runs after every file that came, on
// its own and copied together with another one, and that what others go on from
// is never dropped.

#include "replays/fuzzing/corpus/fuzz_corpus.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/tracks/input_track.h"
#include "replays/tracks/track_folder.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::replays {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

// A run that steers at every tick up to `tick_count`: alike up to `turn`, and
// from there on as `who` does.
PlayedInputs MakeRun(sim::Tick tick_count, sim::Tick turn = 0, int who = 0) {
  PlayedInputs run{.ticks = {}, .tick_count = tick_count};
  for (sim::Tick tick = 0; tick < tick_count; ++tick) {
    sim::InputFrame frame{.player = 0};
    frame.device.axes[0] = static_cast<int16_t>(
        100 + tick % 7 +
        (tick >= turn ? static_cast<uint64_t>(who) * 1000 : 0));
    run.ticks.push_back({.tick = tick, .frames = {frame}});
  }
  return run;
}

class CorpusTest : public ::testing::Test {
 protected:
  CorpusTest() : start_(*TinySimulation::Create(pack_, /*seed=*/1)) {}

  // A corpus in a folder of this test.
  std::unique_ptr<FuzzCorpus> Open(const std::string& name,
                                   bool is_new = true) const {
    const std::string folder = FolderOf(name);
    if (is_new) fs::remove_all(folder);
    auto corpus = FuzzCorpus::Open(folder, &pack_, start_.get());
    EXPECT_TRUE(corpus.ok()) << corpus.status();
    return *std::move(corpus);
  }

  static std::string FolderOf(const std::string& name) {
    return testing::TempDir() + "/corpus_" +
           testing::UnitTest::GetInstance()->current_test_info()->name() + "_" +
           name;
  }

  static std::vector<std::string> FilesOf(const std::string& name) {
    std::vector<std::string> files;
    for (const auto& file : fs::directory_iterator(FolderOf(name) + "/runs")) {
      files.push_back(file.path().string());
    }
    return files;
  }

  static uint64_t BytesOf(const std::string& name) {
    uint64_t bytes = 0;
    for (const std::string& file : FilesOf(name)) bytes += fs::file_size(file);
    return bytes;
  }

  // All runs, of which none is skipped.
  static std::vector<PlayedInputs> RunsOf(FuzzCorpus& corpus) {
    const CorpusRuns read = corpus.ReadRuns();
    for (const SkippedFile& file : read.skipped) {
      ADD_FAILURE() << file.path << ": " << file.reason;
    }
    std::vector<PlayedInputs> runs;
    for (const CorpusRun& run : read.runs) runs.push_back(run.inputs());
    return runs;
  }

  static std::vector<std::string> PathsOf(FuzzCorpus& corpus) {
    std::vector<std::string> paths;
    for (const CorpusRun& run : corpus.ReadRuns().runs) {
      paths.push_back(run.path);
    }
    return paths;
  }

  const sim::PackArchive pack_ = MakeTinyPack();
  const std::unique_ptr<sim::Simulation> start_;
};

TEST_F(CorpusTest, DeeperAndDeeperRunsTakeAsMuchAsTheDeepest) {
  const auto whole = Open("whole");
  ASSERT_TRUE(whole->AddRun(MakeRun(2000)).ok());
  const auto corpus = Open("grown");
  std::vector<PlayedInputs> runs;
  for (sim::Tick tick_count = 40; tick_count <= 2000; tick_count += 40) {
    runs.push_back(MakeRun(tick_count));
    ASSERT_TRUE(*corpus->AddRun(runs.back()));
    // Killed now, it is whole.
    EXPECT_EQ(RunsOf(*corpus).size(), runs.size());
  }
  EXPECT_THAT(RunsOf(*corpus), UnorderedElementsAreArray(runs));
  // Fifty files, of which each has a head.
  EXPECT_LT(BytesOf("grown"), 2 * BytesOf("whole"));
}

TEST_F(CorpusTest, RunsThatPartAreBranchesOfTheSame) {
  const auto corpus = Open("parted");
  std::vector<PlayedInputs> runs;
  for (int who = 0; who < 20; ++who) runs.push_back(MakeRun(1000, 980, who));
  for (const PlayedInputs& run : runs) ASSERT_TRUE(*corpus->AddRun(run));
  EXPECT_THAT(RunsOf(*corpus), UnorderedElementsAreArray(runs));
  const auto whole = Open("whole");
  ASSERT_TRUE(whole->AddRun(runs[0]).ok());
  EXPECT_LT(BytesOf("parted"), 2 * BytesOf("whole"));
}

TEST_F(CorpusTest, FolderThatAnotherJobWorksOnIsRefused) {
  const auto corpus = Open("locked");
  const auto other = FuzzCorpus::Open(FolderOf("locked"), &pack_, start_.get());
  EXPECT_EQ(other.status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(CorpusTest, SameRunIsKeptOnce) {
  const auto corpus = Open("once");
  EXPECT_TRUE(*corpus->AddRun(MakeRun(100)));
  EXPECT_TRUE(*corpus->AddRun(MakeRun(200)));
  EXPECT_FALSE(*corpus->AddRun(MakeRun(200)));
  EXPECT_FALSE(*corpus->AddRun(MakeRun(100)));
  EXPECT_EQ(FilesOf("once").size(), 2u);
}

TEST_F(CorpusTest, NextDayGoesOnFromWhatLiesThere) {
  { ASSERT_TRUE(Open("day")->AddRun(MakeRun(1000)).ok()); }
  const uint64_t before = BytesOf("day");
  const auto corpus = Open("day", /*is_new=*/false);
  ASSERT_TRUE(*corpus->AddRun(MakeRun(1010)));
  EXPECT_LT(BytesOf("day"), before + before / 10);
  EXPECT_EQ(RunsOf(*corpus).size(), 2u);
}

// As versions before wrote it.
TEST_F(CorpusTest, CorpusOfWholeTracksIsReadAndGoneOnFrom) {
  const auto corpus = Open("old");
  const auto write = [&](const PlayedInputs& run) {
    const std::string path = FolderOf("old") + "/runs/written.txtpb";
    ASSERT_TRUE(WriteTrackOf(path, run, *start_).ok());
    const std::string text = *ReadInputText(path);
    fs::rename(path, FolderOf("old") + "/runs/" + TrackFileNameOf(text));
  };
  write(MakeRun(500));
  write(MakeRun(600));
  EXPECT_EQ(RunsOf(*corpus).size(), 2u);
  const uint64_t before = BytesOf("old");
  ASSERT_TRUE(*corpus->AddRun(MakeRun(620)));
  EXPECT_LT(BytesOf("old"), before + before / 10);
  EXPECT_EQ(RunsOf(*corpus).size(), 3u);
}

TEST_F(CorpusTest, CorporaThatAreCopiedTogetherAreOne) {
  const auto one = Open("one");
  const auto other = Open("other");
  for (sim::Tick tick_count = 100; tick_count <= 500; tick_count += 100) {
    ASSERT_TRUE(one->AddRun(MakeRun(tick_count, 50, 1)).ok());
    ASSERT_TRUE(other->AddRun(MakeRun(tick_count, 80, 2)).ok());
  }
  for (const std::string& file : FilesOf("other")) {
    fs::copy(file, FolderOf("one") + "/runs", fs::copy_options::skip_existing);
  }
  EXPECT_EQ(RunsOf(*one).size(), 10u);
  ASSERT_TRUE(*one->AddRun(MakeRun(510, 80, 2)));
  EXPECT_EQ(RunsOf(*one).size(), 11u);
}

TEST_F(CorpusTest, MergeWritesWhatItKeepsAnewAndDropsTheRest) {
  const auto corpus = Open("merged");
  for (sim::Tick tick_count = 100; tick_count <= 500; tick_count += 100) {
    ASSERT_TRUE(corpus->AddRun(MakeRun(tick_count)).ok());
  }
  const std::vector<std::string> read = PathsOf(*corpus);
  const std::vector<PlayedInputs> kept = {MakeRun(500), MakeRun(450, 300, 3)};
  ASSERT_TRUE(corpus->KeepOnly(kept, read).ok());
  EXPECT_THAT(RunsOf(*corpus), UnorderedElementsAreArray(kept));
  EXPECT_EQ(FilesOf("merged").size(), 2u);
  EXPECT_FALSE(*corpus->AddRun(kept[1]));
}

// As where it is killed: what can't be removed ends the merge half way.
TEST_F(CorpusTest, MergeThatEndsHalfWayLeavesNoBranchWithoutItsBeginning) {
  // A run of which a longer one goes on whose file comes behind it by name.
  std::unique_ptr<FuzzCorpus> corpus;
  std::vector<std::string> read;
  for (int who = 1; read.empty() || read[0] > read[1]; ++who) {
    corpus.reset();
    corpus = Open("half");
    ASSERT_TRUE(corpus->AddRun(MakeRun(300, 0, who)).ok());
    read = FilesOf("half");
    ASSERT_TRUE(*corpus->AddRun(MakeRun(320, 0, who)));
    for (const std::string& path : FilesOf("half")) {
      if (path != read[0]) read.push_back(path);
    }
  }
  // A folder that isn't empty, between both.
  const std::string between = read[0].substr(0, read[0].size() - 6) + "z.txtpb";
  ASSERT_LT(between, read[1]);
  fs::create_directories(between + "/something");
  read.push_back(between);

  EXPECT_EQ(corpus->KeepOnly({MakeRun(100)}, read).status().code(),
            absl::StatusCode::kUnavailable);

  for (const SkippedFile& file : corpus->ReadRuns().skipped) {
    EXPECT_EQ(file.path, between) << file.reason;
  }
  fs::remove_all(between);
  const std::vector<std::string> left = PathsOf(*corpus);
  ASSERT_TRUE(corpus->KeepOnly({MakeRun(100)}, left).ok());
  EXPECT_EQ(FilesOf("half").size(), 1u);
}

TEST_F(CorpusTest, MergeLeavesWhatAnotherJobGoesOnFrom) {
  const auto corpus = Open("shared");
  ASSERT_TRUE(corpus->AddRun(MakeRun(300)).ok());
  const std::vector<std::string> read = PathsOf(*corpus);
  // Comes while the first is merged.
  ASSERT_TRUE(*corpus->AddRun(MakeRun(320, 250, 5)));
  ASSERT_TRUE(corpus->KeepOnly({MakeRun(100)}, read).ok());
  const std::vector<PlayedInputs> left = {MakeRun(100), MakeRun(300),
                                          MakeRun(320, 250, 5)};
  EXPECT_THAT(RunsOf(*corpus), UnorderedElementsAreArray(left));
}

TEST_F(CorpusTest, BranchWithoutItsBeginningIsToldAndLeft) {
  const auto corpus = Open("lost");
  ASSERT_TRUE(corpus->AddRun(MakeRun(300)).ok());
  const std::string first = FilesOf("lost").front();
  ASSERT_TRUE(*corpus->AddRun(MakeRun(320)));
  fs::remove(first);
  const CorpusRuns read = corpus->ReadRuns();
  EXPECT_TRUE(read.runs.empty());
  ASSERT_EQ(read.skipped.size(), 1u);
  EXPECT_THAT(read.skipped[0].reason, HasSubstr("which isn't there"));
  ASSERT_TRUE(corpus->KeepOnly({MakeRun(50)}, {}).ok());
  EXPECT_EQ(FilesOf("lost").size(), 2u);
}

TEST_F(CorpusTest, RunThatWasTakenAwayIsNotGoneOnFrom) {
  const auto corpus = Open("away");
  ASSERT_TRUE(corpus->AddRun(MakeRun(300)).ok());
  fs::remove(FilesOf("away").front());
  ASSERT_TRUE(*corpus->AddRun(MakeRun(320)));
  EXPECT_EQ(RunsOf(*corpus).size(), 1u);
}

TEST_F(CorpusTest, RunThatCrashesGoesAndWhatPartedBeforeStays) {
  const auto corpus = Open("crashing");
  ASSERT_TRUE(corpus->AddRun(MakeRun(300)).ok());
  ASSERT_TRUE(corpus->AddRun(MakeRun(400)).ok());
  ASSERT_TRUE(corpus->AddRun(MakeRun(310, 100, 4)).ok());
  ASSERT_TRUE(corpus->AddRun(MakeRun(330, 310, 4)).ok());
  // Two of the four begin so; the first ends before.
  const PlayedInputs crash = MakeRun(305);
  ASSERT_TRUE(corpus->RemoveRunsThatBeginWith(crash).ok());
  const std::vector<PlayedInputs> left = {MakeRun(300), MakeRun(310, 100, 4)};
  EXPECT_THAT(RunsOf(*corpus), UnorderedElementsAreArray(left));
  EXPECT_EQ(corpus->RemoveRunsThatBeginWith(crash).code(),
            absl::StatusCode::kNotFound);
}

TEST_F(CorpusTest, WhatGoesOnFromARunThatCrashesIsWrittenAnew) {
  const auto corpus = Open("orphans");
  ASSERT_TRUE(corpus->AddRun(MakeRun(300)).ok());
  ASSERT_TRUE(corpus->AddRun(MakeRun(310, 100, 4)).ok());
  ASSERT_TRUE(corpus->AddRun(MakeRun(320, 100, 4)).ok());
  ASSERT_TRUE(corpus->RemoveRunsThatBeginWith(MakeRun(250)).ok());
  const std::vector<PlayedInputs> left = {MakeRun(310, 100, 4),
                                          MakeRun(320, 100, 4)};
  EXPECT_THAT(RunsOf(*corpus), UnorderedElementsAreArray(left));
}

}  // namespace
}  // namespace reprise::replays
