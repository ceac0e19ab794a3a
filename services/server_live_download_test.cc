// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the bytes of a replay come while it is being recorded: what has
// come is at any time the beginning of the file that it becomes, and a replay
// up to there; in the end it is all of it. And that whoever waits for more is
// let go at once when the client goes, its time is over, the recording breaks
// off or the server stops. Over real connections.

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/sync_stream.h"
#include "gtest/gtest.h"
#include "replays/container/byte_stream.h"
#include "replays/format/replay_reader.h"
#include "services/testing/full_disk.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::StartsWith;

// A DownloadReplay call that follows.
class LiveDownload {
 public:
  LiveDownload(TestClient& client, const std::string& replay,
               uint64_t offset = 0, uint64_t length = 0,
               std::chrono::milliseconds time = std::chrono::minutes(1))
      : next_(offset) {
    context_.set_deadline(std::chrono::system_clock::now() + time);
    v1::DownloadReplayRequest request;
    request.set_name(replay);
    request.set_offset(offset);
    request.set_length(length);
    request.set_follow(true);
    stream_ = client.replays().DownloadReplay(&context_, request);
  }

  // Reads pieces until there are so many bytes, or the end.
  const std::string& ReadTo(uint64_t size) {
    v1::DownloadReplayResponse piece;
    while (bytes_.size() < size && stream_->Read(&piece)) {
      EXPECT_EQ(piece.offset(), next_);
      EXPECT_FALSE(piece.data().empty());
      next_ += piece.data().size();
      EXPECT_GE(piece.size_bytes(), next_);
      bytes_ += piece.data();
    }
    return bytes_;
  }

  // Reads what is left; says how it ended.
  std::string AwaitEnd() {
    ReadTo(~uint64_t{0});
    return Summarize(stream_->Finish());
  }

  const std::string& bytes() const { return bytes_; }
  void Cancel() { context_.TryCancel(); }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::DownloadReplayResponse>> stream_;
  uint64_t next_;
  std::string bytes_;
};

class ServerLiveDownloadTest : public testing::Test {
 protected:
  // A batch every 10 ticks, so that the file grows soon.
  static void Configure(ServerOptions& options) {
    options.recordings.writer.batch_ticks = 10;
  }

