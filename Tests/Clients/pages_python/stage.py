"""An app's page with Firebase's JavaScript SDK, in a real browser, beside a running `lockstep serve firebase`."""
import json, os, pathlib, re, shutil, threading, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import sync_playwright

from server import Server, Skip

HERE = pathlib.Path(__file__).parent
GAPI = "https://apis.google.com/js/api.js"
PROJECT = "demo-lockstep"


class Pages(Server):
    """A running emulator, the app's web server, and a browser."""

    def __init__(self, command, browser, packages, gapi):
        super().__init__("pages", command, "firebase", settings='{"hashing.memoryCost": 1}')
        self.browser, self.gapi = browser, gapi
        self.app = ThreadingHTTPServer(("127.0.0.1", 0), handler(packages))
        threading.Thread(target=self.app.serve_forever, daemon=True).start()

    def device(self):
        """A browser without anything in its storage."""
        context = self.browser.new_context()
        context.set_default_timeout(20_000)
        if self.gapi:
            context.route(re.compile(re.escape(GAPI)), lambda route: route.fulfill(path=self.gapi, content_type="text/javascript"))
        return context

    def open(self, context=None, host="127.0.0.1", **query):
        """The app's page, when its SDK is there."""
        page = (context or self.device()).new_page()
        page.goto(f"http://{host}:{self.app.server_port}/?" + urlencode({"emulator": self.base, **query}))
        page.wait_for_function("window.isReady")
        return page

    def chooser(self, **query):
        """The address of the emulator's page, as the SDK asks for it."""
        usual = {"apiKey": "any-key", "appName": "[DEFAULT]", "authType": "signInViaRedirect", "providerId": "google.com",
                 "redirectUrl": f"http://127.0.0.1:{self.app.server_port}/", "v": "12.19.0", "eventId": "1"}
        return f"{self.base}/emulator/auth/handler?" + urlencode({**usual, **query})

    def rest(self, call, body):
        url = f"{self.base}/identitytoolkit.googleapis.com/v1/{call}?key=any-key"
        status, _, answer = self.send("POST", url, json.dumps(body), {"Content-Type": "application/json"})
        assert status == 200, answer
        return json.loads(answer)

    def enter_identity(self, email, provider="google.com", **claims):
        """An account that has signed in by a provider before."""
        token = json.dumps({"sub": email, "email": email, "email_verified": True, **claims})
        return self.rest("accounts:signInWithIdp", {"requestUri": "http://localhost", "postBody": urlencode({"providerId": provider, "id_token": token})})


def handler(packages):
    """The app's web server: its page, and the SDK's two files, which name each other by Google's address."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            path = urlsplit(self.path).path
            if path.endswith(".js") and (packages / path[1:]).exists():
                text = re.sub(r"https://www\.gstatic\.com/firebasejs/[^/\"']+/", "/", (packages / path[1:]).read_text())
                return self.answer("text/javascript", text)
            self.answer("text/html", (HERE / "app.html").read_text())

        def answer(self, kind, text):
            self.send_response(200)
            self.send_header("Content-Type", kind + "; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    return Handler


def google_script():
    """The stand-in of Google's script, where Google's own cannot be had."""
    try:
        urllib.request.urlopen(GAPI, timeout=5).read()
        print("apis.google.com: Google's own script", flush=True)
        return None
    except (urllib.error.URLError, OSError) as error:
        print(f"apis.google.com cannot be reached ({error}): gapi.js stands in for Google's script", flush=True)
        return HERE / "gapi.js"


def start(command):
    packages = pathlib.Path(os.environ["LOCKSTEP_NPM"]) if "LOCKSTEP_NPM" in os.environ else None
    if not packages or not (packages / "firebase-auth.js").exists():
        raise Skip("Firebase's JavaScript SDK is not here. Let npm reach a registry, or name a folder with firebase-app.js and firebase-auth.js in FIREBASE_JS.")
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not program:
        raise Skip("There is no Chromium here. On Debian and Ubuntu: sudo apt-get install chromium; elsewhere name one in CHROMIUM.")
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
    return {"pages": Pages(command, browser, packages, google_script())}
