#!/usr/bin/env python3
"""Brings the emulator's lists of operations up to Clerk's documents, as frontend.json and backend.json beside this file have them.

    Tests/Fixtures/Clerk/operations.py      writes Adapters/Clerk/Emulator/Routes/Operations+….swift (documents.py runs it, too)

The lists are the source of what no document says: the group of an operation, whether it is built, and why not. A new operation is refused, in the group
"New", until somebody decides. An operation that the documents no longer have is removed.
"""
import json, pathlib, re

HERE = pathlib.Path(__file__).parent
LISTS = HERE.parents[2] / "Adapters/Clerk/Emulator/Routes"
GROUP = re.compile(r'^        \.group\("(?P<group>[^"]+)"(?:, because: "(?P<reason>[^"]+)")?, \[$')
ROW = re.compile(r'^            \.(?P<standing>built|partly|refused)\("(?P<method>\w+)", "(?P<path>[^"]+)", "(?P<id>\w+)"(?:, without: "(?P<without>[^"]+)")?\),$')
HEAD = """// Written by Tests/Fixtures/Clerk/operations.py: change groups, standings and reasons here, and run it after a change of the documents.
// swift-format-ignore-file

/// Every operation of Clerk's {name} API as its document of 2026-05-12 lists them.
extension ClerkOperation {{
    static let {name_low}: [ClerkOperation] = all(of: .{name_low}, [
"""
TAIL = """    ])
}
"""


def known(text):
    groups, group = [], None
    for line in text.splitlines():
        if match := GROUP.match(line):
            group = (match["group"], match["reason"], [])
            groups.append(group)
        elif match := ROW.match(line):
            group[2].append((match["standing"], match["method"], match["path"], match["id"], match["without"]))
    return groups


def written(name, groups):
    lines = [HEAD.format(name=name.capitalize(), name_low=name)]
    for group, reason, rows in groups:
        because = f', because: "{reason}"' if reason else ""
        lines.append(f'        .group("{group}"{because}, [\n')
        for standing, method, path, id, without in rows:
            lines.append(f'            .{standing}("{method}", "{path}", "{id}"' + (f', without: "{without}"' if without else "") + "),\n")
        lines.append("        ]),\n")
    return "".join(lines) + TAIL


def update(name):
    file = LISTS / f"Operations+{name.capitalize()}.swift"
    prefix = "/v1" if name == "backend" else ""
    documented = {
        (method.upper(), prefix + path): id for method, path, id, *_ in json.load(open(HERE / f"{name}.json"))["operations"]}
    groups = []
    for group, reason, rows in known(file.read_text()):
        kept = [(s, method, path, documented.pop((method, path)), w) for s, method, path, _, w in rows if (method, path) in documented]
        if kept:
            groups.append((group, reason, kept))
    if documented:
        groups.append(("New", None, [("refused", method, path, id, None) for (method, path), id in documented.items()]))
    file.write_text(written(name, groups))


if __name__ == "__main__":
    update("frontend")
    update("backend")
