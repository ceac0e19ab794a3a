// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the C++ client brings replays to `reprise serve`, going on where
// an upload broke off, and has it work on them: what is verified, compared,
// queried and exported, how far that is, that it is cancelled and forgotten.

#include "clients/cpp/replays.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "clients/cpp/client.h"
#include "clients/cpp/sha256.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/sync_stream.h"
#include "gtest/gtest.h"
#include "tests/command/serve_process.h"

namespace reprise::client {
namespace {

using testing::SizeIs;
using testing::StartsWith;

// The examples of FIPS 180-4, and what crosses the end of a block: by
// coreutils' sha256sum.
TEST(CppSha256Test, IsThatOfTheStandard) {
  EXPECT_EQ(Sha256Of(""),
            "e3b0c44298fc1c149afbf4c8996fb924"
            "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Of("abc"),
            "ba7816bf8f01cfea414140de5dae2223"
            "b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      Sha256Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039"
      "a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
}

class CppReplaysTest : public testing::Test {
 protected:
  CppReplaysTest() { client_ = *Client::Create(server_.address()); }

  // Other seeds give other bytes: the store is that of all tests here.
  std::string Record(uint32_t tick_count, uint64_t seed) {
    v1::CreateSessionRequest request;
    request.set_pack("pong");
    request.set_seed(seed);
    request.set_record(true);
    auto session = client_->CreateSession(request);
    EXPECT_TRUE(session.ok()) << session.status();
    constexpr uint32_t kBatch = 10'000;
    for (; tick_count > kBatch; tick_count -= kBatch) {
      EXPECT_TRUE(session->Step(kBatch).ok());
    }
    EXPECT_TRUE(session->Step(tick_count).ok());
    return *session->Delete();
  }

  void Delete(const std::string& replay) {
    grpc::ClientContext context;
    client_->Prepare(context);
    v1::DeleteReplayRequest request;
    request.set_name(replay);
    v1::DeleteReplayResponse response;
    EXPECT_TRUE(
        client_->replays().DeleteReplay(&context, request, &response).ok());
  }

  // How much the server has of some bytes.
  uint64_t OffsetOf(const std::string& bytes) {
    grpc::ClientContext context;
    client_->Prepare(context);
    v1::GetUploadRequest request;
    request.set_digest(Sha256Of(bytes));
    request.set_size_bytes(bytes.size());
    v1::GetUploadResponse response;
    EXPECT_TRUE(
        client_->replays().GetUpload(&context, request, &response).ok());
    return response.upload().offset();
  }

  // Ends the stream behind the first half.
  absl::Status UploadHalf(const std::string& bytes) {
    grpc::ClientContext context;
    client_->Prepare(context);
    v1::UploadReplayResponse response;
    const auto writer = client_->replays().UploadReplay(&context, &response);
    v1::UploadReplayRequest piece;
    piece.set_digest(Sha256Of(bytes));
    piece.set_size_bytes(bytes.size());
    piece.set_data(bytes.substr(0, bytes.size() / 2));
    EXPECT_TRUE(writer->Write(piece));
    writer->WritesDone();
    return Client::ToStatus(writer->Finish());
  }

  v1::Operation Ended(const absl::StatusOr<v1::Operation>& begun) {
    EXPECT_TRUE(begun.ok()) << begun.status();
    auto ended = Wait(*client_, *begun);
    EXPECT_TRUE(ended.ok()) << ended.status();
    return *std::move(ended);
  }

  const tests::ServeProcess server_{"sim/packs"};
  std::unique_ptr<Client> client_;
};

TEST_F(CppReplaysTest, WhatIsUploadedIsTheReplay) {
  const std::string recorded = Record(60, /*seed=*/1);
  const auto bytes = client_->Download(recorded);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  Delete(recorded);

  const auto brought = UploadReplay(*client_, *bytes);
  ASSERT_TRUE(brought.ok()) << brought.status();
  EXPECT_EQ(brought->digest(), Sha256Of(*bytes));
  EXPECT_EQ(brought->tick_count(), 60u);
  EXPECT_EQ(*client_->Download(brought->name()), *bytes);
  // Now they are there.
  const auto same = UploadReplay(*client_, *bytes);
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->name(), brought->name());
}

// The server takes nothing but what comes next, so what it has isn't sent.
TEST_F(CppReplaysTest, AnUploadGoesOnWhereItBrokeOff) {
  const std::string recorded = Record(60, /*seed=*/2);
  const std::string bytes = *client_->Download(recorded);
  Delete(recorded);
  EXPECT_EQ(ErrorInfoOf(UploadHalf(bytes)).reason, "UPLOAD_UNFINISHED");
  EXPECT_EQ(OffsetOf(bytes), bytes.size() / 2);
  EXPECT_EQ(ErrorInfoOf(UploadHalf(bytes)).reason, "UPLOAD_OFFSET_MISMATCH");

  const auto brought = UploadReplay(*client_, bytes);
  ASSERT_TRUE(brought.ok()) << brought.status();
  EXPECT_EQ(*client_->Download(brought->name()), bytes);
}

TEST_F(CppReplaysTest, WhatIsNoReplayIsRefused) {
  std::string bytes = *client_->Download(Record(60, /*seed=*/3));
  bytes[bytes.size() / 2] ^= 1;
  const absl::Status damaged = UploadReplay(*client_, bytes).status();
  EXPECT_FALSE(damaged.ok());
  EXPECT_NE(ErrorInfoOf(damaged).reason, "");
  EXPECT_EQ(ErrorInfoOf(UploadReplay(*client_, "").status()).reason,
            "UPLOAD_REFUSED");
}

TEST_F(CppReplaysTest, OperationsSayWhatCameOfReplays) {
  const std::string replay = Record(60, /*seed=*/4);
  v1::VerifyReplayRequest verify;
  verify.set_name(replay);
  const v1::Operation verified = Ended(VerifyReplay(*client_, verify));
  EXPECT_EQ(verified.verification().verdict(),
            v1::Verification::VERDICT_VERIFIED);
  EXPECT_EQ(verified.verification().ticks_verified(), 60u);

  v1::CompareReplaysRequest compare;
  compare.set_name(replay);
  compare.set_other(Record(60, /*seed=*/4));
  const v1::Operation compared = Ended(CompareReplays(*client_, compare));
  EXPECT_TRUE(compared.comparison().is_equal());
  EXPECT_EQ(compared.comparison().ticks_compared(), 60u);

  v1::ExportReplayRequest export_it;
  export_it.set_name(replay);
  export_it.set_format(v1::ExportReplayRequest::FORMAT_GLTF);
  const v1::Operation exported = Ended(ExportReplay(*client_, export_it));
  const auto scene = DownloadResult(*client_, exported.name(), "replay.glb");
  ASSERT_TRUE(scene.ok()) << scene.status();
  EXPECT_THAT(*scene, StartsWith("glTF"));
  EXPECT_EQ(scene->size(), exported.files(0).size_bytes());

  v1::RenderReplayRequest render;
  render.set_name(replay);
  render.set_output(v1::RenderReplayRequest::OUTPUT_PNG);
  render.mutable_ticks()->set_first(60);
  render.set_width(64);
  render.set_height(36);
  const v1::Operation rendered = Ended(RenderReplay(*client_, render));
  ASSERT_THAT(rendered.files(), SizeIs(1));
  EXPECT_THAT(
      *DownloadResult(*client_, rendered.name(), rendered.files(0).name()),
      StartsWith("\x89PNG"));
}

TEST_F(CppReplaysTest, AQueryIsATableOrAnError) {
  v1::QueryReplayRequest query;
  query.set_name(Record(60, /*seed=*/5));
  query.add_expressions("tick");
  query.mutable_ticks()->set_every(30);
  const v1::Operation table = Ended(QueryReplay(*client_, query));
  const auto values = DownloadResult(*client_, table.name(), "values.csv");
  ASSERT_TRUE(values.ok()) << values.status();
  // A line of names, and of ticks 0, 30 and 60.
  EXPECT_EQ(std::count(values->begin(), values->end(), '\n'), 4);
  EXPECT_EQ(
      ErrorInfoOf(DownloadResult(*client_, table.name(), "no.csv").status())
          .reason,
      "RESULT_NOT_FOUND");

  query.set_expressions(0, "nobody.here");
  const auto begun = QueryReplay(*client_, query);
  ASSERT_TRUE(begun.ok()) << begun.status();
  EXPECT_EQ(ErrorInfoOf(Wait(*client_, *begun).status()).reason,
            "WORKER_REFUSED");
  ASSERT_TRUE(DeleteOperation(*client_, table.name()).ok());
  EXPECT_EQ(ErrorInfoOf(GetOperation(*client_, table.name()).status()).reason,
            "OPERATION_NOT_FOUND");
}

// Far more ticks than are verified between two looks.
TEST_F(CppReplaysTest, AnOperationTellsHowFarItIsAndIsCancelled) {
  constexpr uint32_t kTicks = 150'000;
  v1::VerifyReplayRequest verify;
  verify.set_name(Record(kTicks, /*seed=*/6));
  verify.mutable_settings()->set_request_id("once");
  const auto begun = VerifyReplay(*client_, verify);
  ASSERT_TRUE(begun.ok()) << begun.status();
  EXPECT_EQ(VerifyReplay(*client_, verify)->name(), begun->name());

  uint64_t ticks_done = 0;
  const auto ended =
      Wait(*client_, *begun, [&](const v1::Operation& operation) {
        if (operation.ticks_done() == 0 || ticks_done > 0) return;
        ticks_done = operation.ticks_done();
        EXPECT_EQ(operation.tick_count(), kTicks);
        EXPECT_TRUE(CancelOperation(*client_, operation.name()).ok());
      });
  ASSERT_TRUE(ended.ok()) << ended.status();
  EXPECT_EQ(ended->state(), v1::Operation::STATE_CANCELLED);
  EXPECT_GT(ticks_done, 0u);
  EXPECT_LT(ticks_done, kTicks);
}

}  // namespace
}  // namespace reprise::client
