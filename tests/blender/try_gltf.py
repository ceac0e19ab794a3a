# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

"""Records runs, exports them as glTF, and has Debian's Blender open them.

usage: try_gltf.py REPRISE PACKS

What Blender shows at frames all over each run has to be what the run's frames
say, within the error that the file states (compare_poses.py). Prints a line a
file; exits with 1 where one is wrong, with 3 where there is no Blender.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# What moves and turns fast; what comes and goes; hulls and a height field;
# joints; what is drawn of vehicles.
PACKS = ("marble", "nursery", "terrain", "workshop", "rally")

# Each is a file that Blender opens: as it is by default, with coarse keys, and
# with every third tick alone.
WAYS = ((), ("--error", "0.05"), ("--every", "3"))

TICKS = "240"


def run(command, **environment):
    """Runs a command; what it said where it failed, otherwise none."""
    done = subprocess.run(
        command, check=False, capture_output=True, text=True,
        env={**os.environ, **environment})
    return None if done.returncode == 0 else done.stdout + done.stderr


def look_at(gltf, frames):
    # Blender has the packages of the first Python of the path.
    return run([
        "blender", "--background", "--factory-startup",
        "--python-exit-code", "1", "--python",
        str(HERE / "compare_poses.py"), "--", str(gltf), str(frames)
    ], PATH="/usr/bin:/bin")


def try_pack(reprise, packs, pack, folder):
    """The sentences that say what is wrong with a pack's files."""
    replay = folder / f"{pack}.mcap"
    problem = run(
        [reprise, "run", pack, "--ticks", TICKS, "--random-inputs", "3",
         "--record", str(replay)], REPRISE_PACKS=packs)
    if problem:
        return [problem]
    problems = []
    for number, way in enumerate(WAYS):
        gltf = folder / f"{pack}-{number}.glb"
        frames = folder / f"{pack}-{number}.jsonl"
        every = way if way[:1] == ("--every",) else ()
        problem = (
            run([reprise, "export", str(replay), "--format", "gltf",
                 "--output", str(gltf), *way]) or
            run([reprise, "export", str(replay), "--output", str(frames),
                 *every]) or
            look_at(gltf, frames))
        print(f"blender opens {pack} {' '.join(way)}: "
              f"{'FAILED' if problem else 'ok'}")
        if problem:
            problems.append(problem)
    return problems


def try_canary(folder):
    """What is elsewhere is noticed: the frames of another stride."""
    if look_at(folder / "marble-2.glb", folder / "marble-0.jsonl"):
        print("blender's poses of another stride are refused: ok")
        return []
    return ["frames of another stride were taken for the file's own"]


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    if shutil.which("blender") is None:
        print("there is no blender: tools/dev blender installs it",
              file=sys.stderr)
        return 3
    reprise, packs = (os.path.abspath(word) for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        problems = []
        for pack in PACKS:
            problems += try_pack(reprise, packs, pack, folder)
        problems += try_canary(folder)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())
