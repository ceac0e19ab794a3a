// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the table of docs/server_calls.md row by row: each request is made of
// a session in each state, over a real connection, and what comes of it and
// what the session is then have to be what the page says. So are the reasons.

#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/sync_stream.h"
#include "gtest/gtest.h"
#include "replays/testing/forwarding_simulation.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/reason.h"
#include "services/testing/full_disk.h"
#include "services/testing/play_client.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAreArray;

// It can't make a tick at which the player presses a button.
class FailingSimulation final : public replays::ForwardingSimulation {
 public:
  using ForwardingSimulation::ForwardingSimulation;

  static absl::StatusOr<std::unique_ptr<sim::Simulation>> Create(
      const sim::PackArchive& pack, uint64_t seed) {
    auto tiny = replays::TinySimulation::Create(pack, seed);
    if (!tiny.ok()) return tiny;
    return std::make_unique<FailingSimulation>(*std::move(tiny));
  }

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    const bool fails = !frames.empty() && frames[0].device.buttons != 0;
    if (fails) status_ = absl::InternalError("worn out");
    if (!fails) ForwardingSimulation::Step(frames, observer);
  }
  absl::Status status() const override { return status_; }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<FailingSimulation>(simulation().Fork());
  }

 private:
  absl::Status status_;
};

std::string ReadPage() {
  std::ifstream page("docs/server_calls.md");
  return {std::istreambuf_iterator<char>(page), {}};
}

// The rows of the page's table that begins with `header`, without its rule.
std::vector<std::string> ReadTable(std::string_view header) {
  std::vector<std::string> rows;
  bool is_inside = false;
  for (const std::string& line :
       std::vector<std::string>(absl::StrSplit(ReadPage(), '\n'))) {
    if (is_inside && !line.starts_with("|")) break;
    if (is_inside && !line.starts_with("|---")) rows.push_back(line);
    is_inside |= line.starts_with(header);
  }
  return rows;
}

// A recorded session with a snapshot of tick 0, brought into a state.
class Place {
 public:
  Place() { snapshot = server.SnapshotSession(session).name(); }

