"""The servers, their messages, and what journeys are made of."""
import base64, hashlib, hmac, http.client, itertools, json, re, subprocess, threading, time, traceback, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

SECRET = "a-secret-for-tests-that-is-long-enough"
RETURN = "http://localhost:3000/welcome"
SETTINGS = f"""
GOTRUE_SITE_URL=http://localhost:3000
GOTRUE_URI_ALLOW_LIST=http://localhost:3000/**
GOTRUE_JWT_SECRET={SECRET}
GOTRUE_EXTERNAL_PHONE_ENABLED=true
GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED=true
GOTRUE_SECURITY_MANUAL_LINKING_ENABLED=true
GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION=true
GOTRUE_SMTP_MAX_FREQUENCY=1ms
GOTRUE_SMS_MAX_FREQUENCY=1ms
GOTRUE_RATE_LIMIT_EMAIL_SENT=100000
GOTRUE_RATE_LIMIT_SMS_SENT=100000
GOTRUE_MFA_PHONE_ENROLL_ENABLED=true
GOTRUE_MFA_PHONE_VERIFY_ENABLED=true
GOTRUE_MFA_PHONE_MAX_FREQUENCY=1ms
GOTRUE_MAILER_SUBJECTS_CONFIRMATION="Confirm {{{{ .Token }}}}"
GOTRUE_MAILER_SUBJECTS_RECOVERY="Reset {{{{ .Token }}}}"
GOTRUE_MAILER_SUBJECTS_MAGIC_LINK="Link {{{{ .Token }}}}"
GOTRUE_MAILER_SUBJECTS_EMAIL_CHANGE="Change {{{{ .Token }}}}"
GOTRUE_MAILER_SUBJECTS_INVITE="Invite {{{{ .Token }}}}"
GOTRUE_EXTERNAL_KEYCLOAK_ENABLED=true
GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID=test-client
GOTRUE_EXTERNAL_KEYCLOAK_SECRET=test-secret
GOTRUE_EXTERNAL_GITHUB_ENABLED=true
GOTRUE_EXTERNAL_GITHUB_CLIENT_ID=test-client
GOTRUE_EXTERNAL_GITHUB_SECRET=test-secret
"""


class Issuer:
    """An OpenID provider that signs in the user who is named next."""

    def __init__(self):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.next = {"sub": "1", "email": "issuer@example.com", "email_verified": True}
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self, body=None, location=None):
                data = json.dumps(body or {}).encode()
                self.send_response(302 if location else 200)
                if location:
                    self.send_header("Location", location)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self):
                address = urllib.parse.urlsplit(self.path)
                flow = issuer.base + "/protocol/openid-connect"
                if address.path.endswith("/openid-configuration"):
                    self.answer({"issuer": issuer.base, "authorization_endpoint": flow + "/auth", "token_endpoint": flow + "/token",
                                 "userinfo_endpoint": flow + "/userinfo", "jwks_uri": flow + "/certs"})
                elif address.path.endswith("/certs"):
                    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(issuer.key.public_key()))
                    self.answer({"keys": [{**public, "kid": "1", "alg": "RS256", "use": "sig"}]})
                elif address.path.endswith("/auth"):
                    asked = dict(urllib.parse.parse_qsl(address.query))
                    back = urllib.parse.urlencode({"code": "c", "state": asked["state"]})
                    self.answer(location=f"{asked['redirect_uri']}?{back}")
                else:
                    self.answer(issuer.next)

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"] or 0))
                self.answer({"access_token": "a", "refresh_token": "r", "token_type": "Bearer", "expires_in": 600,
                             "id_token": issuer.token(time.time(), **issuer.next)})

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_port}/realms/test"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def token(self, now, **claims):
        now = int(now)
        return jwt.encode({"iss": self.base, "aud": "test-client", "iat": now, "exp": now + 600, **claims}, self.key, "RS256", {"kid": "1"})


