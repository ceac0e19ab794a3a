// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A plug-in for tests that is part of the program: counters that players move,
// a new one every ten ticks, and a region of memory that counts steps; and its
// mistakes, one at a time.

#ifndef REPRISE_SIM_PLUGINS_TESTING_PLUGIN_H_
#define REPRISE_SIM_PLUGINS_TESTING_PLUGIN_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "include/reprise/simulation.h"
#include "sim/pack_archive.h"
#include "sim/plugins/plugin.h"

namespace reprise::sim {

enum class PluginMistake : uint8_t {
  kNone,
  kRefusesPack,
  kMakesNothing,
  kFailsAtTickThree,
  kFailsWithoutAWord,
  kIsNan,
  kIsNoBoolean,
  kUnorderedKeys,
  kUnorderedAcrossPages,  // the first row of the second page, at tick 2000
  kRowsAtNull,
  kTooManyRows,
  kUnknownEvent,
  kEventWithoutArguments,
  kEventWithNan,
  kEventAfterwards,
  kUnknownOutcome,
  kOutcomeWithoutReason,
  kChangesFloatControl,
  kEventOfNoSize,
  kEventWithHalfAPointer,
  kRowsOfNoSize,
  kOutcomeOfNoSize,
  kFrameObjectOfNoSize,
  kItemsOfNoSize,
  kRegionChangesSize,
  kRegionAtNull,
  kRegionIsNan,
  kLongNameOfRegion,  // of its own a table may have it, and its pages not
  kManyRegions,       // each with names, so that it takes two tables
  kPictureTooLarge,
  kWritesIntoTexts,    // that were entered
  kWritesBehindError,  // the struct, not its text
  kWritesIntoStep,     // its arguments
  kWritesBehindStep,
  kWritesBehindFrame,
  kWritesBehindPointer,   // of the simulation that it creates
  kWritesBehindRegion,    // that it is given back
  kWritesIntoGivenLists,  // of rows
  kWritesBehindValues,    // of commands
  kLongNames,             // of objects
  kForgetsAField,         // restores all but one
  kRestoresOnce,          // and forgets the same field
  kChangesDescription,    // from the second simulation on
  // Against the contract, which no single call shows:
  kDiffersEachTime,        // as an address does
  kHidesState,             // a part of what a step goes by
  kHidesAChange,           // says that no row changed
  kHidesAChangeOfARegion,  // of its first page
  kSharesAVariable,        // with all simulations
  kHasAThreadsVariable,
  kWritesWhenWatched,
};

// Has the plug-in crash within its call of this name ("step"), as a signal of
// the system would end it; "": in none. Lasts until a plug-in is made. REQUIRES
// of the crash: CatchForeignCrashes.
void CrashTestingPluginIn(std::string_view call);

// How many of its simulations were destroyed since a plug-in was made.
uint32_t TestingPluginDestroyedCount();

// How many pictures it has drawn since: one each time that it is asked for one.
uint32_t TestingPluginPictureCount();

// REQUIRES of both: plug-ins of two mistakes aren't used at the same time.
std::shared_ptr<const Plugin> MakeTestingPlugin(
    PluginMistake mistake = PluginMistake::kNone);
const reprise_plugin& TestingPluginCalls();

PackArchive MakeTestingPluginPack();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_TESTING_PLUGIN_H_
