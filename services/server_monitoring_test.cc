// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves over a running server what an operator sees of it: metrics that are in
// Prometheus' grammar and count what was done, pages that show a tenant what is
// its own, logs and an audit log that say who did what, and calls that stay in
// their caller's trace.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/time/clock.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "services/base/token.h"
#include "services/testing/full_disk.h"
#include "services/testing/http_client.h"
#include "services/testing/metrics_reader.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

constexpr char kTrace[] = "4bf92f3577b34da6a3ce929d0e0e4736";
constexpr char kTraceHeader[] =
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

// A server with pages, an audit log and logs of all calls. With tokens if it is
// given some: the token of "NAME" is "NAME-token".
class MonitoredServer {
 public:
  explicit MonitoredServer(
      const std::vector<Token>& tokens = {},
      const std::function<void(ServerOptions&)>& change = [](auto&) {}) {
    std::string lines;
    for (Token token : tokens) {
      token.digest = DigestOf(token.name + "-token");
      lines += FormatTokenLine(token) + "\n";
    }
    files_.Write("tokens", lines);
    server_ = std::make_unique<RunningServer>([&](ServerOptions& options) {
      options.http_address = "127.0.0.1:0";
      options.audit_log = audit_path();
      options.calls_logged = CallLogging::kAll;
      options.log = [this](const LogEntry& entry) {
        const std::scoped_lock lock(mutex_);
        entries_.push_back(entry);
      };
      if (!tokens.empty()) options.tokens = files_.PathOf("tokens");
      change(options);
    });
  }

  Server& server() { return server_->server(); }
  std::string audit_path() const { return files_.PathOf("audit"); }

  TestClient ClientOf(const std::string& name = "") {
    return TestClient(server().address(), name.empty() ? "" : name + "-token",
                      grpc::InsecureChannelCredentials());
  }

  HttpReply Get(const std::string& path, const std::string& fields = "") {
    return HttpGet(server().http_address(), path, fields);
  }

  ReadMetrics Metrics() {
    const HttpReply reply = Get("/metrics");
    EXPECT_EQ(reply.status, 200);
    ReadMetrics metrics = ReadMetricsText(reply.body);
    EXPECT_THAT(metrics.problems, IsEmpty());
    return metrics;
  }

  // Metrics in which a sample has a value: what a client has seen may be
  // counted a moment later.
  ReadMetrics AwaitMetric(const std::string& name,
                          const std::map<std::string, std::string>& labels,
                          double value) {
    ReadMetrics metrics = Metrics();
    while (metrics.Value(name, labels) != value) {
      if (absl::Now() > deadline_) {
        ADD_FAILURE() << name << " is " << metrics.Value(name, labels);
        break;
      }
      absl::SleepFor(absl::Milliseconds(5));
      metrics = Metrics();
    }
    return metrics;
  }

  std::vector<LogEntry> entries() {
    const std::scoped_lock lock(mutex_);
    return entries_;
  }

  // The lines of the audit log.
  std::vector<nlohmann::json> Audit() const {
    std::ifstream file(audit_path());
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(file, line);) {
      lines.push_back(nlohmann::json::parse(line, nullptr, false));
      EXPECT_FALSE(lines.back().is_discarded()) << line;
    }
    return lines;
  }

 private:
  const TestFolders files_;
  const absl::Time deadline_ = absl::Now() + absl::Minutes(1);
  std::mutex mutex_;
  std::vector<LogEntry> entries_;
  std::unique_ptr<RunningServer> server_;
};

Token TokenOf(const std::string& name, Scope scope,
              const std::string& tenant = "") {
  return {.name = name, .digest = {}, .scope = scope, .tenant = {tenant}};
}

std::string Bearer(const std::string& name) {
  return fmt::format("Authorization: Bearer {}-token\r\n", name);
}

// As a browser sends what it was given.
std::string Basic(const std::string& name) {
  return fmt::format("Authorization: Basic {}\r\n",
                     absl::Base64Escape("anybody:" + name + "-token"));
}

// The calls of an audit log with their results, as "token call result".
std::vector<std::string> Summaries(const std::vector<nlohmann::json>& lines) {
  std::vector<std::string> summaries;
  for (const nlohmann::json& line : lines) {
    summaries.push_back(fmt::format("{} {} {}", line.value("token", "-"),
                                    line.value("call", ""),
                                    line.value("result", "")));
  }
  return summaries;
}

