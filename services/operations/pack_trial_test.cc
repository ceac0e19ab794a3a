// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that whatever a pack does to the process that tries it is an error of
// that pack, with a worker that does each thing there is; that what was well
// isn't tried again; and that mistakes are taken out of what the worker says.

#include "services/operations/pack_trial.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

using ::testing::HasSubstr;

class PackTrialTest : public testing::Test {
 protected:
  PackTrialTest() {
    options_.operations.program =
        std::filesystem::absolute("services/testing/strange_worker");
    options_.log = [](const LogEntry&) {};
  }
  ~PackTrialTest() override { unsetenv("STRANGE_WORKER"); }

  absl::StatusOr<TriedPack> Try(const std::string& act,
                                bool is_cancelled = false) {
    setenv("STRANGE_WORKER", act.c_str(), /*overwrite=*/1);
    return trial_.Try(Tenant(), TrialWaiter::kUpload, pack_.ComputeDigest(),
                      pack_, [is_cancelled] { return is_cancelled; });
  }
  std::string Refusal(const std::string& act) {
    return ReasonOf(Try(act).status());
  }

  // A trial that doesn't end while this lives, and has begun when it is made.
  class SlowTrial {
   public:
    SlowTrial(PackTrialTest* test, const Tenant& tenant, TrialWaiter waiter) {
      test->options_.pack_uploads.trial_timeout = absl::Minutes(10);
      setenv("STRANGE_WORKER", "hang", /*overwrite=*/1);
      thread_ = std::thread([this, test, tenant, waiter] {
        const sim::PackArchive pack = replays::MakeTinyPack(0.5);
        const auto is_cancelled = [this] {
          has_begun_ = true;
          return is_over_.load();
        };
        EXPECT_EQ(ReasonOf(test->trial_
                               .Try(tenant, waiter, pack.ComputeDigest(), pack,
                                    is_cancelled)
                               .status()),
                  "CALL_CANCELLED");
        has_begun_ = true;
      });
      while (!has_begun_) std::this_thread::yield();
    }
    SlowTrial(const SlowTrial&) = delete;
    SlowTrial& operator=(const SlowTrial&) = delete;
    ~SlowTrial() {
      is_over_ = true;
      thread_.join();
    }

   private:
    std::atomic<bool> has_begun_ = false;
    std::atomic<bool> is_over_ = false;
    std::thread thread_;
  };
  // What becomes of one that is given up as soon as it has begun.
  std::string RefusalBeside(const Tenant& tenant, TrialWaiter waiter) {
    setenv("STRANGE_WORKER", "hang", /*overwrite=*/1);
    return ReasonOf(trial_
                        .Try(tenant, waiter, pack_.ComputeDigest(), pack_,
                             [] { return true; })
                        .status());
  }

  ServerOptions options_ = {};
  const sim::PackArchive pack_ = replays::MakeTinyPack();
  PackTrial trial_ = PackTrial(&options_);
};

TEST_F(PackTrialTest, WhatIsWellSaysWhatItTookAndIsNotTriedAgain) {
  const auto tried = Try("name");
  ASSERT_TRUE(tried.ok()) << tried.status();
  EXPECT_GT(tried->bytes, uint64_t{1} << 20);
  EXPECT_EQ(tried->name, "ours");

  EXPECT_EQ(*Try("signal"), *tried);
}

TEST_F(PackTrialTest, WhatIsTrustedIsNotTried) {
  trial_.Trust(pack_.ComputeDigest(), "tiny");
  EXPECT_EQ(*Try("signal"), (TriedPack{.bytes = 0, .name = "tiny"}));
}

TEST_F(PackTrialTest, ACrashIsThePacks) {
  EXPECT_EQ(Refusal("signal"), "WORKER_CRASHED");
  EXPECT_EQ(Refusal("exit"), "WORKER_CRASHED");
  EXPECT_TRUE(Try("").ok());
}

TEST_F(PackTrialTest, WhatNeverEndsIsEnded) {
  options_.pack_uploads.trial_timeout = absl::Milliseconds(100);
  EXPECT_EQ(Refusal("hang"), "PACK_TOO_DEMANDING");
}

TEST_F(PackTrialTest, NobodyWaitsForWhoHasGone) {
  EXPECT_EQ(ReasonOf(Try("hang", /*is_cancelled=*/true).status()),
            "CALL_CANCELLED");
}

