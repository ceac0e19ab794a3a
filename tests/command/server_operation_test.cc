// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves operations of `reprise serve` with the worker that it has: itself.
// What they come to is what the command says of the same replays, to the byte
// of each file; and a worker that is killed costs its operation, not the
// server.

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/message_differencer.h"
#include "google/rpc/error_details.pb.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "reprise/v1/frame.pb.h"
#include "reprise/v1/operation_service.grpc.pb.h"
#include "reprise/v1/replay_service.grpc.pb.h"
#include "services/testing/test_client.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"
#include "tests/command/serve_process.h"

namespace reprise::tests {
namespace {

using google::protobuf::util::MessageDifferencer;
using services::Summarize;
using services::TestClient;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using v1::Operation;

namespace fs = std::filesystem;

constexpr char kReprise[] = "tools/reprise/reprise";

class ServerOperationTest : public MarbleReplayTest {
 protected:
  ServerOperationTest()
      : client_(server_.address()),
        calls_(v1::OperationService::NewStub(client_.channel())) {}

  std::string Upload(const std::string& path) {
    const std::string bytes = ReadFileBytes(path);
    grpc::ClientContext context;
    v1::UploadReplayResponse response;
    const auto writer = client_.replays().UploadReplay(&context, &response);
    v1::UploadReplayRequest request;
    request.set_digest(sim::FormatDigest(sim::ContentDigestOf(
        std::as_bytes(std::span(bytes.data(), bytes.size())))));
    request.set_size_bytes(bytes.size());
    request.set_data(bytes);
    writer->Write(request);
    writer->WritesDone();
    EXPECT_EQ(Summarize(writer->Finish()), "OK");
    return response.replay().name();
  }

  // Calls one of the calls that begin an operation.
  template <typename Request, typename Response>
  Operation Begin(grpc::Status (v1::OperationService::Stub::*call)(
                      grpc::ClientContext*, const Request&, Response*),
                  const Request& request) {
    grpc::ClientContext context;
    Response response;
    const grpc::Status status =
        (calls_.get()->*call)(&context, request, &response);
    EXPECT_EQ(Summarize(status), "OK") << status.error_message();
    return response.operation();
  }

  Operation Await(const Operation& operation,
                  const std::function<bool(const Operation&)>& condition) {
    const absl::Time deadline = absl::Now() + absl::Minutes(2);
    v1::GetOperationRequest request;
    request.set_name(operation.name());
    v1::GetOperationResponse response;
    do {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      grpc::ClientContext context;
      const grpc::Status status =
          calls_->GetOperation(&context, request, &response);
      EXPECT_EQ(Summarize(status), "OK");
      if (!status.ok()) break;
    } while (!condition(response.operation()) && absl::Now() < deadline);
    return response.operation();
  }

  Operation AwaitEnd(const Operation& operation) {
    return Await(operation,
                 [](const Operation& now) { return now.has_end_time(); });
  }

  std::string Download(const Operation& operation, const std::string& file) {
    grpc::ClientContext context;
    v1::DownloadResultRequest request;
    request.set_name(operation.name());
    request.set_file(file);
    const auto reader = calls_->DownloadResult(&context, request);
    v1::DownloadResultResponse response;
    std::string bytes;
    while (reader->Read(&response)) bytes += response.data();
    EXPECT_EQ(Summarize(reader->Finish()), "OK") << operation.DebugString();
    return bytes;
  }

  // What the command writes of a copy of the replay that has the worker's name
  // for it, with `words` and --output.
  static std::string ByCommand(std::vector<std::string> words,
                               const std::string& file) {
    const std::string folder = TemporaryPath("by_command");
    fs::create_directories(folder);
    const std::string copy = folder + "/replay.mcap";
    fs::copy_file(replay(), copy, fs::copy_options::overwrite_existing);
    words.insert(words.begin(), kReprise);
    words.insert(words.end(), {"--output", folder + "/" + file, copy});
    EXPECT_EQ(RunCommand(words).exit_code, 0);
    return ReadFileBytes(folder + "/" + file);
  }

