// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Takes the connections of clients, and hands them to gRPC. gRPC's own listener
// goes deaf for good when an accept fails for want of a file descriptor
// (github.com/grpc/grpc/issues/20418), and takes as many connections as come.
// This one goes on, and closes at once what passes its limit, so that a client
// learns of it.

#ifndef REPRISE_SERVICES_CALLS_CONNECTION_ACCEPTOR_H_
#define REPRISE_SERVICES_CALLS_CONNECTION_ACCEPTOR_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "services/base/listen_address.h"

namespace reprise::services {

class ConnectionAcceptor {
 public:
  struct Handlers {
    // Owns the socket, which doesn't block, from then on.
    std::function<void(int listener, int connection)> take;
    // No connection can be taken for want of descriptors (true), or that is
    // over (false).
    std::function<void(bool)> on_shortage;
  };

  // Listens; clients wait until Start. A Unix socket is open to the group and
  // its owner, as far as the process' umask lets it; one that a killed server
  // left is replaced. UNAVAILABLE: the address is taken. REQUIRES:
  // connections_max > 0.
  static absl::StatusOr<std::unique_ptr<ConnectionAcceptor>> Listen(
      const ListenAddress& address, size_t connections_max);

  ConnectionAcceptor(const ConnectionAcceptor&) = delete;
  ConnectionAcceptor& operator=(const ConnectionAcceptor&) = delete;
  ~ConnectionAcceptor();

  // 0 of a Unix socket.
  uint16_t port() const { return port_; }

  // Takes connections, in a thread of its own. Called once.
  void Start(Handlers handlers);

  // Listens no more; once this returns no handler is called, and a Unix socket
  // is gone. What was taken stays. May be called twice.
  void Stop();

 private:
  // A socket that was handed over. Whoever has it closes it and says nothing,
  // but its number and its inode together are never another socket's.
  struct Connection {
    int descriptor = -1;
    ino_t inode = 0;
  };

  // A file that is made by listening.
  struct SocketFile {
    std::string path;  // empty: none
    ino_t inode = 0;
  };

  ConnectionAcceptor(int listener, int stop_event, uint16_t port,
                     SocketFile file, size_t connections_max);

  void AcceptUntilStopped();
  void AcceptAll();
  void Take(int connection);
  // Whether one more may be taken.
  bool HasRoom();
  // Gives up a descriptor that is kept for this, to close a client's connection
  // rather than let it wait. False: nobody was turned away.
  bool TurnOneAway();
  void EnterShortage(bool is_short);

  const int stop_event_;
  const uint16_t port_;
  const SocketFile file_;
  const size_t connections_max_;
  int listener_;
  std::thread thread_;

  // The thread's own.
  Handlers handlers_;
  std::vector<Connection> connections_;
  int spare_ = -1;
  bool is_short_ = false;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_CONNECTION_ACCEPTOR_H_
