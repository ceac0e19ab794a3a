// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/connection_acceptor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "services/base/descriptor_limit.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

constexpr int kWaitingClientsMax = 512;

// How often it is tried whether there are descriptors again.
constexpr int kShortagePeriodMs = 50;

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

// Of a Unix socket: for its owner and the group, as far as the umask lets them.
constexpr mode_t kSocketMode = 0660;

SocketAddress ToSocketAddress(const ListenAddress& address) {
  SocketAddress result;
  if (address.is_unix()) {
    auto& local = reinterpret_cast<sockaddr_un&>(result.storage);
    local.sun_family = AF_UNIX;
    CHECK(address.path.size() < sizeof(local.sun_path));
    address.path.copy(local.sun_path, address.path.size());
    result.size = sizeof(local);
  } else if (address.is_ipv6()) {
    auto& v6 = reinterpret_cast<sockaddr_in6&>(result.storage);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(address.port);
    const std::string host = address.host.substr(1, address.host.size() - 2);
    CHECK(inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) == 1);
    result.size = sizeof(v6);
  } else {
    auto& v4 = reinterpret_cast<sockaddr_in&>(result.storage);
    v4.sin_family = AF_INET;
    v4.sin_port = htons(address.port);
    CHECK(inet_pton(AF_INET, address.host.c_str(), &v4.sin_addr) == 1);
    result.size = sizeof(v4);
  }
  return result;
}

uint16_t PortOf(int socket) {
  SocketAddress bound;
  bound.size = sizeof(bound.storage);
  CHECK(getsockname(socket, bound.get(), &bound.size) == 0);
  if (bound.storage.ss_family == AF_UNIX) return 0;
  return ntohs(bound.storage.ss_family == AF_INET6
                   ? reinterpret_cast<sockaddr_in6&>(bound.storage).sin6_port
                   : reinterpret_cast<sockaddr_in&>(bound.storage).sin_port);
}

std::error_code LastError() {
  return std::error_code(errno, std::generic_category());
}

// Of the file `path`; 0: there is none.
ino_t InodeOf(const std::string& path) {
  struct stat file = {};
  return lstat(path.c_str(), &file) == 0 && S_ISSOCK(file.st_mode) ? file.st_ino
                                                                   : 0;
}

// A server that was killed leaves its socket, at which nobody listens.
void RemoveStaleSocket(const std::string& path, SocketAddress address) {
  if (InodeOf(path) == 0) return;
  const int probe =
      socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const bool is_stale = probe >= 0 &&
                        connect(probe, address.get(), address.size) != 0 &&
                        errno == ECONNREFUSED;
  if (probe >= 0) close(probe);
  if (is_stale) unlink(path.c_str());
}

// Connections inherit that nothing is held back to fill a packet. A port whose
// last connections aren't forgotten yet is free.
bool Prepare(int listener, const ListenAddress& address) {
  if (address.is_unix()) return fchmod(listener, kSocketMode) == 0;
  const int on = 1;
  return setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
         setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0;
}

int OpenSpare() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

}  // namespace