class Server:
    """A running `lockstep serve gotrue`."""

    def __init__(self, command, issuer, name, extra=""):
        with open(f"{name}.env", "w") as file:
            file.write(SETTINGS + f"GOTRUE_EXTERNAL_KEYCLOAK_URL={issuer.base}\n" + extra)
        self.process = subprocess.Popen([command, "serve", "gotrue", "--env", f"{name}.env"], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the server did not start")
        self.ready = json.loads(line)
        self.base, self.keys, self.issuer = self.ready["base"], self.ready["vars"], issuer
        self.count, self.moved = itertools.count(1), 0

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)

    def client(self, flow="implicit", key=None):
        """A client as the platform's own package makes it: through the gateway, with a key of the project."""
        bearer = key or self.keys["anon"]
        key = bearer if bearer == self.keys["service_role"] else self.keys["anon"]
        return self.client_with(key, bearer, flow)

    def client_with(self, key, bearer, flow="implicit"):
        headers = {"apikey": key, "Authorization": f"Bearer {bearer}"} if key else {}
        return SyncGoTrueClient(url=self.base + "/auth/v1", headers=headers, auto_refresh_token=False, flow_type=flow)

    @property
    def admin(self):
        return self.client(key=self.keys["service_role"]).admin

    def email(self):
        return f"user{next(self.count)}@example.com"

    def phone(self):
        return f"1555{next(self.count):07}"

    def get(self, url):
        """One request without a client; redirects are not followed."""
        address = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(address.netloc, timeout=20)
        connection.request("GET", address.path + ("?" + address.query if address.query else ""))
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def mail(self, to):
        """The newest message: its code, and its link."""
        for mail in json.loads(self.get(self.ready["inbox"] + "/api/v1/messages?limit=200")[2])["messages"]:
            if mail["To"][0]["Address"] == to:
                whole = json.loads(self.get(f"{self.ready['inbox']}/api/v1/message/{mail['ID']}")[2])
                code = re.search(r"\b\d{6}\b", mail["Subject"] + " " + re.sub("<[^>]*>", " ", whole["HTML"]))
                link = re.search('href="([^"]+)"', whole["HTML"])
                return code and code[0], link and link[1].replace("&amp;", "&")
        raise AssertionError(f"no mail to {to}")

    def text_code(self, to):
        return next(x["code"] for x in json.loads(self.get(self.ready["sms"])[2]) if x["to"].lstrip("+") == to)

    def open(self, link):
        """Opens a link as a browser does until it leaves this machine's servers; returns where it leads to."""
        for _ in range(6):
            status, headers, body = self.get(link)
            assert status in (302, 303), (status, body)
            link = headers["Location"]
            if "127.0.0.1" not in link:
                return link
        raise AssertionError("too many redirects")

    def user(self, client=None):
        """A confirmed user by password, signed in: the client, and the address."""
        client, email = client or self.client(), self.email()
        self.admin.create_user({"email": email, "password": "password-1", "email_confirm": True})
        client.sign_in_with_password({"email": email, "password": "password-1"})
        return client, email

    def now(self):
        """The server's clock, which journeys move."""
        return time.time() + self.moved

    def advance(self, seconds):
        self.moved += seconds
        address = urllib.parse.urlsplit(self.ready["advance"].replace("{s}", str(seconds)))
        connection = http.client.HTTPConnection(address.netloc)
        connection.request("POST", address.path + "?" + address.query, headers=self.ready["control"])
        assert connection.getresponse().status == 200


def query(url, part="query"):
    return dict(urllib.parse.parse_qsl(getattr(urllib.parse.urlsplit(url), part)))


def refused(code, call, *arguments):
    """Holds that a call is refused with that code, or with none."""
    try:
        call(*arguments)
    except (AuthApiError, AuthWeakPasswordError) as error:
        assert error.code == code, f"refused with {error.code}, not {code}"
    else:
        raise AssertionError(f"not refused with {code}")


def authenticator(secret, at=None):
    """The six digits of RFC 6238."""
    mac = hmac.new(base64.b32decode(secret + "=" * (-len(secret) % 8)), int((at or time.time()) // 30).to_bytes(8, "big"), hashlib.sha1).digest()
    return f"{(int.from_bytes(mac[mac[-1] & 15:][:4], 'big') & 0x7FFFFFFF) % 10**6:06}"


def signing_keys():
    """The value of GOTRUE_JWT_KEYS for a server that signs with ES256."""
    key = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1())))
    secret = base64.urlsafe_b64encode(SECRET.encode()).rstrip(b"=").decode()
    return json.dumps([{**key, "kid": "signing", "alg": "ES256", "use": "sig", "key_ops": ["sign", "verify"]},
                       {"kty": "oct", "k": secret, "kid": "old", "alg": "HS256", "key_ops": ["verify"]}])


JOURNEYS = []


def journey(function):
    JOURNEYS.append(function)
    return function


def run(servers, only=""):
    """Has all journeys on all servers; returns the table, and how many failed."""
    rows, failed = [], 0
    for name, server in servers.items():
        for function in JOURNEYS:
            title = function.__name__.replace("_", " ")
            if only not in title:
                continue
            try:
                function(server)
                rows.append(f"passed   {name:8} {title}")
            except Exception as error:
                failed += 1
                frame = traceback.extract_tb(error.__traceback__)
                place = next((f for f in reversed(frame) if "/journeys" in f.filename), frame[-1])
                rows.append(f"FAILED   {name:8} {title}: {type(error).__name__}: {error} (line {place.lineno}: {place.line})")
            print(rows[-1], flush=True)
    return rows, failed
