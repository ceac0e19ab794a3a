# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""A client of Reprise's server: sessions, and environments for learning."""

from reprise.client import Client, Session, SessionGroup
from reprise.environment import Env, VectorEnv
from reprise.errors import RepriseError
from reprise.frames import FrameObject, Scene
from reprise.observations import Block, Decoder, Group
from reprise.playing import PlayStream
from reprise.server import Server

__all__ = [
    "Block",
    "Client",
    "Decoder",
    "Env",
    "FrameObject",
    "Group",
    "PlayStream",
    "RepriseError",
    "Scene",
    "Server",
    "Session",
    "SessionGroup",
    "VectorEnv",
]
