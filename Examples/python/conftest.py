"""Fixtures for pytest: `firebase`, `gotrue` and `clerk`, each an emulator of `lockstep serve` without users.

Copy this file beside your tests. It needs Python 3.9 and the command `lockstep`, on the path or named by LOCKSTEP_COMMAND. Below
`lockstep exec` it uses the emulators of that command. Each worker of pytest-xdist starts servers of its own.
"""
import json, os, subprocess, urllib.error, urllib.parse, urllib.request, uuid

import pytest

# The shell holds one end of a pipe. When this process is gone, however it ended, the pipe closes, `cat` ends, and so does the server.
WATCH = '"${LOCKSTEP_COMMAND:-lockstep}" "$@" & exec >/dev/null; cat; kill $! 2>/dev/null; wait $!'
# No proxy of this machine stands between a test and 127.0.0.1.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Emulator:
    """A running emulator: `url`, `keys`, the variables of the vendor's SDK in `environment`, and what a test does with it."""

    def __init__(self, ready, process=None):
        self.ready, self.process, self.seen = ready, process, {}
        self.url, self.keys, self.environment = ready["base"], ready["vars"], ready["environment"]

    @classmethod
    def start(cls, provider, *options):
        """Starts `lockstep serve` on a free port."""
        command = ["serve", provider, "--port", "0", "--format", "json", *options]
        # In a session of its own Ctrl-C ends the tests first, and the server with them.
        process = subprocess.Popen(
            ["sh", "-c", WATCH, "sh", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        line = process.stdout.readline()
        if not line:
            process.stdin.close()
            raise RuntimeError(f"lockstep {' '.join(command)} did not start. Its error stands above; LOCKSTEP_COMMAND names the command.")
        return cls(json.loads(line), process)

    @classmethod
    def of_exec(cls, provider):
        """The emulator that `lockstep exec` has started, `None` elsewhere. Parallel workers do not share it."""
        path = os.environ.get("LOCKSTEP_READY")
        if not path or os.environ.get("PYTEST_XDIST_WORKER"):
            return None
        with open(path) as file:
            ready = [line for line in map(json.loads, file) if line["provider"] == provider]
        if not ready:
            pytest.skip(f"lockstep exec runs no emulator of {provider}")
        return cls(ready[-1])

    def stop(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait(timeout=10)

    def control(self, method, path, body=None):
        """A request to the control API: docs/control.md."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/__lockstep{path}", data, self.ready["control"], method=method)
        try:
            with OPENER.open(request, timeout=60) as answer:
                return json.loads(answer.read() or "null")
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {json.loads(error.read() or '{}').get('error', error)}") from None

    def reset(self, seed=True):
        """Deletes everything, then restores the seed."""
        self.control("POST", "/reset" if seed else "/reset?seed=false")

    def address(self):
        """An e-mail address that no other test uses."""
        return f"user-{uuid.uuid4().hex[:12]}@example.com"

    def user(self, **values):
        """Makes a user with a verified address and a password; `password` is in the answer, too."""
        values = {"email": self.address(), "emailConfirmed": True, "password": "Correct-Horse-1", **values}
        return {**self.control("POST", "/users", values), "password": values["password"]}

    def sign_in(self, user, second_factor=False):
        """Opens a session without a password: `accessToken`, `refreshToken`, and what the vendor's SDK keeps."""
        return self.control("POST", f"/users/{urllib.parse.quote(user['id'])}/sign-in", {"secondFactor": second_factor})

    def next_message(self, to, wait=30):
        """The next mail or text message to an address or a number: its `code`, its `link`. Waits until it is sent."""
        query = urllib.parse.urlencode({"to": to, "after": self.seen.get(to, 0), "wait": wait})
        messages = self.control("GET", f"/messages?{query}")["messages"]
        assert messages, f"no message to {to} in {wait} seconds"
        self.seen[to] = messages[0]["number"]
        return messages[0]

    def advance(self, seconds):
        """Moves the clock of the backend."""
        self.control("POST", f"/clock?seconds={seconds}")

    def fail(self, path, effect, **values):
        """Affects the next request to a path, such as `lose-answer` for `/token*`; `times=2` affects two."""
        return self.control("POST", "/faults", {"path": path, "effect": effect, **values})


def fixtures(provider):
    """A server for the run of a worker, and for each test the same server without what the test before has left."""

    @pytest.fixture(scope="session", name=f"{provider}_server")
    def server():
        emulator = Emulator.of_exec(provider) or Emulator.start(provider)
        yield emulator
        emulator.stop()

    @pytest.fixture(name=provider)
    def empty(request):
        emulator = request.getfixturevalue(f"{provider}_server")
        emulator.reset()
        return emulator

    return server, empty


firebase_server, firebase = fixtures("firebase")
gotrue_server, gotrue = fixtures("gotrue")
clerk_server, clerk = fixtures("clerk")

