// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a client who knows an address learns all that it needs to play:
// what the server is and allows, which packs there are, and what each consists
// of, of real packs, too. A bot plays one by nothing but that.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "reprise/v1/catalog_service.grpc.pb.h"
#include "services/testing/test_server.h"
#include "sim/base/content_digest.h"

namespace reprise::services {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr char kManifest[] = R"(name: "yard"
players {
  count: 2
  actions { name: "east" axis: 0 }
  actions { name: "north" axis: 1 }
  sees { type: "ball" place_only: true }
  hears: "roller_jumped"
}
bots { name: "idler" help: "Does nothing." native: "random" every_ticks: 6 }
components {
  name: "tag"
  properties { name: "speed" type: TYPE_NUMBER unit: "m/s" maximum: 5 }
}
types {
  name: "ball"
  components { component: "tag" }
  body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } }
  roller { action_x: "east" action_z: "north" force_n: 1 }
}
types {
  name: "pit"
  body { motion: MOTION_TRIGGER shapes { sphere { radius: 1 } } }
  hazard { reason: "fell" }
}
types {
  name: "ramp"
  body { motion: MOTION_FIXED shapes { mesh {
    vertices { x: 1 } vertices { y: 1 } vertices { z: 1 } indices: [ 0, 1, 2 ]
  } } }
}
objects { name: "ball" type: "ball" position { y: 5 } }
objects { name: "ramp" type: "ramp" }
)";

