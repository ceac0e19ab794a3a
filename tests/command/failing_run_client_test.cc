// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a failure which `reprise fuzz` found and `reprise minimize` made
// short is the same one for a client of the server that gives the same inputs:
// the same events and digests, and a recording that fails in the same way.

#include <bit>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "clients/cpp/client.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "reprise/v1/input.pb.h"
#include "tests/command/command_runner.h"
#include "tests/command/serve_process.h"

namespace reprise::tests {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

constexpr char kPacks[] = "tests/fuzzing/packs";
constexpr char kLock[] = "tests/fuzzing/packs/lock";

CommandResult Reprise(std::vector<std::string> words) {
  words.insert(words.begin(), "tools/reprise/reprise");
  return RunCommand(words);
}

// The one replay of a corpus that a search for the lock's opening leaves.
std::string FoundReplay() {
  const std::string corpus = TemporaryPath("corpus");
  fs::remove_all(corpus);
  const CommandResult fuzz = Reprise(
      {"fuzz", kLock, "--corpus", corpus, "--ticks", "400K", "--seed", "1"});
  EXPECT_EQ(fuzz.exit_code, 1) << fuzz.out << fuzz.err;
  for (const auto& entry : fs::directory_iterator(corpus + "/failures")) {
    if (entry.path().extension() == ".mcap") return entry.path().string();
  }
  ADD_FAILURE() << fuzz.out;
  return {};
}

std::string Minimize(const std::string& replay, const std::string& name) {
  std::string path = TemporaryPath(name);
  const CommandResult minimize =
      Reprise({"minimize", replay, "--output", path});
  EXPECT_EQ(minimize.exit_code, 0) << minimize.err;
  return path;
}

// How many events of each type came.
std::map<std::string, int> CountEvents(const v1::StepResponse& response) {
  std::map<std::string, int> counts;
  for (const v1::Event& event : response.events()) ++counts[event.type()];
  return counts;
}

// How often a button goes down, of which several may at one tick.
int CountPresses(const v1::InputTrack& track) {
  int count = 0;
  uint64_t held = 0;
  for (const v1::TickInputs& tick : track.ticks()) {
    for (const v1::InputFrame& frame : tick.frames()) {
      const uint64_t buttons = frame.device().buttons();
      count += std::popcount(buttons & ~held);
      held = buttons;
    }
  }
  return count;
}

TEST(FailingRunClientTest, MinimizedFailureIsTheSameThroughAServer) {
  const std::string found = FoundReplay();
  const std::string small = Minimize(found, "small.mcap");
  v1::InputTrack track;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      ReadFileBytes(Minimize(found, "small.txtpb")), &track));
  ASSERT_EQ(CountPresses(track), 10);  // no more than the lock takes

  const ServeProcess server(kPacks);
  const auto client = client::Client::Create(server.address());
  ASSERT_TRUE(client.ok()) << client.status();
  v1::CreateSessionRequest create;
  create.set_pack("lock");
  create.set_record(true);
  auto session = (*client)->CreateSession(create);
  ASSERT_TRUE(session.ok()) << session.status();
  v1::StepRequest step;
  step.set_tick_count(static_cast<uint32_t>(track.tick_count()));
  *step.mutable_inputs() = track.ticks();
  const auto response = session->Step(step);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->tick(), track.tick_count());
  EXPECT_EQ(CountEvents(*response)["opened"], 1);

  // Without the last tick there is no failure.
  auto before = (*client)->CreateSession(create);
  ASSERT_TRUE(before.ok()) << before.status();
  step.set_tick_count(static_cast<uint32_t>(track.tick_count() - 1));
  if (track.ticks().rbegin()->tick() + 1 == track.tick_count()) {
    step.mutable_inputs()->RemoveLast();
  }
  const auto shorter = before->Step(step);
  ASSERT_TRUE(shorter.ok()) << shorter.status();
  EXPECT_EQ(CountEvents(*shorter)["opened"], 0);
  EXPECT_NE(shorter->digest(), response->digest());

  // What the server has recorded is the same run, and fails in the same way.
  const auto replay = session->Delete();
  ASSERT_TRUE(replay.ok()) << replay.status();
  const auto bytes = (*client)->Download(*replay);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const std::string served = TemporaryPath("served.mcap");
  WriteFileBytes(served, *bytes);
  const CommandResult diff = Reprise({"diff", small, served});
  EXPECT_EQ(diff.exit_code, 0) << diff.out << diff.err;
  EXPECT_THAT(diff.out, HasSubstr("equal: "));
  const CommandResult check = Reprise({"minimize", served, "--check"});
  EXPECT_EQ(check.exit_code, 1) << check.err;
  EXPECT_THAT(check.out, HasSubstr("unreachable opened, at tick "));
  EXPECT_EQ(check.out, Reprise({"minimize", small, "--check"}).out);
}

}  // namespace
}  // namespace reprise::tests
