# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""A search of a pack for what it may not do, as a test."""

def reprise_fuzz_test(
        name,
        pack,
        ticks = "200K",
        seed = 0,
        corpus = [],
        reprise = Label("//tools/reprise"),
        size = "medium",
        data = [],
        **kwargs):
    """Searches a pack for so many ticks; fails where it finds what isn't known.

    The same pack, ticks, seed and corpus find the same. Failures are replays
    among the test's undeclared outputs; its results are those of
    `reprise fuzz --junit`.

    Args:
      name: the test.
      pack: the files of the pack, among them its pack.txtpb.
      ticks: how long to search, as `reprise fuzz --ticks` takes it.
      seed: what the inputs follow from.
      corpus: tracks and replays to start from, and a known.txt with the
        failures that are known; files.
      reprise: the command; one of reprise_binary's with a simulation of one's
        own.
      size: of the test.
      data: other files it reads.
      **kwargs: for the sh_test.
    """
    native.sh_test(
        name = name,
        size = size,
        srcs = [Label("//tools/bazel:fuzz_test.sh")],
        args = [
            "$(rootpath %s)" % reprise,
            ticks,
            str(seed),
            str(len(corpus)),
        ] + ["$(rootpath %s)" % file for file in corpus] + [
            "$(rootpaths %s)" % pack,
        ],
        data = [pack, reprise] + corpus + data,
        **kwargs
    )