TEST(ServerMetricsTest, WhatIsDoneIsCounted) {
  MonitoredServer server;
  TestClient client = server.ClientOf();
  const v1::Session session = client.CreateSession(/*record=*/true);
  client.Step(client.CreateSession().name(), 0, 5);
  StepClient stream(client.simulations(), session.name());
  stream.Exchange(StepRequest(0, 3));
  EXPECT_EQ(Summarize(stream.Exchange(StepRequest(0, 3))),
            "FAILED_PRECONDITION TICK_MISMATCH");
  EXPECT_EQ(Summarize(client.TryGetSession("sessions/none")),
            "NOT_FOUND SESSION_NOT_FOUND");

  const ReadMetrics metrics =
      server.AwaitMetric("reprise_calls_total",
                         {{"call", "GetSession"}, {"code", "NOT_FOUND"}}, 1);
  EXPECT_EQ(metrics.Value("reprise_ticks_total"), 8);
  EXPECT_EQ(metrics.Value("reprise_tick_seconds_count"), 8);
  EXPECT_EQ(metrics.Value("reprise_calls_total",
                          {{"call", "CreateSession"}, {"code", "OK"}}),
            2);
  EXPECT_EQ(metrics.Value("reprise_call_seconds_count", {{"call", "Step"}}), 1);
  EXPECT_GT(metrics.Value("reprise_request_bytes_total", {{"call", "Step"}}),
            0);
  EXPECT_GT(
      metrics.Value("reprise_response_bytes_total", {{"call", "StepSession"}}),
      0);
  EXPECT_EQ(metrics.Value("reprise_stream_requests_total", {{"code", "OK"}}),
            2);
  EXPECT_EQ(
      metrics.Value("reprise_refusals_total", {{"reason", "TICK_MISMATCH"}}),
      1);
  EXPECT_EQ(metrics.Value("reprise_refusals_total",
                          {{"reason", "SESSION_NOT_FOUND"}}),
            1);
  EXPECT_EQ(metrics.Value("reprise_sessions", {{"state", "in_use"}}), 1);
  EXPECT_EQ(metrics.Value("reprise_sessions", {{"state", "free"}}), 1);
  EXPECT_EQ(metrics.Value("reprise_streams"), 1);
  EXPECT_EQ(metrics.Value("reprise_calls_under_way", {{"call", "StepSession"}}),
            1);
  EXPECT_GT(metrics.Value("reprise_session_state_bytes"), 0);
  EXPECT_GT(metrics.Value("reprise_recording_bytes"), 0);
  EXPECT_GT(
      metrics.Value("reprise_queue_wait_seconds_count", {{"queue", "step"}}),
      0);
  EXPECT_GT(metrics.Value("process_open_fds"), 0);
  EXPECT_EQ(metrics.Value("reprise_serving"), 1);

  EXPECT_TRUE(stream.Finish().ok());
  server.AwaitMetric("reprise_calls_under_way", {{"call", "StepSession"}}, 0);
  server.AwaitMetric("reprise_sessions", {{"state", "in_use"}}, 0);
}

TEST(ServerMetricsTest, PhasesOfSomeTicksAreMeasured) {
  MonitoredServer server;
  TestClient client = server.ClientOf();
  for (const bool record : {false, true}) {
    client.Step(client.CreateSession(record).name(), 0, 200);
  }

  // Of each session those behind 32, 96 and 160 ticks.
  const std::string phase = "input";
  EXPECT_EQ(server.Metrics().Value("reprise_phase_seconds_count",
                                   {{"simulation", "tiny"}, {"phase", phase}}),
            6);
  const std::string page = server.Get("/").body;
  EXPECT_THAT(page, HasSubstr("Phases of ticks"));
  EXPECT_THAT(page, HasSubstr("<td>" + phase + "</td>"));
}

TEST(ServerMetricsTest, RecordingsAndTheStoreAreMeasured) {
  MonitoredServer server;
  TestClient client = server.ClientOf();
  const v1::Session session = client.CreateSession(/*record=*/true);
  client.DeleteSession(session.name());

  const ReadMetrics metrics = server.Metrics();
  EXPECT_GT(metrics.Value("reprise_store_limit_bytes"), 0);
  EXPECT_EQ(metrics.Value("reprise_recording_bytes"), 0);
  EXPECT_EQ(metrics.Value("reprise_session_state_bytes"), 0);
}

