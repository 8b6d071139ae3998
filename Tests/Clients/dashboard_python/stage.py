"""The dashboard of a running `lockstep serve` with three providers, in a real browser."""
import itertools, json, os, shutil, socket, subprocess, tempfile, threading, time, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import sync_playwright

from server import Server, Skip

SCRIPT = "\"'><img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>\u202e\u0001&"
VISIBLE = "⟨U+202E⟩"


class Site:
    """The dashboard, its three emulators, and browsers with and without scripts."""

    def __init__(self, command, browser):
        self.name, self.command, self.browser = "dashboard", command, browser
        self.process = subprocess.Popen(
            [command, "serve", "--port", "0", "--format", "json"], stdout=subprocess.PIPE, text=True)
        Server.running.append(self)
        lines = [self.process.stdout.readline() for _ in range(3)]
        if not all(lines):
            raise SystemExit("lockstep serve did not start")
        self.ready = {line["provider"]: line for line in map(json.loads, lines)}
        self.link = self.ready["gotrue"]["dashboard"]
        self.base = self.link.split("/?")[0]
        self.foreign = ThreadingHTTPServer(("127.0.0.1", 0), ForeignPage)
        threading.Thread(target=self.foreign.serve_forever, daemon=True).start()
        self.contexts, self.problems, self.count = {}, [], itertools.count(1)

    stop = Server.stop
    send = Server.send

    def enter(self):
        pass

    def new_link(self):
        control = self.ready["gotrue"]["control"]
        return json.loads(self.send("POST", self.base + "/link", headers=control)[2])["link"]

    def call(self, provider, method, path, body=None):
        """A control route of an emulator."""
        ready = self.ready[provider]
        data = json.dumps(body) if body is not None else None
        status, _, answer = self.send(method, f"{ready['base']}/__lockstep{path}", data, ready["control"])
        assert 200 <= status < 300, (provider, path, status, answer)
        return json.loads(answer) if answer else None

    def beside(self, provider):
        return Beside(self.command, provider)

    def user(self, provider, **values):
        return self.call(provider, "POST", "/users", values)["id"]

    def sign_up(self, email):
        """A sign-up by curl's own request, which sends a mail with a code."""
        ready = self.ready["gotrue"]
        headers = {"apikey": ready["vars"]["publishable"], "Content-Type": "application/json"}
        status, _, answer = self.send(
            "POST", ready["base"] + "/auth/v1/signup", json.dumps({"email": email, "password": "Correct-Horse-1"}), headers)
        assert status == 200, answer

    def template(self, text):
        """Makes mails of sign-ups from this template; an empty text gives the project's own back."""
        ForeignPage.template = text
        address = f"http://127.0.0.1:{self.foreign.server_port}/template" if text else None
        self.call("gotrue", "PATCH", "/settings", {"GOTRUE_MAILER_TEMPLATES_CONFIRMATION": address})

    def messages(self, provider="gotrue"):
        return self.call(provider, "GET", "/messages")["messages"]

    def device(self, **options):
        """A browser without cookies, which notes what its pages break."""
        context = self.browser.new_context(**options)
        context.set_default_timeout(10_000)
        context.on("console", lambda message: self.note(message.type, message.text))
        context.on("weberror", lambda error: self.note("error", str(error.error)))
        context.on("page", close_at_rest)
        return context

    def note(self, kind, text):
        if kind == "error" and "status of 4" not in text or "Content Security Policy" in text:
            self.problems.append(text)

    def page(self, path="/", scripts=True, **options):
        """A page of a browser that was let in; browsers of the same kind are kept."""
        kind = (scripts, tuple(sorted((name, str(value)) for name, value in options.items())))
        if kind not in self.contexts:
            context = self.contexts[kind] = self.device(java_script_enabled=scripts, **options)
            entrance = context.new_page()
            entrance.goto(self.new_link())
            assert entrance.url == self.base + "/", entrance.url
            entrance.close()
        page = self.contexts[kind].new_page()
        page.goto(self.base + path)
        return page

    def check(self):
        """Nothing has broken a policy, and no script of a value has run."""
        found, self.problems = self.problems, []
        assert not found, found

    def paths(self):
        """One page of each kind, with values in it."""
        if not hasattr(self, "known_paths"):
            self.sign_up("ada@example.com")
            user = self.call("gotrue", "GET", "/users?query=ada@example.com")["users"][0]["id"]
            self.call("gotrue", "PATCH", f"/users/{user}", {"emailConfirmed": True})
            self.call("gotrue", "POST", f"/users/{user}/factors", {"kind": "totp"})
            self.call("gotrue", "POST", f"/users/{user}/sign-in", {})
            self.call("clerk", "POST", "/faults", {"effect": "lose-answer", "path": "/x"})
            mail = self.messages()[0]["id"]
            self.known_paths = [
                "/", "/inbox", f"/inbox/gotrue/{mail}", "/users", "/users/new", f"/users/gotrue/{user}", "/sessions", "/requests", "/requests/gotrue/1",
                "/faults", "/clock", "/settings", "/settings?provider=clerk&name=PASSWORD_MIN_LENGTH", "/deliveries",
                "/side-by-side", "/find?query=ada",
            ]
        return self.known_paths


class Beside:
    """A server with a dashboard on a port of its own, which a journey stops and starts."""

    def __init__(self, command, provider):
        self.folder = tempfile.mkdtemp(prefix="lockstep-beside-")
        self.variables = {**os.environ, "XDG_RUNTIME_DIR": self.folder, "DISPLAY": "", "LOCKSTEP_READY": ""}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        self.command = [command, "serve", provider, "--port", "0", "--dashboard-port", port, "--format", "json"]
        Server.running.append(self)
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True, env=self.variables)
        self.link = json.loads(self.process.stdout.readline())["dashboard"]
        self.base = self.link.split("/?")[0]

    def restart(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        self.start()

    def run(self, *words):
        return subprocess.run([self.command[0], *words], env=self.variables, check=True, capture_output=True, text=True).stdout

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        shutil.rmtree(self.folder, ignore_errors=True)


def close_at_rest(page):
    """Chromium forgets to close a page while a click's navigation is on its way, and `close` would wait without an end."""
    close = page.close
    page.close = lambda: (page.goto("about:blank"), close())


def until(condition):
    """Waits for a condition: the pages' policy forbids the eval of `wait_for_function`."""
    end = time.time() + 10
    while not condition():
        assert time.time() < end, "it did not happen within ten seconds"
        time.sleep(0.05)


class ForeignPage(BaseHTTPRequestHandler):
    """A page of another port of this machine, which tries what a hostile one would."""

    template, asked = "", []

    def do_GET(self):
        ForeignPage.asked.append(self.path)
        if self.path == "/template":
            return self.answer(self.template)
        target = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query).get("target", [""])[0]
        body = f"""<!DOCTYPE html><title>foreign</title>
            <form id="form" method="post" action="{target}/clock" target="frame"><input name="action" value="3600"></form>
            <iframe name="frame" src="{target}/"></iframe><script src="{target}/script.js" onload="window.loaded=1"></script>"""
        self.answer(body)

    def do_POST(self):
        """A webhook: one that is rejected would hold up the next."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer("")

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


def start(command):
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program:
        raise Skip("There is no Chromium here. On Debian and Ubuntu: sudo apt-get install chromium; elsewhere name one in CHROMIUM.")
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
    return {"dashboard": Site(command, browser)}
