# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Protobuf: sources to a descriptor set and to C++, by Debian's compiler.

The root of imports is the folder `proto/`, because in buf's standard the folder
of a file below the root is its package: `reprise/v1/input.proto`.
"""

_PROTO_ROOT = "proto"

def _root_of(ctx):
    """Returns the root of imports, of this repository or of one that uses it."""
    workspace = ctx.label.workspace_root
    return workspace + "/" + _PROTO_ROOT if workspace else _PROTO_ROOT

def _import_path(ctx, source):
    """Returns the path that other files import a source by."""
    prefix = _root_of(ctx) + "/"
    if not source.path.startswith(prefix):
        fail("{} is not below {}.".format(source.path, prefix))
    return source.path[len(prefix):]

def _run_protoc(ctx, outputs, arguments, tools = []):
    ctx.actions.run(
        executable = ctx.executable._protoc,
        arguments = ["--proto_path=" + _root_of(ctx)] + arguments,
        inputs = ctx.files.srcs + ctx.files.imports,
        outputs = outputs,
        tools = tools,
        mnemonic = "Protoc",
        progress_message = "Compiling the messages of %{label}",
    )

def _descriptor_set_impl(ctx):
    descriptor_set = ctx.actions.declare_file(ctx.label.name + ".binpb")
    _run_protoc(
        ctx,
        outputs = [descriptor_set],
        arguments = [
            "--include_imports",
            "--include_source_info",
            "--descriptor_set_out=" + descriptor_set.path,
        ] + [_import_path(ctx, source) for source in ctx.files.srcs],
    )
    return [DefaultInfo(files = depset([descriptor_set] + ctx.files.srcs))]

def _cc_sources_impl(ctx):
    suffix = ".grpc.pb" if ctx.attr.services else ".pb"
    outputs = []
    for source in ctx.files.srcs:
        stem = source.basename[:-len(".proto")]
        for extension in [".h", ".cc"]:
            outputs.append(ctx.actions.declare_file(stem + suffix + extension))
    info = [
        DefaultInfo(files = depset(outputs)),
        OutputGroupInfo(
            headers = [file for file in outputs if file.extension == "h"],
            sources = [file for file in outputs if file.extension == "cc"],
        ),
    ]
    folder = ctx.bin_dir.path + "/" + _root_of(ctx)
    if ctx.attr.services:
        arguments = [
            "--plugin=protoc-gen-grpc=" + ctx.executable._grpc_plugin.path,
            "--grpc_out=" + folder,
        ]
        tools = [ctx.executable._grpc_plugin]
    else:
        arguments = ["--cpp_out=" + folder]
        tools = []
    _run_protoc(
        ctx,
        outputs = outputs,
        arguments = arguments +
                    [_import_path(ctx, source) for source in ctx.files.srcs],
        tools = tools,
    )
    return info

_COMMON_ATTRS = {
    "imports": attr.label_list(
        allow_files = [".proto"],
        doc = "Sources that the ones in srcs may import.",
    ),
    "srcs": attr.label_list(
        allow_files = [".proto"],
        doc = "The sources to compile.",
    ),
    "_protoc": attr.label(
        default = "@protobuf//:protoc",
        allow_single_file = True,
        cfg = "exec",
        executable = True,
    ),
}

_descriptor_set = rule(
    implementation = _descriptor_set_impl,
    attrs = _COMMON_ATTRS,
    doc = "The sources and their descriptor set.",
)

_cc_sources = rule(
    implementation = _cc_sources_impl,
    attrs = dict(
        _COMMON_ATTRS,
        services = attr.bool(
            doc = "Whether to generate gRPC services instead of messages.",
        ),
        _grpc_plugin = attr.label(
            default = "@grpc//:grpc_cpp_plugin",
            allow_single_file = True,
            cfg = "exec",
            executable = True,
        ),
    ),
    doc = "C++ sources of messages, or of the gRPC services.",
)

def _generated_cc_library(name, generator, visibility, deps):
    for group in ["headers", "sources"]:
        native.filegroup(
            name = generator + "_" + group,
            srcs = [":" + generator],
            output_group = group,
        )
    native.cc_library(
        name = name,
        srcs = [":" + generator + "_sources"],
        hdrs = [":" + generator + "_headers"],
        # Nobody here writes this code, so nobody is warned of it.
        copts = ["-std=c++20", "-w"],
        linkstatic = True,
        visibility = visibility,
        deps = deps + [Label("//proto:import_root")],
    )

def reprise_proto_package(name, srcs, apart = [], imports = [], deps = [], visibility = None):
    """The messages and services of one folder.

    Services stand in files called `*_service.proto`. Who uses messages alone
    does not link gRPC.

    Makes `<name>_proto` (the sources and their descriptor set),
    `<name>_cc_proto` (messages) and, if there are services, `<name>_cc_grpc`.

    Args:
      name: the stem of the targets.
      srcs: all sources of the folder, which must lie below proto/.
      apart: those of them that no other imports, each a library of its own, so
        that a change of one leaves who doesn't use it alone: `<stem>_cc_proto`.
      imports: sources of other folders that these import.
      deps: the libraries of those.
      visibility: of all targets.
    """
    services = [source for source in srcs if source.endswith("_service.proto")]
    _descriptor_set(
        name = name + "_proto",
        srcs = srcs,
        imports = imports,
        visibility = visibility,
    )
    common = [source for source in srcs if source not in apart]
    _cc_sources(
        name = name + "_messages",
        srcs = common,
        imports = imports,
    )
    _generated_cc_library(
        name = name + "_cc_proto",
        generator = name + "_messages",
        visibility = visibility,
        deps = deps + ["@protobuf"],
    )
    for source in apart:
        stem = source[:-len(".proto")]
        _cc_sources(
            name = stem + "_messages",
            srcs = [source],
            imports = common + imports,
        )
        _generated_cc_library(
            name = stem + "_cc_proto",
            generator = stem + "_messages",
            visibility = visibility,
            deps = [
                ":" + name + "_cc_proto",
                "@protobuf",
            ],
        )
    if not services:
        return
    _cc_sources(
        name = name + "_services",
        srcs = services,
        imports = common + imports,
        services = True,
    )
    _generated_cc_library(
        name = name + "_cc_grpc",
        generator = name + "_services",
        visibility = visibility,
        deps = [
            ":" + name + "_cc_proto",
            "@grpc//:grpc++",
        ],
    )
