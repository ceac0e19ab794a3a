# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

"""A test that compiled code takes from libm only what is exact."""

def libm_symbols_test(name, subjects, **kwargs):
    """Fails when a library calls a function of libm that is not exact.

    All objects of a library are read, not only those that some binary links.

    Args:
      name: the test.
      subjects: cc_library labels that have sources, ours or from outside.
      **kwargs: for the sh_test.
    """
    native.filegroup(
        name = name + "_subjects",
        testonly = True,
        srcs = subjects,
        output_group = "archive",
    )
    native.filegroup(
        name = name + "_canary",
        testonly = True,
        srcs = ["//sim/base:libm_symbols_canary"],
        output_group = "archive",
    )
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["//sim/base:libm_symbols_test.sh"],
        args = [
            "--canary",
            "$(rootpaths :%s_canary)" % name,
            "--subjects",
            "$(rootpaths :%s_subjects)" % name,
        ],
        data = [
            ":%s_canary" % name,
            ":%s_subjects" % name,
        ],
        **kwargs
    )