// The name of a replay without "replays/".
std::string RecordId(TestClient& client) {
  const v1::Session session = client.CreateSession(/*record=*/true);
  client.Step(session.name(), 0, 7);
  return client.DeleteSession(session.name()).substr(sizeof("replays"));
}

TEST(ServerPagesTest, AReplayHasAPageThatIsMadeWhenSomebodyAsks) {
  setenv("STRANGE_WORKER", "page", /*overwrite=*/1);
  MonitoredServer server({}, [](ServerOptions& options) {
    options.operations.program =
        std::filesystem::absolute("services/testing/strange_worker");
  });
  TestClient client = server.ClientOf();
  const std::string id = RecordId(client);
  EXPECT_THAT(server.Get("/").body,
              HasSubstr(fmt::format("<a href=\"/replays/{}\">", id)));

  HttpReply reply = server.Get("/replays/" + id);
  const absl::Time deadline = absl::Now() + absl::Minutes(1);
  while (reply.body.find("the viewer") == std::string::npos &&
         absl::Now() < deadline) {
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.body, HasSubstr("http-equiv=\"refresh\""));
    absl::SleepFor(absl::Milliseconds(5));
    reply = server.Get("/replays/" + id);
  }

  EXPECT_THAT(reply.body, HasSubstr("the viewer"));
  // A script in it would be of no origin, so of none of these pages.
  EXPECT_THAT(reply.fields,
              Contains(Pair("Content-Security-Policy",
                            AllOf(HasSubstr("default-src 'none'"),
                                  EndsWith("; sandbox allow-scripts")))));
  // It is made once.
  EXPECT_EQ(server.Get("/replays/" + id).body, reply.body);
  EXPECT_EQ(server.Get("/replays/none").status, 404);
  EXPECT_EQ(server.Get("/replays/../x").status, 404);
  EXPECT_EQ(server.Get("/replays/").status, 404);
  unsetenv("STRANGE_WORKER");
}

TEST(ServerPagesTest, APageThatCantBeMadeSaysWhyAndMayBeTriedAgain) {
  setenv("STRANGE_WORKER", "refuse", /*overwrite=*/1);
  MonitoredServer server({}, [](ServerOptions& options) {
    options.operations.program =
        std::filesystem::absolute("services/testing/strange_worker");
  });
  TestClient client = server.ClientOf();
  const std::string path = "/replays/" + RecordId(client);
  const absl::Time deadline = absl::Now() + absl::Minutes(1);
  HttpReply reply = server.Get(path);
  while (reply.status == 200 && absl::Now() < deadline) {
    absl::SleepFor(absl::Milliseconds(5));
    reply = server.Get(path);
  }
  EXPECT_EQ(reply.status, 500);
  EXPECT_THAT(reply.body, HasSubstr("no such tick"));
  EXPECT_EQ(server.Get(path).status, 200);
  unsetenv("STRANGE_WORKER");
}

TEST(ServerPagesTest, APageTakesAProgramAndWhatItsTenantMay) {
  MonitoredServer server({TokenOf("red", Scope::kPlay, "red"),
                          TokenOf("blue", Scope::kPlay, "blue"),
                          TokenOf("eye", Scope::kObserve, "red")});
  TestClient client = server.ClientOf("red");
  const std::string path = "/replays/" + RecordId(client);

  EXPECT_EQ(server.Get(path).status, 401);
  EXPECT_EQ(server.Get(path, Bearer("eye")).status, 403);
  // This server has no program for it.
  EXPECT_EQ(server.Get(path, Bearer("red")).status, 409);
  EXPECT_NE(server.Get(path, Bearer("blue")).status, 200);
  // Who gets none has no link to it.
  const std::string link = fmt::format("<a href=\"{}\">", path);
  EXPECT_THAT(server.Get("/", Bearer("red")).body, HasSubstr(link));
  EXPECT_THAT(server.Get("/", Bearer("eye")).body,
              AllOf(HasSubstr(path.substr(sizeof("/replays"))),
                    Not(HasSubstr("<a href"))));
}