// Sanitizers take terabytes of address space for themselves.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(PackTrialTest, WhatTakesAllMemoryIsEnded) {
  options_.operations.memory_bytes_max = uint64_t{256} << 20;
  EXPECT_EQ(Refusal("memory"), "PACK_TOO_DEMANDING");
}
#endif

TEST_F(PackTrialTest, WhatTheWorkerSaysIsThePacksMistake) {
  const absl::Status refused = Try("refuse").status();
  EXPECT_EQ(ReasonOf(refused), "PACK_INVALID");
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("replay.mcap: no such tick"));
}

TEST_F(PackTrialTest, SomeThreadsAreLeftForPacksThatNeedNoTrial) {
  options_.loader_count = 2;
  const SlowTrial slow(this, {.name = "red"}, TrialWaiter::kLoad);
  // One at a time, with two threads that load.
  EXPECT_EQ(RefusalBeside({.name = "blue"}, TrialWaiter::kLoad), "SERVER_BUSY");
  EXPECT_EQ(RefusalBeside({.name = "blue"}, TrialWaiter::kUpload),
            "CALL_CANCELLED");
}

TEST_F(PackTrialTest, OneThatTakesLongKeepsItsOwnTenantWaitingOnly) {
  const SlowTrial red(this, {.name = "red"}, TrialWaiter::kUpload);
  const SlowTrial blue(this, {.name = "blue"}, TrialWaiter::kUpload);
  EXPECT_EQ(RefusalBeside({.name = "red"}, TrialWaiter::kUpload),
            "SERVER_BUSY");
  EXPECT_EQ(RefusalBeside({.name = "blue"}, TrialWaiter::kLoad), "SERVER_BUSY");
  EXPECT_EQ(RefusalBeside({.name = "green"}, TrialWaiter::kUpload),
            "CALL_CANCELLED");
}

TEST_F(PackTrialTest, APlaceIsGivenBack) {
  for (const TrialWaiter waiter : {TrialWaiter::kUpload, TrialWaiter::kLoad}) {
    { const SlowTrial slow(this, Tenant(), waiter); }
    EXPECT_EQ(RefusalBeside(Tenant(), TrialWaiter::kLoad), "CALL_CANCELLED");
  }
}

TEST_F(PackTrialTest, WithoutAProgramEachIsWell) {
  options_.operations.program.clear();
  EXPECT_EQ(*Try("signal"), TriedPack());
}

TEST(ParsePackNameTest, WhatIsNoReportHasNone) {
  EXPECT_EQ(ParsePackName(R"({"command": "run", "pack": "ours"})"), "ours");
  for (const char* text :
       {"", "x", "[]", "{}", R"({"pack": 1})", R"("pack")"}) {
    EXPECT_EQ(ParsePackName(text), "") << text;
  }
}

TEST(ParsePackCheckTest, EachProblemIsAMistakeWithItsPlace) {
  const absl::Status refused = ParsePackCheck(R"({"packs": [{"problems": [
    {"file": "pack.txtpb", "line": 12, "column": 3, "field": "objects[0].type",
     "message": "there is no type 'x'"},
    {"file": "a.lua", "line": 0, "message": "it never ends"}]}]})");
  EXPECT_EQ(ReasonOf(refused), "PACK_INVALID");
  EXPECT_EQ(std::string(refused.message()),
            "pack.txtpb:12: objects[0].type: there is no type 'x'\n"
            "a.lua: it never ends");
  google::rpc::BadRequest request;
  const google::rpc::Status details = ToRpcStatus(refused);
  ASSERT_TRUE(details.details(details.details_size() - 1).UnpackTo(&request));
  ASSERT_EQ(request.field_violations_size(), 2);
  EXPECT_EQ(request.field_violations(0).field(), "pack.txtpb:12");
  EXPECT_EQ(request.field_violations(1).field(), "a.lua");
}

TEST(ParsePackCheckTest, WhatIsNoReportNamesNone) {
  for (const char* text :
       {"", "x", "[]", "{}", R"({"packs": 1})", R"({"packs": []})",
        R"({"packs": [1]})", R"({"packs": [{"problems": 1}]})",
        R"({"packs": [{"problems": []}]})",
        R"({"packs": [{"problems": [1]}]})"}) {
    EXPECT_TRUE(ParsePackCheck(text).ok()) << text;
  }
}

}  // namespace
}  // namespace reprise::services
