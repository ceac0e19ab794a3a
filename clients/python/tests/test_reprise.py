# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves the package against a real server: what is seen is what
`reprise inspect` prints of the same tick, seeds decide runs, and environments
keep Gymnasium's rules. Run by tests/interop/run_interop.sh."""

import concurrent.futures
import hashlib
import json
import os
import subprocess
import threading
import time
import types

import grpc
import numpy as np
import pytest

import reprise
from reprise.v1 import frame_pb2 as frame_messages
from reprise.v1 import input_pb2
from reprise.v1 import observation_pb2 as observation
from reprise.v1 import replay_service_pb2 as replays
from reprise.v1 import replay_service_pb2_grpc as replays_grpc
from reprise.v1 import simulation_service_pb2 as simulation
from reprise.v1 import simulation_service_pb2_grpc as simulation_grpc

_FIELDS = ["bodies.position", "bodies.linear_velocity"]


def _steer(tick, x=0.0, z=0.0):
  return input_pb2.TickInputs(tick=tick, frames=[input_pb2.InputFrame(
      device=input_pb2.DeviceState(axes=[int(x * 32767), int(z * 32767)]))])


def _make_env(client, **arguments):
  return reprise.Env(client, "marble", observe=["player.bodies.position"],
                     **arguments)


def _play(env, seed, actions):
  env.action_space.seed(5)
  seen, info = env.reset(seed=seed)
  digests = [info["digest"]]
  for _ in range(actions):
    seen, _, _, _, info = env.step(env.action_space.sample())
    digests.append(info["digest"])
  return digests, seen


def _inspect_bodies(program, path, tick):
  """The fields of each body by its name, as `reprise inspect` has them."""
  output = subprocess.run(
      [program, "inspect", path, "--tick", str(tick), "--format", "json"],
      capture_output=True, text=True, check=True).stdout
  (bodies,) = [table for room in json.loads(output)["rooms"]
               for table in room["tables"] if table["table"] == "bodies"]
  return {row["key"][0]: row["fields"] for row in bodies["rows"]}


def test_there_are_packs_and_what_the_server_can_do(reprise_client):
  assert "marble" in [pack.name for pack in reprise_client.list_packs()]
  limits = reprise_client.server_info().limits
  assert limits.observed_fields_max > 0


def test_errors_have_code_reason_and_what_they_are_about(reprise_client):
  with pytest.raises(reprise.RepriseError) as raised:
    reprise_client.create_session("golf")
  assert raised.value.code == grpc.StatusCode.NOT_FOUND
  assert raised.value.reason == "PACK_NOT_FOUND"
  assert raised.value.metadata == {"pack": "golf"}


_OWN_PACK = """name: "drop"
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1
  shapes { sphere { radius: 1 } } } }
objects { name: "ball" type: "KIND" position { y: 5 } }
"""


def test_a_pack_of_ones_own_is_brought_played_and_forgotten(
    reprise_client, tmp_path):
  folder = tmp_path / "drop"
  (folder / "tests").mkdir(parents=True)
  (folder / "tests" / "a.txtpb").write_text("not a part of it")
  manifest = folder / "pack.txtpb"

  manifest.write_text(_OWN_PACK.replace("KIND", "bell"))
  with pytest.raises(reprise.RepriseError) as raised:
    reprise_client.upload_pack("drop", folder)
  assert raised.value.reason == "PACK_INVALID"
  assert [mistake.place for mistake in raised.value.mistakes] == [
      "pack.txtpb:4"]

  manifest.write_text(_OWN_PACK.replace("KIND", "ball"))
  pack = reprise_client.upload_pack("drop", folder)
  assert pack.is_uploaded and pack.file_count == 1
  assert "drop" in [pack.name for pack in reprise_client.list_packs()]
  with reprise_client.create_session(
      "drop", pack_digest=pack.digest) as session:
    assert session.step(30).tick == 30
  reprise_client.delete_pack("drop", pack.digest)
  with pytest.raises(reprise.RepriseError) as raised:
    reprise_client.get_pack("drop")
  assert raised.value.reason == "PACK_NOT_FOUND"


def test_an_archive_is_the_pack_of_its_folder(reprise_client, tmp_path):
  program = os.environ.get("REPRISE_PROGRAM", "reprise")
  archive = tmp_path / "drop.pack"
  folder = tmp_path / "drop"
  folder.mkdir()
  (folder / "pack.txtpb").write_text(_OWN_PACK.replace("KIND", "ball"))
  subprocess.run([program, "pack", "build", folder, "--output", archive],
                 check=True, capture_output=True)

  by_folder = reprise_client.upload_pack("drop", folder)
  by_archive = reprise_client.upload_pack("drop", archive)
  by_bytes = reprise_client.upload_pack("drop", archive.read_bytes())

  assert by_folder.digest == by_archive.digest == by_bytes.digest
  reprise_client.delete_pack("drop")