TEST(ServerPagesTest, HealthIsWhatHealthSays) {
  MonitoredServer server;
  EXPECT_EQ(server.Get("/healthz").status, 200);

  server.server().Shutdown(absl::ZeroDuration());

  EXPECT_EQ(server.Get("/healthz").status, 503);
  EXPECT_EQ(server.Get("/healthz").body, "not serving\n");
}

TEST(ServerPagesTest, ThePageShowsHowTheServerStands) {
  MonitoredServer server;
  TestClient client = server.ClientOf();
  const v1::Session session = client.CreateSession();
  client.Step(session.name(), 0, 7);
  const std::string replay =
      client.DeleteSession(client.CreateSession(/*record=*/true).name());

  const HttpReply reply = server.Get("/");
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.fields,
              Contains(Pair("Content-Type", "text/html; charset=utf-8")));
  EXPECT_THAT(reply.fields, Contains(Pair("Content-Security-Policy",
                                          HasSubstr("default-src 'none'"))));
  EXPECT_THAT(
      reply.body,
      AllOf(HasSubstr(session.name().substr(sizeof("sessions"))),
            HasSubstr(replay.substr(sizeof("replays"))),
            HasSubstr("<td class=\"number\">7</td>"),
            HasSubstr("Sessions</td><td class=\"number\">1 of 64"),
            HasSubstr("http-equiv=\"refresh\""), Not(HasSubstr("<script"))));
}

TEST(ServerPagesTest, OtherPagesThereAreNone) {
  MonitoredServer server;
  EXPECT_EQ(server.Get("/other").status, 404);
  EXPECT_EQ(server.Get("//").status, 404);
}

// A page of somebody else's has its name lead here, and its script ask.
TEST(ServerPagesTest, WhoAsksByAnothersNameIsTurnedAway) {
  MonitoredServer server;
  const auto status_of = [&](const std::string& host) {
    const HttpConnection connection(server.server().http_address());
    connection.Send(fmt::format("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", host));
    return connection.Read().status;
  };
  EXPECT_EQ(status_of("evil.example"), 421);
  EXPECT_EQ(status_of("evil.example:80"), 421);
  EXPECT_EQ(status_of("127.0.0.1.evil.example"), 421);
  EXPECT_EQ(status_of("localhost:9100"), 200);
  EXPECT_EQ(status_of("127.0.0.1:9100"), 200);
  EXPECT_EQ(status_of("[::1]:9100"), 200);
}

TEST(ServerPagesTest, ATenantSeesItsOwnOnly) {
  MonitoredServer server({TokenOf("boss", Scope::kManage),
                          TokenOf("red", Scope::kManage, "red"),
                          TokenOf("blue", Scope::kPlay, "blue")});
  const v1::Session session = server.ClientOf("red").CreateSession();
  const std::string id = session.name().substr(sizeof("sessions"));
  const auto page = [&](const std::string& fields) {
    return server.Get("/", fields);
  };

  EXPECT_EQ(page("").status, 401);
  EXPECT_THAT(page("").fields,
              Contains(Pair("WWW-Authenticate", HasSubstr("Basic"))));
  EXPECT_EQ(page(Bearer("stranger")).status, 401);
  EXPECT_THAT(page(Bearer("red")).body,
              AllOf(HasSubstr(id), Not(HasSubstr("Waits to step"))));
  EXPECT_THAT(page(Basic("red")).body, HasSubstr(id));
  EXPECT_THAT(page(Bearer("blue")).body,
              AllOf(HasSubstr("<p>None.</p>"), Not(HasSubstr(id)),
                    Not(HasSubstr("red"))));
  EXPECT_THAT(page(Bearer("boss")).body,
              AllOf(HasSubstr("Waits to step"), Not(HasSubstr(id))));
  // On this machine metrics are open, and name nobody.
  EXPECT_THAT(server.Get("/metrics").body,
              AllOf(Not(HasSubstr(id)), Not(HasSubstr("red"))));
}

