"""Supabase's servers and clients, an identity provider, and what the journeys are made of."""
import base64, json, threading, time, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

from server import Server

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


class GoTrue(Server):
    """A running `lockstep serve gotrue`, and its clients."""

    def __init__(self, name, command, issuer, extra=""):
        super().__init__(name, command, "gotrue", settings=SETTINGS + f"GOTRUE_EXTERNAL_KEYCLOAK_URL={issuer.base}\n" + extra)
        self.keys, self.issuer = self.vars, issuer

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


def start(command):
    """One server that signs with HS256, and one with ES256."""
    issuer = Issuer()
    return {"HS256": GoTrue("HS256", command, issuer), "ES256": GoTrue("ES256", command, issuer, f"GOTRUE_JWT_KEYS='{signing_keys()}'\n")}


def refused(code, call, *arguments):
    """Holds that a call is refused with that code, or with none."""
    try:
        call(*arguments)
    except (AuthApiError, AuthWeakPasswordError) as error:
        assert error.code == code, f"refused with {error.code}, not {code}"
    else:
        raise AssertionError(f"not refused with {code}")


def signing_keys():
    """The value of GOTRUE_JWT_KEYS for a server that signs with ES256."""
    key = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1())))
    secret = base64.urlsafe_b64encode(SECRET.encode()).rstrip(b"=").decode()
    return json.dumps([{**key, "kid": "signing", "alg": "ES256", "use": "sig", "key_ops": ["sign", "verify"]},
                       {"kty": "oct", "k": secret, "kid": "old", "alg": "HS256", "key_ops": ["verify"]}])