def test_a_replay_is_played_from_any_tick(reprise_client):
  session = reprise_client.create_session("marble", seed=3, record=True)
  session.step(100, inputs=[_steer(0, x=0.5, z=1)])
  there = session.digest
  session.step(50)
  end = session.digest
  replay = session.delete()
  with reprise_client.follow(replay, tick=30) as player:
    assert player.message.followed_ticks == 150
    player.step(70)
    assert player.digest == there
    response = player.step(1000)
    assert response.stop_reason == observation.STOP_REASON_REPLAY_END
    assert (player.tick, player.digest) == (150, end)
    player.seek(100)
    assert (player.tick, player.digest) == (100, there)


def test_a_range_of_a_replay_is_downloaded(reprise_client):
  session = reprise_client.create_session("marble", record=True)
  session.step(30)
  replay = session.delete()
  whole = reprise_client.download(replay)
  assert reprise_client.download(replay, offset=5, length=100) == whole[5:105]
  assert reprise_client.download(replay, offset=len(whole) - 7) == whole[-7:]


def test_a_recording_is_downloaded_while_it_is_made(reprise_client):
  session = reprise_client.create_session("marble", record=True)
  replay = session.message.replay
  session.step(30)
  pieces = reprise_client.download_live(replay)
  first = next(pieces)
  assert first.startswith(b"\x89MCAP")
  session.step(30)
  session.delete()
  whole = first + b"".join(pieces)
  assert whole == reprise_client.download(replay)
  assert b"".join(
      reprise_client.download_live(replay, offset=len(first))) == whole[len(
          first):]
  # Whoever has seen enough goes.
  session = reprise_client.create_session("marble", record=True)
  pieces = reprise_client.download_live(session.message.replay)
  next(pieces)
  pieces.close()
  session.delete()
  with pytest.raises(reprise.RepriseError) as raised:
    next(reprise_client.download_live("replays/none"))
  assert raised.value.reason == "REPLAY_NOT_FOUND"


def test_a_refused_declaration_names_its_field(reprise_client):
  with reprise_client.create_session("marble") as session:
    declaration = observation.Observe(groups=[
        observation.ObservedGroup(fields=["tick"]),
        observation.ObservedGroup(fields=["tick", "player.bodies.plase.x"]),
    ])
    with pytest.raises(reprise.RepriseError) as raised:
      session.step(1, observe=declaration)
    assert raised.value.reason == "OBSERVATION_REFUSED"
    assert raised.value.metadata == {"field": "groups[1].fields[1]"}
    # It has stepped nothing, and goes on.
    assert session.step(1).tick == 1


def test_sessions_go_back_and_fork(reprise_client):
  with reprise_client.create_session("marble", seed=3) as session:
    session.step(60, inputs=[_steer(0, z=1)])
    snapshot = session.snapshot()
    there = session.digest
    session.step(60)
    end = session.digest
    with session.fork(snapshot) as fork:
      assert fork.digest == there
      fork.step(60)
      assert fork.digest == end
    session.restore(snapshot)
    assert session.digest == there
    session.reset()
    assert session.tick == 0


def test_observations_are_what_inspect_prints(reprise_client, request,
                                              tmp_path):
  program = request.config.option.reprise_program
  session = reprise_client.create_session("marble", seed=7, record=True)
  decoder = reprise.Decoder()
  group = reprise.Group(_FIELDS, every_ticks=50)
  response = session.step(
      200, inputs=[_steer(0, x=0.3, z=1)],
      observe=observation.Observe(groups=[group.to_message()]))
  blocks = decoder.read(response)
  path = tmp_path / "marble.mcap"
  path.write_bytes(reprise_client.download(session.delete()))

  ticks = [int(tick) for block in blocks for tick in block.ticks]
  assert ticks == [50, 100, 150, 200]
  compared = 0
  for block in blocks:
    for at, tick in enumerate(block.ticks):
      bodies = _inspect_bodies(program, path, tick)
      assert sorted(bodies) == sorted(block.names)
      for row, name in enumerate(block.names):
        for field in _FIELDS:
          part = field.split(".")[1]
          expected = list(bodies[name][part].values())
          assert list(block.columns[field][at, row]) == expected, (tick, name)
          compared += 1
  assert compared > 100


