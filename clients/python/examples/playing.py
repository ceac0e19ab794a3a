#!/usr/bin/python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Two bots play Pong for ten seconds, each on a stream of its own, as they would
from two machines: each goes where it sees the ball."""

import threading

import reprise
from reprise.v1 import input_pb2
from reprise.v1 import lockstep_pb2
from reprise.v1 import observation_pb2

OBSERVE = observation_pb2.Observe(groups=[observation_pb2.ObservedGroup(
    fields=["bodies.position.z"], objects=["left", "right", "ball"],
    every_ticks=1)])


def steer(places, paddle):
  way = places["ball"] - places[paddle]
  axis = int(32767 * max(-1, min(1, way)))
  return input_pb2.InputFrame(device=input_pb2.DeviceState(axes=[axis]))


def play(address, session, player, paddle):
  decoder = reprise.Decoder()
  with reprise.Client(address) as client, client.join(
      session, player, observe=OBSERVE) as stream:
    response = stream.first
    while stream.tick < 600:
      (block,) = decoder.read(response.result)
      places = dict(zip(block.names, block.columns["bodies.position.z"][0]))
      stream.give(inputs=[input_pb2.TickInputs(
          tick=stream.input_tick, frames=[steer(places, paddle)])])
      response = stream.receive()
  print(f"{paddle}: tick {stream.tick}, digest {stream.digest}")


with reprise.Server() as server:
  client = reprise.Client(server.address)
  session = client.create_session(
      "pong", record=True, lockstep=lockstep_pb2.Lockstep(input_delay_ticks=3))
  players = [threading.Thread(target=play, args=(
      server.address, session.name, *player))
             for player in ((0, "left"), (1, "right"))]
  for player in players:
    player.start()
  for player in players:
    player.join()
  print(f"kept as {session.delete()}")
