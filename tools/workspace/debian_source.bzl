# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""External repositories built from the upstream tarball of a Debian source package.

The tarball is found by the package's name through the system's own package
client and pinned by SHA-256: Debian's revisions of a package come and go, the
tarball below them stays.
"""

def _debian_source_repository_impl(repository_ctx):
    attr = repository_ctx.attr
    result = repository_ctx.execute(
        [
            "bash",
            repository_ctx.path(attr._fetch),
            attr.package,
            attr.upstream_version,
            attr.tarball,
            attr.sha256,
            attr.tarball,
        ],
        timeout = 900,
    )
    if result.return_code != 0:
        fail("@{}: {}".format(repository_ctx.name, result.stderr.strip()))
    repository_ctx.extract(attr.tarball, stripPrefix = attr.strip_prefix)
    repository_ctx.delete(attr.tarball)
    for patch in attr.patches:
        repository_ctx.patch(patch, strip = 1)
    repository_ctx.symlink(attr.build_file, "BUILD.bazel")

debian_source_repository = repository_rule(
    implementation = _debian_source_repository_impl,
    doc = "Unpacks and patches the upstream tarball of a Debian source package.",
    attrs = {
        "build_file": attr.label(
            mandatory = True,
            allow_single_file = True,
            doc = "The BUILD file of the repository.",
        ),
        "package": attr.string(
            mandatory = True,
            doc = "The name of the Debian source package.",
        ),
        "patches": attr.label_list(
            allow_files = [".patch"],
            doc = "Applied in order, with one leading folder stripped.",
        ),
        "sha256": attr.string(
            mandatory = True,
            doc = "The SHA-256 of the tarball.",
        ),
        "strip_prefix": attr.string(
            doc = "The folder inside the tarball that becomes the root.",
        ),
        "tarball": attr.string(
            mandatory = True,
            doc = "The file name of the tarball.",
        ),
        "upstream_version": attr.string(
            mandatory = True,
            doc = "The version without Debian's revision.",
        ),
        "_fetch": attr.label(
            default = Label("//tools/workspace:fetch_debian_source.sh"),
            allow_single_file = True,
        ),
    },
)
