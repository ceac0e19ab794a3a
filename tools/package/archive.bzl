# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""One static library of all that a program is made of, for use without Bazel."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
load("//tools/bazel:cc.bzl", "DETERMINISM_COPTS")

def _package_archive_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    archives = []
    own = []
    flags = []
    for dep in ctx.attr.deps:
        for item in dep[CcInfo].linking_context.linker_inputs.to_list():
            flags.extend(item.user_link_flags)
            for library in item.libraries:
                archive = library.static_library or library.pic_static_library
                if archive and archive not in archives:
                    archives.append(archive)
                    if item.owner.workspace_name == ctx.label.workspace_name:
                        own.append(archive)
    foreign = [archive for archive in archives if archive not in own]
    ctx.actions.run(
        executable = ctx.executable._make,
        arguments = [
            toolchain.ld_executable,
            toolchain.objcopy_executable,
            toolchain.nm_executable,
            toolchain.ar_executable,
            ctx.outputs.archive.path,
        ] + [file.path for file in own] + ["--"] + [file.path for file in foreign],
        inputs = depset(archives, transitive = [toolchain.all_files]),
        outputs = [ctx.outputs.archive],
        mnemonic = "PackageArchive",
        progress_message = "Packing %{label}",
    )

    # Each once, where it stood last: what uses a library stands before it.
    kept = []
    for flag in reversed(flags):
        if flag.startswith("-l") and flag not in kept:
            kept.append(flag)
    ctx.actions.write(ctx.outputs.flags, "\n".join(reversed(kept)) + "\n")
    headers = []
    for dep in ctx.attr.interface:
        headers.extend(dep[CcInfo].compilation_context.direct_public_headers)
    ctx.actions.write(
        ctx.outputs.headers,
        "\n".join([header.path for header in headers]) + "\n",
    )
    ctx.actions.write(ctx.outputs.copts, "\n".join(DETERMINISM_COPTS) + "\n")

package_archive = rule(
    implementation = _package_archive_impl,
    attrs = {
        "deps": attr.label_list(
            providers = [CcInfo],
            doc = "What a program is made of; its main() among it.",
        ),
        "interface": attr.label_list(
            providers = [CcInfo],
            doc = "Whose headers those may include who link it.",
        ),
        "_make": attr.label(
            default = "//tools/package:make_archive.sh",
            allow_single_file = True,
            executable = True,
            cfg = "host",
        ),
        "_cc_toolchain": attr.label(
            default = "@bazel_tools//tools/cpp:current_cc_toolchain",
        ),
    },
    outputs = {
        "archive": "lib%{name}.a",
        "copts": "%{name}.copts",
        "flags": "%{name}.flags",
        "headers": "%{name}.headers",
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    doc = """Makes lib<name>.a and, a word a line, <name>.flags, .copts and .headers.

The archive has one member, of all files of ours and of what we build from
Debian's source packages, so that whoever links it has what registers itself,
too. What isn't ours is seen by nobody outside of it: a game may have a Lua or
a Bullet of its own. The flags name Debian's libraries; by the copts has to compile whoever links it;
of the headers, each may include others.""",
)
