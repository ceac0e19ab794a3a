// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nobody is taken past the limit, that those who are turned away
// learn it, and that a want of descriptors ends when it ends.

#include "services/calls/connection_acceptor.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "services/base/loopback_address.h"
#include "services/testing/no_more_descriptors.h"

namespace reprise::services {
namespace {

const LoopbackAddress kAnyPort = {.host = "127.0.0.1", .port = 0};

class Socket {
 public:
  Socket() : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { close(descriptor_); }

  bool Connect(uint16_t port) const {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(descriptor_, reinterpret_cast<sockaddr*>(&address),
                   sizeof(address)) == 0;
  }

  // Waits until the other side has closed it.
  bool IsClosedByPeer() const {
    char byte = 0;
    return recv(descriptor_, &byte, 1, 0) <= 0;
  }

  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

class ConnectionAcceptorTest : public testing::Test {
 protected:
  ~ConnectionAcceptorTest() override {
    acceptor_.reset();
    for (const int connection : taken_) close(connection);
  }

  void Start(size_t connections_max) {
    acceptor_ = *ConnectionAcceptor::Listen(kAnyPort, connections_max);
    acceptor_->Start({.take =
                          [this](int, int connection) {
                            const std::scoped_lock lock(mutex_);
                            taken_.push_back(connection);
                            changed_.notify_all();
                          },
                      .on_shortage =
                          [this](bool is_short) {
                            const std::scoped_lock lock(mutex_);
                            shortages_.push_back(is_short);
                            changed_.notify_all();
                          }});
  }

  void AwaitTaken(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this, count] { return taken_.size() == count; });
  }

  void AwaitShortages(const std::vector<bool>& expected) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return shortages_ == expected; });
  }

  void CloseFirstTaken() {
    const std::scoped_lock lock(mutex_);
    close(taken_.front());
    taken_.erase(taken_.begin());
  }

  std::unique_ptr<ConnectionAcceptor> acceptor_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<int> taken_;
  std::vector<bool> shortages_;
};

TEST_F(ConnectionAcceptorTest, WhoComesPastTheLimitIsClosedUntilOneLeaves) {
  Start(/*connections_max=*/2);
  const Socket first, second, third, fourth;
  ASSERT_TRUE(first.Connect(acceptor_->port()));
  ASSERT_TRUE(second.Connect(acceptor_->port()));
  AwaitTaken(2);

  ASSERT_TRUE(third.Connect(acceptor_->port()));
  EXPECT_TRUE(third.IsClosedByPeer());

  CloseFirstTaken();
  ASSERT_TRUE(fourth.Connect(acceptor_->port()));
  AwaitTaken(2);
}

TEST_F(ConnectionAcceptorTest, AWantOfDescriptorsEndsWhenItEnds) {
  Start(/*connections_max=*/10);
  const Socket before, during, after;
  ASSERT_TRUE(before.Connect(acceptor_->port()));
  AwaitTaken(1);
  {
    const NoMoreDescriptors none;
    ASSERT_TRUE(during.Connect(acceptor_->port()));
    EXPECT_TRUE(during.IsClosedByPeer());
    AwaitShortages({true});
  }
  AwaitShortages({true, false});

  ASSERT_TRUE(after.Connect(acceptor_->port()));
  AwaitTaken(2);
}

TEST_F(ConnectionAcceptorTest, AnAddressInUseIsRefused) {
  Start(/*connections_max=*/1);

  const auto second = ConnectionAcceptor::Listen(
      {.host = "127.0.0.1", .port = acceptor_->port()}, 1);

  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(ConnectionAcceptorTest, NobodyIsTakenOnceItHasStopped) {
  Start(/*connections_max=*/1);
  acceptor_->Stop();
  const Socket late;

  EXPECT_FALSE(late.Connect(acceptor_->port()));
}

}  // namespace
}  // namespace reprise::services
