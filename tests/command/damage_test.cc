// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the command hides no damage: a replay is flipped, cut, grown,
// written to and replaced by a pipe, and every verb that reads it says which
// file it is, where it is damaged and what that costs.

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_topics.h"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;

// Every test damages the same replay of 240 ticks.
class DamageTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    replay_ = new std::string(TemporaryPath("whole.mcap"));
    const CommandResult result =
        Reprise({"run", "marble", "--random-inputs", "3", "--ticks", "240",
                 "--keyframe-stride", "60", "--record", *replay_});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto reader = *replays::ReplayReader::OpenFile(*replay_);
    const size_t count = reader->file().Chunks()->size();
    ASSERT_GT(count, 2u);
    const replays::McapChunkIndex& third = reader->file().Chunks().value()[2];
    chunk_offset_ = third.chunk_start_offset;
    chunk_tick_ = third.message_end_time_ns *
                      reader->metadata().tick_rate.ticks_per_second /
                      1'000'000'000 -
                  10;
    const replays::McapChunkIndex& last =
        reader->file().Chunks().value()[count - 1];
    run_end_ =
        last.chunk_start_offset + last.chunk_length + last.message_index_length;
  }
  static void TearDownTestSuite() { delete replay_; }

  static std::string Whole() { return ReadFileBytes(*replay_); }

  static std::string Write(const std::string& name, const std::string& bytes) {
    const std::string path = TemporaryPath(name);
    WriteFileBytes(path, bytes);
    return path;
  }

  static std::string WriteFlipped() {
    std::string bytes = Whole();
    bytes[chunk_offset_ + 70] ^= 1;
    return Write("flipped.mcap", bytes);
  }

  static std::string WriteCutOff() {
    return Write("cut_off.mcap", Whole().substr(0, chunk_offset_ + 70));
  }

  static const std::string& replay() { return *replay_; }

  static std::string* replay_;
  static uint64_t chunk_offset_;  // of the third
  static uint64_t chunk_tick_;    // one of its ticks
  static uint64_t run_end_;       // behind all chunks
};

std::string* DamageTest::replay_ = nullptr;
uint64_t DamageTest::chunk_offset_ = 0;
uint64_t DamageTest::chunk_tick_ = 0;
uint64_t DamageTest::run_end_ = 0;

// What can happen to a file's end without any loss of the run.
std::vector<std::pair<std::string, std::string>> DamagedEnds(
    const std::string& whole, uint64_t run_end) {
  std::string flipped = whole;
  flipped[whole.size() - 20] ^= 1;
  std::string wrong_checksum = whole;
  wrong_checksum[whole.size() - 10] ^= 1;
  return {{"flipped_end.mcap", flipped},
          {"wrong_checksum.mcap", wrong_checksum},
          {"grown.mcap", whole + "garbage"},
          {"twice.mcap", whole + whole},
          {"cut_end.mcap", whole.substr(0, run_end)}};
}

TEST_F(DamageTest, InfoTellsADamagedEnd) {
  for (const auto& [name, bytes] : DamagedEnds(Whole(), run_end_)) {
    const std::string path = Write(name, bytes);

    const CommandResult human = Reprise({"info", path});
    const Json json =
        Json::parse(Reprise({"info", path, "--format", "json"}).out);

    EXPECT_EQ(human.exit_code, 0) << human.err;
    EXPECT_THAT(human.out,
                AllOf(HasSubstr("\ndamage      the file's end is damaged; "
                                "nothing of the run is lost (offset "),
                      HasSubstr("\noutcome     running")))
        << name;
    EXPECT_THAT(json["damage"]["problem"].get<std::string>(),
                StartsWith("offset "));
    EXPECT_EQ(json["is_complete"], true);
  }
  const CommandResult whole = Reprise({"info", replay()});
  EXPECT_THAT(whole.out, Not(HasSubstr("damage")));
}

