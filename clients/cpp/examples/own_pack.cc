// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Brings a pack, is told its mistakes, and plays it once it has none.
//
// usage: own_pack ADDRESS

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "client.h"
#include "packs.h"

namespace {

constexpr char kPack[] = R"pack(
name: "drop"
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1
  shapes { sphere { radius: 1 } } } }
objects { name: "ball" type: "bell" position { y: 5 } }
)pack";

}  // namespace

int main(int argc, char** argv) {
  using namespace reprise;
  const std::string address = argc > 1 ? argv[1] : "127.0.0.1:7171";
  auto client = client::Client::Create(address);
  std::string folder =
      (std::filesystem::temp_directory_path() / "drop.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;

  std::string pack = kPack;
  std::ofstream(folder + "/pack.txtpb") << pack;
  auto kept = client::UploadPack(**client, "drop", folder);
  for (const client::Mistake& mistake :
       client::ErrorInfoOf(kept.status()).mistakes) {
    std::cout << mistake.place << ": " << mistake.message << "\n";
  }
  pack.replace(pack.find("bell"), 4, "ball");
  std::ofstream(folder + "/pack.txtpb") << pack;
  kept = client::UploadPack(**client, "drop", folder);
  std::filesystem::remove_all(folder);
  if (!kept.ok()) {
    std::cerr << kept.status() << "\n";
    return 1;
  }
  v1::CreateSessionRequest create;
  create.set_pack("drop");
  create.set_pack_digest(kept->digest());
  auto session = (*client)->CreateSession(create);
  if (!session.ok() || !session->Step(60).ok()) {
    std::cerr << session.status() << "\n";
    return 1;
  }
  std::cout << "tick " << session->tick() << " of "
            << session->description().pack() << "\n";
  if (!session->Delete().ok()) return 1;
  return client::DeletePack(**client, "drop").ok() ? 0 : 1;
}
