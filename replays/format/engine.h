// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which program this is, and no other build of it: the name that recordings
// give to who made them, beside the compiler (CurrentBuild).

#ifndef REPRISE_REPLAYS_FORMAT_ENGINE_H_
#define REPRISE_REPLAYS_FORMAT_ENGINE_H_

#include <string>

namespace reprise::replays {

// Some digest; empty until SetEngine says it, so that what a library records is
// the same from every build.
std::string CurrentEngine();

// Sets what CurrentEngine() says from here on; `engine` is one word, or empty.
// Called while there is one thread.
void SetEngine(std::string engine);

// The same, but `find` says it when it is first asked for, once, by whichever
// thread: finding it takes longer than most commands that never ask.
void SetEngineFinder(std::string (*find)());

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_ENGINE_H_
