# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

"""Our C++ rules: the native ones, with the flags that every file of ours obeys."""

# The same arithmetic everywhere: no fused multiply-add, no fast-math, and a
# char that is signed on every architecture.
DETERMINISM_COPTS = [
    "-ffp-contract=off",
    "-fno-fast-math",
    "-fsigned-char",
]

# A designated initialiser leaves out the members whose default is meant.
REPRISE_COPTS = [
    "-std=c++20",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-missing-field-initializers",
] + DETERMINISM_COPTS

# A test's own file is compiled to be compiled soon: it runs once, and what it
# tests is as it ships. glibc's checks want an optimised build.
TEST_COPTS = [
    "-O0",
    "-U_FORTIFY_SOURCE",
]

# What a sanitizer reads while a test runs.
SANITIZER_DATA = select({
    "@reprise//tools/bazel:tsan": [Label("//tools/bazel:tsan_suppressions.txt")],
    "//conditions:default": [],
})

def reprise_cc_library(name, copts = [], **kwargs):
    """A cc_library with the project's flags; an archive, never a shared library.

    A shared one would compile every file a second time, with -fPIC. Only what a
    plug-in links is compiled so.

    Args:
      name: the library.
      copts: behind those of the project.
      **kwargs: for the cc_library.
    """
    native.cc_library(
        name = name,
        copts = REPRISE_COPTS + copts,
        linkstatic = True,
        **kwargs
    )

def reprise_cc_binary(name, copts = [], **kwargs):
    """A cc_binary with the project's flags."""
    native.cc_binary(name = name, copts = REPRISE_COPTS + copts, **kwargs)

def reprise_cc_test(name, copts = [], data = [], size = "small", **kwargs):
    """A cc_test with the project's flags; small unless it says otherwise.

    Args:
      name: the test.
      copts: behind those of the project and of tests.
      data: files that it reads.
      size: how long it may take.
      **kwargs: for the cc_test.
    """
    native.cc_test(
        name = name,
        size = size,
        copts = REPRISE_COPTS + TEST_COPTS + copts,
        data = data + SANITIZER_DATA,
        **kwargs
    )

def reprise_cc_benchmark(
        name,
        data = [],
        deps = [],
        smoke_args = ["--benchmark_min_time=0.001"],
        smoke_size = "medium",
        tags = [],
        **kwargs):
    """A Google Benchmark, and a test that runs it small so that it can't rot.

    Args:
      name: the benchmark; its smoke test is called `<name>_smoke_test`.
      data: files that the benchmark reads.
      deps: libraries; Google Benchmark is added, with its main().
      smoke_args: how the smoke test runs it.
      smoke_size: the size of the smoke test.
      tags: of both targets; the benchmark itself also gets `benchmark`.
      **kwargs: for the benchmark's cc_binary.
    """
    reprise_cc_binary(
        name = name,
        testonly = True,
        data = data,
        tags = tags + ["benchmark"],
        deps = deps + ["@benchmark//:benchmark_main"],
        **kwargs
    )
    native.sh_test(
        name = name + "_smoke_test",
        size = smoke_size,
        srcs = [Label("//tools/bazel:benchmark_smoke_test.sh")],
        args = ["$(rootpath :%s)" % name] + smoke_args,
        data = data + [":" + name] + SANITIZER_DATA,
        tags = tags,
    )

def reprise_cc_fuzz_test(
        name,
        corpus = [],
        data = [],
        deps = [],
        mutations = 200000,
        size = "medium",
        tags = [],
        **kwargs):
    """A fuzzer: srcs define LLVMFuzzerTestOneInput.

    As an ordinary test it runs every file of the corpus and a fixed number of
    deterministic mutations of them. Under --config=fuzz it is libFuzzer, which
    `tools/dev fuzz` runs for as long as it is told.

    Args:
      name: the fuzzer; what it starts from is called `<name>_corpus`.
      corpus: files to start from. Without any, it starts from the empty input.
      data: other files it reads.
      deps: libraries.
      mutations: how many mutated inputs the ordinary test runs; a tenth of
        them under a sanitizer.
      size: of the ordinary test.
      tags: of the test, which also gets `fuzzer`.
      **kwargs: for the cc_test.
    """
    files = ["$(rootpaths %s)" % file for file in corpus]
    native.filegroup(
        name = name + "_corpus",
        testonly = True,
        srcs = corpus,
    )
    reprise_cc_test(
        name = name,
        size = size,
        # Millions of inputs go through it.
        copts = ["-O2"],
        tags = tags + ["fuzzer"],
        args = select({
            "@reprise//tools/bazel:fuzz": [],
            "@reprise//tools/bazel:asan": ["--mutations=%d" % (mutations // 10)] + files,
            "@reprise//tools/bazel:tsan": ["--mutations=%d" % (mutations // 10)] + files,
            "//conditions:default": ["--mutations=%d" % mutations] + files,
        }),
        data = corpus + data,
        linkopts = select({
            "@reprise//tools/bazel:fuzz": ["-fsanitize=fuzzer"],
            "//conditions:default": [],
        }),
        deps = deps + select({
            "@reprise//tools/bazel:fuzz": [],
            "//conditions:default": [Label("//tools/bazel:fuzz_replay_main")],
        }),
        **kwargs
    )
