# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""The scenario tests of a pack as a test."""

def reprise_pack_test(
        name,
        pack,
        reprise = "//tools/reprise",
        size = "small",
        data = [],
        **kwargs):
    """Runs the scenarios in the folder `tests` of a pack: `reprise test`.

    The results of the test are those of `reprise test --junit`; what fails is
    recorded among its outputs.

    Args:
      name: the test.
      pack: the files of the pack and of its tests, among them its pack.txtpb.
      reprise: the command; one of reprise_binary's with a simulation of one's
        own.
      size: of the test.
      data: other files it reads.
      **kwargs: for the sh_test.
    """
    native.sh_test(
        name = name,
        size = size,
        srcs = ["//tools/bazel:pack_test.sh"],
        args = [
            "$(rootpath %s)" % reprise,
            "$(rootpaths %s)" % pack,
        ],
        data = [reprise, pack] + data,
        **kwargs
    )