TEST_F(DamageTest, EveryReaderWarnsOfADamagedEnd) {
  for (const auto& [name, bytes] : DamagedEnds(Whole(), run_end_)) {
    const std::string path = Write(name, bytes);
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{
             {"verify", path},
             {"cat", path},
             {"cat", "--follow", path},
             {"diff", path, replay()},
             {"diff", path, "--with", kReprise},
             {"accept", TemporaryPath("golden.mcap"), "--inputs", path,
              "--reason", "made of what is left"},
             {"inspect", path, "--tick", "3"},
             {"export", path, "--to", "3"},
             {"query", path, "tick > 0", "--count"},
             {"run", "--inputs", path, "--ticks", "3"},
             {"run", "--from", path, "--at", "3", "--ticks", "6"}}) {
      const CommandResult result = Reprise(words);
      EXPECT_EQ(result.exit_code, 0) << words[0] << result.err;
      EXPECT_THAT(result.err,
                  HasSubstr("warning: " + path + ": the file's end is damaged"))
          << words[0];
    }
  }
}

// Who needs only the last chunk doesn't look at the others' indexes.
TEST_F(DamageTest, DamagedChunkIndexesAreToldAndCostNothingOfTheRun) {
  std::string bytes = Whole();
  // Behind the DataEnd record, which ends the run.
  const uint64_t indexes = run_end_ + replays::kMcapDataEndBytes;
  bytes[indexes + 20] ^= 1;
  const std::string path = Write("indexes.mcap", bytes);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{
           {"verify", path}, {"cat", path}, {"diff", path, replay()}}) {
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 2) << words[0];
    EXPECT_THAT(result.err,
                AllOf(HasSubstr(fmt::format(
                          "{}: offset {}: chunk indexes: a wrong checksum",
                          path, indexes)),
                      HasSubstr("`reprise recover " + path + "` saves")));
  }
  const std::string saved = TemporaryPath("indexes_saved.mcap");
  const CommandResult recover = Reprise({"recover", path, "--output", saved});
  EXPECT_EQ(recover.exit_code, 0) << recover.err;
  EXPECT_EQ(Reprise({"verify", saved}).exit_code, 0);
  EXPECT_EQ(Reprise({"diff", saved, replay()}).exit_code, 0);
}

TEST_F(DamageTest, EveryReaderNamesTheFileAndTheChunk) {
  const std::string path = WriteFlipped();
  const std::string place =
      path + ": offset " + std::to_string(chunk_offset_) + ": ";
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{
           {"info", path},
           {"verify", path},
           {"cat", path},
           {"diff", replay(), path},
           {"inspect", path, "--tick", std::to_string(chunk_tick_)},
           {"export", path, "--output", TemporaryPath("frames")},
           {"query", path, "tick > 0", "--count"},
           {"run", "--inputs", path},
           {"run", "--from", path, "--at", std::to_string(chunk_tick_)}}) {
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 2) << words[0];
    EXPECT_THAT(result.err, HasSubstr("error: " + place)) << words[0];
    EXPECT_THAT(result.err, Not(HasSubstr(path + ": " + path))) << words[0];
    EXPECT_THAT(result.err + result.out,
                HasSubstr("`reprise recover " + path + "`"))
        << words[0];
  }
}

TEST_F(DamageTest, QueryTellsWhatWasCutOff) {
  const std::string path = WriteCutOff();

  const CommandResult result =
      Reprise({"query", path, replay(), "tick > 0", "--count", "--jobs", "2"});

  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err,
              HasSubstr("warning: " + path + ": the recording was cut off; "));
  EXPECT_THAT(result.err, Not(HasSubstr(replay())));
}

TEST_F(DamageTest, StoreTellsWhatWasCutOff) {
  const std::string path = WriteCutOff();

  const CommandResult result =
      Reprise({"store", "add", path, "--store", TemporaryPath("store")});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("warning: " + path + ": the recording was cut off; "));
}

