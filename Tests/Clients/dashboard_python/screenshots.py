"""screenshots.py LOCKSTEP COUNTS FOLDER: makes the pictures of README and docs, and writes how many there are."""
import json, pathlib

import stage
from server import Skip, run

SIZE = {"width": 900, "height": 560}


def main(command, counts, folder):
    try:
        site = stage.start(command)["dashboard"]
    except Skip as reason:
        pathlib.Path(counts).write_text(json.dumps({"pictures": 0, "skipped": str(reason)}))
        return
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    count = 0

    def take(name, page):
        nonlocal count
        page.screenshot(path=folder / f"{name}.png")
        page.close()
        count += 1
        print(f"{name}.png {(folder / f'{name}.png').stat().st_size // 1024} KB", flush=True)

    for provider in ("firebase", "clerk"):
        site.user(provider, email="grace@example.com", emailConfirmed=True, displayName="Grace Hopper")
    site.sign_up("ada@example.com")
    user = site.call("gotrue", "GET", "/users?query=ada@example.com")["users"][0]["id"]
    mail = site.messages()[0]["id"]
    take("start", site.page("/", viewport=SIZE))
    take("inbox", site.page("/inbox", viewport=SIZE))
    take("message", site.page(f"/inbox/gotrue/{mail}", viewport={"width": 900, "height": 760}))
    site.call("gotrue", "PATCH", f"/users/{user}", {"emailConfirmed": True, "displayName": "Ada Lovelace"})
    site.call("gotrue", "POST", f"/users/{user}/factors", {"kind": "totp"})
    take("users", site.page("/users", viewport=SIZE))
    site.call("gotrue", "POST", "/faults", {"effect": "lose-answer", "method": "POST", "path": "/token*"})
    take("faults", site.page("/faults", viewport=SIZE, color_scheme="dark"))
    pathlib.Path(counts).write_text(json.dumps({"pictures": count}))


run(main)
