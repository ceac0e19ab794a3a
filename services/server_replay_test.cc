// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what clients do with the replays that a server keeps, over real
// connections: they see what is known, find, tag and delete them, and send
// others, whole or in parts, of which only what is right becomes a replay, and
// nothing else stays.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/client_context.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "services/base/token.h"
#include "services/testing/test_server.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace fs = std::filesystem;

constexpr char kNotFound[] = "NOT_FOUND REPLAY_NOT_FOUND";

std::string DigestOfBytes(const std::string& bytes) {
  return sim::FormatDigest(sim::ContentDigestOf(
      std::as_bytes(std::span(bytes.data(), bytes.size()))));
}

// What the one ErrorInfo of `status` says of `key`.
std::string MetadataOf(const grpc::Status& status, const std::string& key) {
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  EXPECT_TRUE(details.ParseFromString(status.error_details()));
  EXPECT_TRUE(details.details(0).UnpackTo(&info));
  return info.metadata().at(key);
}

// One UploadReplay call.
class UploadStream {
 public:
  explicit UploadStream(TestClient& client)
      : writer_(client.replays().UploadReplay(&context_, &response_)) {}

  // The first piece of `bytes`, or a later one.
  bool Send(const std::string& bytes, size_t offset, size_t count) {
    v1::UploadReplayRequest request;
    if (is_first_) {
      request.set_digest(DigestOfBytes(bytes));
      request.set_size_bytes(bytes.size());
      is_first_ = false;
    }
    request.set_offset(offset);
    request.set_data(bytes.substr(offset, count));
    return writer_->Write(request);
  }
  bool Send(const v1::UploadReplayRequest& request) {
    return writer_->Write(request);
  }

  grpc::Status Finish() {
    writer_->WritesDone();
    return writer_->Finish();
  }
  grpc::Status Cancel() {
    context_.TryCancel();
    return writer_->Finish();
  }

  const v1::Replay& replay() const { return response_.replay(); }

 private:
  grpc::ClientContext context_;
  v1::UploadReplayResponse response_;
  std::unique_ptr<grpc::ClientWriter<v1::UploadReplayRequest>> writer_;
  bool is_first_ = true;
};

class ServerReplayTest : public testing::Test {
 protected:
  ServerReplayTest() { Start(); }

  void Start(const std::function<void(ServerOptions&)>& change = [](auto&) {}) {
    std::string lines;
    for (const std::string tenant : {"red", "blue"}) {
      lines += FormatTokenLine({.name = tenant,
                                .digest = DigestOf(tenant + "-token"),
                                .scope = Scope::kManage,
                                .tenant = {.name = tenant}}) +
               "\n";
    }
    files_.Write("tokens", lines);
    server_ = std::make_unique<RunningServer>([&](ServerOptions& options) {
      options.tokens = files_.PathOf("tokens");
      change(options);
    });
    red_ = MakeClient("red");
    blue_ = MakeClient("blue");
  }

  std::unique_ptr<TestClient> MakeClient(const std::string& tenant) {
    return std::make_unique<TestClient>(server_->server().address(),
                                        tenant + "-token",
                                        grpc::InsecureChannelCredentials());
  }

  // The name of a replay of so many ticks.
  static std::string Record(TestClient& client, uint32_t ticks) {
    const v1::Session session = client.CreateSession(/*record=*/true);
    client.Step(session.name(), 0, ticks);
    return client.DeleteSession(session.name());
  }

  static std::string Download(TestClient& client, const std::string& name) {
    v1::DownloadReplayRequest request;
    request.set_name(name);
    std::string bytes;
    EXPECT_EQ(Summarize(client.Download(request, &bytes)), "OK");
    return bytes;
  }

  static grpc::Status Get(TestClient& client, const std::string& name,
                          v1::Replay* replay = nullptr) {
    grpc::ClientContext context;
    v1::GetReplayRequest request;
    request.set_name(name);
    v1::GetReplayResponse response;
    grpc::Status status =
        client.replays().GetReplay(&context, request, &response);
    if (replay != nullptr) *replay = response.replay();
    return status;
  }

  static grpc::Status Delete(TestClient& client, const std::string& name,
                             const std::string& request_id = "") {
    grpc::ClientContext context;
    v1::DeleteReplayRequest request;
    request.set_name(name);
    request.set_request_id(request_id);
    v1::DeleteReplayResponse response;
    return client.replays().DeleteReplay(&context, request, &response);
  }

