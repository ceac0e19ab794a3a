// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no call of any service is carried out without a token that allows
// it, by going through all that the services' descriptors have, so that a call
// that somebody adds without a scope fails here; what a changed file of tokens
// changes; and where a server listens. All over real connections.

#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor_database.h"
#include "grpcpp/client_context.h"
#include "grpcpp/completion_queue.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "services/base/scope.h"
#include "services/base/token.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::google::protobuf::DescriptorPool;
using ::google::protobuf::MethodDescriptor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// All calls of the services that this program has.
std::vector<const MethodDescriptor*> AllCalls() {
  std::vector<std::string> files;
  EXPECT_TRUE(
      DescriptorPool::internal_generated_database()->FindAllFileNames(&files));
  std::vector<const MethodDescriptor*> calls;
  for (const std::string& name : files) {
    if (!name.starts_with("reprise/")) continue;
    const auto* file = DescriptorPool::generated_pool()->FindFileByName(name);
    for (int i = 0; i < file->service_count(); ++i) {
      for (int j = 0; j < file->service(i)->method_count(); ++j) {
        calls.push_back(file->service(i)->method(j));
      }
    }
  }
  EXPECT_GE(calls.size(), 17u);
  return calls;
}

// How a call with one empty message ends, whatever kind of call it is.
grpc::Status CallRaw(const std::shared_ptr<grpc::Channel>& channel,
                     const std::string& path) {
  grpc::GenericStub stub(channel);
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::minutes(1));
  void* tag = nullptr;
  bool is_ok = false;
  const auto call = stub.PrepareCall(&context, path, &queue);
  call->StartCall(nullptr);
  queue.Next(&tag, &is_ok);
  const grpc::Slice empty("");
  call->WriteLast(grpc::ByteBuffer(&empty, 1), grpc::WriteOptions(), nullptr);
  queue.Next(&tag, &is_ok);
  do {
    grpc::ByteBuffer ignored;
    call->Read(&ignored, nullptr);
    queue.Next(&tag, &is_ok);
  } while (is_ok);
  grpc::Status status;
  call->Finish(&status, nullptr);
  queue.Next(&tag, &is_ok);
  return status;
}

grpc::Status CallRaw(const std::shared_ptr<grpc::Channel>& channel,
                     const MethodDescriptor& call) {
  return CallRaw(
      channel, fmt::format("/{}/{}", call.service()->full_name(), call.name()));
}

std::string Line(const std::string& name, Scope scope,
                 const std::string& tenant = "") {
  return FormatTokenLine({.name = name,
                          .digest = DigestOf(name + "-token"),
                          .scope = scope,
                          .tenant = {.name = tenant}}) +
         "\n";
}

// A server that knows a token of each scope: "observe-token" and so on.
class ServerAccessTest : public testing::Test {
 protected:
  ServerAccessTest() {
    std::string lines;
    for (const std::string_view scope : kScopeNames) {
      lines += Line(std::string(scope), *ParseScope(scope));
    }
    WriteTokens(lines);
    server_ = std::make_unique<RunningServer>([this](ServerOptions& options) {
      options.tokens = tokens();
      options.log = [this](const LogEntry& entry) {
        const std::scoped_lock lock(mutex_);
        reports_.push_back(entry.message);
      };
    });
  }

  std::string tokens() const { return files_.PathOf("tokens"); }
  void WriteTokens(const std::string& lines) const {
    files_.Write("tokens", lines);
  }

  TestClient ClientOf(const std::string& token) const {
    return TestClient(server_->server().address(), token,
                      grpc::InsecureChannelCredentials());
  }

  std::vector<std::string> reports() {
    const std::scoped_lock lock(mutex_);
    return reports_;
  }

  const TestFolders files_;
  std::mutex mutex_;
  std::vector<std::string> reports_;
  std::unique_ptr<RunningServer> server_;
};

TEST(ScopeTest, EveryCallHasAScopeAndARequestOfItsOwn) {
  std::set<std::string> names;
  for (const MethodDescriptor* call : AllCalls()) {
    EXPECT_TRUE(ScopeOf(call->name()).has_value()) << call->full_name();
    EXPECT_EQ(call->input_type()->name(), call->name() + "Request");
    EXPECT_TRUE(names.insert(call->name()).second) << call->full_name();
  }
  EXPECT_EQ(names.size(), kCallScopes.size());
}

TEST(ScopeTest, ThePageHasTheTable) {
  std::ifstream page("docs/server_calls.md");
  std::set<std::string> rows;
  for (std::string line; std::getline(page, line);) rows.insert(line);

  for (const auto& [call, scope, audit] : kCallScopes) {
    const std::string row = fmt::format("| `{}` | {} |", call, NameOf(scope));
    EXPECT_EQ(rows.count(row), 1u) << row;
  }
}

TEST_F(ServerAccessTest, NoCallIsCarriedOutWithoutAToken) {
  TestClient nobody = ClientOf("");
  TestClient stranger = ClientOf("no-token");
  for (const MethodDescriptor* call : AllCalls()) {
    EXPECT_EQ(Summarize(CallRaw(nobody.channel(), *call)),
              "UNAUTHENTICATED TOKEN_MISSING")
        << call->full_name();
    EXPECT_EQ(Summarize(CallRaw(stranger.channel(), *call)),
              "UNAUTHENTICATED TOKEN_UNKNOWN")
        << call->full_name();
  }
}

