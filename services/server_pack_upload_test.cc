// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a client plays a pack that it has brought, as an archive or as
// files; that its mistakes come back by file and line; that it is its tenant's,
// has limits, calls itself what it comes as, and outlives the server; and that
// what isn't right leaves nothing.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/client_context.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "reprise/v1/catalog_service.grpc.pb.h"
#include "services/base/server_options.h"
#include "services/base/token.h"
#include "services/server.h"
#include "services/testing/test_client.h"
#include "services/testing/test_folders.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;

constexpr char kManifest[] = R"(
name: "ours"
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1
  shapes { sphere { radius: 1 } } } }
objects { name: "ball" type: "ball" position { y: 5 } }
)";
// The same by another name, as long.
constexpr char kOtherManifest[] = R"(
name: "them"
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1
  shapes { sphere { radius: 1 } } } }
objects { name: "ball" type: "ball" position { y: 5 } }
)";
// Lines 3 and 4 have mistakes.
constexpr char kWrong[] =
    "name: \"ours\"\n"
    "types { name: \"ball\" }\n"
    "objects { name: \"a\" type: \"bell\" }\n"
    "objects { name: \"b\" type: \"bull\" }\n";

sim::PackArchive MakePack(const std::string& manifest) {
  sim::PackArchive pack;
  EXPECT_TRUE(pack.Add("pack.txtpb", manifest).ok());
  return pack;
}

class ServerPackUploadTest : public testing::Test {
 protected:
  void Start(const std::function<void(ServerOptions&)>& change = [](auto&) {}) {
    server_.reset();
    ServerOptions options;
    options.address = "127.0.0.1:0";
    options.packs_folder = folders_.packs();
    options.store_folder = folders_.store();
    options.log = [](const LogEntry&) {};
    change(options);
    auto server = Server::Start(options);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    client_ = std::make_unique<TestClient>(server_->address());
  }
  // With the tenants "red" and "blue", of whom red may manage.
  void StartForTenants() {
    std::string lines;
    for (const auto& [tenant, scope] :
         {std::pair("red", Scope::kManage), std::pair("blue", Scope::kPlay)}) {
      lines += FormatTokenLine({.name = tenant,
                                .digest = DigestOf(std::string(tenant) + "-t"),
                                .scope = scope,
                                .tenant = {.name = tenant}}) +
               "\n";
    }
    folders_.Write("tokens", lines);
    Start([&](ServerOptions& options) {
      options.tokens = folders_.PathOf("tokens");
    });
  }
  void Become(const std::string& tenant) {
    client_ = std::make_unique<TestClient>(server_->address(), tenant + "-t",
                                           grpc::InsecureChannelCredentials());
  }

  std::unique_ptr<v1::CatalogService::Stub> Catalog() {
    return v1::CatalogService::NewStub(client_->channel());
  }

  // Sends the pieces.
  grpc::Status Upload(const std::vector<v1::UploadPackRequest>& pieces,
                      v1::OfferedPack* pack = nullptr) {
    grpc::ClientContext context;
    v1::UploadPackResponse response;
    const auto stub = Catalog();
    const auto stream = stub->UploadPack(&context, &response);
    for (const v1::UploadPackRequest& piece : pieces) {
      if (!stream->Write(piece)) break;
    }
    stream->WritesDone();
    const grpc::Status status = stream->Finish();
    if (pack != nullptr) *pack = response.pack();
    return status;
  }
  // As an archive, in pieces of so many bytes.
  grpc::Status UploadArchive(const std::string& name,
                             const sim::PackArchive& pack,
                             v1::OfferedPack* offered = nullptr,
                             size_t piece_bytes = 1000) {
    const std::string bytes = pack.Encode();
    std::vector<v1::UploadPackRequest> pieces;
    for (size_t i = 0; i < bytes.size(); i += piece_bytes) {
      pieces.emplace_back().set_archive(bytes.substr(i, piece_bytes));
    }
    pieces.front().set_name(name);
    return Upload(pieces, offered);
  }
  static v1::UploadPackRequest Piece(const std::string& name,
                                     const std::string& path,
                                     const std::string& data) {
    v1::UploadPackRequest piece;
    piece.set_name(name);
    piece.set_path(path);
    piece.set_data(data);
    return piece;
  }

