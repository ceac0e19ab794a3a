// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Keeps a copy of a recording while it is made: a file that grows with it.
//
// usage: live_download ADDRESS FILE

#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "client.h"

int main(int argc, char** argv) {
  using namespace reprise;
  const std::string address = argc > 1 ? argv[1] : "127.0.0.1:7171";
  auto client = client::Client::Create(address);
  v1::CreateSessionRequest create;
  create.set_pack("marble");
  create.set_record(true);
  auto session = (*client)->CreateSession(create);
  if (!session.ok()) {
    std::cerr << session.status() << "\n";
    return 1;
  }
  std::ofstream file(argc > 2 ? argv[2] : "live.mcap", std::ios::binary);
  uint64_t bytes = 0;
  // Elsewhere it would be another program that plays; here it is this one.
  const absl::Status ended = (*client)->DownloadLive(
      session->description().replay(), [&](std::string_view piece) {
        file << piece;
        bytes += piece.size();
        if (session->tick() < 600) {
          if (session->Step(600).ok()) std::cout << "played\n";
          static_cast<void>(session->Delete());
        }
        return true;
      });
  if (!ended.ok()) {
    std::cerr << ended << "\n";
    return 1;
  }
  std::cout << "all " << bytes << " bytes\n";
  return 0;
}