TEST_F(DamageTest, QueryOfSeveralTellsTheRemedyOfEach) {
  const std::string path = WriteFlipped();

  const CommandResult result =
      Reprise({"query", path, replay(), "tick > 0", "--count"});

  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr(replay() + ": 240\n"));
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("error: " + path),
                    HasSubstr("note: `reprise recover " + path + "`")));
}

TEST_F(DamageTest, WhatIsStillBeingWrittenIsNotCutOff) {
  const std::string path =
      Write("under_way.mcap.partial", Whole().substr(0, chunk_offset_));
  const auto writer = *replays::FileSink::Continue(path);

  const CommandResult verify = Reprise({"verify", path});
  const CommandResult info = Reprise({"info", path});

  EXPECT_THAT(verify.err, AllOf(HasSubstr("still being written"),
                                Not(HasSubstr("cut off"))));
  EXPECT_THAT(info.out, HasSubstr("unknown: still being written"));
}

TEST_F(DamageTest, RecoverPassesADamagedHeader) {
  const std::string output = TemporaryPath("recovered.mcap");
  for (const size_t place : {8, 12, 21}) {
    std::string bytes = Whole();
    bytes[place] ^= 4;
    const std::string path = Write("header.mcap", bytes);
    unlink(output.c_str());

    const CommandResult result = Reprise({"recover", path, "--output", output});

    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("lost: the file's front: "));
    EXPECT_EQ(ReadFileBytes(output), Whole());
  }
}

// What is saved without its pack doesn't verify by itself: a script is told.
TEST_F(DamageTest, RecoverSaysThatThePackIsLost) {
  const std::string output = TemporaryPath("without_pack.mcap");
  std::string bytes = Whole();
  {
    const auto reader = *replays::ReplayReader::OpenFile(replay());
    const replays::McapAttachmentIndex& pack =
        *reader->file().FindAttachment(replays::kPackAttachment);
    bytes[pack.offset + pack.length / 2] ^= 1;
  }
  const std::string path = Write("lost_pack.mcap", bytes);

  const CommandResult result = Reprise({"recover", path, "--output", output});

  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("the pack is lost: "),
                    HasSubstr("`reprise verify " + output + " --pack PACK`"),
                    HasSubstr(": saved 240 of 240 ticks")));
  EXPECT_EQ(Reprise({"verify", output}).exit_code, 3);
  EXPECT_EQ(Reprise({"verify", output, "--pack", "sim/packs/marble"}).exit_code,
            0);
  unlink(output.c_str());
  EXPECT_EQ(Json::parse(Reprise({"recover", path, "--output", output,
                                 "--format", "json"})
                            .out)["is_pack_lost"],
            true);
}

TEST_F(DamageTest, APipeIsRefusedAndNotWaitedFor) {
  const std::string pipe = TemporaryPath("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{
           {"info", pipe},
           {"verify", pipe},
           {"verify", pipe, replay(), "--cache", TemporaryPath("cache")},
           {"cat", pipe},
           {"diff", pipe, replay()},
           {"inspect", pipe},
           {"export", pipe},
           {"query", pipe, "tick > 0"},
           {"recover", pipe},
           {"assemble", pipe},
           {"run", "marble", "--inputs", pipe},
           {"run", "--from", pipe},
           {"run", "--continue", pipe},
           {"run", pipe},
           {"pack", "check", pipe}}) {
    std::vector<std::string> timed = {"timeout", "20", kReprise};
    timed.insert(timed.end(), words.begin(), words.end());
    const CommandResult result = RunCommand(timed);
    EXPECT_EQ(result.exit_code, 2) << words[0] << result.err;
    EXPECT_THAT(result.err, HasSubstr(pipe)) << words[0];
  }
  EXPECT_EQ(unlink(pipe.c_str()), 0);
}