class ServerCatalogTest : public testing::Test {
 protected:
  template <typename Request, typename Response>
  grpc::Status Call(grpc::Status (v1::CatalogService::Stub::*method)(
                        grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response& response) {
    grpc::ClientContext context;
    return (*stub_.*method)(&context, request, &response);
  }

  v1::ListPacksResponse ListPacks(int page_size, const std::string& token) {
    v1::ListPacksRequest request;
    request.set_page_size(page_size);
    request.set_page_token(token);
    v1::ListPacksResponse response;
    EXPECT_EQ(Summarize(Call(&v1::CatalogService::Stub::ListPacks, request,
                             response)),
              "OK");
    return response;
  }

  grpc::Status TryGetPack(const std::string& pack, bool want_meshes,
                          v1::OfferedPack& offered) {
    v1::GetPackRequest request;
    request.set_pack(pack);
    request.set_want_meshes(want_meshes);
    v1::GetPackResponse response;
    const grpc::Status status =
        Call(&v1::CatalogService::Stub::GetPack, request, response);
    offered = response.pack();
    return status;
  }

  TestServer server_{[](ServerOptions& options) {
    options.version = "1.2.3";
    options.rules_revision = 7;
    options.sessions.idle_timeout = absl::Milliseconds(90'500);
    options.simulation_factory = CreateNamedSimulation;
  }};
  const std::unique_ptr<v1::CatalogService::Stub> stub_ =
      v1::CatalogService::NewStub(server_.channel());
};

TEST_F(ServerCatalogTest, TheServerSaysWhatItIsAndAllows) {
  v1::GetServerInfoResponse response;
  ASSERT_EQ(
      Summarize(Call(&v1::CatalogService::Stub::GetServerInfo, {}, response)),
      "OK");

  const v1::ServerInfo& server = response.server();
  EXPECT_EQ(server.version(), "1.2.3");
  EXPECT_EQ(server.rules_revision(), 7u);
  EXPECT_NE(server.build(), "");
  EXPECT_NE(server.platform(), "");
  EXPECT_THAT(server.simulations(), Contains("world"));
  EXPECT_EQ(server.replay_format_revision(), 5u);
  EXPECT_THAT(server.features(), Contains(v1::ServerInfo::FEATURE_FORKS));
  EXPECT_THAT(server.features(), Contains(v1::ServerInfo::FEATURE_REFLECTION));
  EXPECT_TRUE(
      std::is_sorted(server.features().begin(), server.features().end()));
  const v1::ServerLimits& limits = server.limits();
  const ServerOptions defaults;
  EXPECT_EQ(limits.sessions_max(), defaults.sessions.sessions_max);
  EXPECT_EQ(limits.idle_timeout().seconds(), 90);
  EXPECT_EQ(limits.idle_timeout().nanos(), 500'000'000);
  EXPECT_EQ(limits.ticks_per_request_max(), 10'000u);
  EXPECT_EQ(limits.snapshots_per_session_max(), 16u);
  EXPECT_EQ(limits.message_bytes_max(), defaults.message_bytes_max);
  EXPECT_EQ(limits.store_bytes_max(), uint64_t{32} << 30);
}

TEST_F(ServerCatalogTest, PacksAreListedPageByPageReadableOrNot) {
  server_.folders().Write("packs/yard/pack.txtpb", kManifest);
  server_.folders().Write("packs/broken/pack.txtpb", "nonsense");

  const v1::ListPacksResponse first = ListPacks(2, "");
  ASSERT_THAT(first.packs(), SizeIs(2));
  EXPECT_EQ(first.packs(0).name(), "broken");
  EXPECT_EQ(first.packs(1).name(), "tiny");
  EXPECT_THAT(first.packs(1).digest(), SizeIs(64));
  EXPECT_EQ(first.packs(1).file_count(), 1u);
  const v1::ListPacksResponse second = ListPacks(2, first.next_page_token());
  ASSERT_THAT(second.packs(), SizeIs(1));
  EXPECT_EQ(second.packs(0).name(), "yard");
  EXPECT_EQ(second.packs(0).size_bytes(), sizeof(kManifest) - 1);
  EXPECT_EQ(second.next_page_token(), "");
}

TEST_F(ServerCatalogTest, APackSaysAllThatABotNeeds) {
  server_.folders().Write("packs/yard/pack.txtpb", kManifest);
  v1::OfferedPack yard;
  ASSERT_EQ(Summarize(TryGetPack("yard", /*want_meshes=*/true, yard)), "OK");

  const v1::GameDescription& game = yard.description();
  EXPECT_EQ(yard.digest(), game.pack_digest());
  EXPECT_EQ(game.simulation(), "world");
  EXPECT_GT(game.rules_revision(), 0u);
  EXPECT_EQ(game.players().count(), 2u);
  EXPECT_EQ(game.players().actions(1).name(), "north");
  EXPECT_EQ(game.players().sees(0).type(), "ball");
  EXPECT_THAT(game.players().hears(), ElementsAre("roller_jumped"));
  ASSERT_THAT(game.bots(), SizeIs(1));
  EXPECT_EQ(game.bots(0).every_ticks(), 6u);
  ASSERT_THAT(game.outcome_rules(), SizeIs(1));
  EXPECT_EQ(game.outcome_rules(0).outcome(), v1::RunEnd::OUTCOME_LOST);
  EXPECT_EQ(game.outcome_rules(0).when(),
            "what a player steers comes into pit");
  EXPECT_EQ(game.outcome_rules(0).reason(), "fell");
  ASSERT_THAT(yard.meshes(), SizeIs(1));
  EXPECT_THAT(yard.meshes(0).triangles(), ElementsAre(0, 1, 2));
  ASSERT_THAT(yard.files(), SizeIs(1));
  EXPECT_EQ(yard.files(0).path(), "pack.txtpb");
}

TEST_F(ServerCatalogTest, MeshesComeOnlyWhereTheyAreAskedFor) {
  server_.folders().Write("packs/yard/pack.txtpb", kManifest);
  v1::OfferedPack yard;
  ASSERT_EQ(Summarize(TryGetPack("yard", /*want_meshes=*/false, yard)), "OK");

  EXPECT_EQ(yard.meshes_size(), 0);
  EXPECT_EQ(yard.meshes_omitted(), 0u);
}

TEST_F(ServerCatalogTest, WhatIsAskedWronglyIsRefused) {
  server_.folders().Write("packs/broken/pack.txtpb", "nonsense");
  v1::OfferedPack none;
  EXPECT_EQ(Summarize(TryGetPack("golf", false, none)),
            "NOT_FOUND PACK_NOT_FOUND");
  EXPECT_EQ(Summarize(TryGetPack("../tiny", false, none)),
            "NOT_FOUND PACK_NOT_FOUND");
  EXPECT_EQ(Summarize(TryGetPack("broken", false, none)),
            "INVALID_ARGUMENT PACK_INVALID");
  v1::ListPacksRequest request;
  v1::ListPacksResponse response;
  request.set_page_size(-1);
  EXPECT_EQ(
      Summarize(Call(&v1::CatalogService::Stub::ListPacks, request, response)),
      "INVALID_ARGUMENT PAGE_SIZE_NEGATIVE");
  request.set_page_size(1);
  request.set_page_token("no such");
  EXPECT_EQ(
      Summarize(Call(&v1::CatalogService::Stub::ListPacks, request, response)),
      "INVALID_ARGUMENT PAGE_TOKEN_MALFORMED");
}

// A client without a file of any pack: it takes the first one, pushes every
// axis and every button there is, and the server takes all of it.
TEST_F(ServerCatalogTest, ABotPlaysByThatAlone) {
  server_.folders().Write("packs/yard/pack.txtpb", kManifest);
  v1::OfferedPack pack;
  ASSERT_EQ(Summarize(TryGetPack("yard", false, pack)), "OK");
  v1::CreateSessionRequest create;
  create.set_pack(pack.name());
  create.set_pack_digest(pack.digest());
  v1::Session session;
  ASSERT_EQ(Summarize(server_.TryCreateSession(create, &session)), "OK");
  v1::StepSessionRequest request = StepRequest(0, 60);
  v1::TickInputs& inputs = *request.add_inputs();
  for (uint32_t player = 0; player < pack.description().players().count();
       ++player) {
    v1::InputFrame& frame = *inputs.add_frames();
    frame.set_player(player);
    for (const v1::Action& action : pack.description().players().actions()) {
      if (action.binding_case() != v1::Action::kAxis) continue;
      while (frame.device().axes_size() <= static_cast<int>(action.axis())) {
        frame.mutable_device()->add_axes(0);
      }
      frame.mutable_device()->set_axes(static_cast<int>(action.axis()), 32767);
    }
  }

  StepClient client(server_.simulations(), session.name());
  const auto response = client.Exchange(request);

  EXPECT_EQ(Summarize(response), "OK");
  EXPECT_EQ(response.tick(), 60u);
  EXPECT_EQ(Summarize(client.Finish()), "OK");
}

TEST_F(ServerCatalogTest, ASessionOfAnotherPackThanNamedIsRefused) {
  v1::CreateSessionRequest create;
  create.set_pack("tiny");
  create.set_pack_digest(std::string(32, '0'));

  EXPECT_EQ(Summarize(server_.TryCreateSession(create)),
            "FAILED_PRECONDITION PACK_CHANGED");
  create.set_pack_digest("no digest");
  EXPECT_EQ(Summarize(server_.TryCreateSession(create)),
            "FAILED_PRECONDITION PACK_CHANGED");
}

// As clients know it who asked a former version.
TEST_F(ServerCatalogTest, ASessionOfThePackIsMadeByItsOldDigest) {
  server_.folders().Write("packs/yard/pack.txtpb", kManifest);
  sim::PackArchive pack;
  ASSERT_TRUE(pack.Add("pack.txtpb", kManifest).ok());
  v1::CreateSessionRequest create;
  create.set_pack("yard");
  create.set_pack_digest(
      sim::FormatDigest(pack.ComputeDigest(sim::ContentHash::kXxh3)));
  v1::Session session;
  ASSERT_EQ(Summarize(server_.TryCreateSession(create, &session)), "OK");
  EXPECT_EQ(session.pack_digest(), sim::FormatDigest(pack.ComputeDigest()));
}

}  // namespace
}  // namespace reprise::services
