"""What the drives of all clients share: a running emulator with its messages and its clock, and the register of journeys."""
import base64, hashlib, hmac, http.client, itertools, json, os, pathlib, re, signal, subprocess, sys, time, urllib.parse

JOURNEYS = []


class Skip(Exception):
    """What a client's journeys need is not on this machine, and its `stage.py` says how to get it."""


def journey(function=None, *, on=None):
    """Registers a journey, for all servers, or for those whose names stand in `on`."""
    if function is None:
        return lambda function: journey(function, on=on)
    function.fits = lambda server: on is None or server.name in on
    JOURNEYS.append(function)
    return function


def authenticator(secret, at=None):
    """The six digits of RFC 6238."""
    mac = hmac.new(base64.b32decode(secret + "=" * (-len(secret) % 8)), int((at or time.time()) // 30).to_bytes(8, "big"), hashlib.sha1).digest()
    return f"{(int.from_bytes(mac[mac[-1] & 15:][:4], 'big') & 0x7FFFFFFF) % 10**6:06}"


def query(url, part="query"):
    return dict(urllib.parse.parse_qsl(getattr(urllib.parse.urlsplit(url), part)))


class Server:
    """A running `lockstep serve PROVIDER`, with the settings in a file of this folder where there are some."""

    running = []

    def __init__(self, name, command, provider, *options, settings=""):
        self.name, self.command, self.provider = name, command, provider
        with open(f"{name}.env", "w") as file:
            file.write(settings)
        arguments = [command, "serve", provider, "--port", "0", "--env", f"{name}.env", *options]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        Server.running.append(self)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{' '.join(arguments)}: the server did not start")
        self.ready = json.loads(line)
        self.base, self.vars = self.ready["base"], self.ready["vars"]
        self.count, self.moved = itertools.count(1), 0

    def enter(self):
        """What must hold in this process before journeys ask this server."""

    def run_seeded(self, program, *options):
        """Runs a program with `lockstep exec` and the seed of the documentation: it gets the emulator's variables, and no other word of it."""
        here = pathlib.Path(__file__).resolve().parent
        seed = here.parents[1] / "docs/seed.example.json"
        program = next(here.glob(f"{self.provider}_python")) / program
        arguments = [self.command, "exec", self.provider, "--seed", seed, *options, "--", sys.executable, program]
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("HTTPS_PROXY", "REQUESTS_CA", "FIREBASE_"))}
        run = subprocess.run(arguments, env=variables, capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, (run.returncode, run.stdout, run.stderr)
        return run.stdout

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            print(f"{self.name}: the server did not stop in ten seconds, and is killed", file=sys.stderr)
            self.process.kill()
            self.process.wait()

    def email(self):
        return f"user{next(self.count)}@example.com"

    def phone(self):
        return f"1555{next(self.count):07}"

    def send(self, method, url, body=None, headers=None):
        """One request without a client: status, headers, body. Redirects are not followed."""
        address = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(address.netloc, timeout=20)
        connection.request(method, address.path + ("?" + address.query if address.query else ""), body, headers or {})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, answer.headers, data

    def get(self, url):
        return self.send("GET", url)

    def mail(self, to):
        """The newest message: its code, and its link."""
        for mail in json.loads(self.get(self.ready["inbox"] + "/api/v1/messages?limit=200")[2])["messages"]:
            if mail["To"][0]["Address"] == to:
                whole = json.loads(self.get(f"{self.ready['inbox']}/api/v1/message/{mail['ID']}")[2])
                code = re.search(r"\b\d{6}\b", mail["Subject"] + " " + re.sub("<[^>]*>", " ", whole["HTML"]))
                link = re.search('href="([^"]+)"', whole["HTML"]) or re.search(r"(https?://\S+)", whole["Text"])
                return code and code[0], link and link[1].replace("&amp;", "&")
        raise AssertionError(f"no mail to {to}")

    def text_code(self, to):
        return next(x["code"] for x in json.loads(self.get(self.ready["sms"])[2]) if x["to"].lstrip("+") == to.lstrip("+"))

    def now(self):
        """The server's clock, which journeys move."""
        return time.time() + self.moved

    def advance(self, seconds):
        self.moved += seconds
        url = self.ready["advance"].replace("{s}", str(seconds))
        assert self.send("POST", url, headers=self.ready["control"])[0] == 200


def run(main):
    """Runs a drive with the arguments of this process, and stops its servers, also after a signal."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, signal.SIG_IGN)
        for server in Server.running:
            server.process.terminate()
        for server in Server.running:
            server.stop()
