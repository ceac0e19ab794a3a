// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/cable.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <span>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

// How long it takes at most to notice that it is over.
constexpr int kPollMs = 20;

sockaddr_in Loopback(int port) {
  sockaddr_in place = {};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<uint16_t>(port));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return place;
}

int MakeSocket() {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(made >= 0);
  return made;
}

void WriteAll(int socket, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t size = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return;  // that side has gone
    bytes = bytes.subspan(static_cast<size_t>(size));
  }
}

}  // namespace

Cable::Cable(const std::string& server_address) : listener_(MakeSocket()) {
  const int port =
      std::stoi(server_address.substr(server_address.rfind(':') + 1));
  sockaddr_in place = Loopback(/*port=*/0);
  CHECK(bind(listener_, reinterpret_cast<sockaddr*>(&place), sizeof(place)) ==
        0);
  CHECK(listen(listener_, /*backlog=*/1) == 0);
  carrier_ = std::thread([this, port] { Carry(port); });
}

Cable::~Cable() {
  is_over_ = true;
  carrier_.join();
  close(listener_);
}

std::string Cable::address() const {
  sockaddr_in place = {};
  socklen_t size = sizeof(place);
  CHECK(getsockname(listener_, reinterpret_cast<sockaddr*>(&place), &size) ==
        0);
  return fmt::format("127.0.0.1:{}", ntohs(place.sin_port));
}

void Cable::Carry(int server_port) {
  pollfd coming = {.fd = listener_, .events = POLLIN, .revents = 0};
  while (poll(&coming, 1, kPollMs) == 0) {
    if (is_over_) return;
  }
  const int client = accept(listener_, nullptr, nullptr);
  const int server = MakeSocket();
  sockaddr_in place = Loopback(server_port);
  CHECK(connect(server, reinterpret_cast<sockaddr*>(&place), sizeof(place)) ==
        0);
  std::array<char, 4096> bytes;
  bool has_client = true;
  while (!is_over_ && !is_closed_by_server_) {
    const bool hears_client = has_client && !is_pulled_out_;
    std::array<pollfd, 2> sides = {
        {{.fd = server, .events = POLLIN, .revents = 0},
         {.fd = hears_client ? client : -1, .events = POLLIN, .revents = 0}}};
    poll(sides.data(), sides.size(), kPollMs);
    if (sides[0].revents != 0) {
      const ssize_t size = read(server, bytes.data(), bytes.size());
      is_closed_by_server_ = size <= 0;
      // Behind a cable that is pulled out it is lost.
      if (size > 0 && !is_pulled_out_) {
        WriteAll(client, std::span(bytes).first(static_cast<size_t>(size)));
        ++server_message_count_;
      }
    }
    if (sides[1].revents != 0 && !is_pulled_out_) {
      const ssize_t size = read(client, bytes.data(), bytes.size());
      if (size > 0) {
        WriteAll(server, std::span(bytes).first(static_cast<size_t>(size)));
      } else {
        has_client = false;
        shutdown(server, SHUT_WR);
      }
    }
  }
  close(server);
  close(client);
}

}  // namespace reprise::services
