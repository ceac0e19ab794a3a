// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that whatever a worker does is its operation's result and nobody
// else's trouble, with a worker that does each thing there is; that operations
// are their tenant's, wait for their turn, can be cancelled and forgotten; and
// that nothing of them stays. tests/command/server_operation_test has the real
// worker.

#include <sys/types.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "grpcpp/client_context.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "reprise/v1/operation_service.grpc.pb.h"
#include "services/base/token.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

namespace fs = std::filesystem;
using Operation = v1::Operation;

std::string WorkerPath() {
  return fs::absolute("services/testing/strange_worker");
}

// What the google.rpc.Status of a failed operation gives as its reason.
std::string ReasonOf(const Operation& operation) {
  google::rpc::ErrorInfo info;
  if (operation.error().details_size() == 0) return "";
  EXPECT_TRUE(operation.error().details(0).UnpackTo(&info));
  return info.reason();
}

class ServerOperationTest : public testing::Test {
 protected:
  ServerOperationTest() { unsetenv("STRANGE_WORKER"); }

  void Start(
      const std::string& act,
      const std::function<void(ServerOptions&)>& change = [](auto&) {}) {
    setenv("STRANGE_WORKER", act.c_str(), /*overwrite=*/1);
    std::string lines;
    for (const std::string tenant : {"red", "blue"}) {
      lines += FormatTokenLine({.name = tenant,
                                .digest = DigestOf(tenant + "-token"),
                                .scope = Scope::kPlay,
                                .tenant = {.name = tenant}}) +
               "\n";
    }
    files_.Write("tokens", lines);
    server_ = std::make_unique<RunningServer>([&](ServerOptions& options) {
      options.tokens = files_.PathOf("tokens");
      options.operations.program = WorkerPath();
      change(options);
    });
    red_ = MakeClient("red");
    blue_ = MakeClient("blue");
    replay_ = Record(*red_);
  }

  std::unique_ptr<TestClient> MakeClient(const std::string& tenant) {
    return std::make_unique<TestClient>(server_->server().address(),
                                        tenant + "-token",
                                        grpc::InsecureChannelCredentials());
  }

  static std::string Record(TestClient& client) {
    const v1::Session session = client.CreateSession(/*record=*/true);
    client.Step(session.name(), 0, 3);
    return client.DeleteSession(session.name());
  }

  static std::unique_ptr<v1::OperationService::Stub> Calls(TestClient& client) {
    return v1::OperationService::NewStub(client.channel());
  }

  static grpc::Status TryVerify(TestClient& client,
                                const v1::VerifyReplayRequest& request,
                                Operation* operation = nullptr) {
    grpc::ClientContext context;
    v1::VerifyReplayResponse response;
    grpc::Status status =
        Calls(client)->VerifyReplay(&context, request, &response);
    if (operation != nullptr) *operation = response.operation();
    return status;
  }

  Operation Verify(TestClient& client, const std::string& replay) {
    v1::VerifyReplayRequest request;
    request.set_name(replay);
    Operation operation;
    EXPECT_EQ(Summarize(TryVerify(client, request, &operation)), "OK");
    return operation;
  }

  Operation Query(TestClient& client, const std::string& replay) {
    grpc::ClientContext context;
    v1::QueryReplayRequest request;
    request.set_name(replay);
    request.add_expressions("tick");
    v1::QueryReplayResponse response;
    EXPECT_EQ(
        Summarize(Calls(client)->QueryReplay(&context, request, &response)),
        "OK");
    return response.operation();
  }

  static grpc::Status TryGet(TestClient& client, const std::string& name,
                             Operation* operation = nullptr) {
    grpc::ClientContext context;
    v1::GetOperationRequest request;
    request.set_name(name);
    v1::GetOperationResponse response;
    grpc::Status status =
        Calls(client)->GetOperation(&context, request, &response);
    if (operation != nullptr) *operation = response.operation();
    return status;
  }

  static grpc::Status Cancel(TestClient& client, const std::string& name) {
    grpc::ClientContext context;
    v1::CancelOperationRequest request;
    request.set_name(name);
    v1::CancelOperationResponse response;
    return Calls(client)->CancelOperation(&context, request, &response);
  }

  static grpc::Status Delete(TestClient& client, const std::string& name) {
    grpc::ClientContext context;
    v1::DeleteOperationRequest request;
    request.set_name(name);
    v1::DeleteOperationResponse response;
    return Calls(client)->DeleteOperation(&context, request, &response);
  }

