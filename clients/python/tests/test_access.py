# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves who a real server lets in, and what it shows them: tokens that
`reprise token` made, certificates that OpenSSL's program made, by TCP and by a
Unix socket. Run by tests/interop/run_interop.sh."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time

import grpc
import pytest

import reprise


def _openssl(*arguments):
  subprocess.run(["openssl", *map(str, arguments)], check=True,
                 capture_output=True)


def _make_authority(folder):
  folder.mkdir()
  _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt",
           "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=test authority",
           "-days", 1, "-keyout", folder / "ca.key", "-out", folder / "ca.pem")
  return folder


def _issue(authority, path):
  """`path`.pem and `path`.key, for 127.0.0.1."""
  _openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
           "-nodes", "-subj", "/CN=server", "-keyout", f"{path}.key", "-out",
           f"{path}.csr")
  pathlib.Path(f"{path}.ext").write_text(
      "subjectAltName=DNS:localhost,IP:127.0.0.1\n")
  _openssl("x509", "-req", "-in", f"{path}.csr", "-CA", authority / "ca.pem",
           "-CAkey", authority / "ca.key", "-CAcreateserial", "-days", 1,
           "-extfile", f"{path}.ext", "-out", f"{path}.pem")


class _Guarded:
  """A server with TLS and tokens, and what it takes to call it."""

  def __init__(self, options, folder):
    self._options = options
    self.authority = _make_authority(folder / "authority")
    self.identity = folder / "server"
    _issue(self.authority, self.identity)
    self._tokens = folder / "tokens"
    self.tokens = {name: self.add_token(name, *flags) for name, flags in {
        "player": ["--tenant", "red"],
        "observer": ["--scopes", "observe", "--tenant", "red"],
        "rival": ["--tenant", "blue"],
    }.items()}
    self.server = reprise.Server(
        options.reprise_program, options.reprise_packs, arguments=[
            "--tls-certificate", f"{self.identity}.pem",
            "--tls-key", f"{self.identity}.key",
            "--tokens", str(self._tokens)])

  def add_token(self, name, *flags):
    return subprocess.run(
        [self._options.reprise_program, "token", name, *flags, "--add-to",
         str(self._tokens)],
        check=True, capture_output=True, text=True).stdout.strip()

  def client(self, token, authority=None):
    return reprise.Client(
        self.server.address, token=token,
        root_certificates=(authority or self.authority) / "ca.pem")


@pytest.fixture(name="guarded")
def _guarded(request, tmp_path):
  guarded = _Guarded(request.config.option, tmp_path)
  with guarded.server:
    yield guarded


def _reason_of(call):
  with pytest.raises(reprise.RepriseError) as raised:
    call()
  return raised.value.reason


def test_with_its_token_a_client_plays(guarded):
  with guarded.client(guarded.tokens["player"]) as client:
    with client.create_session("marble", record=True) as session:
      assert session.step(30).tick == 30
      assert session.name in [each.name for each in client.list_sessions()]
    (replay,) = client.list_replays()
    assert len(client.download(replay.name)) == replay.size_bytes


def test_others_are_told_why_not(guarded):
  with guarded.client(None) as client:
    assert _reason_of(client.list_packs) == "TOKEN_MISSING"
    assert _reason_of(lambda: client.download("replays/x")) == "TOKEN_MISSING"
  with guarded.client("reprise_none") as client:
    assert _reason_of(client.list_packs) == "TOKEN_UNKNOWN"
  with guarded.client(guarded.tokens["observer"]) as client:
    assert client.list_packs()
    assert _reason_of(lambda: client.create_session("marble")) == (
        "SCOPE_MISSING")


def test_another_tenant_finds_nothing(guarded):
  with guarded.client(guarded.tokens["player"]) as client, \
      guarded.client(guarded.tokens["rival"]) as rival:
    session = client.create_session("marble", record=True)
    assert _reason_of(lambda: rival.get_session(session.name)) == (
        "SESSION_NOT_FOUND")
    assert rival.list_sessions() == []
    replay = session.delete()
    assert _reason_of(lambda: rival.download(replay)) == "REPLAY_NOT_FOUND"
    assert rival.list_replays() == []
    assert client.download(replay)


