// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a server has the simulations of plug-ins as its own: sessions of
// them make the ticks of `run`, are restored and forked, and are recorded as
// replays that verify.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/testing/test_client.h"
#include "sim/base/digest.h"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using services::Summarize;
using services::TestClient;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

constexpr char kReprise[] = "tools/reprise/reprise";
constexpr char kLibrary[] = "tests/command/libcatch.so";
constexpr char kPacks[] = "docs/examples/plugin";

class ServedPluginTest : public testing::Test {
 protected:
  ServedPluginTest() : folder_(TemporaryPath("served_plugin")) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    const std::string file = folder_ + "/address";
    const std::string store = folder_ + "/store";
    process_ = fork();
    if (process_ == 0) {
      execl(kReprise, "reprise", "--plugin", kLibrary, "serve", "--listen",
            "127.0.0.1:0", "--packs", kPacks, "--store", store.c_str(),
            "--print-address", file.c_str(), nullptr);
      _exit(127);
    }
    const absl::Time deadline = absl::Now() + absl::Minutes(1);
    while (!fs::exists(file) && absl::Now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::ifstream(file) >> address_;
  }
  ~ServedPluginTest() override {
    kill(process_, SIGTERM);
    int status = 0;
    waitpid(process_, &status, 0);
    EXPECT_EQ(status, 0);
  }

  const std::string folder_;
  pid_t process_ = 0;
  std::string address_;
};

// The digests of `run`, tick by tick.
std::vector<std::string> RunDigests() {
  const CommandResult run = RunCommand(
      {kReprise, "--plugin", kLibrary, "run", "docs/examples/plugin/orchard",
       "--seed", "4", "--ticks", "90", "--digests"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return Lines(run.out);
}

TEST_F(ServedPluginTest, SessionsMakeItsTicks) {
  const std::vector<std::string> digests = RunDigests();
  ASSERT_GT(digests.size(), 91u);
  const auto line = [](const v1::StepResponse& response) {
    return std::to_string(response.tick()) + " " +
           sim::FormatDigest(sim::Digest{response.digest()});
  };
  TestClient client(address_);
  v1::CreateSessionRequest request;
  request.set_pack("orchard");
  request.set_seed(4);
  request.set_record(true);
  v1::Session session;
  ASSERT_EQ(Summarize(client.TryCreateSession(request, &session)), "OK");
  EXPECT_EQ(line(client.Step(session.name(), 0, 60)), digests[60]);

  const v1::Snapshot snapshot = client.SnapshotSession(session.name());
  EXPECT_EQ(line(client.Step(session.name(), 60, 30)), digests[90]);
  const v1::Session fork =
      client.ForkSession(services::ForkRequest(session.name()));
  EXPECT_EQ(fork.tick(), 90u);
  client.RestoreSession(snapshot.name());
  EXPECT_EQ(line(client.Step(session.name(), 60, 30)), digests[90]);

  v1::StepRequest with_frame = services::StepRequest(session.name(), 90, 1);
  with_frame.set_want_frame(true);
  v1::StepResponse response;
  ASSERT_EQ(Summarize(client.TryStep(with_frame, &response)), "OK");
  EXPECT_GT(response.frame().objects_size(), 1);
}

TEST_F(ServedPluginTest, WhatItRecordsVerifies) {
  TestClient client(address_);
  v1::CreateSessionRequest request;
  request.set_pack("orchard");
  request.set_record(true);
  v1::Session session;
  ASSERT_EQ(Summarize(client.TryCreateSession(request, &session)), "OK");
  client.Step(session.name(), 0, 80);
  const std::string replay = client.DeleteSession(session.name());
  std::string bytes;
  v1::DownloadReplayRequest download;
  download.set_name(replay);
  ASSERT_EQ(Summarize(client.Download(download, &bytes)), "OK");
  const std::string path = folder_ + "/served.mcap";
  WriteFileBytes(path, bytes);

  const CommandResult verify =
      RunCommand({kReprise, "--plugin", kLibrary, "verify", path});
  EXPECT_EQ(verify.exit_code, 0) << verify.out << verify.err;
  EXPECT_THAT(verify.out, HasSubstr("80 of 80"));
  EXPECT_THAT(RunCommand({kReprise, "info", path}).out,
              HasSubstr("plug-in     libcatch.so "));
}

}  // namespace
}  // namespace reprise::tests
