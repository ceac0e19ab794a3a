// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the C++ client's streams, columns and packs against a real server:
// many batches under way give what one step gives, streams end in time and say
// why, columns are what the state has by the names that were declared, and
// packs that are brought are played, or their mistakes are told.

#include "clients/cpp/stepping.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "clients/cpp/client.h"
#include "clients/cpp/observations.h"
#include "clients/cpp/packs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/base/server_options.h"
#include "services/testing/test_server.h"

namespace reprise::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class CppStreamTest : public testing::Test {
 protected:
  explicit CppStreamTest(
      std::chrono::milliseconds timeout = std::chrono::minutes(1)) {
    auto client =
        Client::Create(server_.server().address(), {.timeout = timeout});
    EXPECT_TRUE(client.ok()) << client.status();
    client_ = *std::move(client);
  }

  Session CreateTiny(bool record = false) {
    v1::CreateSessionRequest request;
    request.set_pack("tiny");
    request.set_seed(5);
    request.set_record(record);
    auto session = client_->CreateSession(request);
    EXPECT_TRUE(session.ok()) << session.status();
    return *std::move(session);
  }

  static v1::StepSessionRequest Batch(uint32_t tick_count) {
    v1::StepSessionRequest request;
    request.set_tick_count(tick_count);
    return request;
  }

  services::RunningServer server_{[](services::ServerOptions& options) {
    options.sessions.ticks_per_request_max = ~0u;
  }};
  std::unique_ptr<Client> client_;
};

TEST_F(CppStreamTest, BatchesUnderWayAreAnsweredInOrder) {
  Session alone = CreateTiny();
  ASSERT_TRUE(alone.Step(2000).ok());
  Session session = CreateTiny();
  const auto stream = StepStream::Open(*client_, session);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(stream->Send(Batch(100)).ok());
  EXPECT_EQ(stream->under_way(), 20u);
  EXPECT_EQ(stream->Step(1).status().code(),
            absl::StatusCode::kFailedPrecondition);

  for (uint64_t i = 1; i <= 20; ++i) {
    const auto response = stream->Receive();
    ASSERT_TRUE(response.ok()) << response.status();
    EXPECT_EQ(response->tick(), 100 * i);
  }
  EXPECT_EQ(stream->Receive().status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(stream->under_way(), 0u);
  // While it is open the session is its own.
  EXPECT_EQ(ErrorInfoOf(session.Step(1).status()).reason, "SESSION_IN_USE");
  ASSERT_TRUE(stream->Close().ok());

  ASSERT_TRUE(session.Refresh().ok());
  EXPECT_EQ(session.tick(), 2000u);
  EXPECT_EQ(session.description().digest(), alone.description().digest());
  EXPECT_TRUE(session.Step(1).ok());
}

TEST_F(CppStreamTest, NoMoreAreUnderWayThanMayBe) {
  const auto stream = StepStream::Open(*client_, CreateTiny());
  for (size_t i = 0; i < kRequestsUnderWayMax; ++i) {
    ASSERT_TRUE(stream->Send(Batch(1)).ok());
  }
  EXPECT_EQ(stream->Send(Batch(1)).code(),
            absl::StatusCode::kResourceExhausted);
  ASSERT_TRUE(stream->Receive().ok());
  EXPECT_TRUE(stream->Send(Batch(1)).ok());

  // What is under way is done before it is closed.
  ASSERT_TRUE(stream->Close().ok());
  EXPECT_EQ(stream->tick(), kRequestsUnderWayMax + 1);
  EXPECT_TRUE(stream->has_ended());
}

TEST_F(CppStreamTest, ARefusalIsAnErrorAndTheStreamGoesOn) {
  const auto stream = StepStream::Open(*client_, CreateTiny());
  v1::StepSessionRequest until = Batch(100);
  until.mutable_until()->set_condition("tick == 30");
  ASSERT_TRUE(stream->Send(until).ok());
  ASSERT_TRUE(stream->Send(Batch(5)).ok());
  const auto stopped = stream->Receive();
  ASSERT_TRUE(stopped.ok()) << stopped.status();
  EXPECT_EQ(stopped->stop_reason(), v1::STOP_REASON_CONDITION);
  EXPECT_EQ(stopped->tick(), 30u);

  // It was asked for behind ticks that weren't made.
  const absl::Status refused = stream->Receive().status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ErrorInfoOf(refused).reason, "TICK_MISMATCH");
  EXPECT_EQ(stream->tick(), 30u);
  const auto next = stream->Step(5);
  ASSERT_TRUE(next.ok()) << next.status();
  EXPECT_EQ(next->tick(), 35u);
  v1::StepSessionRequest wrong = Batch(1);
  wrong.mutable_until()->set_condition("tick ==");
  EXPECT_EQ(ErrorInfoOf(stream->Step(wrong).status()).reason,
            "CONDITION_REFUSED");
  EXPECT_TRUE(stream->Close().ok());
}