def test_who_trusts_another_authority_has_no_connection(guarded, tmp_path):
  stranger = _make_authority(tmp_path / "stranger")
  token = guarded.tokens["player"]
  with guarded.client(token, stranger) as client:
    assert _reason_of(client.server_info) == "UNAVAILABLE"
  with reprise.Client(guarded.server.address, token=token) as client:
    assert _reason_of(client.server_info) == "UNAVAILABLE"


def test_a_new_token_is_taken_while_the_server_runs(guarded):
  token = guarded.add_token("late")
  guarded.server.reload()
  end = time.monotonic() + 30
  with guarded.client(token) as client:
    while True:
      try:
        client.server_info()
        return
      except reprise.RepriseError as error:
        assert error.reason == "TOKEN_UNKNOWN"
        assert time.monotonic() < end


def test_a_token_goes_to_no_other_machine_without_tls():
  with pytest.raises(ValueError):
    reprise.Client("192.0.2.1:7171", token="reprise_secret")
  for address in ("127.0.0.1:1", "[::1]:1", "localhost:1", "unix:/tmp/x"):
    reprise.Client(address, token="reprise_secret").close()


def test_a_unix_socket_serves(request):
  options = request.config.option
  # A socket's path may have 107 bytes.
  with tempfile.TemporaryDirectory(dir="/tmp") as folder:
    path = os.path.join(folder, "socket")
    with reprise.Server(options.reprise_program, options.reprise_packs,
                        arguments=["--listen", f"unix:{path}"]) as server:
      assert server.address == f"unix:{path}"
      with reprise.Client(server.address) as client:
        with client.create_session("marble") as session:
          assert session.step(3).tick == 3
    assert not os.path.exists(path)


def test_a_signal_drains_and_a_second_one_ends_at_once(request):
  options = request.config.option
  server = reprise.Server(options.reprise_program, options.reprise_packs,
                          arguments=["--drain-timeout", "3600",
                                     "--ticks-per-request-max", "4294967295"])
  server.start()
  assert server.stop() == 0

  server.start()
  with reprise.Client(server.address) as client:
    session = client.create_session("marble")
    session.step(1)
    session.send_step(4294967295)
    while client.get_session(session.name).tick == 1:
      pass
    process = server._process
    process.terminate()
    # It has begun to drain when it takes no more calls.
    end = time.monotonic() + 30
    while True:
      try:
        with reprise.Client(server.address, timeout_s=5) as another:
          another.server_info()
      except reprise.RepriseError as error:
        # CANCELLED where the connection was taken just before.
        assert error.code in (grpc.StatusCode.UNAVAILABLE,
                              grpc.StatusCode.CANCELLED)
        break
      assert time.monotonic() < end
    process.terminate()
    assert process.wait(timeout=30) == -signal.SIGTERM
  server.stop()


def test_variables_say_what_flags_say(request):
  program = request.config.option.reprise_program
  def print_config(*flags, **variables):
    return subprocess.run(
        [program, "serve", *flags, "--print-config"],
        env={**os.environ, **variables}, capture_output=True, text=True,
        check=False)
  first = print_config("--store", "a", REPRISE_SERVE_WORKERS="3",
                       REPRISE_SERVE_STORE="b", REPRISE_SERVE_FSYNC="1")
  assert first.returncode == 0, first.stderr
  lines = first.stdout.splitlines()
  assert "REPRISE_SERVE_WORKERS=3" in lines
  assert "REPRISE_SERVE_STORE=a" in lines
  assert "REPRISE_SERVE_FSYNC=1" in lines
  assert "# REPRISE_SERVE_TOKENS=" in lines
  # What is printed says the same again.
  variables = dict(line.split("=", 1) for line in lines if line[0] != "#")
  assert print_config(**variables).stdout == first.stdout
  mistyped = print_config("--store", "a", REPRISE_SERVE_WORKER="3")
  assert mistyped.returncode == 2
  assert "did you mean 'REPRISE_SERVE_WORKERS'" in mistyped.stderr