  static grpc::Status Tag(TestClient& client, const std::string& name,
                          const std::vector<std::string>& add,
                          const std::vector<std::string>& remove = {},
                          v1::Replay* replay = nullptr) {
    grpc::ClientContext context;
    v1::UpdateReplayTagsRequest request;
    request.set_name(name);
    request.mutable_add()->Add(add.begin(), add.end());
    request.mutable_remove()->Add(remove.begin(), remove.end());
    v1::UpdateReplayTagsResponse response;
    grpc::Status status =
        client.replays().UpdateReplayTags(&context, request, &response);
    if (replay != nullptr) *replay = response.replay();
    return status;
  }

  static std::vector<std::string> List(TestClient& client,
                                       const v1::ListReplaysRequest& request) {
    grpc::ClientContext context;
    v1::ListReplaysResponse response;
    EXPECT_EQ(
        Summarize(client.replays().ListReplays(&context, request, &response)),
        "OK");
    std::vector<std::string> names;
    for (const v1::Replay& replay : response.replays()) {
      names.push_back(replay.name());
    }
    return names;
  }

  static uint64_t UploadOffset(TestClient& client, const std::string& bytes) {
    grpc::ClientContext context;
    v1::GetUploadRequest request;
    request.set_digest(DigestOfBytes(bytes));
    request.set_size_bytes(bytes.size());
    v1::GetUploadResponse response;
    EXPECT_EQ(
        Summarize(client.replays().GetUpload(&context, request, &response)),
        "OK");
    return response.upload().offset();
  }

  // In pieces of so many bytes.
  static grpc::Status Upload(TestClient& client, const std::string& bytes,
                             size_t piece_bytes, v1::Replay* replay = nullptr) {
    UploadStream stream(client);
    for (size_t offset = 0; offset < bytes.size(); offset += piece_bytes) {
      if (!stream.Send(bytes, offset, piece_bytes)) break;
    }
    grpc::Status status = stream.Finish();
    if (replay != nullptr) *replay = stream.replay();
    return status;
  }