TEST_F(ServerAccessTest, NoCallIsCarriedOutWithLessThanItsScope) {
  for (const std::string_view name : kScopeNames) {
    TestClient client = ClientOf(std::string(name) + "-token");
    for (const MethodDescriptor* call : AllCalls()) {
      const grpc::Status status = CallRaw(client.channel(), *call);
      if (*ParseScope(name) < *ScopeOf(call->name())) {
        EXPECT_EQ(Summarize(status), "PERMISSION_DENIED SCOPE_MISSING")
            << call->full_name();
      } else {
        EXPECT_NE(status.error_code(), grpc::StatusCode::PERMISSION_DENIED);
        EXPECT_NE(status.error_code(), grpc::StatusCode::UNAUTHENTICATED);
      }
    }
  }
}

TEST_F(ServerAccessTest, HealthIsOpenToAll) {
  TestClient nobody = ClientOf("");

  EXPECT_TRUE(CallRaw(nobody.channel(), "/grpc.health.v1.Health/Check").ok());
}

TEST_F(ServerAccessTest, WithItsTokenAClientPlays) {
  ClientOf("play-token").ExpectGoodService();
}

TEST_F(ServerAccessTest, AWithdrawnTokenEndsItsStreamsAtTheirNextRequest) {
  TestClient client = ClientOf("play-token");
  const v1::Session session = client.CreateSession();
  StepClient stream(client.simulations(), session.name());
  EXPECT_EQ(stream.Exchange(StepRequest(0, 1)).tick(), 1u);

  WriteTokens(Line("new", Scope::kPlay));
  server_->server().Reload();

  stream.Send(StepRequest(1, 1));
  EXPECT_EQ(Summarize(stream.AwaitEnd()), "UNAUTHENTICATED TOKEN_UNKNOWN");
  EXPECT_EQ(Summarize(client.TryGetSession(session.name())),
            "UNAUTHENTICATED TOKEN_UNKNOWN");
  EXPECT_EQ(ClientOf("new-token").GetSession(session.name()).tick(), 1u);
  EXPECT_THAT(reports(), ElementsAre("new tokens are in use"));
}

TEST_F(ServerAccessTest, AFileWithAMistakeChangesNothingAndIsReportedOnce) {
  WriteTokens("nonsense\n");
  server_->server().Reload();
  server_->server().Reload();

  ClientOf("play-token").ExpectGoodService();
  EXPECT_THAT(reports(),
              ElementsAre(StartsWith(tokens() + ":1: a token's line is")));
  EXPECT_THAT(reports().front(), HasSubstr("the tokens before stay in use"));
}

// Nobody has to tell the server.
TEST_F(ServerAccessTest, AChangedFileIsSeenByItself) {
  RunningServer server([this](ServerOptions& options) {
    options.tokens = tokens();
    options.sessions.idle_timeout = absl::Milliseconds(40);
  });
  WriteTokens(Line("new", Scope::kObserve));
  TestClient client(server.server().address(), "new-token",
                    grpc::InsecureChannelCredentials());
  const absl::Time end = absl::Now() + absl::Minutes(1);

  std::string result;
  do {
    result = Summarize(client.TryListSessions({}));
  } while (result == "UNAUTHENTICATED TOKEN_UNKNOWN" && absl::Now() < end);

  EXPECT_EQ(result, "OK");
}

TEST_F(ServerAccessTest, AServerWithoutItsTokensDoesNotStart) {
  ServerOptions options;
  options.address = "127.0.0.1:0";
  options.packs_folder = files_.packs();
  options.store_folder = files_.store();
  options.tokens = files_.PathOf("none");
  EXPECT_EQ(Server::Start(options).status().code(),
            absl::StatusCode::kNotFound);

  WriteTokens("nonsense");
  options.tokens = tokens();
  EXPECT_EQ(Server::Start(options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ServerAccessTest, WhatOthersReachTakesTlsAndTokens) {
  ServerOptions options;
  options.packs_folder = files_.packs();
  options.store_folder = files_.store();
  options.tokens = tokens();
  for (const char* address : {"0.0.0.0:0", "[::]:0"}) {
    options.address = address;
    const absl::Status status = Server::Start(options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("--tls-certificate"));
  }

  options.address = "0.0.0.0:0";
  options.behind_proxy = true;
  EXPECT_TRUE(Server::Start(options).ok());
}

// The path is short: a socket's may have 107 bytes.
TEST_F(ServerAccessTest, AUnixSocketServesAndGoesWithItsServer) {
  char folder[] = "/tmp/reprise_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string path = std::string(folder) + "/socket";
  const auto start = [&](ServerOptions& options) {
    options.address = "unix:" + path;
  };
  {
    TestServer server(start);
    EXPECT_EQ(server.server().address(), "unix:" + path);
    server.ExpectGoodService();
    struct stat file = {};
    ASSERT_EQ(lstat(path.c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & S_IRWXO, 0u);

    // Somebody listens there.
    ServerOptions options;
    start(options);
    options.packs_folder = files_.packs();
    options.store_folder = files_.store();
    EXPECT_EQ(Server::Start(options).status().code(),
              absl::StatusCode::kUnavailable);
    server.ExpectGoodService();
  }
  EXPECT_THAT(std::filesystem::exists(path), false);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace reprise::services
