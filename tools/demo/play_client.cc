// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A client of a Reprise server: plays a committed input track tick by tick, as
// a person's device would, and fetches the replay that the server made of it.
// It knows the protocol and nothing else of the project.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "google/protobuf/text_format.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/sync_stream.h"
#include "reprise/v1/input.pb.h"
#include "reprise/v1/replay_service.grpc.pb.h"
#include "reprise/v1/simulation_service.grpc.pb.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/exit_code.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {
namespace {

// How far the client runs ahead of the answers. At 60 Hz half a second: what a
// person's game would have under way over a slow line.
constexpr uint64_t kRequestsInFlightMax = 32;

// Longer than any committed track takes; a call that hangs ends.
constexpr auto kCallTimeout = std::chrono::minutes(2);

struct Options {
  std::string address;
  std::string pack;
  std::string track;
  uint64_t seed = 0;
  std::string output;
};

absl::Status FromGrpc(const grpc::Status& status, std::string_view what) {
  if (status.ok()) return absl::OkStatus();
  // gRPC's codes and Abseil's are the same numbers.
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                      fmt::format("{}: {}", what, status.error_message()));
}

absl::StatusOr<v1::InputTrack> ReadTrack(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(fmt::format("{}: not there", path));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  v1::InputTrack track;
  if (!google::protobuf::TextFormat::ParseFromString(text, &track)) {
    return absl::InvalidArgumentError(fmt::format("{}: no track", path));
  }
  return track;
}

class PlayClient {
 public:
  PlayClient(const Options& options, Console& console)
      : options_(options), console_(console) {
    const std::shared_ptr<grpc::Channel> channel = grpc::CreateChannel(
        options.address, grpc::InsecureChannelCredentials());
    simulations_ = v1::SimulationService::NewStub(channel);
    replays_ = v1::ReplayService::NewStub(channel);
  }

  absl::Status Run() {
    const absl::StatusOr<v1::InputTrack> track = ReadTrack(options_.track);
    if (!track.ok()) return track.status();
    absl::Status status = CreateSession();
    if (!status.ok()) return status;
    status = Play(*track);
    if (!status.ok()) return status;
    status = DeleteSession();
    if (!status.ok()) return status;
    return DownloadReplay();
  }

 private:
  using Stream = grpc::ClientReaderWriterInterface<v1::StepSessionRequest,
                                                   v1::StepSessionResponse>;

  static void SetDeadline(grpc::ClientContext& context) {
    context.set_deadline(std::chrono::system_clock::now() + kCallTimeout);
  }

  absl::Status CreateSession() {
    grpc::ClientContext context;
    SetDeadline(context);
    v1::CreateSessionRequest request;
    request.set_pack(options_.pack);
    request.set_seed(options_.seed);
    request.set_record(true);
    v1::CreateSessionResponse response;
    const absl::Status status =
        FromGrpc(simulations_->CreateSession(&context, request, &response),
                 "CreateSession");
    session_ = response.session();
    return status;
  }

  // Sends one request a tick and reads the answers a little behind.
  absl::Status Play(const v1::InputTrack& track) {
    grpc::ClientContext context;
    SetDeadline(context);
    const std::unique_ptr<Stream> stream = simulations_->StepSession(&context);
    uint64_t answered = 0;
    int next_inputs = 0;
    ProgressBar progress(console_, "playing", track.tick_count());
    for (uint64_t tick = 0; tick < track.tick_count(); ++tick) {
      v1::StepSessionRequest request;
      request.set_session(session_.name());
      request.set_tick(tick);
      request.set_tick_count(1);
      if (next_inputs < track.ticks_size() &&
          track.ticks(next_inputs).tick() == tick) {
        *request.add_inputs() = track.ticks(next_inputs++);
      }
      if (!stream->Write(request)) break;
      if (tick - answered < kRequestsInFlightMax) continue;
      const absl::Status status = ReadAnswer(*stream);
      if (!status.ok()) return status;
      progress.Update(++answered);
    }
    stream->WritesDone();
    for (; answered < track.tick_count(); ++answered) {
      const absl::Status status = ReadAnswer(*stream);
      if (!status.ok()) return status;
    }
    const absl::Status status = FromGrpc(stream->Finish(), "StepSession");
    if (!status.ok()) return status;
    fmt::print(console_.out(), "played {} ticks of {}: {}, digest {:016x}\n",
               last_answer_.tick(), session_.pack(),
               v1::RunEnd::Outcome_Name(last_answer_.outcome()),
               last_answer_.digest());
    return absl::OkStatus();
  }

