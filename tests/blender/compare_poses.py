# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0

"""Opens a glTF file in Blender and holds what it shows against frames.

Run by Blender's own Python, without a window:

    blender --background --factory-startup --python-exit-code 1 \\
        --python compare_poses.py -- RUN.glb FRAMES.jsonl

FRAMES.jsonl is what `reprise export --format jsonl` wrote of the same ticks.
Each object of a frame has to be in the scene, where the frame has it, within
the error that the file says it made, and what isn't in the frame has to be
shown as nothing. Exits with 1 and a sentence for what is elsewhere.
"""

import json
import math
import struct
import sys

import bpy
import numpy
from mathutils import Quaternion, Vector

# Debian 12's importer still calls it by the name that its numpy dropped.
vars(numpy).setdefault("bool", numpy.bool_)

# Frames that are looked at, spread over the run; a prime, so that they aren't
# those of a stride.
FRAMES_LOOKED_AT = 17

# Blender keeps places, times and matrices as floats, of 24 bits, and the
# matrices of two nodes are multiplied: some roundings of each.
FLOAT_STEP = 2.0**-23
ROUNDINGS = 8


def read_source(path):
    """What the file says of the run: asset.extras."""
    with open(path, "rb") as file:
        head = file.read(20)
        (size,) = struct.unpack("<I", head[12:16])
        return json.loads(file.read(size))["asset"]["extras"]


def chord_error_rad(turn_rad):
    """How far a turn that goes straight is from one at an even speed.

    Blender goes from one quaternion to the next along the chord, glTF along
    the arc. The most lies in between; it is looked for in small steps.
    """
    half = turn_rad / 2
    most = 0.0
    for i in range(1, 200):
        part = i / 200
        chord = math.atan2(
            part * math.sin(half), 1 - part + part * math.cos(half))
        most = max(most, 2 * abs(chord - part * half))
    return most


def largest_turns(thing):
    """The largest turn between two keys that follow each other, or 0."""
    if not thing.animation_data or not thing.animation_data.action:
        return 0.0
    curves = [
        thing.animation_data.action.fcurves.find("rotation_quaternion", index=i)
        for i in range(4)
    ]
    if not all(curves):
        return 0.0
    keys = [
        Quaternion([curve.keyframe_points[i].co[1] for curve in curves])
        for i in range(len(curves[0].keyframe_points))
    ]
    return max(
        (a.rotation_difference(b).angle for a, b in zip(keys, keys[1:])),
        default=0.0)


def to_blender(position, rotation):
    """A pose of a run, y up, as Blender has it, z up."""
    return (
        Vector((position["x"], -position["z"], position["y"])),
        Quaternion((rotation["w"], rotation["x"], -rotation["z"],
                    rotation["y"])))


def check_object(thing, shown, source, turn_error):
    """A sentence where it is elsewhere; otherwise none."""
    place, turn = to_blender(shown["position"], shown["rotation"])
    seen_place, seen_turn, scale = thing.matrix_world.decompose()
    allowed_m = (
        source["position_error_m"] +
        ROUNDINGS * FLOAT_STEP * max(1.0, place.length))
    off_m = (seen_place - place).length
    if off_m > allowed_m:
        return f"{off_m} m off, and {allowed_m} are allowed"
    # By the chord, as an angle by its cosine is no better than a float's root;
    # both signs are one turn, and a turn is twice the angle between them.
    chord = min((seen_turn - turn).magnitude, (seen_turn + turn).magnitude)
    off_rad = 4 * math.asin(min(1.0, chord / 2))
    allowed_rad = (
        source["rotation_error_rad"] + turn_error +
        4 * ROUNDINGS * FLOAT_STEP)
    if off_rad > allowed_rad:
        return f"{off_rad} rad off, and {allowed_rad} are allowed"
    if min(scale) < 0.99:
        return f"of scale {tuple(scale)}"
    return None


def main():
    run, frames_path = sys.argv[sys.argv.index("--") + 1:]
    source = read_source(run)
    with open(frames_path, encoding="utf-8") as file:
        frames = [json.loads(line) for line in file]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # A frame of Blender's is a tick.
    bpy.context.scene.render.fps = source["tick_rate"]
    bpy.context.scene.render.fps_base = 1.0
    bpy.ops.import_scene.gltf(filepath=run)
    # An object that looks different later is several nodes with its serial.
    looks = {}
    for thing in bpy.data.objects:
        if "object" in thing:
            looks.setdefault(int(thing["object"]), []).append(thing)
    turn_errors = {
        thing.name: chord_error_rad(largest_turns(thing))
        for things in looks.values() for thing in things
    }
    names = {
        int(shown["object"]): shown["name"]
        for frame in frames for shown in frame["objects"]
    }
    problems = []
    checked = 0
    for i in range(FRAMES_LOOKED_AT):
        at = i * (len(frames) - 1) // (FRAMES_LOOKED_AT - 1)
        bpy.context.scene.frame_set(at * source["every"])
        here = {int(shown["object"]): shown for shown in frames[at]["objects"]}
        for serial, name in sorted(names.items()):
            seen = [
                thing for thing in looks.get(serial, [])
                if max(thing.matrix_world.to_scale()) > 1e-6
            ]
            if len(seen) != (serial in here):
                problems.append(f"{name} is there {len(seen)} times")
            elif seen:
                problem = check_object(
                    seen[0], here[serial], source, turn_errors[seen[0].name])
                if problem:
                    problems.append(f"{name} at frame {at} is {problem}")
            checked += 1
    for problem in problems[:20]:
        print(problem, file=sys.stderr)
    if problems or checked == 0:
        sys.exit(1)
    print(f"{checked} poses of {len(names)} objects")


main()