  std::vector<std::string> Names() {
    grpc::ClientContext context;
    v1::ListPacksResponse response;
    EXPECT_TRUE(Catalog()->ListPacks(&context, {}, &response).ok());
    std::vector<std::string> names;
    for (const v1::OfferedPack& pack : response.packs()) {
      names.push_back(pack.name() + (pack.is_uploaded() ? "*" : ""));
    }
    return names;
  }
  grpc::Status Get(const std::string& name, v1::OfferedPack* pack = nullptr,
                   const std::string& digest = "") {
    grpc::ClientContext context;
    v1::GetPackRequest request;
    v1::GetPackResponse response;
    request.set_pack(name);
    request.set_digest(digest);
    grpc::Status status = Catalog()->GetPack(&context, request, &response);
    if (pack != nullptr) *pack = response.pack();
    return status;
  }
  grpc::Status Delete(const std::string& name) {
    grpc::ClientContext context;
    v1::DeletePackRequest request;
    v1::DeletePackResponse response;
    request.set_pack(name);
    return Catalog()->DeletePack(&context, request, &response);
  }
  grpc::Status Create(const std::string& pack, v1::Session* session = nullptr,
                      const std::string& digest = "") {
    v1::CreateSessionRequest request;
    request.set_pack(pack);
    request.set_pack_digest(digest);
    request.set_record(true);
    return client_->TryCreateSession(request, session);
  }

  static std::vector<std::string> Mistakes(const grpc::Status& status) {
    google::rpc::Status details;
    std::vector<std::string> mistakes;
    EXPECT_TRUE(details.ParseFromString(status.error_details()));
    for (const auto& any : details.details()) {
      google::rpc::BadRequest request;
      if (!any.UnpackTo(&request)) continue;
      for (const auto& violation : request.field_violations()) {
        mistakes.push_back(violation.field());
        EXPECT_NE(violation.description(), "");
      }
    }
    return mistakes;
  }

  TestFolders folders_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<TestClient> client_;
};

TEST_F(ServerPackUploadTest, APackThatCameAsAnArchiveIsPlayed) {
  Start();
  const sim::PackArchive pack = MakePack(kManifest);
  v1::OfferedPack kept, got;
  ASSERT_EQ(Summarize(UploadArchive("ours", pack, &kept)), "OK");
  EXPECT_EQ(kept.digest(), sim::FormatDigest(pack.ComputeDigest()));
  EXPECT_TRUE(kept.is_uploaded());

  EXPECT_THAT(Names(), ElementsAre("ours*", "tiny"));
  ASSERT_EQ(Summarize(Get("ours", &got)), "OK");
  EXPECT_TRUE(got.is_uploaded());
  EXPECT_EQ(got.digest(), kept.digest());
  v1::Session session;
  ASSERT_EQ(Summarize(Create("ours", &session, kept.digest())), "OK");
  EXPECT_EQ(session.pack_digest(), kept.digest());
  EXPECT_EQ(client_->Step(session.name(), 0, 30).tick(), 30u);

  // A replay of it has the pack, and is gone on with when that is forgotten.
  const std::string replay = client_->DeleteSession(session.name());
  ASSERT_EQ(Summarize(Delete("ours")), "OK");
  v1::CreateSessionRequest branch;
  branch.mutable_branch()->set_replay(replay);
  branch.mutable_branch()->set_tick(20);
  EXPECT_EQ(Summarize(client_->TryCreateSession(branch)), "OK");
  EXPECT_EQ(Summarize(Create("ours")), "NOT_FOUND PACK_NOT_FOUND");
  EXPECT_EQ(Summarize(Delete("ours")), "NOT_FOUND PACK_NOT_FOUND");
}