  // Steps until that is refused, with another input at each tick, so that
  // the recording grows; returns the reason.
  std::string StepToAnError() {
    uint64_t tick = 0;
    grpc::Status status;
    while (status.ok()) {
      v1::StepRequest request = StepRequest(session, tick, 100);
      for (int i = 0; i < 100; ++i, ++tick) {
        v1::TickInputs& inputs = *request.add_inputs();
        inputs.set_tick(tick);
        inputs.add_frames()->mutable_device()->add_axes(
            static_cast<int>(tick * 7919 % 20'000));
      }
      status = server.TryStep(request);
    }
    return ReasonOf(status);
  }

  // As the table calls it.
  std::string State() {
    v1::Session described;
    if (!server.TryGetSession(session, &described).ok()) return "ended";
    switch (described.state()) {
      case v1::Session::STATE_FREE:
        return "free";
      case v1::Session::STATE_IN_USE:
        return "in use";
      case v1::Session::STATE_RECORDING_FULL:
        return "recording full";
      case v1::Session::STATE_RECORDING_FAILED:
        return "recording failed";
      case v1::Session::STATE_SIMULATION_FAILED:
        return "simulation failed";
      case v1::Session::STATE_PLAYED:
        return "played";
      default:
        return "unknown";
    }
  }

  TestServer server{[](ServerOptions& options) {
    options.simulation_factory = &FailingSimulation::Create;
    options.recordings.recording_bytes_max = 128 << 10;
  }};
  const std::string session = Create(server);
  const std::string replay = server.GetSession(session).replay();
  std::string snapshot;
  // What is open.
  std::unique_ptr<StepClient> stream;
  std::unique_ptr<PlayClient> watcher;
  std::unique_ptr<PlayClient> player;
  std::unique_ptr<grpc::ClientContext> context;
  std::unique_ptr<grpc::ClientReaderWriter<v1::StepSessionsRequest,
                                           v1::StepSessionsResponse>>
      many;

 private:
  static std::string Create(TestClient& client) {
    v1::CreateSessionRequest request;
    request.set_pack("tiny");
    request.set_record(true);
    request.mutable_lockstep();
    v1::Session session;
    EXPECT_EQ(Summarize(client.TryCreateSession(request, &session)), "OK");
    return session.name();
  }
};

void Leave(Place&) {}

void Use(Place& place) {
  place.stream =
      std::make_unique<StepClient>(place.server.simulations(), place.session);
}

void Play(Place& place) {
  place.watcher = std::make_unique<PlayClient>(
      place.server.simulations(), JoinRequest(place.session, std::nullopt));
  place.watcher->ReadJoined();
}

void FillRecording(Place& place) {
  EXPECT_EQ(place.StepToAnError(), "RECORDING_FULL");
}

void BreakRecording(Place& place) {
  const FullDisk full(/*file_bytes_max=*/4096);
  EXPECT_EQ(place.StepToAnError(), "RECORDING_FAILED");
}

void BreakSimulation(Place& place) {
  v1::StepRequest request = StepRequest(place.session, 0, 1);
  request.add_inputs()->add_frames()->mutable_device()->set_buttons(1);
  EXPECT_EQ(ReasonOf(place.server.TryStep(request)), "SIMULATION_FAILED");
}

void End(Place& place) { place.server.DeleteSession(place.session); }

using Bring = void (*)(Place&);
constexpr auto kStates = std::to_array<std::pair<const char*, Bring>>({
    {"free", &Leave},
    {"in use", &Use},
    {"played", &Play},
    {"recording full", &FillRecording},
    {"recording failed", &BreakRecording},
    {"simulation failed", &BreakSimulation},
    {"ended", &End},
});

struct Request {
  const char* name;  // as the table calls it
  std::function<grpc::Status(Place&)> make;
};

grpc::Status Step(Place& place, uint32_t tick_count) {
  v1::Session session;
  static_cast<void>(place.server.TryGetSession(place.session, &session));
  return place.server.TryStep(
      StepRequest(place.session, session.tick(), tick_count));
}

// The first byte of the session's replay, for which nothing has to be waited.
grpc::Status Download(Place& place, bool follow) {
  v1::DownloadReplayRequest request;
  request.set_name(place.replay);
  request.set_length(1);
  request.set_follow(follow);
  std::string byte;
  grpc::Status status = place.server.Download(request, &byte);
  EXPECT_EQ(byte.size(), status.ok() ? 1u : 0u);
  return status;
}

const Request kRequests[] = {
    {"`GetSession`",
     [](Place& place) { return place.server.TryGetSession(place.session); }},
    {"`ListSessions`",
     [](Place& place) { return place.server.TryListSessions({}); }},
    {"`Step`", [](Place& place) { return Step(place, 1); }},
    {"`Step` of 0 ticks", [](Place& place) { return Step(place, 0); }},
    {"`StepSession` opens",
     [](Place& place) {
       auto stream = std::make_unique<StepClient>(place.server.simulations());
       v1::Session session;
       static_cast<void>(place.server.TryGetSession(place.session, &session));
       v1::StepSessionRequest request = StepRequest(session.tick(), 0);
       request.set_session(place.session);
       if (stream->Exchange(request).digest() == 0) return stream->AwaitEnd();
       place.stream = std::move(stream);
       return grpc::Status::OK;
     }},
    {"`StepSessions` of it",
     [](Place& place) {
       v1::Session session;
       static_cast<void>(place.server.TryGetSession(place.session, &session));
       v1::StepSessionsRequest request;
       v1::StepSessionRequest& order = *request.add_orders();
       order.set_session(place.session);
       order.set_tick(session.tick());
       place.context = std::make_unique<grpc::ClientContext>();
       place.many =
           place.server.simulations().StepSessions(place.context.get());
       v1::StepSessionsResponse response;
       EXPECT_TRUE(place.many->Write(request) && place.many->Read(&response));
       const auto& status = response.results(0).status();
       return grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                           status.message(), status.SerializeAsString());
     }},
    {"`PlaySession` joins",
     [](Place& place) {
       auto player = std::make_unique<PlayClient>(
           place.server.simulations(), JoinRequest(place.session, 0));
       if (!player->Read().has_joined()) return player->AwaitEnd();
       place.player = std::move(player);
       return grpc::Status::OK;
     }},
    {"`ResetSession`",
     [](Place& place) {
       v1::ResetSessionRequest request;
       request.set_name(place.session);
       return place.server.TryResetSession(request);
     }},
    {"`SnapshotSession`",
     [](Place& place) {
       return place.server.TrySnapshotSession(place.session);
     }},
    {"`DeleteSnapshot`",
     [](Place& place) {
       return place.server.TryDeleteSnapshot(place.snapshot);
     }},
    {"`RestoreSession`",
     [](Place& place) {
       return place.server.TryRestoreSession(place.snapshot);
     }},
    {"`ForkSession`",
     [](Place& place) {
       return place.server.TryForkSession(ForkRequest(place.session));
     }},
    {"`ForkSession`, recorded",
     [](Place& place) {
       return place.server.TryForkSession(
           ForkRequest(place.session, /*record=*/true));
     }},
    {"`DownloadReplay` of its replay",
     [](Place& place) { return Download(place, /*follow=*/false); }},
    {"`DownloadReplay`, followed",
     [](Place& place) { return Download(place, /*follow=*/true); }},
    {"`DeleteSession`",
     [](Place& place) { return place.server.TryDeleteSession(place.session); }},
};

// What comes of a request, as a cell of the table says it.
std::string Cell(const Request& request, const char* state, Bring bring) {
  Place place;
  bring(place);
  EXPECT_EQ(place.State(), state);
  const grpc::Status status = request.make(place);
  const std::string after = place.State();
  const bool stays = after == state;
  if (status.ok()) return stays ? "stays" : after;
  return fmt::format("`{}`{}", ReasonOf(status), stays ? "" : ", " + after);
}

class ServerStatesTest : public testing::TestWithParam<size_t> {};

TEST_P(ServerStatesTest, ComesToWhatItsRowSays) {
  const Request& request = kRequests[GetParam()];
  const std::vector<std::string> rows = ReadTable("| request |");
  ASSERT_EQ(rows.size(), std::size(kRequests));
  std::string row = fmt::format("| {} |", request.name);
  for (const auto& [state, bring] : kStates) {
    row += fmt::format(" {} |", Cell(request, state, bring));
  }

  EXPECT_EQ(rows[GetParam()], row);
}

INSTANTIATE_TEST_SUITE_P(Row, ServerStatesTest,
                         testing::Range(size_t{0}, std::size(kRequests)));

TEST(ServerReasonsTest, ThePageSaysEachReasonOnceInOrder) {
  std::vector<std::string> said;
  for (const std::string& row : ReadTable("| reason |")) {
    const std::vector<std::string> cells = absl::StrSplit(row, '`');
    ASSERT_GE(cells.size(), 2u) << row;
    said.push_back(cells[1]);
  }

  EXPECT_THAT(said, ElementsAreArray(kReasons));
}

}  // namespace
}  // namespace reprise::services
