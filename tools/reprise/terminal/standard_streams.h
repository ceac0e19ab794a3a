// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The three open files that each process has by convention, and some don't.

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_STANDARD_STREAMS_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_STANDARD_STREAMS_H_

namespace reprise::tools {

// Takes the numbers of standard input, output and error where they are closed,
// as by `>&-`: else the next file that is opened gets one, and what the program
// prints lands in a recording. Reading and writing them still fail. To be
// called before anything is opened.
void ReserveStandardStreams();

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_STANDARD_STREAMS_H_
