// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves how a worker without a replay comes to its end, with this very program
// as its process: it says that its replay is verified, and ends as the name of
// that says.

#include "tools/reprise/verifying/verify_worker.h"

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verifying/verify_process.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The other side: `reprise verify --report-to N --paths-from N -- NAME`.
int BeProcess(const std::vector<std::string>& words) {
  const std::string& name = words.back();
  VerifyResult result;
  result.verdict = Verdict::kVerified;
  Json line;
  line["result"] = ToJson(result);
  line["is_last"] = false;
  const std::string text = line.dump() + "\n";
  const int report = std::atoi(words[3].c_str());
  if (write(report, text.data(), text.size()) < 0) return 5;
  char byte = 0;
  while (read(std::atoi(words[5].c_str()), &byte, 1) > 0) {
  }
  while (name == "hangs") pause();
  return name == "crashes" ? 9 : 0;
}

class VerifyWorkerTest : public testing::Test {
 protected:
  VerifyWorkerTest() {
    options_.hang_timeout = std::chrono::seconds(1);
    observer_ = {.on_remarks = [](size_t, const auto&) {},
                 .on_progress = [](size_t, uint64_t, uint64_t) {},
                 .on_result = [](size_t, const VerifyResult&) {}};
  }

  // What is wrong with the end of a process whose replay is verified.
  std::string EndOf(const std::string& name) {
    VerifyWorker worker(options_, observer_);
    EXPECT_TRUE(worker.Start(0, name, /*takes_more=*/true).ok());
    while (!worker.Look()) Wait(worker);
    EXPECT_EQ(worker.TakeResult().verdict, Verdict::kVerified);
    EXPECT_TRUE(worker.is_idle());
    worker.GiveNoMore();
    while (!worker.has_ended()) {
      EXPECT_FALSE(worker.Look());
      worker.GiveNoMore();  // again, as the pool does
      Wait(worker);
    }
    return worker.DescribeEnd();
  }

 private:
  static void Wait(const VerifyWorker& worker) {
    std::vector<pollfd> waits;
    for (const int descriptor : worker.descriptors()) {
      waits.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
    }
    poll(waits.data(), waits.size(), 20);
  }

  VerifyProcessOptions options_;
  VerifyProcessObserver observer_;
};

TEST_F(VerifyWorkerTest, EndBehindTheLastReplayIsNothingWrong) {
  EXPECT_THAT(EndOf("ends"), IsEmpty());
}

TEST_F(VerifyWorkerTest, CrashBehindTheLastReplayIsTold) {
  EXPECT_THAT(EndOf("crashes"), HasSubstr("crashed behind its last replay"));
}

TEST_F(VerifyWorkerTest, HangBehindTheLastReplayIsEndedAndTold) {
  EXPECT_THAT(EndOf("hangs"),
              HasSubstr("hung behind its last replay, hangs: it didn't end in "
                        "1 s"));
}

}  // namespace
}  // namespace reprise::tools

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (argc > 6 && words[1] == "verify") {
    return reprise::tools::BeProcess(words);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
