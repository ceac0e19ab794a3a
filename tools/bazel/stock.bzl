# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

"""The flags of stock libraries, which benchmarks compare ours with.

A target's flags come after those of the command line: however a benchmark is
built, its other side is built as such a library is by default.
"""

STOCK_COPTS = [
    "-O2",
    "-fno-lto",
    # Which Bazel's toolchain adds.
    "-fomit-frame-pointer",
    "-fno-stack-protector",
] + select({
    "@platforms//cpu:x86_64": [
        "-march=x86-64",
        "-mtune=generic",
        "-mno-avx",
    ],
    "//conditions:default": [],
})