TEST_F(ServerPackUploadTest, FilesAreAsGoodAsAnArchive) {
  Start();
  const std::string manifest = kManifest;
  v1::OfferedPack kept;
  ASSERT_EQ(
      Summarize(Upload({Piece("ours", "pack.txtpb", manifest.substr(0, 20)),
                        Piece("", "pack.txtpb", manifest.substr(20)),
                        Piece("ours", "notes.txt", "")},
                       &kept)),
      "OK");
  sim::PackArchive pack = MakePack(kManifest);
  ASSERT_TRUE(pack.Add("notes.txt", "").ok());
  EXPECT_EQ(kept.digest(), sim::FormatDigest(pack.ComputeDigest()));
  EXPECT_EQ(kept.file_count(), 2u);
}

TEST_F(ServerPackUploadTest, MistakesComeBackByFileAndLine) {
  Start();
  const grpc::Status refused = UploadArchive("ours", MakePack(kWrong));
  EXPECT_EQ(Summarize(refused), "INVALID_ARGUMENT PACK_INVALID");
  EXPECT_THAT(Mistakes(refused), ElementsAre("pack.txtpb:3", "pack.txtpb:4"));
  EXPECT_THAT(Names(), ElementsAre("tiny"));

  // So do those of a pack of the server's own.
  folders_.Write("packs/wrong/pack.txtpb", kWrong);
  const grpc::Status failed = Create("wrong");
  EXPECT_EQ(Summarize(failed), "INVALID_ARGUMENT PACK_INVALID");
  EXPECT_THAT(Mistakes(failed), ElementsAre("pack.txtpb:3", "pack.txtpb:4"));
}

TEST_F(ServerPackUploadTest,
       TheLastOneOfANameIsPlayedUnlessADigestSaysOtherwise) {
  Start();
  v1::OfferedPack first, second;
  ASSERT_TRUE(UploadArchive("ours", MakePack(kManifest), &first).ok());
  ASSERT_TRUE(
      UploadArchive("ours", MakePack(std::string(kManifest) + "\n"), &second)
          .ok());
  v1::Session session;
  ASSERT_TRUE(Create("ours", &session).ok());
  EXPECT_EQ(session.pack_digest(), second.digest());
  ASSERT_TRUE(Create("ours", &session, first.digest()).ok());
  EXPECT_EQ(session.pack_digest(), first.digest());
  EXPECT_EQ(Summarize(Create("ours", nullptr, std::string(64, '0'))),
            "FAILED_PRECONDITION PACK_CHANGED");
  EXPECT_EQ(Summarize(Get("ours", nullptr, first.digest())), "OK");
  EXPECT_EQ(Summarize(Get("ours", nullptr, std::string(64, '0'))),
            "NOT_FOUND PACK_NOT_FOUND");
}

TEST_F(ServerPackUploadTest, ItOutlivesTheServer) {
  Start();
  ASSERT_TRUE(UploadArchive("ours", MakePack(kManifest)).ok());
  Start();
  EXPECT_THAT(Names(), ElementsAre("ours*", "tiny"));
  EXPECT_EQ(Summarize(Create("ours")), "OK");
}

TEST_F(ServerPackUploadTest, ItIsItsTenantsAndTakesAScope) {
  StartForTenants();
  Become("red");
  ASSERT_EQ(Summarize(UploadArchive("ours", MakePack(kManifest))), "OK");
  EXPECT_THAT(Names(), ElementsAre("ours*", "tiny"));

  Become("blue");
  EXPECT_THAT(Names(), ElementsAre("tiny"));
  EXPECT_EQ(Summarize(Create("ours")), "NOT_FOUND PACK_NOT_FOUND");
  EXPECT_EQ(Summarize(Get("ours")), "NOT_FOUND PACK_NOT_FOUND");
  EXPECT_EQ(Summarize(UploadArchive("ours", MakePack(kManifest))),
            "PERMISSION_DENIED SCOPE_MISSING");
  EXPECT_EQ(Summarize(Delete("ours")), "PERMISSION_DENIED SCOPE_MISSING");
}