TEST_F(CppStreamTest, TheEndOfAStreamSaysWhy) {
  Session session = CreateTiny();
  const auto first = StepStream::Open(*client_, session);
  ASSERT_TRUE(first->Step(1).ok());
  const auto second = StepStream::Open(*client_, session);

  EXPECT_EQ(ErrorInfoOf(second->Step(1).status()).reason, "SESSION_IN_USE");
  EXPECT_TRUE(second->has_ended());
  EXPECT_EQ(ErrorInfoOf(second->Step(1).status()).reason, "SESSION_IN_USE");
  EXPECT_EQ(second->Close().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(first->Step(1).ok());
}

// Without a word: the server sees that nobody is there.
TEST_F(CppStreamTest, OneThatIsDroppedGivesItsSessionBack) {
  Session session = CreateTiny();
  {
    const auto stream = StepStream::Open(*client_, session);
    ASSERT_TRUE(stream->Step(1).ok());
    ASSERT_TRUE(stream->Send(Batch(~0u)).ok());
  }
  absl::Status status;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  do {
    ASSERT_TRUE(session.Refresh().ok());
    status = session.Step(1).status();
  } while (!status.ok() && std::chrono::steady_clock::now() < end);
  EXPECT_TRUE(status.ok()) << status;
}

class CppHastyStreamTest : public CppStreamTest {
 protected:
  CppHastyStreamTest() : CppStreamTest(std::chrono::seconds(2)) {}
};

TEST_F(CppHastyStreamTest, WhoeverWaitsForTooLongIsTold) {
  const auto stream = StepStream::Open(*client_, CreateTiny());
  ASSERT_TRUE(stream->Send(Batch(~0u)).ok());
  EXPECT_EQ(stream->Receive().status().code(),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_TRUE(stream->has_ended());
  EXPECT_EQ(stream->Step(1).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST_F(CppStreamTest, ColumnsAreReadByTheirNames) {
  Session session = CreateTiny();
  v1::StepRequest step;
  step.set_tick_count(4);
  v1::ObservedGroup& clock = *step.mutable_observe()->add_groups();
  clock.add_fields("tick");
  clock.add_fields("tick * 0.5");
  clock.set_every_ticks(2);
  const auto response = session.Step(step);
  ASSERT_TRUE(response.ok()) << response.status();
  ObservationReader reader;
  const auto blocks = reader.Read(*response);
  ASSERT_TRUE(blocks.ok()) << blocks.status();
  ASSERT_THAT(*blocks, SizeIs(1));
  const Block& block = blocks->front();
  EXPECT_EQ(block.group(), 0u);
  EXPECT_EQ(block.row_count(), 1u);
  ASSERT_EQ(block.tick_count(), 2u);
  EXPECT_EQ(block.tick(1), 4u);

  const auto half = block.column<double>("tick * 0.5");
  ASSERT_TRUE(half.ok()) << half.status();
  EXPECT_THAT(half->values(), ElementsAre(1, 2));
  EXPECT_EQ(half->at(1, 0), 2);
  EXPECT_FALSE(half->is_absent(1, 0));
  EXPECT_EQ(block.column<double>("bodies.position").status().code(),
            absl::StatusCode::kNotFound);
  const absl::Status other = block.column<bool>("tick * 0.5").status();
  EXPECT_EQ(other.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(other.message()), HasSubstr("are double, not bool"));

  // The layout was said once.
  step.clear_observe();
  EXPECT_FALSE(block.RowOf("nobody").has_value());
}

// As no server sends them.
class CppColumnsTest : public testing::Test {
 protected:
  CppColumnsTest() {
    auto& columns = *response_.mutable_layout()->add_groups();
    v1::ObservedColumnLayout& place = *columns.add_columns();
    place.set_field("place");
    place.set_kind(v1::ObservedColumnLayout::KIND_NUMBER);
    place.set_unit("m");
    place.add_parts("x");
    place.add_parts("y");
    v1::ObservedColumnLayout& label = *columns.add_columns();
    label.set_field("label");
    label.set_kind(v1::ObservedColumnLayout::KIND_TEXT);
    v1::ObservationBlock& block =
        *response_.mutable_observations()->add_blocks();
    block.add_ticks(7);
    block.add_ticks(8);
    v1::ObservedRows& rows = *block.mutable_rows();
    rows.set_count(2);
    for (const char* name : {"ada", "bob"}) rows.add_names(name);
    for (const uint64_t key : {3, 9}) rows.add_keys(key);
    v1::ObservedColumn& places = *block.add_columns();
    for (int i = 0; i < 8; ++i) places.add_numbers(i);
    places.add_absent(5);
    v1::ObservedColumn& labels = *block.add_columns();
    for (const char* text : {"a", "b", "c", ""}) labels.add_texts(text);
    labels.add_absent(3);
  }

  v1::ObservationBlock& block() {
    return *response_.mutable_observations()->mutable_blocks(0);
  }

  v1::StepResponse response_;
  ObservationReader reader_;
};

TEST_F(CppColumnsTest, AValueIsFoundByTickRowAndPart) {
  const auto blocks = reader_.Read(response_);
  ASSERT_TRUE(blocks.ok()) << blocks.status();
  const Block& block = blocks->front();
  const auto places = block.column<double>("place");
  const auto labels = block.column<std::string>("label");
  ASSERT_TRUE(places.ok() && labels.ok());
  EXPECT_EQ(block.RowOf("bob"), 1u);
  EXPECT_EQ(block.name(0), "ada");
  EXPECT_EQ(block.key(1), 9u);
  EXPECT_EQ(places->at(0, 1, 1), 3);
  EXPECT_EQ(places->at(1, 0, 0), 4);
  EXPECT_TRUE(places->is_absent(1, 0, 1));
  EXPECT_FALSE(places->is_absent(1, 0, 0));
  EXPECT_THAT(places->layout().parts(), ElementsAre("x", "y"));
  EXPECT_EQ(places->layout().unit(), "m");
  EXPECT_EQ(labels->at(1, 0), "c");
  EXPECT_TRUE(labels->is_absent(1, 1));
}

TEST_F(CppColumnsTest, RowsAndLayoutGoOnUntilTheyAreSaidAnew) {
  ASSERT_TRUE(reader_.Read(response_).ok());
  response_.clear_layout();
  block().clear_rows();
  const auto blocks = reader_.Read(response_);
  ASSERT_TRUE(blocks.ok()) << blocks.status();
  EXPECT_EQ(blocks->front().name(1), "bob");
  EXPECT_FALSE(ObservationReader().Read(response_).ok());
}

TEST_F(CppColumnsTest, WhatDoesNotFitIsRefusedAndChangesNothing) {
  ASSERT_TRUE(reader_.Read(response_).ok());
  response_.clear_layout();
  block().mutable_rows()->set_names(0, "eve");
  block().mutable_columns(0)->add_numbers(1);
  const auto refused = reader_.Read(response_);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.status().message()),
              HasSubstr("field 'place' has 9 values"));

  block().clear_rows();
  block().mutable_columns(0)->mutable_numbers()->RemoveLast();
  const auto blocks = reader_.Read(response_);
  ASSERT_TRUE(blocks.ok()) << blocks.status();
  EXPECT_EQ(blocks->front().name(0), "ada");
  block().mutable_columns()->RemoveLast();
  EXPECT_FALSE(reader_.Read(response_).ok());
  block().set_group(1);
  EXPECT_FALSE(reader_.Read(response_).ok());
}

// A ball of one's own, of the kind that is said.
std::string MakeManifest(const std::string& kind) {
  return "name: \"drop\"\n"
         "types { name: \"ball\" body { motion: MOTION_DYNAMIC mass_kg: 1\n"
         "  shapes { sphere { radius: 1 } } } }\n"
         "objects { name: \"ball\" type: \"" +
         kind + "\" position { y: 5 } }\n";
}

class CppPacksTest : public testing::Test {
 protected:
  CppPacksTest() {
    client_ = *Client::Create(server_.server().address());
    Write("mine/.hidden", "not sent");
    Write("mine/tests/one.txtpb", "nor is this");
  }

  void Write(const std::string& path, const std::string& text) {
    server_.folders().Write(path, text);
  }

  services::RunningServer server_{[](services::ServerOptions& options) {
    // That of `reprise`.
    options.simulation_factory = services::ServerOptions().simulation_factory;
  }};
  const std::string folder_ = server_.folders().PathOf("mine");
  std::unique_ptr<Client> client_;
};

TEST_F(CppPacksTest, OnesOwnIsBroughtPlayedAndForgotten) {
  Write("mine/pack.txtpb", MakeManifest("bell"));
  const auto mistaken = UploadPack(*client_, "drop", folder_);
  EXPECT_EQ(mistaken.status().code(), absl::StatusCode::kInvalidArgument);
  const ErrorInfo info = ErrorInfoOf(mistaken.status());
  EXPECT_EQ(info.reason, "PACK_INVALID");
  ASSERT_THAT(info.mistakes, SizeIs(1));
  EXPECT_EQ(info.mistakes[0].place, "pack.txtpb:4");
  EXPECT_THAT(info.mistakes[0].message, HasSubstr("bell"));

  Write("mine/pack.txtpb", MakeManifest("ball"));
  Write("mine/notes/large.txt", std::string(3 << 20, 'n'));
  const auto pack = UploadPack(*client_, "drop", folder_);
  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_TRUE(pack->is_uploaded());
  EXPECT_EQ(pack->file_count(), 2u);
  v1::CreateSessionRequest create;
  create.set_pack("drop");
  create.set_pack_digest(pack->digest());
  auto session = client_->CreateSession(create);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_TRUE(session->Step(30).ok());

  EXPECT_TRUE(DeletePack(*client_, "drop", pack->digest()).ok());
  EXPECT_EQ(ErrorInfoOf(DeletePack(*client_, "drop")).reason, "PACK_NOT_FOUND");
}

TEST_F(CppPacksTest, WhatCannotBeReadIsTheSystemsError) {
  const auto missing = UploadPack(*client_, "drop", folder_ + "/none");
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ErrorInfoOf(missing.status()).reason, "");
}

TEST_F(CppPacksTest, WhatIsRefusedSaysWhy) {
  Write("mine/pack.txtpb", MakeManifest("ball"));
  const auto taken = UploadPack(*client_, "tiny", folder_);
  EXPECT_NE(ErrorInfoOf(taken.status()).reason, "");
  const auto refused = UploadPackArchive(*client_, "drop", "no archive");
  EXPECT_FALSE(refused.ok());
  EXPECT_NE(ErrorInfoOf(refused.status()).reason, "");
}

TEST_F(CppStreamTest, ARecordingIsDownloadedWhileItIsMade) {
  Session session = CreateTiny(/*record=*/true);
  const std::string replay = session.description().replay();
  std::string live;
  const absl::Status ended =
      client_->DownloadLive(replay, [&](std::string_view piece) {
        if (live.empty()) {
          EXPECT_TRUE(session.Step(30).ok());
          EXPECT_TRUE(session.Delete().ok());
        }
        live += std::string(piece);
        return true;
      });
  EXPECT_TRUE(ended.ok()) << ended;
  const auto whole = client_->Download(replay);
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_EQ(live, *whole);
  std::string rest;
  EXPECT_TRUE(client_
                  ->DownloadLive(
                      replay,
                      [&](std::string_view piece) {
                        rest += std::string(piece);
                        return true;
                      },
                      /*offset=*/10)
                  .ok());
  EXPECT_EQ(rest, whole->substr(10));
  // Whoever has seen enough goes, also of what isn't finished.
  Session other = CreateTiny(/*record=*/true);
  int pieces = 0;
  EXPECT_TRUE(client_
                  ->DownloadLive(other.description().replay(),
                                 [&](std::string_view) {
                                   ++pieces;
                                   return false;
                                 })
                  .ok());
  EXPECT_EQ(pieces, 1);
  EXPECT_EQ(
      ErrorInfoOf(client_->DownloadLive("replays/none",
                                        [](std::string_view) { return true; }))
          .reason,
      "REPLAY_NOT_FOUND");
}

}  // namespace
}  // namespace reprise::client