  absl::Status ReadAnswer(Stream& stream) {
    if (!stream.Read(&last_answer_)) {
      const absl::Status status = FromGrpc(stream.Finish(), "StepSession");
      return status.ok() ? absl::DataLossError("StepSession ended too early")
                         : status;
    }
    if (!last_answer_.has_error()) return absl::OkStatus();
    const v1::StepError& error = last_answer_.error();
    return absl::Status(
        static_cast<absl::StatusCode>(error.code()),
        fmt::format("tick {}: {}", last_answer_.tick(), error.message()));
  }

  absl::Status DeleteSession() {
    grpc::ClientContext context;
    SetDeadline(context);
    v1::DeleteSessionRequest request;
    request.set_name(session_.name());
    v1::DeleteSessionResponse response;
    const absl::Status status =
        FromGrpc(simulations_->DeleteSession(&context, request, &response),
                 "DeleteSession");
    replay_ = response.replay();
    return status;
  }

  absl::Status DownloadReplay() {
    grpc::ClientContext context;
    SetDeadline(context);
    v1::DownloadReplayRequest request;
    request.set_name(replay_);
    const auto pieces = replays_->DownloadReplay(&context, request);
    std::ofstream file(options_.output, std::ios::binary);
    v1::DownloadReplayResponse piece;
    uint64_t size = 0;
    while (pieces->Read(&piece)) {
      file << piece.data();
      size += piece.data().size();
    }
    const absl::Status status = FromGrpc(pieces->Finish(), "DownloadReplay");
    if (!status.ok()) return status;
    file.close();
    if (!file) {
      return absl::UnavailableError(
          fmt::format("{} can't be written", options_.output));
    }
    if (size != piece.size_bytes()) {
      return absl::DataLossError(fmt::format("{} has {} bytes, not {}", replay_,
                                             piece.size_bytes(), size));
    }
    fmt::print(console_.out(), "fetched {}: {}, {} bytes\n", replay_,
               options_.output, size);
    return absl::OkStatus();
  }

  const Options& options_;
  Console& console_;
  std::unique_ptr<v1::SimulationService::StubInterface> simulations_;
  std::unique_ptr<v1::ReplayService::StubInterface> replays_;
  v1::Session session_;
  v1::StepSessionResponse last_answer_;
  std::string replay_;
};

int Main(const std::vector<std::string>& arguments) {
  Console console(std::cout, std::cerr, isatty(STDERR_FILENO) == 1);
  Options options;
  const std::vector<Flag> flags = {
      {"address", "HOST:PORT", "Where the server listens.", &options.address},
      {"pack", "NAME", "The pack to play.", &options.pack},
      {"track", "FILE", "The input track, as text.", &options.track},
      {"seed", "N", "The seed of the session. 0 if unset.", &options.seed},
      {"output", "FILE", "Where to put the replay.", &options.output},
  };
  const absl::StatusOr<ParsedArguments> parsed = ParseFlags(flags, arguments);
  if (parsed.ok() && parsed->wants_help) {
    console.out() << "Plays an input track on a server and fetches the replay."
                     "\n\nFlags:\n"
                  << DescribeFlags(flags);
    return static_cast<int>(ExitCode::kOk);
  }
  absl::Status status = parsed.status();
  if (status.ok() && (!parsed->positional.empty() || options.address.empty() ||
                      options.pack.empty() || options.track.empty() ||
                      options.output.empty())) {
    status = absl::InvalidArgumentError(
        "--address, --pack, --track and --output are needed, and nothing else");
  }
  if (status.ok()) status = PlayClient(options, console).Run();
  if (!status.ok()) console.Error(std::string(status.message()));
  return static_cast<int>(ExitCodeOf(status));
}

}  // namespace
}  // namespace reprise::tools

int main(int argc, char** argv) {
  return reprise::tools::Main(
      std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
}