TEST(ServerPagesTest, BehindAProxyMetricsTakeAToken) {
  TestFolders files;
  std::string lines;
  for (Token token : {TokenOf("boss", Scope::kManage),
                      TokenOf("red", Scope::kManage, "red")}) {
    token.digest = DigestOf(token.name + "-token");
    lines += FormatTokenLine(token) + "\n";
  }
  files.Write("tokens", lines);
  RunningServer server([&](ServerOptions& options) {
    options.tokens = files.PathOf("tokens");
    options.http_address = "0.0.0.0:0";
    options.behind_proxy = true;
  });
  const std::string& address = server.server().http_address();

  EXPECT_EQ(HttpGet(address, "/metrics").status, 401);
  EXPECT_EQ(HttpGet(address, "/metrics", Bearer("red")).status, 403);
  EXPECT_EQ(HttpGet(address, "/metrics", Bearer("boss")).status, 200);
  EXPECT_EQ(HttpGet(address, "/healthz").status, 200);
}

TEST(ServerPagesTest, AnAddressThatOthersReachIsRefused) {
  TestFolders folders;
  ServerOptions options;
  options.address = "127.0.0.1:0";
  options.packs_folder = folders.packs();
  options.store_folder = folders.store();
  options.http_address = "0.0.0.0:0";

  const auto server = Server::Start(options);
  EXPECT_EQ(server.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(server.status().message()),
              HasSubstr("--behind-proxy"));
}

TEST(ServerAuditTest, WhoChangesSomethingOrIsTurnedAwayIsWrittenDown) {
  MonitoredServer server(
      {TokenOf("ci", Scope::kPlay, "red"), TokenOf("ann", Scope::kObserve)});
  TestClient ci = server.ClientOf("ci");
  const v1::Session session = ci.CreateSession(/*record=*/true);
  StepClient stream(ci.simulations(), session.name());
  EXPECT_TRUE(stream.Finish().ok());
  ci.Step(session.name(), 0, 1);
  ci.GetSession(session.name());
  const std::string replay = ci.DeleteSession(session.name());
  v1::DownloadReplayRequest download;
  download.set_name(replay);
  std::string bytes;
  EXPECT_TRUE(ci.Download(download, &bytes).ok());
  v1::CreateSessionRequest create;
  EXPECT_FALSE(server.ClientOf("ann").TryCreateSession(create).ok());
  EXPECT_FALSE(server.ClientOf().TryGetSession(session.name()).ok());

  const std::vector<nlohmann::json> lines = server.Audit();
  EXPECT_THAT(Summaries(lines),
              ElementsAre("ci CreateSession OK", "ci StepSession OK",
                          "ci DeleteSession OK", "ci DownloadReplay OK",
                          "- CreateSession PERMISSION_DENIED",
                          "- GetSession UNAUTHENTICATED"));
  EXPECT_EQ(lines[0].value("resource", ""), session.name());
  EXPECT_EQ(lines[0].value("tenant", ""), "red");
  EXPECT_THAT(lines[0].value("peer", ""), HasSubstr("127.0.0.1"));
  EXPECT_EQ(lines[2].value("resource", ""), session.name());
  EXPECT_EQ(lines[3].value("resource", ""), replay);
  EXPECT_THAT(lines[4].value("message", ""), HasSubstr("token 'ann'"));
}

TEST(ServerAuditTest, AFullDiskEndsNothing) {
  MonitoredServer server;
  TestClient client = server.ClientOf();
  client.CreateSession();
  {
    const FullDisk disk(std::filesystem::file_size(server.audit_path()));
    client.ExpectGoodService();
  }
  const ReadMetrics metrics = server.Metrics();
  EXPECT_GE(metrics.Value("reprise_audit_lines_lost_total"), 2);
  size_t told = 0;
  for (const LogEntry& entry : server.entries()) {
    if (entry.severity == LogEntry::Severity::kError) ++told;
  }
  EXPECT_EQ(told, 1u);
  client.ExpectGoodService();
}

// Makes a call that is in a trace, and returns the headers that came back.
struct TraceHeaders {
  std::string parent;
  std::string state;
};
TraceHeaders CallInTrace(TestClient& client, const std::string& header,
                         const std::string& state, const std::string& session) {
  grpc::ClientContext context;
  context.AddMetadata("traceparent", header);
  context.AddMetadata("tracestate", state);
  v1::StepRequest request = StepRequest(session, 0, 2);
  v1::StepResponse response;
  EXPECT_TRUE(client.simulations().Step(&context, request, &response).ok());
  const auto& metadata = context.GetServerInitialMetadata();
  const auto header_of = [&](const char* name) -> std::string {
    const auto found = metadata.find(name);
    if (found == metadata.end()) return "";
    return {found->second.data(), found->second.size()};
  };
  return {.parent = header_of("traceparent"), .state = header_of("tracestate")};
}

