"""Firebase's servers, its admin client on each of them, and the REST API for what users do."""
import base64, json, os

import firebase_admin
from firebase_admin import auth, credentials

from front import Google, ServiceAccount
from server import Server

PROJECT, KEY = "demo-lockstep", "fake-api-key"
SIGNER_KEY = bytes(range(64))


class Firebase(Server):
    """A running `lockstep serve firebase`; `by_variable`: the client is told of an emulator, else it asks Google's own names."""

    def __init__(self, name, command, mode, google, by_variable):
        settings = {"project": PROJECT, "apiKey": KEY, "hashing": {"signerKey": base64.b64encode(SIGNER_KEY).decode(), "memoryCost": 1}}
        if mode == "strict":
            settings["customTokenKeys"] = google.account.public_keys
        super().__init__(name, command, "firebase", "--mode", mode, settings=json.dumps(settings))
        self.mode, self.google, self.by_variable = mode, google, by_variable
        certificate = credentials.Certificate(google.account.file)
        self.app = firebase_admin.initialize_app(certificate, {"projectId": PROJECT}, name)

    def enter(self):
        self.google.emulator = self.base
        if self.by_variable:
            os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = self.base.removeprefix("http://")
        else:
            os.environ.pop("FIREBASE_AUTH_EMULATOR_HOST", None)

    @property
    def auth(self):
        return auth.Client(self.app)

    def rest(self, call, body, service="identitytoolkit.googleapis.com"):
        """What a user's own client asks; answers of another status than 200 are `Refused`."""
        version = "" if call.startswith("v2/") else "v1/"
        url = f"{self.base}/{service}/{version}{call}?key={KEY}"
        status, _, answer = self.send("POST", url, json.dumps(body), {"Content-Type": "application/json"})
        answer = json.loads(answer)
        if status != 200:
            raise Refused(answer["error"]["message"].split(" ")[0])
        return answer

    def user(self, **fields):
        """A user with an address and a password."""
        return self.auth.create_user(**{"email": self.email(), "password": "password-1", "email_verified": True, **fields})

    def sign_in(self, email, password="password-1", **fields):
        return self.rest("accounts:signInWithPassword", {"email": email, "password": password, "returnSecureToken": True, **fields})

    def refresh(self, token):
        return self.rest("token", {"grant_type": "refresh_token", "refresh_token": token}, "securetoken.googleapis.com")


class Refused(Exception):
    """The code of a refusal of the REST API."""


def start(command):
    """Emulator mode, where the client is told of an emulator; strict mode likewise; and strict mode under Google's own names."""
    account = ServiceAccount(PROJECT)
    google = Google(account)
    os.environ.update(HTTPS_PROXY=google.url, REQUESTS_CA_BUNDLE=os.path.abspath(google.authority))
    return {name: Firebase(name, command, mode, google, by_variable) for name, mode, by_variable in (
        ("emulator", "emulator", True), ("strict", "strict", True), ("production", "strict", False))}


def refused(kind, call, *arguments, **named):
    """Holds that a call is refused with that kind of error, or with that code of the REST API."""
    try:
        call(*arguments, **named)
    except Refused as error:
        assert str(error) == kind, f"refused with {error}, not {kind}"
    except Exception as error:
        assert type(error) is kind or isinstance(kind, str) and kind in str(error), f"refused with {type(error).__name__} ({error}), not {kind}"
    else:
        raise AssertionError(f"not refused with {kind}")
