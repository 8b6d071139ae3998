"""drive.py LOCKSTEP COUNTS WORDS: has one client's journeys on each of its servers, prints a table, and writes the counts.

It runs inside of a client's environment, with the client's folder on the path: its `stage.py` starts the servers, its `journeys*.py` register the journeys.
"""
import importlib, json, pathlib, signal, traceback

import stage
from server import JOURNEYS, Skip, run


LONGEST_JOURNEY = 300  # seconds; the longest takes 26 on two quiet cores


class Hang(BaseException):
    """A journey that waits for what never comes, such as a browser's answer to a key that fell into a navigation."""


def end_journey(*_):
    raise Hang(f"it did not end within {LONGEST_JOURNEY} seconds, and no journey after it was tried")


def main(command, counts, words):
    folder = pathlib.Path(stage.__file__).parent
    for file in sorted(folder.glob("journeys*.py")):
        importlib.import_module(file.stem)
    signal.signal(signal.SIGALRM, end_journey)
    passed = failed = 0
    try:
        servers = stage.start(command)
    except Skip as reason:
        pathlib.Path(counts).write_text(json.dumps({"passed": 0, "failed": 0, "skipped": str(reason)}))
        return
    for name, server in servers.items():
        server.enter()
        for function in JOURNEYS:
            title = function.__name__.replace("_", " ")
            if words not in title or not function.fits(server):
                continue
            hangs = False
            signal.alarm(LONGEST_JOURNEY)
            try:
                function(server)
                passed, line = passed + 1, f"passed   {name:10} {title}"
            except (Exception, Hang) as error:
                failed, hangs = failed + 1, isinstance(error, Hang)
                frames = traceback.extract_tb(error.__traceback__)
                place = next((frame for frame in reversed(frames) if f"{folder}/journeys" in frame.filename), frames[-1])
                why = str(error).replace("\n", " ")[:600]
                line = f"FAILED   {name:10} {title}: {type(error).__name__}: {why} ({pathlib.Path(place.filename).name}:{place.lineno}: {place.line})"
            signal.alarm(0)
            print(line, flush=True)
            if hangs:
                break
    pathlib.Path(counts).write_text(json.dumps({"passed": passed, "failed": failed}))


run(main)
