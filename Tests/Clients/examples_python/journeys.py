"""Each example on each provider with the vendor's own client, below `lockstep exec`, and killed."""
import os, shutil, signal, socket, sys, time, urllib.parse

from server import journey
from stage import EXAMPLES, NODE

GO = shutil.which("go")


@journey
def examples_in_python_pass_on_each_provider(examples):
    status, output = examples.pytest()
    assert status == 0 and "4 passed" in output, output


@journey
def examples_in_python_have_a_server_for_each_worker(examples):
    status, output = examples.pytest("-n", "2")
    assert status == 0 and "4 passed" in output, output


@journey
def examples_in_python_use_the_emulators_of_exec(examples):
    status, output = examples.pytest(exec=["gotrue"])
    assert status == 0 and "2 passed, 2 skipped" in output, output


@journey
def examples_in_javascript_pass_on_each_provider(examples):
    status, output = examples.run(NODE, "--test", "--test-reporter=tap", "sign-in.test.mjs", folder=examples.node)
    assert status == 0 and "# pass 4" in output, output


@journey
def examples_in_javascript_use_the_emulators_of_exec(examples):
    status, output = examples.run(NODE, "--test", "--test-reporter=tap", "sign-in.test.mjs", folder=examples.node, exec=["gotrue"])
    assert status == 0 and "# pass 2" in output and "# skipped 2" in output, output


@journey
def a_server_ends_with_a_killed_run_of_pytest(examples):
    (examples.folder / "test_wait.py").write_text(
        "import json, os, signal\n\ndef test_wait(gotrue):\n"
        "    with open(os.environ['READY'], 'w') as file:\n        json.dump(gotrue.ready, file)\n    signal.pause()\n")
    shutil.copy(EXAMPLES / "python/conftest.py", examples.folder)
    ends_when_killed(*examples.start([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_wait.py"], examples.folder))


@journey
def a_server_ends_with_a_killed_run_of_node(examples):
    (examples.node / "wait.mjs").write_text(
        'import { writeFileSync } from "node:fs"\nimport { Emulator } from "./lockstep.mjs"\n'
        'writeFileSync(process.env.READY, JSON.stringify((await Emulator.start("gotrue")).ready))\nsetInterval(() => {}, 1000)\n')
    ends_when_killed(*examples.start([NODE, "wait.mjs"], examples.node))


def ends_when_killed(process, ready):
    """Kills a run, and waits until nothing listens at the address of its server."""
    address = urllib.parse.urlsplit(ready["base"])
    socket.create_connection((address.hostname, address.port)).close()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            socket.create_connection((address.hostname, address.port)).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.05)
    raise AssertionError(f"{ready['base']} still answers 10 seconds after its test run was killed")


if GO:

    @journey
    def examples_in_go_pass_on_each_provider(examples):
        status, output = examples.run(GO, "test", "-count=1", "-v", "./...", folder=EXAMPLES / "go")
        assert status == 0 and output.count("--- PASS") == 3, output

    @journey
    def a_server_ends_with_a_killed_run_of_go(examples):
        folder = examples.folder / "go"
        shutil.copytree(EXAMPLES / "go", folder)
        (folder / "wait_test.go").write_text(
            'package lockstep\n\nimport (\n\t"encoding/json"\n\t"os"\n\t"testing"\n)\n\nfunc TestWait(t *testing.T) {\n'
            '\tline, _ := json.Marshal(Start(t, "gotrue"))\n\tos.WriteFile(os.Getenv("READY"), line, 0o600)\n\tselect {}\n}\n')
        status, output = examples.run(GO, "test", "-c", "-o", "wait.test", folder=folder)
        assert status == 0, output
        ends_when_killed(*examples.start(["./wait.test", "-test.run", "TestWait"], folder))
else:
    print("go is not installed: Examples/go does not run")