  static std::vector<std::string> List(TestClient& client,
                                       int32_t page_size = 0) {
    std::vector<std::string> names;
    v1::ListOperationsRequest request;
    request.set_page_size(page_size);
    do {
      grpc::ClientContext context;
      v1::ListOperationsResponse response;
      EXPECT_EQ(Summarize(Calls(client)->ListOperations(&context, request,
                                                        &response)),
                "OK");
      for (const Operation& operation : response.operations()) {
        names.push_back(operation.name());
      }
      request.set_page_token(response.next_page_token());
    } while (!request.page_token().empty());
    return names;
  }

  static grpc::Status Download(TestClient& client, const std::string& name,
                               const std::string& file, std::string* bytes,
                               uint64_t offset = 0, uint64_t length = 0) {
    grpc::ClientContext context;
    v1::DownloadResultRequest request;
    request.set_name(name);
    request.set_file(file);
    request.set_offset(offset);
    request.set_length(length);
    const auto calls = Calls(client);
    const auto reader = calls->DownloadResult(&context, request);
    v1::DownloadResultResponse response;
    while (reader->Read(&response)) {
      EXPECT_EQ(response.offset(), offset + bytes->size());
      *bytes += response.data();
    }
    return reader->Finish();
  }

  // As it is once `condition` holds.
  static Operation Await(
      TestClient& client, const std::string& name,
      const std::function<bool(const Operation&)>& condition) {
    const absl::Time deadline = absl::Now() + absl::Minutes(1);
    Operation operation;
    do {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      EXPECT_EQ(Summarize(TryGet(client, name, &operation)), "OK");
    } while (!condition(operation) && absl::Now() < deadline);
    EXPECT_TRUE(condition(operation)) << operation.DebugString();
    return operation;
  }

  static Operation AwaitEnd(TestClient& client, const Operation& operation) {
    return Await(client, operation.name(),
                 [](const Operation& now) { return now.has_end_time(); });
  }

  // Folders of operations in the store.
  std::vector<std::string> Folders() const {
    std::vector<std::string> names;
    const fs::path folder = server_->folders().store() + "/operations";
    if (!fs::exists(folder)) return names;
    for (const auto& server : fs::directory_iterator(folder)) {
      for (const auto& entry : fs::directory_iterator(server)) {
        if (entry.is_directory()) names.push_back(entry.path().filename());
      }
    }
    return names;
  }

  TestFolders files_;
  std::unique_ptr<RunningServer> server_;
  std::unique_ptr<TestClient> red_;
  std::unique_ptr<TestClient> blue_;
  std::string replay_;
};

TEST_F(ServerOperationTest, AResultIsToldWithItsTimes) {
  Start("verify");
  const Operation begun = Verify(*red_, replay_);
  EXPECT_THAT(begun.name(), StartsWith("operations/"));
  EXPECT_EQ(begun.kind(), Operation::KIND_VERIFY);
  EXPECT_THAT(begun.replays(), ElementsAre(replay_));

  const Operation ended = AwaitEnd(*red_, begun);
  EXPECT_EQ(ended.state(), Operation::STATE_SUCCEEDED);
  EXPECT_EQ(ended.verification().verdict(), v1::Verification::VERDICT_VERIFIED);
  EXPECT_EQ(ended.verification().ticks_verified(), 240u);
  EXPECT_EQ(ended.ticks_done(), 120u);
  EXPECT_TRUE(ended.has_start_time());
  EXPECT_TRUE(ended.has_expire_time());
  EXPECT_FALSE(ended.has_error());
}

TEST_F(ServerOperationTest, AWorkerSeesItsWordsAndItsReplayAndNothingElse) {
  Start("look");
  const Operation operation = AwaitEnd(*red_, Query(*red_, replay_));
  ASSERT_EQ(operation.state(), Operation::STATE_SUCCEEDED)
      << operation.DebugString();
  std::string seen;
  EXPECT_EQ(Summarize(Download(*red_, operation.name(), "seen.txt", &seen)),
            "OK");

  // Descriptor 4 is the file that it writes this to.
  EXPECT_EQ(seen,
            "reprise\nexport\n--format=csv\n--fields=tick\n--from=0\n"
            "--every=1\n--output=results/values.csv\n--\nreplay.mcap\n"
            "descriptors: 0 1 2 3 4 10\nblocks SIGTERM: 0\nreplay: MCAP\n");
}

