"""The same three steps on each provider, with the vendor's own client: a user, a session, and what time does to it."""
import json, os, urllib.request

import pytest


def test_gotrue(gotrue):
    sdk = pytest.importorskip("supabase_auth", exc_type=ImportError)
    client = sdk.SyncGoTrueClient(
        url=gotrue.url + "/auth/v1", headers={"apikey": gotrue.keys["publishable"]}, auto_refresh_token=False)
    email = gotrue.address()

    client.sign_up({"email": email, "password": "Correct-Horse-1"})
    code = gotrue.next_message(email)["code"]
    session = client.verify_otp({"email": email, "token": code, "type": "signup"}).session
    assert client.get_user(session.access_token).user.email == email

    gotrue.advance(7200)
    with pytest.raises(sdk.errors.AuthApiError, match="expired"):
        client.get_user(session.access_token)
    assert client.refresh_session().session.access_token != session.access_token


def test_gotrue_reuses_a_refresh_token_after_a_lost_answer(gotrue):
    sdk = pytest.importorskip("supabase_auth", exc_type=ImportError)
    client = sdk.SyncGoTrueClient(
        url=gotrue.url + "/auth/v1", headers={"apikey": gotrue.keys["publishable"]}, auto_refresh_token=False)
    session = gotrue.sign_in(gotrue.user())

    gotrue.fail("/token*", "lose-answer")
    with pytest.raises(Exception):
        client.refresh_session(session["refreshToken"])
    assert client.refresh_session(session["refreshToken"]).session


def test_firebase(firebase, monkeypatch):
    sdk = pytest.importorskip("firebase_admin", exc_type=ImportError)
    from firebase_admin import auth

    for name in ("FIREBASE_AUTH_EMULATOR_HOST", "GOOGLE_CLOUD_PROJECT"):
        monkeypatch.setenv(name, firebase.environment[name])
    app = sdk.initialize_app(name=firebase.address())
    user = firebase.user(displayName="Ada Lovelace")
    token = firebase.sign_in(user)["accessToken"]
    assert auth.verify_id_token(token, app)["email"] == user["email"]
    assert auth.get_user(user["id"], app).display_name == "Ada Lovelace"

    # A user's own client asks for a new password, and reads the mail.
    body = json.dumps({"requestType": "PASSWORD_RESET", "email": user["email"]}).encode()
    address = f"{firebase.url}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=any"
    urllib.request.urlopen(urllib.request.Request(address, body, {"Content-Type": "application/json"}))
    assert "resetPassword" in firebase.next_message(user["email"])["link"]


def test_clerk(clerk):
    sdk = pytest.importorskip("clerk_backend_api", exc_type=ImportError)
    from clerk_backend_api.security import VerifyTokenOptions, verify_token

    client = sdk.Clerk(bearer_auth=clerk.keys["secret_key"], server_url=clerk.keys["bapi"] + "/v1")
    user = clerk.user(displayName="Ada Lovelace")
    assert client.users.get(user_id=user["id"]).first_name == "Ada"
    token = clerk.sign_in(user)["accessToken"]
    options = VerifyTokenOptions(secret_key=clerk.keys["secret_key"], api_url=clerk.keys["bapi"])
    assert verify_token(token, options)["sub"] == user["id"]
