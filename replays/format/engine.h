// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which program this is, and no other build of it: the name that recordings
// give to who made them, beside the compiler (CurrentBuild).

#ifndef REPRISE_REPLAYS_FORMAT_ENGINE_H_
#define REPRISE_REPLAYS_FORMAT_ENGINE_H_

#include <functional>
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

// The plug-in that a simulation of this program is of, and no other build of
// it: the name of its file and a digest, "libcatch.so 1f2e...". Empty of one
// that is of none.
std::string CurrentPlugin(const std::string& simulation);

// `find` says it when it is first asked for, once, by whichever thread. Called
// while there is one thread.
void SetPluginFinder(const std::string& simulation,
                     std::function<std::string()> find);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_ENGINE_H_