@pytest.mark.parametrize("differences", [False, True])
def test_a_scene_is_what_a_frame_shows(reprise_client, differences):
  observe = observation.Observe(frames=observation.ObservedFrames(
      every_ticks=5, differences=differences))
  scene = reprise.Scene()
  sizes = []
  with reprise_client.create_session("marble", seed=7) as session:
    for i in range(6):
      response = session.step(
          10, inputs=[_steer(session.tick, z=1)],
          observe=observe if i == 0 else None, want_frame=True,
          frame_acknowledged=scene.acknowledged)
      assert scene.take(response) == 2
      assert scene.tick == session.tick == response.frame.tick
      sizes.append(response.observations.frames[-1].ByteSize())
      shown = {o.object: o for o in response.frame.objects}
      assert scene.objects.keys() == shown.keys()
      for serial, drawn in scene.objects.items():
        whole = shown[serial]
        assert (drawn.name, drawn.type) == (whole.name, whole.type)
        assert drawn.shapes == list(whole.shapes)
        assert tuple(drawn.position) == (
            whole.position.x, whole.position.y, whole.position.z)
        assert tuple(drawn.rotation) == (
            whole.rotation.x, whole.rotation.y, whole.rotation.z,
            whole.rotation.w)
        for shape in drawn.shapes:
          if shape.kind in (frame_messages.FrameShape.KIND_HULL,
                            frame_messages.FrameShape.KIND_MESH):
            assert shape.mesh in scene.meshes
    # What stands still is in no difference.
    assert (sizes[-1] < sizes[0]) or not differences


def test_a_scene_forgets_what_no_frame_shows():
  scene = reprise.Scene()
  for number in range(1, 500):
    frame = observation.ObservedFrame(
        number=number, tick=number, objects=[number], positions=[0, 0, 0],
        rotations=[0, 0, 0, 1])
    frame.introduced.add(object=number, name="crate")
    scene.take(types.SimpleNamespace(
        observations=observation.Observations(frames=[frame])))
    assert list(scene.objects) == [number]
  assert len(scene._known) < 100  # pylint: disable=protected-access


def test_a_scene_is_of_what_is_asked_for(reprise_client):
  interest = observation.FrameInterest(
      near=observation.FrameBall(object="player", radius_m=0.01))
  with reprise_client.create_session("marble") as session:
    scene = reprise.Scene()
    scene.take(session.step(1, observe=observation.Observe(
        frames=observation.ObservedFrames(interest=interest))))
    assert [shown.name for shown in scene.objects.values()] == ["player"]


def test_a_step_stops_at_a_condition(reprise_client):
  with reprise_client.create_session("marble", seed=7) as session:
    response = session.step(
        600, inputs=[_steer(0, z=1)],
        until=observation.Until(condition="player.bodies.position.z > -8"),
        observe=observation.Observe(groups=[observation.ObservedGroup(
            fields=["player.bodies.position.z"], every_ticks=1)]))
    assert response.stop_reason == observation.STOP_REASON_CONDITION
    (block,) = reprise.Decoder().read(response)
    places = block.columns["player.bodies.position.z"][:, 0]
    assert len(places) == response.tick < 600
    assert places[-1] > -8 and all(places[:-1] <= -8)


def test_equal_seeds_and_actions_are_equal_runs(reprise_client):
  env = _make_env(reprise_client, ticks_per_step=4)
  first, seen = _play(env, 11, 50)
  again, seen_again = _play(env, 11, 50)
  assert again == first
  np.testing.assert_array_equal(seen_again, seen)
  # An environment of its own, and another seed.
  other = _make_env(reprise_client, ticks_per_step=4)
  assert _play(other, 11, 50)[0] == first
  env.close()
  other.close()


def test_another_seed_is_another_run(reprise_client):
  env = reprise.Env(reprise_client, "pong", ["'ball'.bodies.position"],
                    ticks_per_step=200)
  digests = set()
  for seed in (11, 12, 11):
    env.reset(seed=seed)
    digests.add(env.step({})[4]["digest"])
  assert len(digests) == 2
  env.close()


