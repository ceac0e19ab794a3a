// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that slips of a finger are recognised, that unrelated words are not
// taken for slips, and what messages say of them.

#include "sim/base/nearest_name.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"verify", "inputs", "ticks",
                                                    "run"};

TEST(NearestNameTest, OneEditIsRecognised) {
  EXPECT_EQ(NearestName("verfy", kNames), "verify");
  EXPECT_EQ(NearestName("input", kNames), "inputs");
  EXPECT_EQ(NearestName("tucks", kNames), "ticks");
}

TEST(NearestNameTest, SwappedLettersAreRecognised) {
  EXPECT_EQ(NearestName("vreify", kNames), "verify");
}

TEST(NearestNameTest, TheNearerNameWins) {
  constexpr std::array<std::string_view, 2> kClose = {"record", "recorder"};
  EXPECT_EQ(NearestName("recorde", kClose), "record");
  EXPECT_EQ(NearestName("recordr", kClose), "record");
}

TEST(NearestNameTest, UnrelatedWordsHaveNone) {
  EXPECT_EQ(NearestName("photograph", kNames), "");
  EXPECT_EQ(NearestName("", kNames), "");
  constexpr std::array<std::string_view, 2> kLetters = {"a", "b"};
  EXPECT_EQ(NearestName("x", kLetters), "");
}

TEST(NearestNameTest, NoNamesHaveNone) {
  EXPECT_EQ(NearestName("run", {}), "");
}

TEST(NearestNameTest, LongTextsAreNobodysSlip) {
  const std::string name(300, 'a');
  const std::array<std::string_view, 1> names = {name};
  EXPECT_EQ(NearestName(name, names), "");
  const std::string shorter(256, 'a');
  const std::array<std::string_view, 1> shorter_names = {shorter};
  EXPECT_EQ(NearestName(std::string(255, 'a'), shorter_names), shorter);
}

TEST(NearestNameTest, MessagesGuessAndListWhatThereIs) {
  EXPECT_EQ(ThereIsNo("verb", "verfy", kNames),
            "there is no verb 'verfy'; did you mean 'verify'? There are "
            "verify, inputs, ticks and run");
  EXPECT_EQ(ThereIsNo("verb", "photograph", kNames),
            "there is no verb 'photograph'; there are verify, inputs, ticks "
            "and run");
  EXPECT_EQ(ThereIsNo("verb", "run", {}), "there is no verb 'run'");
}

TEST(NearestNameTest, OneNameIsListedUnlessItIsTheGuess) {
  constexpr std::array<std::string_view, 1> kOne = {"verify"};
  EXPECT_EQ(ThereIsNo("verb", "verfy", kOne),
            "there is no verb 'verfy'; did you mean 'verify'?");
  EXPECT_EQ(ThereIsNo("verb", "photograph", kOne),
            "there is no verb 'photograph'; there is only verify");
}

TEST(NearestNameTest, LongListsAreLeftOut) {
  const std::vector<std::string_view> names(25, "photograph");
  EXPECT_EQ(ThereIsNo("verb", "run", names), "there is no verb 'run'");
  EXPECT_EQ(ThereIsNo("verb", "photographs", names),
            "there is no verb 'photographs'; did you mean 'photograph'?");
  const std::string name(301, 'a');
  const std::vector<std::string_view> wide = {name, name};
  EXPECT_EQ(ThereIsNo("verb", "run", wide), "there is no verb 'run'");
}

}  // namespace
}  // namespace reprise::sim
