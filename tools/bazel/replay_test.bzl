# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""A replay as a test."""

def _quoted(text):
    """Returns the text as one word of a shell's, not for Bazel to expand."""
    return "'%s'" % text.replace("'", "'\\''").replace("$", "$$")

def reprise_replay_test(
        name,
        replay,
        pack = None,
        expect = None,
        allow_partial = False,
        reprise = Label("//tools/reprise"),
        size = "small",
        data = [],
        **kwargs):
    """Verifies a replay: it runs again, and every recorded digest has to hold.

    A replay that can't be held against its run from its first tick to its last
    fails: one that was cut off, or without digests.

    The results of the test are those of `reprise verify --junit`.

    Args:
      name: the test.
      replay: the recording.
      pack: the files of the pack to run its inputs on, among them its
        pack.txtpb: the pack as it is now. If unset, the one inside the replay.
      expect: the outcome that it has to have (won, lost or running), or an
        expression that has to hold at its end, as `reprise run --expect` takes
        it. If unset, any outcome.
      allow_partial: whether to pass what is right as far as it goes.
      reprise: the command; one of reprise_binary's with a simulation of one's
        own.
      size: of the test.
      data: other files it reads.
      **kwargs: for the sh_test.
    """
    native.sh_test(
        name = name,
        size = size,
        srcs = [Label("//tools/bazel:replay_test.sh")],
        args = (["--allow-partial"] if allow_partial else []) + [
            "$(rootpath %s)" % reprise,
            "$(rootpath %s)" % replay,
            _quoted(expect or "any"),
        ] + (["$(rootpaths %s)" % pack] if pack else []),
        data = [replay, reprise] + ([pack] if pack else []) + data,
        **kwargs
    )
