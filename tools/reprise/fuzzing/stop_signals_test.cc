// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that signals are counted instead of ending the process, whichever of
// the processes they come to, and that all is as before in the end.

#include "tools/reprise/fuzzing/stop_signals.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

TEST(StopSignalsTest, SignalIsCountedAndTheProcessGoesOn) {
  for (const int number : {SIGINT, SIGTERM}) {
    const auto stop = StopSignals::Create();
    ASSERT_TRUE(stop.ok()) << stop.status();
    EXPECT_FALSE((*stop)->has_come());
    raise(number);
    EXPECT_TRUE((*stop)->has_come());
  }
}

TEST(StopSignalsTest, SignalOfOneProcessIsKnownToTheOther) {
  const auto stop = StopSignals::Create();
  ASSERT_TRUE(stop.ok()) << stop.status();
  const pid_t other = fork();
  if (other == 0) {
    raise(SIGTERM);
    _exit(0);
  }
  int wait_status = -1;
  ASSERT_EQ(waitpid(other, &wait_status, 0), other);
  EXPECT_TRUE(WIFEXITED(wait_status));
  EXPECT_TRUE((*stop)->has_come());
}

TEST(StopSignalsTest, SecondSignalEndsTheProcess) {
  const auto stop = StopSignals::Create();
  ASSERT_TRUE(stop.ok()) << stop.status();
  const pid_t other = fork();
  if (other == 0) {
    raise(SIGTERM);
    raise(SIGTERM);
    _exit(0);
  }
  int wait_status = -1;
  ASSERT_EQ(waitpid(other, &wait_status, 0), other);
  ASSERT_TRUE(WIFSIGNALED(wait_status));
  EXPECT_EQ(WTERMSIG(wait_status), SIGTERM);
}

TEST(StopSignalsTest, SignalThatWasIgnoredStaysSo) {
  const auto before = signal(SIGINT, SIG_IGN);
  {
    const auto stop = StopSignals::Create();
    ASSERT_TRUE(stop.ok()) << stop.status();
    raise(SIGINT);
    EXPECT_FALSE((*stop)->has_come());
  }
  EXPECT_EQ(signal(SIGINT, before), SIG_IGN);
}

}  // namespace
}  // namespace reprise::tools
