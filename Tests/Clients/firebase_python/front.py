"""Google's names on this machine, so that the client finds them there without being told of an emulator.

`HTTPS_PROXY` and `REQUESTS_CA_BUNDLE`, which every Python program knows, lead a request for `https://identitytoolkit.googleapis.com/v1/…` to the proxy below. It
ends TLS with a certificate of an authority that lives as long as the drive, and hands the request unchanged to the emulator, which has that route
as `/identitytoolkit.googleapis.com/v1/…`. What a service account's key is exchanged for at `oauth2.googleapis.com` is given here: that is no part of Firebase.
"""
import datetime, http.client, json, secrets, ssl, threading, time, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

NAMES = ["identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com", "oauth2.googleapis.com"]


def certificate(subject, key, issuer, issuer_key, extensions):
    now = datetime.datetime.now(datetime.timezone.utc)
    name = lambda text: x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])
    builder = (x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(key.public_key())
               .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=1)))
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(issuer_key, hashes.SHA256())


def pem(key):
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


class ServiceAccount:
    """An account of the project, as the file that the console gives describes it."""

    def __init__(self, project):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.address = f"admin@{project}.iam.gserviceaccount.com"
        self.file = {"type": "service_account", "project_id": project, "private_key_id": "1", "private_key": pem(self.key), "client_email": self.address,
                     "client_id": "1", "token_uri": "https://oauth2.googleapis.com/token"}

    @property
    def public_keys(self):
        key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [{**key, "kid": "1", "alg": "RS256", "use": "sig"}]}


class Google:
    """The proxy: `url` for `HTTPS_PROXY`, `authority` for `REQUESTS_CA_BUNDLE`; `emulator` is where requests go."""

    def __init__(self, account):
        self.account, self.emulator, self.tokens = account, None, set()
        root, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
        constraint = (x509.BasicConstraints(ca=True, path_length=0), True)
        usage = (x509.KeyUsage(False, False, False, False, False, True, True, False, False), True)
        identifier = x509.SubjectKeyIdentifier.from_public_key(root.public_key())
        authority = certificate("Lockstep tests", root, "Lockstep tests", root, [constraint, usage, (identifier, False)])
        names = x509.SubjectAlternativeName([x509.DNSName(name) for name in NAMES])
        by = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
        leaf = certificate("googleapis.com", key, "Lockstep tests", root, [(names, False), (by, False), (x509.BasicConstraints(False, None), True)])
        for name, text in (("authority.pem", authority), ("google.pem", leaf)):
            with open(name, "wb") as file:
                file.write(text.public_bytes(serialization.Encoding.PEM))
        with open("google.key", "w") as file:
            file.write(pem(key))
        self.authority = "authority.pem"
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("google.pem", "google.key")
        google = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_CONNECT(self):
                host = self.path.rsplit(":", 1)[0]
                if host not in NAMES:
                    return self.send_error(502, f"{host} is not here")
                self.send_response(200)
                self.end_headers()
                secure = context.wrap_socket(self.connection, server_side=True)
                type("Inner", (Handler,), {"host": host})(secure, self.client_address, self.server)  # answers until the client leaves
                self.close_connection = True

            def handle_request(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                if self.host == "oauth2.googleapis.com":
                    return self.answer(*google.grant(dict(urllib.parse.parse_qsl(body.decode()))))
                if self.host == NAMES[0] and self.headers["Authorization"] not in google.tokens:
                    return self.answer(401, b'{"error": {"code": 401, "message": "not a token of this account", "status": "UNAUTHENTICATED"}}')
                own = ("host", "connection", "content-length", "accept-encoding")
                headers = {name: value for name, value in self.headers.items() if name.lower() not in own}
                connection = http.client.HTTPConnection(urllib.parse.urlsplit(google.emulator).netloc, timeout=20)
                connection.request(self.command, f"/{self.host}{self.path}", body or None, headers)
                answer = connection.getresponse()
                self.answer(answer.status, answer.read(), answer.headers)
                connection.close()

            do_GET = do_POST = do_PATCH = do_DELETE = handle_request

            def answer(self, status, body, headers=()):
                self.send_response_only(status)
                for name in ("Content-Type", "Cache-Control", "Date"):
                    if name in headers:
                        self.send_header(name, headers[name])
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def grant(self, form):
        """The JWT grant of RFC 7523: an access token for an assertion that the account's key has signed."""
        try:
            claims = jwt.decode(form["assertion"], self.account.key.public_key(), ["RS256"], audience=self.account.file["token_uri"])
            assert claims["iss"] == self.account.address and claims["exp"] > time.time()
        except (jwt.InvalidTokenError, AssertionError, KeyError):
            return 400, b'{"error": "invalid_grant"}', {"Content-Type": "application/json"}
        token = "ya29." + secrets.token_urlsafe(24)
        self.tokens.add(f"Bearer {token}")
        return 200, json.dumps({"access_token": token, "expires_in": 3600, "token_type": "Bearer"}).encode(), {"Content-Type": "application/json"}
