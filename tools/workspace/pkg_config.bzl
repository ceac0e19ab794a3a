# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""External repositories for the libraries that Debian ships ready to link.

A repository asks pkg-config for the modules it needs, checks that the headers
are there, and hands both to the BUILD file of the dependency as constants in
`flags.bzl`. No path of this machine gets into them: headers and libraries lie
where every compiler for the same Debian looks by itself, a cross compiler in
its own folder. So one label serves every architecture.
"""

_ADVICE = ("Install Debian's package {package} (`apt-get install {package}`), " +
           "or let `tools/dev setup` install all that is missing.")

_FLAGS = '''"""What pkg-config says about {modules}."""

DEFINES = {defines}

LINKOPTS = {linkopts}

# The same libraries as archives, for a program that is to load none of them at
# its start. They need one group with those of the libraries below.
ARCHIVES = {archives}
'''

def _run_pkg_config(repository_ctx, arguments):
    """Returns the words that pkg-config prints, or fails with a sentence."""
    attr = repository_ctx.attr
    pkg_config = repository_ctx.which("pkg-config")
    if not pkg_config:
        fail(("@{}: pkg-config is not here. " + _ADVICE).format(
            repository_ctx.name,
            package = "pkg-config",
        ))
    result = repository_ctx.execute([pkg_config] + arguments + attr.modules)
    if result.return_code != 0:
        fail(("@{}: pkg-config does not know {}. " + _ADVICE).format(
            repository_ctx.name,
            " ".join(attr.modules),
            package = attr.package,
        ))
    return [word for word in result.stdout.replace("\n", " ").split(" ") if word]

def _keep_last(words):
    """Returns the words without repetition, each where it stood last.

    That is the order a linker needs: what uses a library stands before it.
    """
    seen = {}
    kept = []
    for word in reversed(words):
        if word not in seen:
            seen[word] = True
            kept.append(word)
    return reversed(kept)

def _find_archives(repository_ctx, linkopts):
    """Returns `-l:libNAME.a` for each `-lNAME` of which there is an archive."""
    archives = []
    for flag in linkopts:
        name = flag[2:]
        if not flag.startswith("-l") or name in repository_ctx.attr.shared:
            continue
        archive = "lib%s.a" % name
        result = repository_ctx.execute(["gcc", "-print-file-name=" + archive])

        # The name comes back as it was where there is none.
        if "/" in result.stdout:
            archives.append("-l:" + archive)
    return archives

def _check_headers(repository_ctx):
    """Fails with a sentence if a header is in none of the default folders."""
    attr = repository_ctx.attr
    if not attr.headers:
        return
    result = repository_ctx.execute([
        "sh",
        "-c",
        'for h; do ls /usr/include/$h /usr/include/*-linux-gnu/$h 2>/dev/null |' +
        ' grep -q . || { echo "$h"; exit 1; }; done',
        "sh",
    ] + attr.headers)
    if result.return_code != 0:
        fail(("@{}: the header <{}> is missing. " + _ADVICE).format(
            repository_ctx.name,
            result.stdout.strip(),
            package = attr.package,
        ))

def _pkg_config_repository_impl(repository_ctx):
    attr = repository_ctx.attr
    _check_headers(repository_ctx)
    defines = []
    linkopts = []
    if attr.modules:
        for flag in _run_pkg_config(repository_ctx, ["--cflags"]):
            if flag.startswith("-D"):
                defines.append(flag[2:])
        for flag in _run_pkg_config(repository_ctx, ["--libs"]):
            if flag.startswith("-l") or flag == "-pthread":
                linkopts.append(flag)
    linkopts = _keep_last(linkopts + attr.linkopts)
    archives = _find_archives(repository_ctx, linkopts)
    if attr.version_variable:
        version = repository_ctx.os.environ.get(attr.version_variable)
        if version:
            defines.append("%s=%s" % (attr.version_variable, version))

    # Debian's modules name every library that theirs might use. A program is
    # linked only with the ones it does use, or it loads a hundred at its start.
    linkopts = (
        ["-Wl,--push-state,--as-needed"] + linkopts + ["-Wl,--pop-state"]
    )
    repository_ctx.file("flags.bzl", _FLAGS.format(
        modules = " ".join(attr.modules) or repository_ctx.name,
        defines = repr(_keep_last(defines)),
        linkopts = repr(linkopts),
        archives = repr(archives),
    ))
    for program, package in attr.programs.items():
        path = repository_ctx.which(program)
        if not path:
            fail(("@{}: the program {} is missing. " + _ADVICE).format(
                repository_ctx.name,
                program,
                package = package,
            ))
        repository_ctx.symlink(path, program)
    repository_ctx.symlink(attr.build_file, "BUILD.bazel")

pkg_config_repository = repository_rule(
    implementation = _pkg_config_repository_impl,
    doc = "Makes a library of Debian's known to Bazel.",
    configure = True,
    environ = ["PKG_CONFIG_PATH", "REPRISE_BAKE"],
    local = True,
    attrs = {
        "build_file": attr.label(
            mandatory = True,
            allow_single_file = True,
            doc = "The BUILD file, which loads DEFINES and LINKOPTS.",
        ),
        "headers": attr.string_list(
            doc = "Headers that must be there, as they are included.",
        ),
        "linkopts": attr.string_list(
            doc = "Libraries that no module names, as `-lname`.",
        ),
        "modules": attr.string_list(
            doc = "What pkg-config is asked for.",
        ),
        "package": attr.string(
            mandatory = True,
            doc = "The Debian package that brings the modules and headers.",
        ),
        "programs": attr.string_dict(
            doc = "Programs to link to, and the Debian package of each.",
        ),
        "shared": attr.string_list(
            doc = "Libraries, by name, that are never linked as archives: " +
                  "what the system mends in them reaches every program.",
        ),
        "version_variable": attr.string(
            doc = "What `tools/dev setup` sets to a digest of the package's " +
                  "version where that isn't in the digest of all: a " +
                  "definition of whoever uses the library, so that nothing " +
                  "built on another version is taken from a cache.",
        ),
    },
)