def test_rewards_are_summed_over_the_ticks_of_a_step(reprise_client):
  env = _make_env(reprise_client, reward="player.bodies.linear_velocity.z / 60",
                  ticks_per_step=10)
  start, _ = env.reset(seed=1)
  total = 0.0
  for _ in range(12):
    seen, reward, _, _, _ = env.step({"roll_x": 0.0, "roll_z": 1.0, "jump": 0})
    total += reward
  # The sum of v dt is the way, as far as the integrator's steps allow.
  assert total > 1
  assert total == pytest.approx(seen[2] - start[2], rel=0.05)
  env.close()


def test_the_end_of_the_game_terminates_and_a_reset_goes_on(reprise_client):
  env = reprise.Env(reprise_client, "pong", ["court.score.left",
                                             "court.score.right"],
                    ticks_per_step=10000)
  env.reset(seed=1)
  for _ in range(10):
    seen, _, terminated, truncated, info = env.step({"move": 1.0})
    assert not truncated
    if terminated:
      break
  assert terminated
  assert info["outcome"] == "won"
  assert info["outcome_reason"] in ("left_wins", "right_wins")
  assert max(seen) == 21
  assert info["decided_tick"] == info["tick"]
  with pytest.raises(RuntimeError):
    env.step({})
  assert env.reset()[1]["tick"] == 0
  env.close()


def test_conditions_terminate_truncate_and_mask(reprise_client):
  env = _make_env(reprise_client, terminated="tick == 7", truncated="tick > 3",
                  action_masks={"jump": "player.bodies.position.y < 100"})
  env.reset(seed=1)
  ends = [env.step({"roll_z": 1.0})[2:4] for _ in range(3)]
  assert ends == [(False, False)] * 3
  _, _, terminated, truncated, info = env.step({})
  assert (terminated, truncated) == (False, True)
  assert info["action_mask"] == {"jump": True}
  env.close()


def test_groups_of_objects_have_rows_that_are_there(reprise_client):
  env = reprise.Env(reprise_client, "pong", observe={
      "paddles": reprise.Group(["bodies.position.x", "bodies.position.z"],
                               objects=["right", "left"]),
      "balls": reprise.Group(["bodies.position"], type="ball", rows_max=3),
      "score": reprise.Group(["court.score.left", "court.score.right"]),
  })
  seen, _ = env.reset(seed=1)
  np.testing.assert_array_equal(seen["paddles"][:, 0], [9, -9])
  np.testing.assert_array_equal(seen["balls_present"], [1, 0, 0])
  np.testing.assert_array_equal(seen["score"], [0, 0])
  assert env.observation_space.contains(seen)
  env.close()


def test_a_vector_is_its_environments_and_resets_by_itself(reprise_client):
  arguments = {"ticks_max": 8, "ticks_per_step": 4}
  vector = reprise.VectorEnv(
      3, reprise_client, "marble", ["player.bodies.position"], **arguments)
  single = _make_env(reprise_client, **arguments)
  actions = {"roll_x": np.zeros(3), "roll_z": np.array([1.0, 0.0, -1.0]),
             "jump": np.zeros(3, dtype=np.int8)}
  seen, _ = vector.reset(seed=20)
  assert seen.shape == (3, 3)
  seen, _, _, truncated, _ = vector.step(actions)
  assert not truncated.any()
  seen, rewards, _, truncated, infos = vector.step(actions)
  assert truncated.all() and rewards.shape == (3,)
  single.reset(seed=22)
  for _ in range(2):
    alone, _, _, _, info = single.step({"roll_z": -1.0})
  np.testing.assert_array_equal(seen[2], alone)
  assert infos["infos"][2]["digest"] == info["digest"]
  _, rewards, _, truncated, infos = vector.step(actions)
  assert not truncated.any() and not rewards.any()
  assert [info["tick"] for info in infos["infos"]] == [0, 0, 0]
  vector.close()
  single.close()


def test_a_group_may_be_empty_at_first_and_later(reprise_client):
  env = reprise.Env(reprise_client, "pong", observe={
      "none": reprise.Group(["bodies.position", "bodies.position.x"],
                            type="ball", where="tick < 0", rows_max=2),
      "early": reprise.Group(["bodies.position", "bodies.position.x"],
                             type="ball", where="tick < 2", rows_max=2),
      "late": reprise.Group(["bodies.position.x"], type="ball",
                            where="tick > 1", rows_max=2),
  })
  seen, _ = env.reset(seed=1)
  present = []
  for _ in range(4):
    assert env.observation_space.contains(seen)
    present.append([list(seen[f"{name}_present"])
                    for name in ("none", "early", "late")])
    seen, *_ = env.step({})
  there, gone = [1, 0], [0, 0]
  assert present == [[gone, there, gone], [gone, there, gone],
                     [gone, gone, there], [gone, gone, there]]
  assert seen["none"].shape == (2, 4) and not seen["none"].any()
  env.close()