  // What is being received.
  std::vector<std::string> Incoming() const {
    std::vector<std::string> names;
    const fs::path folder = server_->folders().store() + "/incoming";
    if (!fs::exists(folder)) return names;
    for (const auto& entry : fs::directory_iterator(folder)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  // Until the stream of a client that has gone is closed, too.
  static bool AwaitTrue(const std::function<bool()>& condition) {
    const absl::Time deadline = absl::Now() + absl::Minutes(1);
    while (!condition() && absl::Now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return condition();
  }

  TestFolders files_;
  std::unique_ptr<RunningServer> server_;
  std::unique_ptr<TestClient> red_;
  std::unique_ptr<TestClient> blue_;
};

TEST_F(ServerReplayTest, WhatIsKnownOfAReplayIsToldToItsTenant) {
  const std::string name = Record(*red_, 7);
  const std::string bytes = Download(*red_, name);

  v1::Replay replay;
  ASSERT_EQ(Summarize(Tag(*red_, name, {"b", "a"}, {}, &replay)), "OK");

  EXPECT_EQ(replay.name(), name);
  EXPECT_EQ(replay.size_bytes(), bytes.size());
  EXPECT_EQ(replay.digest(), DigestOfBytes(bytes));
  EXPECT_EQ(replay.pack(), "tiny");
  EXPECT_EQ(replay.pack_digest().size(), 64u);
  EXPECT_EQ(replay.tick_count(), 7u);
  EXPECT_EQ(replay.outcome(), v1::Replay::OUTCOME_RUNNING);
  EXPECT_EQ(replay.root().size(), 16u);
  EXPECT_GT(replay.tick_rate(), 0u);
  EXPECT_GT(replay.record_time().seconds(),
            absl::ToUnixSeconds(absl::Now() - absl::Hours(1)));
  EXPECT_THAT(replay.tags(), ElementsAre("a", "b"));
  v1::Replay again;
  EXPECT_EQ(Summarize(Get(*red_, name, &again)), "OK");
  EXPECT_EQ(again.SerializeAsString(), replay.SerializeAsString());

  EXPECT_EQ(Summarize(Get(*blue_, name)), kNotFound);
  EXPECT_EQ(Summarize(Tag(*blue_, name, {"c"})), kNotFound);
  EXPECT_EQ(Summarize(Delete(*blue_, name)), kNotFound);
  EXPECT_EQ(Summarize(Get(*red_, "replays/x")), kNotFound);
  EXPECT_EQ(Summarize(Get(*red_, "replays/../x")),
            "INVALID_ARGUMENT NAME_MALFORMED");
}

TEST_F(ServerReplayTest, ReplaysAreFoundByWhatTheyAre) {
  const std::string first = Record(*red_, 3);
  const std::string second = Record(*red_, 5);
  Record(*blue_, 5);
  ASSERT_EQ(Summarize(Tag(*red_, first, {"nightly"})), "OK");
  const auto listed = [this](auto change) {
    v1::ListReplaysRequest request;
    change(request);
    return List(*red_, request);
  };

  EXPECT_THAT(listed([](auto&) {}), ElementsAre(second, first));
  EXPECT_THAT(listed([](auto& r) { r.add_tags("nightly"); }),
              ElementsAre(first));
  EXPECT_THAT(listed([](auto& r) { r.set_tick_count_min(4); }),
              ElementsAre(second));
  EXPECT_THAT(listed([](auto& r) { r.set_tick_count_max(4); }),
              ElementsAre(first));
  EXPECT_THAT(listed([](auto& r) { r.set_pack("other"); }), IsEmpty());
  EXPECT_THAT(listed([](auto& r) { r.set_text("NIGHT"); }), ElementsAre(first));
  EXPECT_THAT(
      listed([](auto& r) { r.set_outcome(v1::Replay::OUTCOME_CUT_OFF); }),
      IsEmpty());

  grpc::ClientContext context;
  v1::ListReplaysRequest wrong;
  wrong.set_outcome(static_cast<v1::Replay::Outcome>(77));
  v1::ListReplaysResponse response;
  EXPECT_EQ(Summarize(red_->replays().ListReplays(&context, wrong, &response)),
            "INVALID_ARGUMENT OUTCOME_REFUSED");
}

TEST_F(ServerReplayTest, ListsGoOnWhereAPageEndedAndNowhereElse) {
  const std::string first = Record(*red_, 3);
  const std::string second = Record(*red_, 5);
  v1::ListReplaysRequest request;
  request.set_page_size(1);
  v1::ListReplaysResponse page;
  {
    grpc::ClientContext context;
    ASSERT_EQ(Summarize(red_->replays().ListReplays(&context, request, &page)),
              "OK");
  }
  EXPECT_EQ(page.replays(0).name(), second);
  request.set_page_token(page.next_page_token());
  EXPECT_THAT(List(*red_, request), ElementsAre(first));

  // An id may look like anything; a token doesn't.
  for (const std::string& token : {std::string("x"), second.substr(8)}) {
    request.set_page_token(token);
    grpc::ClientContext context;
    EXPECT_EQ(Summarize(red_->replays().ListReplays(&context, request, &page)),
              "INVALID_ARGUMENT PAGE_TOKEN_MALFORMED");
  }
}

TEST_F(ServerReplayTest, ADeletedReplayIsGoneAndTheOrderCanBeRepeated) {
  const std::string name = Record(*red_, 3);
  const std::string other = Record(*red_, 4);
  const std::string blues = Record(*blue_, 3);  // the same bytes

  EXPECT_EQ(Summarize(Delete(*red_, name, "1")), "OK");
  EXPECT_EQ(Summarize(Get(*red_, name)), kNotFound);
  EXPECT_EQ(Summarize(Delete(*red_, name, "1")), "OK");
  EXPECT_EQ(Summarize(Delete(*red_, name)), kNotFound);
  EXPECT_EQ(Summarize(Delete(*red_, other, "1")),
            "INVALID_ARGUMENT REQUEST_ID_REUSED");
  EXPECT_EQ(Summarize(Get(*red_, other)), "OK");
  EXPECT_EQ(Summarize(Get(*blue_, blues)), "OK");
  EXPECT_FALSE(Download(*blue_, blues).empty());
}

TEST_F(ServerReplayTest, AnUploadIsAReplayHoweverItIsCut) {
  const std::string name = Record(*red_, 40);
  const std::string bytes = Download(*red_, name);
  for (const size_t piece_bytes :
       {size_t{97}, bytes.size() / 2, bytes.size()}) {
    v1::Replay replay;
    ASSERT_EQ(Summarize(Upload(*blue_, bytes, piece_bytes, &replay)), "OK");
    EXPECT_EQ(replay.tick_count(), 40u);
    EXPECT_EQ(replay.digest(), DigestOfBytes(bytes));
    EXPECT_EQ(Download(*blue_, replay.name()), bytes);
    EXPECT_THAT(Incoming(), IsEmpty());
    // Nothing is sent of what is there.
    v1::Replay again;
    EXPECT_EQ(Summarize(Upload(*blue_, bytes, piece_bytes, &again)), "OK");
    EXPECT_EQ(again.name(), replay.name());
    EXPECT_EQ(Summarize(Delete(*blue_, replay.name())), "OK");
  }
  EXPECT_EQ(Summarize(Get(*red_, name)), "OK");
}

TEST_F(ServerReplayTest, AnUploadIsHeldAgainstItsDigest) {
  const std::string bytes = Download(*red_, Record(*red_, 40));
  v1::UploadReplayRequest request;
  request.set_digest(DigestOfBytes(bytes));
  request.set_size_bytes(bytes.size());
  request.set_data(bytes);
  std::string others = request.digest();
  others[0] = others[0] == '0' ? '1' : '0';
  request.set_digest(others);
  UploadStream wrong(*blue_);
  wrong.Send(request);
  EXPECT_EQ(Summarize(wrong.Finish()),
            "INVALID_ARGUMENT UPLOAD_DIGEST_MISMATCH");
}

TEST_F(ServerReplayTest, ABrokenUploadGoesOnWhereItWas) {
  const std::string bytes = Download(*red_, Record(*red_, 40));
  const size_t half = bytes.size() / 2;
  {
    UploadStream stream(*blue_);
    EXPECT_TRUE(stream.Send(bytes, 0, half));
    EXPECT_TRUE(AwaitTrue([&] { return UploadOffset(*blue_, bytes) == half; }));
    UploadStream second(*blue_);
    second.Send(bytes, half, 1);
    EXPECT_EQ(Summarize(second.Finish()), "ABORTED UPLOAD_IN_USE");
    stream.Cancel();
  }
  // Another tenant's upload of the same bytes is another one.
  EXPECT_EQ(UploadOffset(*red_, bytes), 0u);

  std::string result;
  v1::Replay replay;
  ASSERT_TRUE(AwaitTrue([&] {
    UploadStream stream(*blue_);
    stream.Send(bytes, half, bytes.size());
    result = Summarize(stream.Finish());
    replay = stream.replay();
    return result != "ABORTED UPLOAD_IN_USE";
  }));
  EXPECT_EQ(result, "OK");
  EXPECT_EQ(Download(*blue_, replay.name()), bytes);
}

TEST_F(ServerReplayTest, AStreamThatEndsEarlyKeepsWhatCame) {
  const std::string bytes = Download(*red_, Record(*red_, 40));
  UploadStream stream(*blue_);
  EXPECT_TRUE(stream.Send(bytes, 0, 10));
  EXPECT_EQ(Summarize(stream.Finish()),
            "FAILED_PRECONDITION UPLOAD_UNFINISHED");
  EXPECT_EQ(UploadOffset(*blue_, bytes), 10u);

  UploadStream wrong(*blue_);
  wrong.Send(bytes, 11, 10);
  const grpc::Status refused = wrong.Finish();
  EXPECT_EQ(Summarize(refused), "OUT_OF_RANGE UPLOAD_OFFSET_MISMATCH");
  EXPECT_EQ(MetadataOf(refused, "offset"), "10");
  EXPECT_EQ(UploadOffset(*blue_, bytes), 10u);
  EXPECT_EQ(List(*blue_, {}).size(), 0u);
}

TEST_F(ServerReplayTest, WhatIsNotRightIsNoReplayAndLeavesNothing) {
  const std::string bytes = Download(*red_, Record(*red_, 40));
  // Other bytes than were announced.
  v1::UploadReplayRequest request;
  request.set_digest(std::string(64, '0'));
  request.set_size_bytes(bytes.size());
  request.set_data(bytes);
  UploadStream other(*blue_);
  other.Send(request);
  EXPECT_EQ(Summarize(other.Finish()),
            "INVALID_ARGUMENT UPLOAD_DIGEST_MISMATCH");
  // More of them.
  request.set_size_bytes(bytes.size() - 1);
  UploadStream longer(*blue_);
  longer.Send(request);
  EXPECT_EQ(Summarize(longer.Finish()), "OUT_OF_RANGE UPLOAD_OFFSET_MISMATCH");
  // No replay, and a damaged one.
  const grpc::Status none = Upload(*blue_, std::string(10'000, 'x'), 999);
  EXPECT_EQ(Summarize(none), "INVALID_ARGUMENT REPLAY_UNREADABLE");
  EXPECT_THAT(none.error_message(), Not(HasSubstr("/")));
  std::string damaged = bytes;
  damaged[damaged.size() / 2] ^= 1;
  const grpc::Status refused = Upload(*blue_, damaged, damaged.size());
  EXPECT_EQ(Summarize(refused), "DATA_LOSS REPLAY_DAMAGED");
  EXPECT_THAT(refused.error_message(), Not(HasSubstr(files_.PathOf(""))));

  for (const std::string digest : {"", "0", "../../x"}) {
    v1::UploadReplayRequest malformed;
    malformed.set_digest(digest);
    malformed.set_size_bytes(1);
    UploadStream stream(*blue_);
    stream.Send(malformed);
    EXPECT_EQ(Summarize(stream.Finish()), "INVALID_ARGUMENT UPLOAD_REFUSED");
  }
  EXPECT_EQ(List(*blue_, {}).size(), 0u);
  // Only the one that could still be gone on with.
  EXPECT_EQ(Incoming().size(), 1u);
}

TEST_F(ServerReplayTest, UploadsHaveLimits) {
  const std::string bytes = Download(*red_, Record(*red_, 40));
  Start([&](ServerOptions& options) {
    options.uploads.bytes_max = bytes.size();
    options.uploads.tenant_uploads_max = 1;
    options.uploads.uploads_max = 2;
    options.recordings.tenant_bytes_max = bytes.size() + 10;
  });
  const std::string larger = bytes + "x";
  EXPECT_EQ(Summarize(Upload(*blue_, larger, larger.size())),
            "RESOURCE_EXHAUSTED UPLOAD_TOO_LARGE");

  UploadStream begun(*blue_);
  begun.Send(bytes, 0, 1);
  ASSERT_TRUE(AwaitTrue([&] { return UploadOffset(*blue_, bytes) == 1; }));
  EXPECT_EQ(Summarize(Upload(*blue_, "abc", 1)),
            "RESOURCE_EXHAUSTED QUOTA_REACHED");
  begun.Send(bytes, 1, bytes.size());
  EXPECT_EQ(Summarize(begun.Finish()), "OK");

  const grpc::Status full = Upload(*blue_, "0123456789abc", 13);
  EXPECT_EQ(Summarize(full), "RESOURCE_EXHAUSTED QUOTA_REACHED");
  EXPECT_EQ(MetadataOf(full, "quota"), "bytes of replays");
}

TEST_F(ServerReplayTest, WhatWasLeftLongestGoesForAnotherUpload) {
  const std::string bytes = Download(*red_, Record(*red_, 40));
  Start([](ServerOptions& options) { options.uploads.tenant_uploads_max = 2; });
  const std::vector<std::string> left = {"first", "second"};
  for (const std::string& other : left) {
    UploadStream stream(*blue_);
    stream.Send(other, 0, 1);
    EXPECT_EQ(Summarize(stream.Finish()),
              "FAILED_PRECONDITION UPLOAD_UNFINISHED");
    EXPECT_EQ(UploadOffset(*blue_, other), 1u);
  }

  EXPECT_EQ(Summarize(Upload(*blue_, bytes, bytes.size())), "OK");
  EXPECT_EQ(UploadOffset(*blue_, "first"), 0u);
  EXPECT_EQ(UploadOffset(*blue_, "second"), 1u);
}

TEST_F(ServerReplayTest, AnUploadThatNobodyGoesOnWithIsDropped) {
  const std::string bytes = Download(*red_, Record(*red_, 40));
  Start([](ServerOptions& options) {
    options.sessions.idle_timeout = absl::Milliseconds(40);
  });
  UploadStream stream(*blue_);
  stream.Send(bytes, 0, 10);
  stream.Finish();

  EXPECT_TRUE(AwaitTrue([&] { return Incoming().empty(); }));
  EXPECT_EQ(UploadOffset(*blue_, bytes), 0u);
}

TEST_F(ServerReplayTest, WhatAKilledServerLeftOfUploadsGoesAtTheStart) {
  files_.Write("store/incoming/1.0.partial", "abc");
  ServerOptions options;
  options.address = "127.0.0.1:0";
  options.packs_folder = files_.packs();
  options.store_folder = files_.store();
  const auto server = *Server::Start(options);

  EXPECT_FALSE(fs::exists(files_.PathOf("store/incoming/1.0.partial")));
}

}  // namespace
}  // namespace reprise::services
