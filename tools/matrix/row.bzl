# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""One runner built in many ways, side by side in one invocation of Bazel.

Each row is a configuration of its own, reached by a transition, with a folder
of outputs of its own: the ordinary build keeps its files and its analysis.
"""

_COPT = "//command_line_option:copt"
_CPU = "//command_line_option:cpu"
_CROSSTOOL_TOP = "//command_line_option:crosstool_top"
_LINKOPT = "//command_line_option:linkopt"
_START_END_LIB = "//command_line_option:start_end_lib"

def _row_transition_impl(settings, attr):
    return {
        # Warnings are the ordinary build's to fail on; at other levels the
        # same compiler sees dangers that aren't there.
        _COPT: settings[_COPT] + ["-w"] + attr.copts,
        _CPU: attr.cpu or settings[_CPU],
        _CROSSTOOL_TOP: attr.toolchain or settings[_CROSSTOOL_TOP],
        _LINKOPT: settings[_LINKOPT] + attr.linkopts,
        _START_END_LIB: settings[_START_END_LIB] and not attr.archives,
    }

_row_transition = transition(
    implementation = _row_transition_impl,
    inputs = [_COPT, _CPU, _CROSSTOOL_TOP, _LINKOPT, _START_END_LIB],
    outputs = [_COPT, _CPU, _CROSSTOOL_TOP, _LINKOPT, _START_END_LIB],
)

def _matrix_row_impl(ctx):
    executable = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(
        output = executable,
        target_file = ctx.executable.runner,
        is_executable = True,
    )
    return [DefaultInfo(
        executable = executable,
        files = depset([executable]),
    )]

matrix_row = rule(
    implementation = _matrix_row_impl,
    doc = "A link to the runner, built in one way.",
    executable = True,
    attrs = {
        "archives": attr.bool(
            doc = "Whether libraries are archives to the linker, as .bazelrc " +
                  "has them where files are optimised together.",
        ),
        "copts": attr.string_list(
            doc = "Flags behind those of the compilation mode.",
        ),
        "cpu": attr.string(
            doc = "The CPU that is compiled for; the host's if unset.",
        ),
        "linkopts": attr.string_list(
            doc = "Flags of the linker behind those of everything else.",
        ),
        "runner": attr.label(
            mandatory = True,
            cfg = _row_transition,
            executable = True,
            doc = "What is built.",
        ),
        "toolchain": attr.string(
            doc = "The cc_toolchain_suite; Bazel's own if unset.",
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/" +
                      "function_transition_allowlist",
        ),
    },
)