def test_a_group_without_keys_is_one_row_whatever_rows_max(reprise_client):
  env = reprise.Env(reprise_client, "pong", observe={
      "score": reprise.Group(["court.score.left", "court.score.right"],
                             rows_max=3)})
  seen, _ = env.reset(seed=1)
  assert list(seen) == ["score"]
  assert env.observation_space.contains(seen)
  env.close()


def test_a_step_that_was_cut_short_is_an_error(reprise_client, monkeypatch):
  env = _make_env(reprise_client, ticks_per_step=4)
  env.reset(seed=1)
  receive = env.session.receive_step

  def receive_full():
    response = receive()
    response.stop_reason = observation.STOP_REASON_MESSAGE_FULL
    return response

  with monkeypatch.context() as patch:
    patch.setattr(env.session, "receive_step", receive_full)
    with pytest.raises(RuntimeError, match="a message is full"):
      env.step({})
  with pytest.raises(RuntimeError, match="reset"):
    env.step({})
  assert env.reset(seed=1)[1]["tick"] == 0
  env.close()


def test_what_is_refused_leaves_no_session(reprise_client, monkeypatch):
  refused = {
      "every_ticks": {"a": reprise.Group(["tick"], every_ticks=2)},
      "a field twice": ["tick", "tick"],
      "needs objects or rows_max": {"a": reprise.Group(["bodies.position"])},
      "OBSERVATION_REFUSED": ["player.bodies.plase"],
  }
  for sentence, observe in refused.items():
    with pytest.raises((ValueError, reprise.RepriseError), match=sentence):
      reprise.Env(reprise_client, "marble", observe)
  create = reprise_client.create_session
  created = []

  def create_two(*arguments, **options):
    if len(created) == 2:
      raise RuntimeError("no more than two")
    created.append(create(*arguments, **options))
    return created[-1]

  with monkeypatch.context() as patch:
    patch.setattr(reprise_client, "create_session", create_two)
    with pytest.raises(RuntimeError, match="no more"):
      reprise.VectorEnv(3, reprise_client, "marble", ["tick"])
  assert len(created) == 2
  assert not reprise_client.list_sessions()


class _SilentServer(simulation_grpc.SimulationServiceServicer,
                    replays_grpc.ReplayServiceServicer):
  """Takes calls, and answers none until they are cancelled."""

  def StepSession(self, requests, context):
    return self._wait(context)

  def PlaySession(self, requests, context):
    return self._wait(context)

  def DownloadReplay(self, request, context):
    return self._wait(context)

  def _wait(self, context):
    is_over = threading.Event()
    context.add_callback(is_over.set)
    is_over.wait(60)
    yield from ()


@pytest.fixture
def silent_client():
  server = grpc.server(concurrent.futures.ThreadPoolExecutor(
      4, thread_name_prefix="server"))
  silent = _SilentServer()
  simulation_grpc.add_SimulationServiceServicer_to_server(silent, server)
  replays_grpc.add_ReplayServiceServicer_to_server(silent, server)
  port = server.add_insecure_port("127.0.0.1:0")
  server.start()
  client = reprise.Client(f"127.0.0.1:{port}", timeout_s=0.5)
  yield client
  client.close()
  server.stop(0)


def _client_threads():
  return {thread for thread in threading.enumerate()
          if not thread.name.startswith("server")}


def test_streams_that_do_not_answer_fail_in_time(silent_client):
  before = _client_threads()
  session = reprise.Session(silent_client, simulation.Session(name="sessions/a"))
  with pytest.raises(reprise.RepriseError) as raised:
    session.step(1)
  assert raised.value.code == grpc.StatusCode.DEADLINE_EXCEEDED
  assert "no response in 0.5 s" in str(raised.value)
  # One that is only closed, too.
  session.send_step(1)
  session.release()
  with pytest.raises(reprise.RepriseError) as raised:
    silent_client.join("sessions/a")
  assert raised.value.code == grpc.StatusCode.DEADLINE_EXCEEDED
  # No thread goes on waiting: neither gRPC's for requests, nor ours.
  deadline = time.monotonic() + 30
  while _client_threads() - before and time.monotonic() < deadline:
    time.sleep(0.01)
  assert not _client_threads() - before


def test_downloads_that_do_not_answer_fail_in_time(silent_client):
  with pytest.raises(reprise.RepriseError) as raised:
    silent_client.download("replays/a")
  assert raised.value.code == grpc.StatusCode.DEADLINE_EXCEEDED


