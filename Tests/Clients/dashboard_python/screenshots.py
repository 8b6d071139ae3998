"""screenshots.py LOCKSTEP COUNTS FOLDER: makes the pictures of README and docs, and writes how many there are.

Every page in both schemes and in two widths is in `.build/screenshots`, for a look after each change of the style sheet.
"""
import json, pathlib

import stage
from server import Skip, run
from stage import until

WIDTHS, SCHEMES = {1280: 800, 390: 844}, ("light", "dark")


def tell_a_story(site):
    """What an afternoon leaves behind: users of three providers, a silent backend, an answer that a fault has lost."""
    for provider, names in (("firebase", ("Grace Hopper", "Alan Turing")), ("clerk", ("Barbara Liskov", "Edsger Dijkstra"))):
        for name in names:
            site.user(provider, email=name.split()[0].lower() + "@example.org", emailConfirmed=True, displayName=name)
    page = site.page("/side-by-side")
    page.click("main >> text=Run a sign-up on all")
    until(lambda: page.locator("text=Done:").count() == 1)
    page.close()
    site.sign_up("katherine@example.com")
    mail = next(mail for mail in site.messages() if mail["to"] == "katherine@example.com")
    site.send("GET", mail["link"])
    site.sign_up("katherine@example.com")
    site.call("gotrue", "POST", "/faults", {"effect": "lose-answer", "method": "POST", "path": "/signup*"})
    try:
        site.sign_up("margaret@example.com")
    except Exception:
        pass  # the fault has closed the connection, as it should
    site.sign_up("dorothy@example.com")


def main(command, counts, folder):
    try:
        site = stage.start(command)["dashboard"]
    except Skip as reason:
        pathlib.Path(counts).write_text(json.dumps({"pictures": 0, "skipped": str(reason)}))
        return
    folder = pathlib.Path(folder)
    everything = folder.resolve().parents[1] / ".build/screenshots"
    for place in (folder, everything):
        place.mkdir(parents=True, exist_ok=True)
    count = 0

    def take(name, path, place=folder, width=1000, height=600, scheme="light", before=None):
        nonlocal count
        page = site.page(path, viewport={"width": width, "height": height}, color_scheme=scheme)
        if before:
            before(page)
        page.wait_for_selector("#live:not(:empty)", state="attached")
        page.screenshot(path=place / f"{name}.png")
        page.close()
        count += 1

    tell_a_story(site)
    user = site.call("gotrue", "GET", "/users?query=katherine@example.com")["users"][0]["id"]
    mail = site.messages()[0]["id"]
    take("start", "/")
    take("inbox", "/inbox", height=480)
    take("message", f"/inbox/gotrue/{mail}", height=720)
    take("users", "/users")
    take("side-by-side", "/side-by-side", height=480)
    site.call("gotrue", "POST", f"/users/{user}/factors", {"kind": "totp"})
    take("user", f"/users/gotrue/{user}", height=800)
    site.call("gotrue", "POST", "/faults", {"effect": "lose-answer", "method": "POST", "path": "/token*", "times": 2})
    take("faults", "/faults", scheme="dark")
    for path in site.paths():
        name = path.strip("/").split("?")[0].replace("/", "-")[:28] or "start"
        name += "-one" if "name=" in path else ""
        for width, height in WIDTHS.items():
            for scheme in SCHEMES:
                take(f"{name}-{width}-{scheme}", path, everything, width, height, scheme)
    print(f"{count} pictures: {folder} and {everything}", flush=True)
    pathlib.Path(counts).write_text(json.dumps({"pictures": count}))


run(main)