  ServeProcess server_{"sim/packs"};
  TestClient client_;
  std::unique_ptr<v1::OperationService::Stub> calls_;
};

// What is told once of a file's frames is told with each of a session's: put
// together they are the same frame.
v1::Frame Completed(v1::Frame frame,
                    std::map<uint64_t, v1::FrameObject>& told) {
  for (v1::FrameObject& object : *frame.mutable_objects()) {
    if (object.has_same_shapes()) {
      *object.mutable_shapes() = told[object.object()].shapes();
      object.set_has_same_shapes(false);
    }
    told[object.object()] = object;
  }
  frame.clear_meshes();
  frame.clear_source();
  frame.clear_state_digest();
  return frame;
}

// Objects come and go in it.
TEST_F(ServerOperationTest, FramesOfASessionAreThoseOfItsRecording) {
  constexpr uint64_t kStep = 7;
  constexpr uint64_t kTicks = 210;
  v1::CreateSessionRequest create;
  create.set_pack("nursery");
  create.set_record(true);
  v1::Session session;
  ASSERT_EQ(Summarize(client_.TryCreateSession(create, &session)), "OK");
  std::vector<v1::StepResponse> live;
  for (uint64_t tick = 0; tick < kTicks; tick += kStep) {
    v1::StepRequest step = services::StepRequest(session.name(), tick, kStep);
    step.set_want_frame(true);
    ASSERT_EQ(Summarize(client_.TryStep(step, &live.emplace_back())), "OK");
  }
  v1::DownloadReplayRequest download;
  download.set_name(client_.DeleteSession(session.name()));
  std::string bytes;
  ASSERT_EQ(Summarize(client_.Download(download, &bytes)), "OK");
  const std::string path = TemporaryPath("live.mcap");
  WriteFileBytes(path, bytes);
  const std::vector<std::string> lines = Lines(
      RunCommand({kReprise, "export", path, "--every", std::to_string(kStep)})
          .out);
  ASSERT_EQ(lines.size(), live.size() + 1);  // and of tick 0
  std::map<uint64_t, v1::FrameObject> told;
  for (size_t i = 0; i < lines.size(); ++i) {
    v1::Frame of_file;
    ASSERT_TRUE(
        google::protobuf::util::JsonStringToMessage(lines[i], &of_file).ok());
    const std::string state = of_file.state_digest();
    of_file = Completed(std::move(of_file), told);
    if (i == 0) continue;
    const v1::StepResponse& expected = live[i - 1];
    EXPECT_EQ(state, sim::FormatDigest(sim::Digest{expected.digest()}));
    // JSON has one zero.
    EXPECT_TRUE(MessageDifferencer::Equivalent(of_file, expected.frame()))
        << "tick " << expected.tick();
  }
  EXPECT_GT(told.size(), 5u);
}

TEST_F(ServerOperationTest, VerifySaysWhatTheCommandSays) {
  v1::VerifyReplayRequest request;
  request.set_name(Upload(replay()));
  Operation ended =
      AwaitEnd(Begin(&v1::OperationService::Stub::VerifyReplay, request));
  ASSERT_EQ(ended.state(), Operation::STATE_SUCCEEDED) << ended.DebugString();
  EXPECT_EQ(ended.verification().verdict(), v1::Verification::VERDICT_VERIFIED);
  EXPECT_EQ(ended.verification().ticks_verified(), 240u);
  EXPECT_EQ(ended.verification().tick_count(), 240u);
  EXPECT_THAT(RunCommand({kReprise, "verify", replay()}).out,
              HasSubstr(ended.verification().summary()));

  // On a pack of the server: the same one, so nothing differs.
  request.set_pack("marble");
  ended = AwaitEnd(Begin(&v1::OperationService::Stub::VerifyReplay, request));
  ASSERT_EQ(ended.state(), Operation::STATE_SUCCEEDED) << ended.DebugString();
  EXPECT_EQ(ended.verification().verdict(), v1::Verification::VERDICT_VERIFIED)
      << ended.DebugString();

  request.set_pack("pile");
  ended = AwaitEnd(Begin(&v1::OperationService::Stub::VerifyReplay, request));
  EXPECT_NE(ended.verification().verdict(), v1::Verification::VERDICT_VERIFIED);
}

TEST_F(ServerOperationTest, CompareNamesTheFirstDifference) {
  v1::CompareReplaysRequest request;
  request.set_name(Upload(replay()));
  request.set_other(Upload(MakeChangedReplay()));
  const Operation ended =
      AwaitEnd(Begin(&v1::OperationService::Stub::CompareReplays, request));
  ASSERT_EQ(ended.state(), Operation::STATE_SUCCEEDED) << ended.DebugString();
  const v1::Comparison& comparison = ended.comparison();
  EXPECT_FALSE(comparison.is_equal());
  EXPECT_TRUE(comparison.difference().is_exact());
  EXPECT_FALSE(comparison.difference().fields().empty());
  EXPECT_EQ(comparison.first_input_tick() + 1, comparison.difference().tick());

  request.set_other(request.name());
  const Operation equal =
      AwaitEnd(Begin(&v1::OperationService::Stub::CompareReplays, request));
  EXPECT_TRUE(equal.comparison().is_equal()) << equal.DebugString();
}

TEST_F(ServerOperationTest, QueryGivesTheColumnsOfTheCommand) {
  v1::QueryReplayRequest request;
  request.set_name(Upload(replay()));
  request.add_expressions("tick");
  request.add_expressions("player.bodies.position.y");
  request.mutable_ticks()->set_first(10);
  request.mutable_ticks()->set_last(200);
  request.mutable_ticks()->set_every(30);
  const Operation ended =
      AwaitEnd(Begin(&v1::OperationService::Stub::QueryReplay, request));
  ASSERT_EQ(ended.state(), Operation::STATE_SUCCEEDED) << ended.DebugString();
  EXPECT_EQ(Download(ended, "values.csv"),
            ByCommand({"export", "--format", "csv", "--fields",
                       "tick,player.bodies.position.y", "--from", "10", "--to",
                       "200", "--every", "30"},
                      "values.csv"));

  request.clear_expressions();
  request.add_expressions("no_such_thing.x");
  const Operation refused =
      AwaitEnd(Begin(&v1::OperationService::Stub::QueryReplay, request));
  EXPECT_EQ(refused.state(), Operation::STATE_FAILED);
  EXPECT_THAT(refused.error().message(), HasSubstr("no_such_thing"));
}

TEST_F(ServerOperationTest, ExportsAreThoseOfTheCommand) {
  v1::ExportReplayRequest request;
  request.set_name(Upload(replay()));
  request.mutable_ticks()->set_every(10);
  const std::array<std::pair<v1::ExportReplayRequest::Format, const char*>, 3>
      formats = {{{v1::ExportReplayRequest::FORMAT_GLTF, "gltf"},
                  {v1::ExportReplayRequest::FORMAT_USDA, "usda"},
                  {v1::ExportReplayRequest::FORMAT_JSONL, "jsonl"}}};
  for (const auto& [format, name] : formats) {
    request.set_format(format);
    const Operation ended =
        AwaitEnd(Begin(&v1::OperationService::Stub::ExportReplay, request));
    ASSERT_EQ(ended.state(), Operation::STATE_SUCCEEDED) << ended.DebugString();
    ASSERT_EQ(ended.files_size(), 1);
    EXPECT_EQ(Download(ended, ended.files(0).name()),
              ByCommand({"export", "--format", name, "--every", "10"},
                        ended.files(0).name()));
  }
  request.set_format(v1::ExportReplayRequest::FORMAT_VIEW);
  const Operation view =
      AwaitEnd(Begin(&v1::OperationService::Stub::ExportReplay, request));
  ASSERT_EQ(view.state(), Operation::STATE_SUCCEEDED) << view.DebugString();
  EXPECT_EQ(view.files(0).media_type(), "text/html");
  EXPECT_THAT(Download(view, "replay.html"), HasSubstr("<html"));
}

TEST_F(ServerOperationTest, PicturesAreDrawn) {
  v1::RenderReplayRequest request;
  request.set_name(Upload(replay()));
  request.set_output(v1::RenderReplayRequest::OUTPUT_PNG);
  request.set_width(64);
  request.set_height(36);
  request.mutable_ticks()->set_every(100);
  const Operation ended =
      AwaitEnd(Begin(&v1::OperationService::Stub::RenderReplay, request));
  ASSERT_EQ(ended.state(), Operation::STATE_SUCCEEDED) << ended.DebugString();
  EXPECT_THAT(ended.files(), SizeIs(3));
  EXPECT_THAT(Download(ended, ended.files(0).name()), HasSubstr("PNG"));
}

TEST_F(ServerOperationTest, AWorkerThatIsKilledCostsItsOperationOnly) {
  const std::string path = TemporaryPath("long.mcap");
  // However the game ends.
  RunCommand({kReprise, "run", "sim/packs/marble", "--ticks", "20000",
              "--random-inputs", "1", "--record", path});
  ASSERT_TRUE(fs::exists(path));
  v1::VerifyReplayRequest request;
  request.set_name(Upload(path));
  const Operation begun =
      Begin(&v1::OperationService::Stub::VerifyReplay, request);
  Await(begun, [](const Operation& now) { return now.ticks_done() > 0; });
  const std::vector<pid_t> workers = server_.Workers();
  ASSERT_THAT(workers, SizeIs(1));
  kill(workers.front(), SIGKILL);

  const Operation ended = AwaitEnd(begun);
  EXPECT_EQ(ended.state(), Operation::STATE_FAILED);
  EXPECT_EQ(ended.verification().verdict(), v1::Verification::VERDICT_CRASHED);
  EXPECT_THAT(ended.verification().summary(), HasSubstr("signal 9"));
  EXPECT_THAT(ended.verification().summary(), HasSubstr("of 20000 ticks"));

  // The server serves on, and the same replay is worked on again.
  const Operation again =
      Begin(&v1::OperationService::Stub::VerifyReplay, request);
  Await(again, [](const Operation& now) { return now.ticks_done() > 0; });
  grpc::ClientContext context;
  v1::CancelOperationRequest cancel;
  cancel.set_name(again.name());
  v1::CancelOperationResponse response;
  EXPECT_EQ(Summarize(calls_->CancelOperation(&context, cancel, &response)),
            "OK");
  EXPECT_EQ(AwaitEnd(again).state(), Operation::STATE_CANCELLED);
  EXPECT_THAT(server_.Workers(), SizeIs(0));
}

}  // namespace
}  // namespace reprise::tests