TEST_F(ServerPackUploadTest, TheAuditLogNamesIt) {
  Start([&](ServerOptions& options) {
    options.audit_log = folders_.PathOf("audit");
  });
  v1::OfferedPack kept;
  ASSERT_EQ(Summarize(UploadArchive("ours", MakePack(kManifest), &kept)), "OK");
  EXPECT_EQ(Summarize(UploadArchive("tiny", MakePack(kManifest))),
            "ALREADY_EXISTS PACK_NAME_TAKEN");
  ASSERT_EQ(Summarize(Delete("ours")), "OK");
  server_.reset();

  std::ifstream file(folders_.PathOf("audit"));
  std::vector<std::string> resources;
  for (std::string line; std::getline(file, line);) {
    const auto record = nlohmann::json::parse(line);
    resources.push_back(record["call"].get<std::string>() + " " +
                        record["resource"].get<std::string>());
  }
  EXPECT_THAT(resources,
              ElementsAre("UploadPack packs/ours@" + kept.digest(),
                          "UploadPack packs/tiny", "DeletePack packs/ours"));
}

TEST_F(ServerPackUploadTest, ItHasLimits) {
  const sim::PackArchive pack = MakePack(kManifest);
  const uint64_t size = pack.Encode().size();
  Start([&](ServerOptions& options) {
    options.pack_uploads.bytes_max = size;
    options.pack_uploads.tenant_bytes_max = size;
  });
  EXPECT_EQ(Summarize(UploadArchive("ours", MakePack(std::string(5000, '\n') +
                                                     std::string(kManifest)))),
            "RESOURCE_EXHAUSTED UPLOAD_TOO_LARGE");
  ASSERT_EQ(Summarize(UploadArchive("ours", pack)), "OK");
  EXPECT_EQ(Summarize(UploadArchive("them", MakePack(kOtherManifest))),
            "RESOURCE_EXHAUSTED QUOTA_REACHED");
  EXPECT_EQ(Summarize(UploadArchive("ours", pack)), "OK");
}

// Lists find sessions and replays by what their pack calls itself.
TEST_F(ServerPackUploadTest, APackComesByItsOwnName) {
  Start();
  EXPECT_EQ(Summarize(UploadArchive("ours", MakePack(kOtherManifest))),
            "INVALID_ARGUMENT UPLOAD_REFUSED");
  std::string as_the_servers = kManifest;
  as_the_servers.replace(as_the_servers.find("ours"), 4, "tiny");
  EXPECT_EQ(Summarize(UploadArchive("ours", MakePack(as_the_servers))),
            "INVALID_ARGUMENT UPLOAD_REFUSED");
  EXPECT_THAT(Names(), ElementsAre("tiny"));
}

TEST_F(ServerPackUploadTest, WhatWasKeptByAnotherNameIsNotPlayed) {
  Start();
  ASSERT_EQ(Summarize(UploadArchive("ours", MakePack(kManifest))), "OK");
  namespace fs = std::filesystem;
  const fs::path kept = fs::path(folders_.store()) / "packs" / "_";
  fs::copy(kept / "ours", kept / "theirs", fs::copy_options::recursive);
  // Whatever it tries, this one says that the pack calls itself "ours".
  setenv("STRANGE_WORKER", "name", /*overwrite=*/1);
  Start([](ServerOptions& options) {
    options.operations.program =
        fs::absolute("services/testing/strange_worker");
  });

  EXPECT_EQ(Summarize(Create("theirs")), "INVALID_ARGUMENT PACK_INVALID");
  EXPECT_EQ(Summarize(Get("theirs")), "INVALID_ARGUMENT PACK_INVALID");
  EXPECT_EQ(Summarize(Create("ours")), "OK");
  EXPECT_EQ(Summarize(UploadArchive("them", MakePack(kManifest))),
            "INVALID_ARGUMENT UPLOAD_REFUSED");
  EXPECT_EQ(Summarize(Delete("theirs")), "OK");
  unsetenv("STRANGE_WORKER");
}