  // Steps `session` from `tick` to `end`, another thing at each tick.
  void Play(const std::string& session, uint64_t tick, uint64_t end) {
    v1::StepRequest request =
        StepRequest(session, tick, static_cast<uint32_t>(end - tick));
    for (; tick < end; ++tick) {
      v1::TickInputs& inputs = *request.add_inputs();
      inputs.set_tick(tick);
      inputs.add_frames()->mutable_device()->add_axes(
          static_cast<int>(tick * 7919 % 20'000));
    }
    ASSERT_EQ(Summarize(server_.TryStep(request)), "OK");
  }

  // How large the file of `replay` is, which is being recorded.
  uint64_t SizeNow(const std::string& replay) {
    return ReadStored(replay + ".mcap.partial").size();
  }

  std::string ReadStored(const std::string& name) {
    std::ifstream file(server_.folders().store() + "/" + name,
                       std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string Download(const std::string& replay) {
    v1::DownloadReplayRequest request;
    request.set_name(replay);
    std::string bytes;
    EXPECT_EQ(Summarize(server_.Download(request, &bytes)), "OK");
    return bytes;
  }

  TestServer server_{Configure};
};

// How many ticks somebody finds in what has come.
uint64_t TicksIn(const std::string& bytes) {
  const auto reader = replays::ReplayReader::Open(
      std::make_unique<replays::MemorySource>(std::as_bytes(std::span(bytes))));
  EXPECT_TRUE(reader.ok()) << reader.status();
  return reader.ok() ? (*reader)->tick_count() : 0;
}

TEST_F(ServerLiveDownloadTest,
       WhatComesIsTheBeginningOfTheReplayAndInTheEndAll) {
  const v1::Session live = server_.CreateSession(/*record=*/true);
  Play(live.name(), 0, 100);
  LiveDownload download(server_, live.replay());
  const std::string first = download.ReadTo(SizeNow(live.replay()));
  Play(live.name(), 100, 300);
  const std::string second = download.ReadTo(SizeNow(live.replay()));
  EXPECT_EQ(server_.DeleteSession(live.name()), live.replay());
  EXPECT_EQ(download.AwaitEnd(), "OK");

  const std::string whole = Download(live.replay());
  EXPECT_EQ(download.bytes(), whole);
  EXPECT_THAT(whole, StartsWith(second));
  EXPECT_THAT(second, StartsWith(first));
  EXPECT_LT(first.size(), second.size());
  EXPECT_LT(second.size(), whole.size());
  // But for a batch that isn't full.
  EXPECT_GE(TicksIn(first), 90u);
  EXPECT_LE(TicksIn(first), 100u);
  EXPECT_GE(TicksIn(second), 290u);
  EXPECT_EQ(TicksIn(whole), 300u);
}

TEST_F(ServerLiveDownloadTest, OneThatBrokeOffGoesOn) {
  const v1::Session live = server_.CreateSession(/*record=*/true);
  Play(live.name(), 0, 100);
  LiveDownload broken(server_, live.replay());
  std::string bytes = broken.ReadTo(SizeNow(live.replay()));
  broken.Cancel();
  Play(live.name(), 100, 200);

  LiveDownload rest(server_, live.replay(), bytes.size());
  rest.ReadTo(1);
  server_.DeleteSession(live.name());

  EXPECT_EQ(rest.AwaitEnd(), "OK");
  EXPECT_EQ(bytes + rest.bytes(), Download(live.replay()));
}

TEST_F(ServerLiveDownloadTest, ARangeEndsWhereItIsFull) {
  const v1::Session live = server_.CreateSession(/*record=*/true);
  Play(live.name(), 0, 100);
  const uint64_t size = SizeNow(live.replay());
  LiveDownload part(server_, live.replay(), 10, 20);
  EXPECT_EQ(part.AwaitEnd(), "OK");
  LiveDownload more(server_, live.replay(), 10, size);
  more.ReadTo(size - 10);
  Play(live.name(), 100, 200);
  // While it is still being recorded.
  EXPECT_EQ(more.AwaitEnd(), "OK");
  LiveDownload past(server_, live.replay(), 1 << 30);
  EXPECT_EQ(past.AwaitEnd(), "OUT_OF_RANGE OFFSET_OUT_OF_RANGE");

  server_.DeleteSession(live.name());
  const std::string whole = Download(live.replay());
  EXPECT_EQ(part.bytes(), whole.substr(10, 20));
  EXPECT_EQ(more.bytes(), whole.substr(10, size));
}

TEST_F(ServerLiveDownloadTest, AFinishedReplayIsSentAsItIs) {
  const v1::Session session = server_.CreateSession(/*record=*/true);
  Play(session.name(), 0, 50);
  server_.DeleteSession(session.name());

  LiveDownload download(server_, session.replay());

  EXPECT_EQ(download.AwaitEnd(), "OK");
  EXPECT_EQ(download.bytes(), Download(session.replay()));
  EXPECT_EQ(LiveDownload(server_, "replays/none").AwaitEnd(),
            "NOT_FOUND REPLAY_NOT_FOUND");
  EXPECT_EQ(LiveDownload(server_, "replays/../x").AwaitEnd(),
            "INVALID_ARGUMENT NAME_MALFORMED");
}

// A session that goes back begins another recording; this one is finished.
TEST_F(ServerLiveDownloadTest, AResetEndsIt) {
  const v1::Session live = server_.CreateSession(/*record=*/true);
  Play(live.name(), 0, 100);
  LiveDownload download(server_, live.replay());
  download.ReadTo(1);

  EXPECT_EQ(server_.ResetSession(live.name()).replay(), live.replay());

  EXPECT_EQ(download.AwaitEnd(), "OK");
  EXPECT_EQ(TicksIn(download.bytes()), 100u);
}

TEST_F(ServerLiveDownloadTest, ManyFollowOneRecording) {
  const v1::Session live = server_.CreateSession(/*record=*/true);
  std::vector<std::unique_ptr<LiveDownload>> downloads;
  for (int i = 0; i < 8; ++i) {
    downloads.push_back(std::make_unique<LiveDownload>(server_, live.replay()));
    Play(live.name(), 20 * i, 20 * i + 20);
  }
  server_.DeleteSession(live.name());

  const std::string whole = Download(live.replay());
  for (const auto& download : downloads) {
    EXPECT_EQ(download->AwaitEnd(), "OK");
    EXPECT_EQ(download->bytes(), whole);
  }
}

TEST_F(ServerLiveDownloadTest, TheClientsDeadlineEndsIt) {
  const v1::Session live = server_.CreateSession(/*record=*/true);
  LiveDownload download(server_, live.replay(), 0, 0,
                        std::chrono::milliseconds(300));

  EXPECT_THAT(download.AwaitEnd(), StartsWith("DEADLINE_EXCEEDED"));
}

// What has come is all that there is, up to the last byte that was written.
TEST_F(ServerLiveDownloadTest, ARecordingThatBreaksOffIsToldBehindItsLastByte) {
  const v1::Session live = server_.CreateSession(/*record=*/true);
  LiveDownload download(server_, live.replay());
  {
    const FullDisk full(/*file_bytes_max=*/4096);
    grpc::Status status;
    for (uint64_t tick = 0; status.ok(); tick += 100) {
      v1::StepRequest request = StepRequest(live.name(), tick, 100);
      for (uint64_t i = tick; i < tick + 100; ++i) {
        v1::TickInputs& inputs = *request.add_inputs();
        inputs.set_tick(i);
        inputs.add_frames()->mutable_device()->add_axes(
            static_cast<int>(i * 7919 % 20'000));
      }
      status = server_.TryStep(request);
    }
    EXPECT_EQ(ReasonOf(status), "RECORDING_FAILED");
  }
  // It may yet be asked why.
  const std::string left = ReadStored(live.replay() + ".mcap.partial");
  EXPECT_EQ(download.ReadTo(left.size()), left);

  EXPECT_EQ(Summarize(server_.TryDeleteSession(live.name())),
            "DATA_LOSS RECORDING_FAILED");

  EXPECT_EQ(download.AwaitEnd(), "DATA_LOSS RECORDING_FAILED");
  EXPECT_EQ(download.bytes(), left);
}

TEST_F(ServerLiveDownloadTest, AServerThatStopsDoesNotWaitForMore) {
  const v1::Session live = server_.CreateSession(/*record=*/true);
  Play(live.name(), 0, 100);
  LiveDownload download(server_, live.replay());
  const std::string first = download.ReadTo(SizeNow(live.replay()));

  server_.server().Shutdown(absl::Hours(1));

  EXPECT_EQ(download.AwaitEnd(), "UNAVAILABLE SERVER_STOPPING");
  // It is finished behind the streams, and begins with what came.
  EXPECT_THAT(ReadStored(live.replay() + ".mcap"), StartsWith(first));
}

// It is one of the streams that there may be, as long as somebody waits.
TEST(ServerLiveDownloadStreamTest, WhoeverHasGoneMakesRoomForTheNext) {
  TestServer server([](ServerOptions& options) { options.streams_max = 1; });
  const v1::Session live = server.CreateSession(/*record=*/true);
  LiveDownload waiting(server, live.replay());
  waiting.ReadTo(1);
  EXPECT_EQ(LiveDownload(server, live.replay()).AwaitEnd(),
            "RESOURCE_EXHAUSTED TOO_MANY_STREAMS");

  waiting.Cancel();
  EXPECT_THAT(waiting.AwaitEnd(), StartsWith("CANCELLED"));

  // The server hears of it a moment after the client. One that isn't let go
  // would be there until the recording ends, which it doesn't.
  std::string result;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  do {
    LiveDownload next(server, live.replay(), 0, 1);
    result = next.AwaitEnd();
  } while (result == "RESOURCE_EXHAUSTED TOO_MANY_STREAMS" &&
           std::chrono::steady_clock::now() < end);
  EXPECT_EQ(result, "OK");
}

}  // namespace
}  // namespace reprise::services
