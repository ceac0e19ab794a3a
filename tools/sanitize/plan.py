# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Which tests are run under which sanitizer in turn.

A part is built anew for its sanitizer, with all that it depends on. So parts
are cut where little is below them: none sees packs, physics, gRPC or the
command, of which the whole run (`tools/dev test --config asan`) takes care.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Part:
  """Some tests, and the sanitizer they are run under, as .bazelrc calls it."""
  name: str
  config: str
  targets: tuple


# ASan and UBSan where bytes from outside are read and memory is ours; TSan where
# there are threads. Each compiles 20 to 70 files of ours, when nothing is cached;
# the last one messages besides, as replays are made of them.
PARTS = (
    Part("base", "asan", ("//sim/base/...", "//sim/state/...",
                          "-//sim/base:libm_symbols_test")),
    Part("container", "asan", ("//replays/container/...",)),
    Part("geometry", "asan", ("//sim/geometry/...",)),
    Part("expression", "asan", ("//sim/expression/...", "//sim/input/...")),
    Part("script", "asan", ("//sim/script/...",)),
    Part("ways", "asan", ("//sim/navigation/...", "//sim/decisions/...")),
    Part("files", "tsan", ("//replays/container:byte_file_test",)),
    Part("segments", "tsan", ("//replays/playing:segment_workers_test",
                              "//replays/verifying:verifier_test")),
)

# Of a run with warm caches, the build included.
MINUTES = 4


def part_of(turn):
  """Returns the part whose turn it is, for any number that isn't negative."""
  return PARTS[turn % len(PARTS)]


def find(name):
  """Returns the part of that name, or None."""
  return next((part for part in PARTS if part.name == name), None)