// Each thing that a worker can do to itself.
TEST_F(ServerOperationTest, WhatAWorkerDoesIsItsOperationsResult) {
  struct Act {
    const char* name;
    const char* reason;
    const char* message;
    v1::Verification::Verdict verdict;
  };
  using Verification = v1::Verification;
  const Act acts[] = {
      {"signal", "WORKER_CRASHED", "signal 11", Verification::VERDICT_CRASHED},
      {"exit", "WORKER_CRASHED", "exit code 4, after 120 of 240 ticks",
       Verification::VERDICT_CRASHED},
      {"silence", "WORKER_CRASHED", "exit code 0",
       Verification::VERDICT_CRASHED},
      {"memory", "WORKER_CRASHED", "crashed", Verification::VERDICT_CRASHED},
      {"hang", "WORKER_HUNG", "after 120 of 240 ticks",
       Verification::VERDICT_HUNG},
      {"work", "WORKER_TIMED_OUT", "longer", Verification::VERDICT_HUNG},
      {"chatter", "RESULT_TOO_LARGE", "larger",
       Verification::VERDICT_UNSPECIFIED},
      {"disk", "RESULT_TOO_LARGE", "larger", Verification::VERDICT_UNSPECIFIED},
      {"files", "RESULT_TOO_LARGE", "5000 files",
       Verification::VERDICT_UNSPECIFIED},
      {"refuse", "WORKER_REFUSED", "replay.mcap: no such tick",
       Verification::VERDICT_UNSPECIFIED},
  };
  for (const Act& act : acts) {
    SCOPED_TRACE(act.name);
    Start(act.name, [&act](ServerOptions& options) {
      options.operations.hang_timeout = absl::Seconds(1);
      options.operations.timeout_max =
          act.name == std::string("work") ? absl::Seconds(2) : absl::Minutes(1);
      options.operations.memory_bytes_max = uint64_t{256} << 20;
      options.operations.result_bytes_max = uint64_t{8} << 20;
    });
    const Operation ended = AwaitEnd(*red_, Verify(*red_, replay_));

    EXPECT_EQ(ended.state(), Operation::STATE_FAILED);
    EXPECT_EQ(ReasonOf(ended), act.reason);
    EXPECT_THAT(ended.error().message(), HasSubstr(act.message));
    EXPECT_THAT(ended.error().message(), Not(HasSubstr(files_.PathOf(""))));
    EXPECT_EQ(ended.verification().verdict(), act.verdict);
    EXPECT_THAT(ended.files(), IsEmpty());
    red_->ExpectGoodService();
  }
}

TEST_F(ServerOperationTest, OnlyFilesAreResults) {
  Start("links");
  const Operation operation = AwaitEnd(*red_, Query(*red_, replay_));

  ASSERT_EQ(operation.files_size(), 1);
  EXPECT_EQ(operation.files(0).name(), "good.csv");
  EXPECT_EQ(operation.files(0).size_bytes(), 10u);
  EXPECT_EQ(operation.files(0).media_type(), "text/csv");
  for (const char* file : {"a.csv", "b.csv", ".hidden.csv", "../replay.mcap",
                           "", "../../../catalogue.sqlite"}) {
    std::string bytes;
    EXPECT_EQ(Summarize(Download(*red_, operation.name(), file, &bytes)),
              "NOT_FOUND RESULT_NOT_FOUND");
  }
  std::string part;
  EXPECT_EQ(
      Summarize(Download(*red_, operation.name(), "good.csv", &part, 3, 4)),
      "OK");
  EXPECT_EQ(part, "3456");
  std::string rest;
  EXPECT_EQ(
      Summarize(Download(*red_, operation.name(), "good.csv", &rest, 7, 99)),
      "OK");
  EXPECT_EQ(rest, "789");
  EXPECT_EQ(Summarize(Download(*red_, operation.name(), "good.csv", &rest, 11)),
            "OUT_OF_RANGE OFFSET_OUT_OF_RANGE");
}

