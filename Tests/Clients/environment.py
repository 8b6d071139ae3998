"""Environments of Python that are thrown away: a folder's requirements, a script in it, the counts that the script writes."""
import json, os, pathlib, shutil, signal, subprocess, sys, tempfile

here = pathlib.Path(__file__).resolve().parent


def run(folder, script, *arguments):
    """Installs what `folder` requires and runs a script there: how many passed and failed, or `None` where there are no counts.

    The script gets the path for its counts before its last argument.
    """
    temporary = pathlib.Path(tempfile.mkdtemp(prefix="lockstep-clients-"))
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": f"{here}{os.pathsep}{folder}"}
    # The drive asks nothing but the emulators, whatever proxy and emulator this shell names.
    for name in [name for name in environment if name.upper().endswith("_PROXY") or name == "FIREBASE_AUTH_EMULATOR_HOST"]:
        del environment[name]
    try:
        python = temporary / "env/bin/python"
        subprocess.run([sys.executable, "-m", "venv", temporary / "env"], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir"]
        if subprocess.run([*pip, "-r", folder / "requirements.txt"]).returncode:
            print("The client could not be installed: see above. It needs a network, or a mirror that pip is told of.", file=sys.stderr)
            return None
        if (folder / "npm.txt").exists():
            environment["LOCKSTEP_NPM"] = os.environ.get("FIREBASE_JS") or unpacked((folder / "npm.txt").read_text().strip(), temporary)
        if (folder / "node.txt").exists():
            environment["LOCKSTEP_NODE_PACKAGES"] = installed((folder / "node.txt").read_text().split(), temporary)
        counts = temporary / "counts.json"
        process = subprocess.Popen([python, script, *arguments[:-1], counts, arguments[-1]], cwd=temporary, env=environment)
        try:
            process.wait()
        finally:
            ignore_signals()
            process.terminate()  # on a signal: it stops its servers then
            try:
                process.wait(timeout=60)  # its servers have ten seconds each
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        return json.loads(counts.read_text()) if counts.exists() else None
    finally:
        ignore_signals()
        shutil.rmtree(temporary, ignore_errors=True)
        heed_signals()


def unpacked(package, temporary):
    """A package of npm, as published; an empty folder where npm or its registry is not here: the journeys say what they miss."""
    folder = temporary / "npm"
    folder.mkdir()
    if shutil.which("npm"):
        subprocess.run(["npm", "pack", "--silent", "--fetch-retries=0", package, "--pack-destination", folder], cwd=folder)
    for archive in folder.glob("*.tgz"):
        shutil.unpack_archive(archive, folder, filter="data")
    return str(folder / "package")


def installed(packages, temporary):
    """Packages of npm with all that they need, or those of JAVASCRIPT_SDKS; a folder without them if npm or its registry is not here."""
    folder = temporary / "node"
    if os.environ.get("JAVASCRIPT_SDKS"):
        shutil.copytree(os.environ["JAVASCRIPT_SDKS"], folder)
        return str(folder)
    folder.mkdir()
    if shutil.which("npm"):
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0", *packages], cwd=folder)
    return str(folder)


def leave(*_):
    sys.exit(143)  # by way of every `finally`


def ignore_signals():
    """While something is cleaned up: a second Ctrl-C must not leave servers and environments behind."""
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, signal.SIG_IGN)


def heed_signals():
    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def main(usage, begin):
    """Runs `begin(command, words)` for a command line of `LOCKSTEP WORDS…`, and leaves with its status."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(usage)
    if sys.version_info < (3, 11):
        sys.exit("The clients need Python 3.11 or newer, and this is " + sys.version.split()[0])
    try:
        import ensurepip, venv  # Debian has both in a package of their own
    except ImportError:
        sys.exit("Python cannot make environments here. On Debian and Ubuntu: sudo apt-get install python3-venv")
    heed_signals()
    try:
        sys.exit(begin(os.path.abspath(sys.argv[1]), sys.argv[2:]))
    except KeyboardInterrupt:
        sys.exit(130)