TEST_F(ServerPackUploadTest, FilesWithoutContentsTakeRoomToo) {
  Start([](ServerOptions& options) { options.pack_uploads.bytes_max = 4096; });
  std::vector<v1::UploadPackRequest> pieces = {
      Piece("ours", "pack.txtpb", kManifest)};
  for (int i = 0; i < 8; ++i) {
    pieces.push_back(Piece("ours", "notes" + std::to_string(i), ""));
  }
  EXPECT_EQ(Summarize(Upload(pieces)), "RESOURCE_EXHAUSTED UPLOAD_TOO_LARGE");

  // A path that no pack can have is refused before it is kept.
  const std::vector<v1::UploadPackRequest> far = {
      Piece("ours", std::string(8192, 'a'), "")};
  EXPECT_EQ(Summarize(Upload(far)), "INVALID_ARGUMENT UPLOAD_REFUSED");
}

TEST_F(ServerPackUploadTest, WithoutMemoryNothingIsTaken) {
  Start([](ServerOptions& options) {
    options.memory_bytes_max = 100;
    options.memory_meter = [] { return uint64_t{99}; };
  });
  EXPECT_EQ(Summarize(UploadArchive("ours", MakePack(kManifest))),
            "RESOURCE_EXHAUSTED MEMORY_FULL");
}

TEST_F(ServerPackUploadTest, WhatMakesNoSenseIsRefusedAndLeavesNothing) {
  Start();
  const std::string refused = "INVALID_ARGUMENT UPLOAD_REFUSED";
  v1::UploadPackRequest both = Piece("ours", "pack.txtpb", kManifest);
  both.set_archive("x");
  EXPECT_EQ(Summarize(Upload({})), refused);
  EXPECT_EQ(Summarize(Upload({Piece("", "pack.txtpb", kManifest)})), refused);
  EXPECT_EQ(Summarize(Upload({Piece("../x", "pack.txtpb", kManifest)})),
            refused);
  EXPECT_EQ(Summarize(Upload({Piece("ours", "", "x")})), refused);
  EXPECT_EQ(Summarize(Upload({Piece("ours", "../pack.txtpb", kManifest)})),
            refused);
  EXPECT_EQ(Summarize(Upload({Piece("ours", "notes.txt", "x")})), refused);
  EXPECT_EQ(Summarize(Upload({both})), refused);
  EXPECT_EQ(Summarize(Upload({Piece("ours", "pack.txtpb", kManifest),
                              Piece("other", "a.txt", "x")})),
            refused);
  // No folder has them all, and no terminal shows them as they are.
  for (const char* const path :
       {"pack.txtpb/x", "a\nb.txt", "a\x7f.txt", "a\\b.txt"}) {
    EXPECT_EQ(Summarize(Upload({Piece("ours", "pack.txtpb", kManifest),
                                Piece("ours", path, "x")})),
              refused)
        << path;
    sim::PackArchive pack = MakePack(kManifest);
    ASSERT_TRUE(pack.Add(path, "x").ok());
    EXPECT_EQ(Summarize(UploadArchive("ours", pack)), refused) << path;
  }
  v1::UploadPackRequest garbage;
  garbage.set_name("ours");
  garbage.set_archive(std::string(3000, 'x'));
  EXPECT_EQ(Summarize(Upload({garbage})), refused);
  EXPECT_EQ(Summarize(UploadArchive("tiny", MakePack(kManifest))),
            "ALREADY_EXISTS PACK_NAME_TAKEN");
  EXPECT_THAT(Names(), ElementsAre("tiny"));
}

}  // namespace
}  // namespace reprise::services