def _record(client, ticks):
  session = client.create_session("marble", record=True)
  session.step(ticks, inputs=[_steer(10, z=1.0)])
  return session.delete()


def test_replays_are_found_tagged_sent_and_deleted(reprise_client):
  name = _record(reprise_client, 60)
  data = reprise_client.download(name)
  tagged = reprise_client.tag_replay(name, add=["python/a", "b"], remove=["b"])
  assert list(tagged.tags) == ["python/a"]
  assert tagged.tick_count == 60
  found = reprise_client.list_replays(tags=["python/a"], pack="marble")
  assert [replay.name for replay in found] == [name]
  # These bytes are there.
  assert reprise_client.upload(data).name == name
  reprise_client.delete_replay(name)
  with pytest.raises(reprise.RepriseError) as refused:
    reprise_client.get_replay(name)
  assert refused.value.reason == "REPLAY_NOT_FOUND"
  sent = reprise_client.upload(data)
  assert sent.digest == tagged.digest
  assert reprise_client.download(sent.name) == data
  damaged = bytearray(data)
  damaged[len(data) // 2] ^= 1
  with pytest.raises(reprise.RepriseError) as refused:
    reprise_client.upload(bytes(damaged))
  assert refused.value.code in (grpc.StatusCode.DATA_LOSS,
                                grpc.StatusCode.INVALID_ARGUMENT)
  reprise_client.delete_replay(sent.name)


def test_an_upload_goes_on_where_it_broke_off(reprise_client, monkeypatch):
  name = _record(reprise_client, 60)
  data = reprise_client.download(name)
  reprise_client.delete_replay(name)
  digest = hashlib.sha256(data).hexdigest()
  half = len(data) // 2
  with pytest.raises(grpc.RpcError) as broken:
    reprise_client.replays.UploadReplay(iter([replays.UploadReplayRequest(
        digest=digest, size_bytes=len(data), data=data[:half])]))
  assert "UPLOAD_UNFINISHED" in str(
      reprise.RepriseError.of_call(broken.value))
  sent = []
  upload = reprise_client.replays.UploadReplay

  def count_and_upload(pieces, **arguments):
    def counted():
      for piece in pieces:
        sent.append((piece.offset, len(piece.data)))
        yield piece
    return upload(counted(), **arguments)

  monkeypatch.setattr(reprise_client.replays, "UploadReplay", count_and_upload)
  replay = reprise_client.upload(data)
  assert sent == [(half, len(data) - half)]
  assert reprise_client.download(replay.name) == data
  reprise_client.delete_replay(replay.name)


def test_an_operation_tells_how_far_it_is_and_is_cancelled(reprise_client):
  session = reprise_client.create_session("pong", seed=3, record=True)
  for _ in range(15):
    session.step(10_000)
  name = session.delete()
  seen = []
  operation = reprise_client.verify_replay(name)

  def look(looked_at):
    seen.append((looked_at.ticks_done, looked_at.tick_count))
    if looked_at.ticks_done > 0:
      reprise_client.cancel_operation(looked_at.name)

  ended = reprise_client.wait(operation, look)
  assert ended.state == ended.STATE_CANCELLED
  assert seen[-1][1] == 150_000
  assert any(0 < done < 150_000 for done, _ in seen)
  reprise_client.delete_operation(ended.name)
  reprise_client.delete_replay(name)


def test_operations_say_what_came_of_replays(reprise_client):
  name = _record(reprise_client, 60)
  verified = reprise_client.wait(reprise_client.verify_replay(name))
  assert verified.verification.ticks_verified == 60
  table = reprise_client.wait(
      reprise_client.query_replay(name, ["tick", "player.bodies.position.y"]))
  rows = reprise_client.download_result(
      table.name, "values.csv").decode().splitlines()
  assert len(rows) == 1 + 61
  scene = reprise_client.wait(reprise_client.export_replay(name, "gltf"))
  assert reprise_client.download_result(
      scene.name, "replay.glb")[:4] == b"glTF"
  with pytest.raises(reprise.RepriseError) as refused:
    reprise_client.wait(reprise_client.query_replay(name, ["nobody.here"]))
  assert refused.value.reason == "WORKER_REFUSED"
  reprise_client.delete_operation(scene.name)
  with pytest.raises(reprise.RepriseError) as refused:
    reprise_client.get_operation(scene.name)
  assert refused.value.reason == "OPERATION_NOT_FOUND"
