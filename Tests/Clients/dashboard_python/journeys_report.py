"""The HTML report of `lockstep compare`, a plan of a move that a browser keeps."""
import functools, pathlib, subprocess, tempfile, threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from server import journey


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@journey
def a_plan_of_a_move_is_checked_kept_and_copied(site):
    folder = pathlib.Path(tempfile.mkdtemp(dir="."))
    subprocess.run(
        [site.command, "compare", "--from", "firebase", "--to", "clerk", "--html", folder / "plan.html"],
        check=True, stdout=subprocess.DEVNULL, timeout=300)
    handler = functools.partial(Quiet, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/plan.html"
        context = site.device(permissions=["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.goto(address)
        boxes = page.locator("details[open] [data-plan]")
        assert boxes.count() > 2 and not boxes.first.is_checked()
        name = boxes.first.get_attribute("data-plan")
        boxes.first.click()
        page.reload()
        assert page.is_checked(f"[data-plan={name}]") and page.locator("[data-plan]:checked").count() == 1
        page.click("text=Copy the plan as Markdown")
        page.wait_for_selector("#copy >> text=Copied")
        lines = page.evaluate("navigator.clipboard.readText()").split("\n")
        assert lines[0].startswith("# ") and "Firebase" in lines[0] and "Clerk" in lines[0], lines[:3]
        done = [line for line in lines if line.startswith("- [x] **safety**")]
        assert len(done) == 1 and sum(line.startswith("- [ ] **") for line in lines) > 10, lines
        # The filters and the anchors of the findings.
        assert page.locator("details.screen").first.is_visible()
        page.click("input.show-screen")
        assert not page.locator("details.screen").first.is_visible()
        closed = page.locator("details.flow:not([open])")
        if closed.count():
            page.goto(f"{address}#{closed.first.get_attribute('id')}")
            assert page.locator("details:target").get_attribute("open") is not None
        context.close()
        # Without scripts it is read, and has no button that does nothing.
        still = site.device(java_script_enabled=False)
        page = still.new_page()
        page.goto(address)
        assert page.locator(".verdict").is_visible() and not page.locator("#copy").is_visible()
        still.close()
        server.shutdown()
    site.check()