TEST_F(DamageTest, InfoOfACapsuleSaysThatItIsOne) {
  const std::string changed = TemporaryPath("changed.mcap");
  const std::string capsule = TemporaryPath("capsule.mcap");
  Reprise({"run", "--inputs", replay(), "--change-input", "100:0:roll_x=-32001",
           "--record", changed});
  Reprise({"diff", replay(), changed, "--capsule", capsule});

  const CommandResult result = Reprise({"info", capsule});

  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("\ncapsule     of a failure behind tick 100: "));
  EXPECT_EQ(
      Json::parse(
          Reprise({"info", capsule, "--format", "json"}).out)["is_capsule"],
      true);
}

TEST_F(DamageTest, WhatIsNeitherReplayNorPackIsTold) {
  for (const std::string bytes : {"", "some text\n"}) {
    const std::string path = Write("text", bytes);
    const CommandResult result = Reprise({"inspect", path});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err,
                HasSubstr(path + " can't be read as a replay or a pack"));
    EXPECT_THAT(result.out, IsEmpty());
  }
}

// A loop of events: each tick has as many as there can be, and says that some
// were dropped, behind the last step of its batch.
TEST(EventLoopTest, WhatIsRecordedIsReadAndToldByEveryVerb) {
  const std::string pack = TemporaryPath("loop");
  const std::string path = TemporaryPath("loop.mcap");
  const std::string saved = TemporaryPath("loop_saved.mcap");
  RunCommand({"rm", "-rf", pack, path, saved});
  RunCommand({"mkdir", "-p", pack});
  WriteFileBytes(pack + "/pack.txtpb",
                 "name: \"loop\"\n"
                 "types { name: \"bell\" timers { name: \"go\" event: \"ring\" "
                 "delay_s: 0.05 } }\n"
                 "objects { name: \"bell\" type: \"bell\" }\n"
                 "connections { name: \"again\" event: \"ring\" target: "
                 "\"bell\" send: \"ring\" }\n");
  const std::string flood =
      "7 ticks, from tick 3 on, have 65536 events or more each: do events send "
      "each other in a circle?";

  const CommandResult run =
      Reprise({"run", pack, "--ticks", "10", "--record", path});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("warning: " + flood));
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"info", path},
                                             {"verify", path},
                                             {"verify", path, "--threads", "2"},
                                             {"verify", path, path}}) {
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 0) << words[0] << result.err;
    EXPECT_THAT(result.err, HasSubstr("warning: " + path + ": " + flood));
  }
  const CommandResult cat = Reprise({"cat", path, "--events"});
  EXPECT_EQ(cat.exit_code, 0) << cat.err;
  EXPECT_THAT(cat.out, HasSubstr("# tick 9: event events_dropped count="));
  EXPECT_EQ(Reprise({"recover", path, "--output", saved}).exit_code, 0);
  EXPECT_EQ(Reprise({"verify", saved}).exit_code, 0);

  const std::string store = TemporaryPath("loop_store");
  RunCommand({"rm", "-rf", store});
  const CommandResult add = Reprise({"store", "add", path, "--store", store});
  EXPECT_EQ(add.exit_code, 0) << add.err;
  EXPECT_THAT(Reprise({"store", "list", "--store", store}).out,
              HasSubstr("loop"));
  const CommandResult query = Reprise({"query", path, "tick > 3", "--count"});
  EXPECT_EQ(query.exit_code, 0) << query.err;
  // Of the states of ticks 0 to 10.
  EXPECT_EQ(query.out, "7\n");
  const CommandResult inspect = Reprise({"inspect", path, "--tick", "10"});
  EXPECT_EQ(inspect.exit_code, 0) << inspect.err;
  EXPECT_THAT(inspect.out, StartsWith("tick 10, digest "));
  const CommandResult diff = Reprise({"diff", path, saved});
  EXPECT_EQ(diff.exit_code, 0) << diff.err;
}

}  // namespace
}  // namespace reprise::tests
