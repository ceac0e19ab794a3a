// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what goes wrong around a server is told where it matters and ends
// nothing else: a disk that becomes read-only, a clock that jumps, connections
// that grow old, and clients that open all the streams there are, or thousands
// of connections: REPRISE_CONNECTIONS says how many.

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "services/base/clock.h"
#include "services/testing/read_only_disk.h"
#include "services/testing/test_server.h"

namespace {

// How far the machine's clock has been put, in seconds.
std::atomic<int64_t> jumped_s = 0;

// Whether the calling thread sees that. Those of gRPC, which have names of
// their own, wait until times of the kernel's clock, which nobody has put:
// theirs would be waits of a year.
bool SeesJump() {
  thread_local const bool sees = [] {
    char name[16] = {};
    return pthread_getname_np(pthread_self(), name, sizeof(name)) == 0 &&
           std::string_view(program_invocation_short_name).starts_with(name);
  }();
  return sees;
}

}  // namespace

// In the place of the C library's.
extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if ((clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) &&
      jumped_s != 0 && SeesJump()) {
    time->tv_sec += jumped_s;
  }
  return result;
}

int gettimeofday(timeval* time, void*) noexcept {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  *time = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* time) noexcept {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  if (time != nullptr) *time = now.tv_sec;
  return now.tv_sec;
}
}  // extern "C"