absl::StatusOr<std::unique_ptr<ConnectionAcceptor>> ConnectionAcceptor::Listen(
    const ListenAddress& address, size_t connections_max) {
  CHECK(connections_max > 0);
  SocketAddress socket_address = ToSocketAddress(address);
  const int listener = socket(socket_address.storage.ss_family,
                              SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int stop_event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (address.is_unix()) RemoveStaleSocket(address.path, socket_address);
  const bool listens =
      listener >= 0 && stop_event >= 0 && Prepare(listener, address) &&
      bind(listener, socket_address.get(), socket_address.size) == 0 &&
      listen(listener, kWaitingClientsMax) == 0;
  if (!listens) {
    const std::error_code error = LastError();
    if (listener >= 0) close(listener);
    if (stop_event >= 0) close(stop_event);
    return absl::UnavailableError(fmt::format(
        "cannot listen on {}: {}", address.ToString(), error.message()));
  }
  SocketFile file = {.path = address.path, .inode = InodeOf(address.path)};
  return std::unique_ptr<ConnectionAcceptor>(
      new ConnectionAcceptor(listener, stop_event, PortOf(listener),
                             std::move(file), connections_max));
}

ConnectionAcceptor::ConnectionAcceptor(int listener, int stop_event,
                                       uint16_t port, SocketFile file,
                                       size_t connections_max)
    : stop_event_(stop_event),
      port_(port),
      file_(std::move(file)),
      connections_max_(connections_max),
      listener_(listener),
      spare_(OpenSpare()) {}

ConnectionAcceptor::~ConnectionAcceptor() {
  Stop();
  close(stop_event_);
  if (spare_ >= 0) close(spare_);
}

void ConnectionAcceptor::Start(Handlers handlers) {
  CHECK(!thread_.joinable());
  handlers_ = std::move(handlers);
  thread_ = std::thread([this] { AcceptUntilStopped(); });
}

void ConnectionAcceptor::Stop() {
  eventfd_write(stop_event_, 1);
  if (thread_.joinable()) thread_.join();
  if (listener_ < 0) return;
  // Unless another server has put its own there.
  if (!file_.path.empty() && InodeOf(file_.path) == file_.inode) {
    unlink(file_.path.c_str());
  }
  close(listener_);
  listener_ = -1;
}

void ConnectionAcceptor::AcceptUntilStopped() {
  while (true) {
    pollfd events[] = {{.fd = stop_event_, .events = POLLIN, .revents = 0},
                       {.fd = listener_, .events = POLLIN, .revents = 0}};
    poll(events, 2, is_short_ ? kShortagePeriodMs : -1);
    if (events[0].revents != 0) return;
    if (is_short_) {
      const int probe = OpenSpare();
      if (probe >= 0) {
        if (spare_ < 0) {
          spare_ = probe;
          continue;
        }
        close(probe);
        EnterShortage(false);
      }
    }
    if (events[1].revents != 0) AcceptAll();
  }
}

void ConnectionAcceptor::AcceptAll() {
  while (true) {
    const int connection =
        accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (connection >= 0) {
      Take(connection);
      continue;
    }
    const std::error_code error = LastError();
    if (IsOutOfDescriptors(error) || errno == ENOBUFS || errno == ENOMEM) {
      EnterShortage(true);
      if (TurnOneAway()) continue;
      // Not at once again: they may be short for a while.
      pollfd stop = {.fd = stop_event_, .events = POLLIN, .revents = 0};
      poll(&stop, 1, kShortagePeriodMs);
      return;
    }
    if (error == std::errc::resource_unavailable_try_again) return;
    // The client went away, or the like: the next one.
  }
}

void ConnectionAcceptor::Take(int connection) {
  struct stat socket = {};
  if (!HasRoom() || fstat(connection, &socket) != 0) {
    close(connection);
    return;
  }
  connections_.push_back({.descriptor = connection, .inode = socket.st_ino});
  handlers_.take(listener_, connection);
}

bool ConnectionAcceptor::HasRoom() {
  if (connections_.size() < connections_max_) return true;
  std::erase_if(connections_, [](const Connection& connection) {
    struct stat open = {};
    return fstat(connection.descriptor, &open) != 0 ||
           !S_ISSOCK(open.st_mode) || open.st_ino != connection.inode;
  });
  return connections_.size() < connections_max_;
}

bool ConnectionAcceptor::TurnOneAway() {
  if (spare_ < 0) return false;
  close(spare_);
  const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection >= 0) close(connection);
  spare_ = OpenSpare();
  return connection >= 0;
}

void ConnectionAcceptor::EnterShortage(bool is_short) {
  if (is_short == is_short_) return;
  is_short_ = is_short;
  handlers_.on_shortage(is_short);
}

}  // namespace reprise::services