TEST_F(ServerOperationTest, OperationsAreOfTheirTenant) {
  Start("links");
  const Operation operation = AwaitEnd(*red_, Query(*red_, replay_));
  constexpr char kNotFound[] = "NOT_FOUND OPERATION_NOT_FOUND";
  std::string bytes;

  EXPECT_EQ(Summarize(TryGet(*blue_, operation.name())), kNotFound);
  EXPECT_EQ(Summarize(Cancel(*blue_, operation.name())), kNotFound);
  EXPECT_EQ(Summarize(Delete(*blue_, operation.name())), kNotFound);
  EXPECT_EQ(Summarize(Download(*blue_, operation.name(), "good.csv", &bytes)),
            kNotFound);
  EXPECT_THAT(List(*blue_), IsEmpty());
  EXPECT_THAT(List(*red_), ElementsAre(operation.name()));
  v1::VerifyReplayRequest request;
  request.set_name(replay_);
  EXPECT_EQ(Summarize(TryVerify(*blue_, request)),
            "NOT_FOUND REPLAY_NOT_FOUND");
  request.set_pack("../packs/tiny");
  EXPECT_EQ(Summarize(TryVerify(*red_, request)), "NOT_FOUND PACK_NOT_FOUND");
}

TEST_F(ServerOperationTest, ACancelledOneEndsAndADeletedOneIsGone) {
  Start("work",
        [](ServerOptions& options) { options.operations.running_max = 1; });
  const Operation running = Query(*red_, replay_);
  const Operation waiting = Query(*red_, replay_);
  Await(*red_, running.name(), [](const Operation& now) {
    return now.state() == Operation::STATE_RUNNING && now.ticks_done() > 0 &&
           now.tick_count() == 240;
  });
  std::string bytes;
  EXPECT_EQ(Summarize(Download(*red_, running.name(), "values.csv", &bytes)),
            "FAILED_PRECONDITION OPERATION_UNFINISHED");
  EXPECT_THAT(List(*red_, 1), ElementsAre(waiting.name(), running.name()));

  EXPECT_EQ(Summarize(Cancel(*red_, waiting.name())), "OK");
  EXPECT_EQ(AwaitEnd(*red_, waiting).state(), Operation::STATE_CANCELLED);
  EXPECT_EQ(Summarize(Cancel(*red_, running.name())), "OK");
  const Operation ended = AwaitEnd(*red_, running);
  EXPECT_EQ(ended.state(), Operation::STATE_CANCELLED);
  EXPECT_FALSE(ended.has_error());
  EXPECT_EQ(Summarize(Cancel(*red_, running.name())), "OK");

  const Operation other = Query(*red_, replay_);
  Await(*red_, other.name(), [](const Operation& now) {
    return now.state() == Operation::STATE_RUNNING;
  });
  for (const Operation& operation : {running, waiting, other}) {
    EXPECT_EQ(Summarize(Delete(*red_, operation.name())), "OK");
    EXPECT_EQ(Summarize(TryGet(*red_, operation.name())),
              "NOT_FOUND OPERATION_NOT_FOUND");
  }
  const absl::Time deadline = absl::Now() + absl::Minutes(1);
  while (!Folders().empty() && absl::Now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_THAT(Folders(), IsEmpty());
}

TEST_F(ServerOperationTest, TheNextTurnIsOfTheTenantWhoHasLeast) {
  Start("work",
        [](ServerOptions& options) { options.operations.running_max = 2; });
  const std::string blues = Record(*blue_);
  std::vector<Operation> reds;
  for (int i = 0; i < 3; ++i) reds.push_back(Query(*red_, replay_));
  for (int i = 0; i < 2; ++i) {
    Await(*red_, reds[i].name(), [](const Operation& now) {
      return now.state() == Operation::STATE_RUNNING;
    });
  }
  const Operation blue = Query(*blue_, blues);
  EXPECT_EQ(Summarize(Cancel(*red_, reds[0].name())), "OK");

  Await(*blue_, blue.name(), [](const Operation& now) {
    return now.state() == Operation::STATE_RUNNING;
  });
  Operation third;
  EXPECT_EQ(Summarize(TryGet(*red_, reds[2].name(), &third)), "OK");
  EXPECT_EQ(third.state(), Operation::STATE_QUEUED);
}

TEST_F(ServerOperationTest, AnOrderCanBeRepeatedAndThereAreLimits) {
  Start("verify", [](ServerOptions& options) {
    options.operations.tenant_operations_max = 2;
    options.operations.operations_max = 3;
  });
  const std::string blues = Record(*blue_);
  v1::VerifyReplayRequest request;
  request.set_name(replay_);
  request.mutable_settings()->set_request_id("1");
  Operation first;
  Operation again;
  EXPECT_EQ(Summarize(TryVerify(*red_, request, &first)), "OK");
  EXPECT_EQ(Summarize(TryVerify(*red_, request, &again)), "OK");
  EXPECT_EQ(first.name(), again.name());
  request.set_allow_partial(true);
  EXPECT_EQ(Summarize(TryVerify(*red_, request)),
            "INVALID_ARGUMENT REQUEST_ID_REUSED");

  Verify(*red_, replay_);
  request.mutable_settings()->clear_request_id();
  EXPECT_EQ(Summarize(TryVerify(*red_, request)),
            "RESOURCE_EXHAUSTED QUOTA_REACHED");
  Verify(*blue_, blues);
  request.set_name(blues);
  EXPECT_EQ(Summarize(TryVerify(*blue_, request)),
            "RESOURCE_EXHAUSTED TOO_MANY_OPERATIONS");
  AwaitEnd(*red_, first);
  EXPECT_EQ(Summarize(Delete(*red_, first.name())), "OK");
  Verify(*blue_, blues);
}

TEST_F(ServerOperationTest, WhatHasEndedIsKeptForAWhile) {
  Start("links", [](ServerOptions& options) {
    options.operations.keep_time = absl::Milliseconds(200);
    options.sessions.idle_timeout = absl::Milliseconds(200);
  });
  const Operation operation = Query(*red_, replay_);
  const absl::Time deadline = absl::Now() + absl::Minutes(1);
  std::string result;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    result = Summarize(TryGet(*red_, operation.name()));
  } while (result == "OK" && absl::Now() < deadline);

  EXPECT_EQ(result, "NOT_FOUND OPERATION_NOT_FOUND");
  // Its folder goes behind it.
  while (!Folders().empty() && absl::Now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_THAT(Folders(), IsEmpty());
}

TEST_F(ServerOperationTest, AReplayThatIsGoneWhenItsTurnComesIsTold) {
  Start("work",
        [](ServerOptions& options) { options.operations.running_max = 1; });
  const Operation running = Query(*red_, replay_);
  const Operation waiting = Query(*red_, replay_);
  Await(*red_, running.name(), [](const Operation& now) {
    return now.state() == Operation::STATE_RUNNING;
  });
  fs::remove(server_->folders().store() + "/replays/red/" +
             replay_.substr(replay_.find('/') + 1) + ".mcap");
  EXPECT_EQ(Summarize(Cancel(*red_, running.name())), "OK");

  const Operation ended = AwaitEnd(*red_, waiting);
  EXPECT_EQ(ended.state(), Operation::STATE_FAILED);
  EXPECT_EQ(ReasonOf(ended), "REPLAY_NOT_FOUND");
}

TEST_F(ServerOperationTest, AServerThatEndsTakesItsOperationsAlong) {
  Start("work");
  const Operation operation = Query(*red_, replay_);
  Await(*red_, operation.name(), [](const Operation& now) {
    return now.state() == Operation::STATE_RUNNING;
  });
  const std::string store = server_->folders().store();
  server_->server().Shutdown(absl::ZeroDuration());
  EXPECT_THAT(Folders(), IsEmpty());

  // What a killed one left goes at the next start.
  fs::create_directories(store + "/operations/killed/some/results");
  ServerOptions options;
  options.address = "127.0.0.1:0";
  options.packs_folder = server_->folders().packs();
  options.store_folder = store;
  options.operations.program = WorkerPath();
  const auto next = *Server::Start(options);
  EXPECT_FALSE(fs::exists(store + "/operations/killed"));
}

TEST_F(ServerOperationTest, AServerWithoutAProgramHasNoOperations) {
  Start("verify",
        [](ServerOptions& options) { options.operations.program.clear(); });
  v1::VerifyReplayRequest request;
  request.set_name(replay_);
  EXPECT_EQ(Summarize(TryVerify(*red_, request)),
            "FAILED_PRECONDITION OPERATIONS_UNAVAILABLE");
}

TEST_F(ServerOperationTest, AProgramThatIsNotThereIsAFailure) {
  Start("verify", [](ServerOptions& options) {
    options.operations.program = "/nowhere";
  });
  const Operation ended = AwaitEnd(*red_, Verify(*red_, replay_));
  EXPECT_EQ(ended.state(), Operation::STATE_FAILED);
  EXPECT_EQ(ReasonOf(ended), "WORKER_CRASHED");
  EXPECT_THAT(ended.error().message(), HasSubstr("exit code 127"));
}

}  // namespace
}  // namespace reprise::services