namespace reprise::services {
namespace {

using ::testing::SizeIs;

// As many as a process may well have; REPRISE_CONNECTIONS asks for others,
// 10,000 by tools/dev test --heavy.
constexpr size_t kConnectionsByDefault = 2000;
// Of those that the server takes (512), its files and threads, generously.
constexpr size_t kOtherDescriptors = 2000;

// What a request for a recorded session comes to.
std::string Record(TestServer& server) {
  v1::CreateSessionRequest request;
  request.set_pack("tiny");
  request.set_record(true);
  return Summarize(server.TryCreateSession(request));
}

TEST(ServerFaultsTest, ADiskThatBecomesReadOnlyIsToldOnTheSession) {
  TestServer server;
  const v1::Session recorded = server.CreateSession(/*record=*/true);
  const v1::Session other = server.CreateSession();
  const std::string finished =
      server.DeleteSession(server.CreateSession(/*record=*/true).name());
  StepClient client(server.simulations(), recorded.name());
  {
    const ReadOnlyDisk disk;
    std::string told = "OK";
    for (uint64_t tick = 0; tick < 100'000 && told == "OK"; tick += 1000) {
      told = Summarize(client.Exchange(StepRequest(tick, 1000)));
    }
    EXPECT_EQ(told, "DATA_LOSS RECORDING_FAILED");
    EXPECT_EQ(Record(server), "UNAVAILABLE STORE_UNAVAILABLE");
    // What is there can be read, and who records nothing goes on.
    EXPECT_EQ(server.Step(other.name(), 0, 100).tick(), 100u);
    v1::DownloadReplayRequest download;
    download.set_name(finished);
    std::string bytes;
    EXPECT_EQ(Summarize(server.Download(download, &bytes)), "OK");
  }
  EXPECT_EQ(Summarize(client.Finish()), "OK");
  // It has ended with that, which whoever repeats the order is told, too.
  v1::DeleteSessionRequest ended;
  ended.set_name(recorded.name());
  ended.set_request_id("1");
  for (int i = 0; i < 2; ++i) {
    grpc::ClientContext context;
    v1::DeleteSessionResponse response;
    EXPECT_EQ(Summarize(server.simulations().DeleteSession(&context, ended,
                                                           &response)),
              "DATA_LOSS RECORDING_FAILED");
  }
  EXPECT_EQ(Record(server), "OK");
  server.ExpectGoodService();
}

// A year ahead, and back behind where it was: sessions, streams and recordings
// go by a clock that only goes forward.
TEST(ServerFaultsTest, AClockThatJumpsEndsNothing) {
  // Whatever fails here, the clock of other tests goes right.
  const absl::Cleanup restore = [] { jumped_s = 0; };
  // What is idle is looked for every five seconds. A busy machine takes its
  // time; a jump is of a year.
  TestServer server([](ServerOptions& options) {
    options.sessions.idle_timeout = absl::Seconds(200);
  });
  const v1::Session session = server.CreateSession(/*record=*/true);
  const v1::Session idle = server.CreateSession();
  StepClient client(server.simulations(), session.name());
  EXPECT_EQ(client.Exchange(StepRequest(0, 10)).tick(), 10u);
  const absl::Time before = absl::Now();
  uint64_t tick = 10;
  std::vector<std::string> names = {session.name(), idle.name()};
  for (const int64_t jump : {365 * 86'400, -365 * 86'400, 0}) {
    jumped_s = jump;
    if (jump > 0) {
      ASSERT_GT(absl::Now() - before, absl::Hours(24 * 364));
    }
    const absl::Time end = MonotonicNow() + absl::Seconds(6);
    while (MonotonicNow() < end) {
      const auto response = client.Exchange(StepRequest(tick, 10));
      ASSERT_EQ(Summarize(response), "OK");
      ASSERT_TRUE(server.TryGetSession(idle.name()).ok());
      tick += 10;
    }
    names.push_back(server.CreateSession().name());
  }
  EXPECT_EQ(Summarize(client.Finish()), "OK");
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
  server.DeleteSession(session.name());
  EXPECT_THAT(server.ListReplays().replays(), SizeIs(1));
}

TEST(ServerFaultsTest, AnOldConnectionIsReplacedWhileCallsGoOn) {
  TestServer server([](ServerOptions& options) {
    options.connection_age_max = absl::Seconds(1);
  });
  const v1::Session session = server.CreateSession();
  const auto& channel = server.channel();
  // It may have been replaced already.
  ASSERT_TRUE(channel->WaitForConnected(
      absl::ToChronoTime(absl::Now() + absl::Seconds(20))));

  // Far less than the minute after which one without calls is closed.
  EXPECT_TRUE(channel->WaitForStateChange(
      GRPC_CHANNEL_READY, absl::ToChronoTime(absl::Now() + absl::Seconds(20))));
  EXPECT_EQ(server.Step(session.name(), 0, 10).tick(), 10u);
}

// All that the server has by default, silent: each makes room for one that says
// something, after a second.
TEST(ServerFaultsTest, AllTheStreamsThereAreLockNobodyOut) {
  TestServer server;
  constexpr uint32_t kStreams = 256;
  const v1::Session session = server.CreateSession();
  std::vector<std::unique_ptr<StepClient>> silent;
  for (uint32_t i = 0; i < kStreams; ++i) {
    silent.push_back(std::make_unique<StepClient>(server.simulations()));
  }
  std::string last;
  const absl::Time deadline = MonotonicNow() + absl::Seconds(30);
  do {
    StepClient client(server.simulations());
    v1::StepSessionRequest request = StepRequest(0, 0);
    request.set_session(session.name());
    client.Send(request);
    last = Summarize(client.Finish());
  } while (last != "OK" && MonotonicNow() < deadline);
  EXPECT_EQ(last, "OK");
  for (const auto& client : silent) client->Cancel();
  for (const auto& client : silent) client->AwaitEnd();
  server.ExpectGoodService();
}

// Connections of the test below.
size_t ConnectionCount() {
  const char* const asked = std::getenv("REPRISE_CONNECTIONS");
  const int count = asked == nullptr ? 0 : std::atoi(asked);
  return count > 0 ? static_cast<size_t>(count) : kConnectionsByDefault;
}

// They say nothing. Those that the server doesn't take are closed by it, and
// stay open here.
TEST(ServerFaultsTest, ThousandsOfConnectionsLeaveOthersTheirService) {
  const size_t count = ConnectionCount();
  rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  if (limit.rlim_max < count + kOtherDescriptors) {
    GTEST_SKIP() << count << " connections take " << count + kOtherDescriptors
                 << " descriptors; this system allows " << limit.rlim_max;
  }
  TestServer server;
  limit.rlim_cur = limit.rlim_max;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  const v1::Session session = server.CreateSession();
  const std::string& address = server.server().address();
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_port = htons(
      static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::vector<int> connections;
  uint64_t tick = 0;
  while (connections.size() < count) {
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_GE(connection, 0);
    connections.push_back(connection);
    ASSERT_EQ(
        connect(connection, reinterpret_cast<sockaddr*>(&place), sizeof(place)),
        0);
    if (connections.size() % 100 == 0) {
      tick = server.Step(session.name(), tick, 10).tick();
      EXPECT_EQ(tick, connections.size() / 10);
    }
  }
  for (const int connection : connections) close(connection);
  // A client that comes now finds room soon.
  std::string last;
  const absl::Time deadline = MonotonicNow() + absl::Seconds(30);
  do {
    TestClient late(address);
    last = Summarize(late.TryGetSession(session.name()));
  } while (last != "OK" && MonotonicNow() < deadline);
  EXPECT_EQ(last, "OK");
}

}  // namespace
}  // namespace reprise::services
