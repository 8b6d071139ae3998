"""Clerk's server, its backend client, and a device that speaks the front-end API for what users do."""
import json, urllib.parse

from clerk_backend_api import Clerk, models
from jwt.algorithms import RSAAlgorithm
from cryptography.hazmat.primitives import serialization

from server import Server

PASSWORD = "Starter-password-1!"


class ClerkServer(Server):
    """A running `lockstep serve clerk`."""

    def __init__(self, name, command):
        super().__init__(name, command, "clerk")
        self.clerk = self.client(self.vars["secret_key"])

    def client(self, key):
        return Clerk(bearer_auth=key, server_url=self.vars["bapi"] + "/v1")

    def user(self, **fields):
        """A user with an address and a password."""
        return self.clerk.users.create(**{"email_address": [self.email()], "password": PASSWORD, **fields})

    def device(self):
        return Device(self)

    def signed_in(self, **fields):
        """A user, and a device where that user has signed in."""
        user, device = self.user(**fields), self.device()
        device.sign_in(user.email_addresses[0].email_address)
        return user, device

    def public_key(self):
        """The instance's key in PEM, as the dashboard shows it, made of the key set that the client reads."""
        key = self.clerk.jwks.get_jwks().keys[0].model_dump(exclude_none=True)
        key = RSAAlgorithm.from_jwk({name: value for name, value in key.items() if name in ("kty", "n", "e")})
        return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


class Refused(Exception):
    """The code of a refusal of the front-end API."""


class Device:
    """A native app: its identity travels in the authorization header."""

    def __init__(self, server):
        self.server, self.token, self.session = server, "", None

    def ask(self, method, path, **form):
        headers = {"Content-Type": "application/x-www-form-urlencoded", **({"Authorization": self.token} if self.token else {})}
        status, headers, body = self.server.send(method, f"{self.server.vars['fapi']}/v1{path}?_is_native=1", urllib.parse.urlencode(form), headers)
        self.token = headers.get("Authorization", self.token)
        answer = json.loads(body)
        if status >= 400:
            raise Refused(answer["errors"][0]["code"])
        return answer

    def sign_in(self, identifier, password=PASSWORD):
        return self.begin(identifier=identifier, password=password, strategy="password")

    def begin(self, **form):
        """A sign-in in one request; with a session where that completes it."""
        answer = self.ask("POST", "/client/sign_ins", **form)["response"]
        self.session = answer["created_session_id"]
        return answer

    def session_token(self):
        return self.ask("POST", f"/client/sessions/{self.session}/tokens")["jwt"]


def start(command):
    return {"clerk": ClerkServer("clerk", command)}


def refused(code, call, /, *arguments, **named):
    """Holds that a call of either API is refused with that code."""
    try:
        call(*arguments, **named)
    except Refused as error:
        found = str(error)
    except models.ClerkErrors as error:
        found = error.data.errors[0].code
    except models.SDKError as error:  # a status that the client's description of this call does not have
        found = json.loads(error.body)["errors"][0]["code"]
    else:
        raise AssertionError(f"not refused with {code}")
    assert found == code, f"refused with {found}, not {code}"