TEST(ServerTraceTest, ACallStaysInItsCallersTrace) {
  MonitoredServer server;
  TestClient client = server.ClientOf();
  const v1::Session session = client.CreateSession();
  const auto [returned, state] =
      CallInTrace(client, kTraceHeader, "congo=t61rcWkgMzE,rojo=00f067aa0ba9",
                  session.name());

  EXPECT_THAT(returned, HasSubstr(fmt::format("00-{}-", kTrace)));
  EXPECT_NE(returned, kTraceHeader);
  EXPECT_EQ(state, "congo=t61rcWkgMzE,rojo=00f067aa0ba9");
  const LogEntry entry = server.entries().back();
  EXPECT_EQ(entry.call, "Step");
  EXPECT_EQ(entry.code, "OK");
  EXPECT_EQ(entry.resource, session.name());
  EXPECT_EQ(entry.tick, 2u);
  EXPECT_EQ(entry.trace_id, kTrace);
  EXPECT_THAT(returned, HasSubstr(entry.span_id));
  ASSERT_TRUE(entry.duration.has_value());

  const std::string other = client.CreateSession().name();
  const TraceHeaders none = CallInTrace(client, "00-nonsense", "a=b", other);
  EXPECT_EQ(none.parent, "");
  EXPECT_EQ(none.state, "");
}

// A frame of HTTP/2.
std::string Frame(char type, char flags, char stream,
                  const std::string& payload) {
  std::string frame = {'\0',
                       static_cast<char>(payload.size() >> 8),
                       static_cast<char>(payload.size()),
                       type,
                       flags,
                       '\0',
                       '\0',
                       '\0',
                       stream};
  return frame + payload;
}

// GetServerInfo with these headers, which no client library would send.
std::string BareCall(
    const std::vector<std::pair<std::string, std::string>>& headers) {
  constexpr char kData = 0;
  constexpr char kHeaders = 1;
  constexpr char kSettings = 4;
  constexpr char kEndStream = 1;
  constexpr char kEndHeaders = 4;
  std::string block;
  for (const auto& [name, value] : headers) {
    block += '\0';  // a literal under a name of its own
    block += static_cast<char>(name.size());
    block += name;
    block += static_cast<char>(value.size());
    block += value;
  }
  return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + Frame(kSettings, 0, 0, "") +
         Frame(kHeaders, kEndHeaders, 1, block) +
         Frame(kData, kEndStream, 1, std::string(5, '\0'));
}

// gRPC hands on what it couldn't send itself.
TEST(ServerTraceTest, AStateThatNoHeaderCanHaveEndsNothing) {
  MonitoredServer server;
  for (const std::string state : {"a=\x80", "a=\x01", "a=b"}) {
    const size_t logged = server.entries().size();
    const HttpConnection connection(server.server().address());
    ASSERT_TRUE(connection.Send(
        BareCall({{":method", "POST"},
                  {":scheme", "http"},
                  {":path", "/reprise.v1.CatalogService/GetServerInfo"},
                  {":authority", "localhost"},
                  {"te", "trailers"},
                  {"content-type", "application/grpc"},
                  {"traceparent", kTraceHeader},
                  {"tracestate", state}})));
    const absl::Time deadline = absl::Now() + absl::Seconds(20);
    while (server.entries().size() == logged && absl::Now() < deadline) {
      absl::SleepFor(absl::Milliseconds(5));
    }
    ASSERT_GT(server.entries().size(), logged) << absl::CEscape(state);
    EXPECT_EQ(server.entries().back().code, "OK");
  }
  server.ClientOf().CreateSession();
}

TEST(ServerTraceTest, AStateThatIsTooLongIsLeftOut) {
  MonitoredServer server;
  TestClient client = server.ClientOf();
  const std::string session = client.CreateSession().name();

  EXPECT_EQ(
      CallInTrace(client, kTraceHeader, std::string(513, 'a'), session).state,
      "");
}

}  // namespace
}  // namespace reprise::services
