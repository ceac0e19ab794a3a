# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""External repositories that lie on this machine already."""

def _inline_repository_impl(repository_ctx):
    for source, target in repository_ctx.attr.files.items():
        repository_ctx.symlink(source, target)

inline_repository = repository_rule(
    implementation = _inline_repository_impl,
    doc = "A repository made of files of this project.",
    attrs = {
        "files": attr.label_keyed_string_dict(
            mandatory = True,
            allow_files = True,
            doc = "Each file, and its path in the repository.",
        ),
    },
)

def _debian_bazel_repository_impl(repository_ctx):
    attr = repository_ctx.attr
    source = repository_ctx.path(attr.path)
    if not source.exists:
        fail(("@{}: {} is missing. Install Debian's package {} " +
              "(`apt-get install {}`), or let `tools/dev setup` install all " +
              "that is missing.").format(
            repository_ctx.name,
            attr.path,
            attr.package,
            attr.package,
        ))
    for entry in source.readdir():
        repository_ctx.symlink(entry, entry.basename)

debian_bazel_repository = repository_rule(
    implementation = _debian_bazel_repository_impl,
    doc = "A repository that Debian packages below /usr/share/bazel.",
    local = True,
    attrs = {
        "package": attr.string(
            mandatory = True,
            doc = "The Debian package that brings it.",
        ),
        "path": attr.string(
            mandatory = True,
            doc = "Where the package puts it.",
        ),
    },
)
