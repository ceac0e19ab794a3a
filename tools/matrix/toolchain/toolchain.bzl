# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Compilers besides the one that Bazel finds by itself, all of them Debian's."""

load("@local_config_cc//:cc_toolchain_config.bzl", "cc_toolchain_config")
load("@rules_cc//cc:defs.bzl", "cc_toolchain", "cc_toolchain_suite")

# Flags as Bazel gives its own toolchain, so that a row of the matrix differs
# from the reference in what its name says and in nothing else.
_COMPILE_FLAGS = [
    "-U_FORTIFY_SOURCE",
    "-fstack-protector",
    "-fno-omit-frame-pointer",
]

_OPT_COMPILE_FLAGS = [
    "-g0",
    "-O2",
    "-DNDEBUG",
    "-ffunction-sections",
    "-fdata-sections",
]

# Paths and dates stay out of the objects, so that they can be cached.
_UNFILTERED_COMPILE_FLAGS = [
    "-no-canonical-prefixes",
    "-Wno-builtin-macro-redefined",
    "-D__DATE__=\"redacted\"",
    "-D__TIMESTAMP__=\"redacted\"",
    "-D__TIME__=\"redacted\"",
]

def matrix_toolchain(
        name,
        cpu,
        target,
        compiler,
        binutils_prefix,
        overriding_copts = []):
    """A toolchain for --crosstool_top, with the one CPU `cpu`.

    Args:
      name: the suite.
      cpu: what Bazel calls the CPU that is compiled for.
      target: the same as a GNU triplet.
      compiler: the path of the compiler's driver.
      binutils_prefix: the paths of `ar`, `ld` and their like, without the name.
      overriding_copts: flags behind all others, those of the targets included.
    """
    tools = ["ar", "dwp", "gcov", "ld", "nm", "objcopy", "objdump", "strip"]
    tool_paths = {tool: binutils_prefix + tool for tool in tools}
    tool_paths.update({
        "cpp": compiler,
        "gcc": compiler,
        # Asked for, never used.
        "llvm-cov": "/usr/bin/false",
    })

    cc_toolchain_config(
        name = name + "_config",
        abi_libc_version = "glibc",
        abi_version = "gnu",
        compile_flags = _COMPILE_FLAGS,
        compiler = name,
        cpu = cpu,
        # Wherever below /usr the compiler keeps its own and its target's.
        cxx_builtin_include_directories = ["/usr"],
        cxx_flags = ["-std=c++17"],
        dbg_compile_flags = ["-g"],
        host_system_name = "local",
        link_flags = ["-Wl,-z,relro,-z,now"],
        link_libs = [
            "-lstdc++",
            "-lm",
        ],
        opt_compile_flags = _OPT_COMPILE_FLAGS,
        opt_link_flags = ["-Wl,--gc-sections"],
        target_libc = "glibc",
        target_system_name = target,
        tool_paths = tool_paths,
        toolchain_identifier = name,
        unfiltered_compile_flags = _UNFILTERED_COMPILE_FLAGS +
                                   overriding_copts,
    )
    native.filegroup(name = name + "_files")
    cc_toolchain(
        name = name + "_toolchain",
        all_files = name + "_files",
        ar_files = name + "_files",
        as_files = name + "_files",
        compiler_files = name + "_files",
        dwp_files = name + "_files",
        linker_files = name + "_files",
        objcopy_files = name + "_files",
        strip_files = name + "_files",
        supports_param_files = True,
        toolchain_config = name + "_config",
        toolchain_identifier = name,
    )
    cc_toolchain_suite(
        name = name,
        tags = ["manual"],
        toolchains = {cpu: name + "_toolchain"},
    )
