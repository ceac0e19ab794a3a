// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nobody is taken past the limit, that those who are turned away
// learn it, and that a want of descriptors ends when it ends.

#include "services/calls/connection_acceptor.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "services/base/listen_address.h"
#include "services/testing/no_more_descriptors.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

const ListenAddress kAnyPort = {.host = "127.0.0.1", .port = 0};

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

// The path is short: a socket's may have 107 bytes.
class UnixSocketTest : public testing::Test {
 protected:
  ~UnixSocketTest() override { std::filesystem::remove_all(folder_); }

  static std::string MakeFolder() {
    char folder[] = "/tmp/reprise_XXXXXX";
    CHECK(mkdtemp(folder) != nullptr);
    return folder;
  }

  const std::string folder_ = MakeFolder();
  const ListenAddress address_ = {.path = folder_ + "/socket"};
};

TEST_F(UnixSocketTest, OneThatAKilledServerLeftIsReplaced) {
  const int killed = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un place = {};
  place.sun_family = AF_UNIX;
  address_.path.copy(place.sun_path, address_.path.size());
  ASSERT_EQ(bind(killed, reinterpret_cast<sockaddr*>(&place), sizeof(place)),
            0);
  close(killed);

  auto acceptor = ConnectionAcceptor::Listen(address_, 1);

  ASSERT_TRUE(acceptor.ok()) << acceptor.status();
  acceptor->reset();
  EXPECT_FALSE(std::filesystem::exists(address_.path));
}

TEST_F(UnixSocketTest, OneThatIsListenedOnStays) {
  const auto first = ConnectionAcceptor::Listen(address_, 1);
  ASSERT_TRUE(first.ok()) << first.status();

  EXPECT_EQ(ConnectionAcceptor::Listen(address_, 1).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_TRUE(std::filesystem::exists(address_.path));
}

TEST_F(UnixSocketTest, AFileThatIsNoSocketStays) {
  std::ofstream(address_.path) << "notes";

  EXPECT_EQ(ConnectionAcceptor::Listen(address_, 1).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_TRUE(std::filesystem::exists(address_.path));
}

}  // namespace
}  // namespace reprise::services
