# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""The scenarios of a pack as a test."""

def reprise_pack_test(
        name,
        pack,
        filters = [],
        reprise = Label("//tools/reprise"),
        size = "small",
        data = [],
        **kwargs):
    """Plays the scenarios that stand beside a pack, in its folder tests/.

    A pack without scenarios fails. The results of the test are those of
    `reprise test --junit`.

    Args:
      name: the test.
      pack: the files of the pack, among them its pack.txtpb and its tests.
      filters: the scenarios to play, as `reprise test --filter` takes them. All
        if empty.
      reprise: the command; one of reprise_binary's with a simulation of one's
        own.
      size: of the test.
      data: other files they read, such as recordings.
      **kwargs: for the sh_test.
    """
    native.sh_test(
        name = name,
        size = size,
        srcs = [Label("//tools/bazel:pack_test.sh")],
        args = ["--filter=" + filter for filter in filters] + [
            "$(rootpath %s)" % reprise,
            "$(rootpaths %s)" % pack,
        ],
        data = [pack, reprise] + data,
        **kwargs
    )
