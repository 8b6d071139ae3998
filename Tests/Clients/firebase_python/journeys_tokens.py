"""Tokens: of an app's own making, of a signed-in user, and session cookies.

Told of an emulator, the client signs custom tokens with nothing, and checks neither signatures nor expiry; what it does for a server in production is seen under
Google's own names only.
"""
import datetime, time

from firebase_admin import auth, credentials
import firebase_admin

from front import ServiceAccount
from server import journey
from stage import PROJECT, refused

DAY = datetime.timedelta(days=1)


def exchange(server, token):
    return server.rest("accounts:signInWithCustomToken", {"token": token.decode(), "returnSecureToken": True})


@journey(on=["emulator", "production"])
def a_custom_token_signs_in(server):
    uid = "custom-" + server.email()[:8]
    session = exchange(server, server.auth.create_custom_token(uid, {"premium": True, "tier": "silver"}))
    claims = server.auth.verify_id_token(session["idToken"])
    assert claims["uid"] == uid and claims["premium"] is True and claims["tier"] == "silver"
    assert claims["firebase"]["sign_in_provider"] == "custom" and session["isNewUser"]
    assert not exchange(server, server.auth.create_custom_token(uid))["isNewUser"]
    again = server.auth.verify_id_token(server.refresh(session["refreshToken"])["id_token"])
    assert again["tier"] == "silver" and server.auth.get_user(uid).uid == uid


@journey(on=["strict"])
def a_custom_token_without_a_signature_is_refused(server):
    refused("INVALID_CUSTOM_TOKEN", exchange, server, server.auth.create_custom_token("unsigned"))
    refused(auth.UserNotFoundError, server.auth.get_user, "unsigned")


@journey(on=["production"])
def a_custom_token_of_another_key_is_refused(server):
    stranger = firebase_admin.initialize_app(credentials.Certificate(ServiceAccount(PROJECT).file), {"projectId": PROJECT}, "stranger")
    refused("INVALID_CUSTOM_TOKEN", exchange, server, auth.create_custom_token("stolen", app=stranger))
    refused(auth.UserNotFoundError, server.auth.get_user, "stolen")


@journey
def a_user_token_is_verified(server):
    user = server.user(display_name="Ada")
    token = server.sign_in(user.email)["idToken"]
    claims = server.auth.verify_id_token(token)
    assert (claims["uid"], claims["sub"], claims["user_id"], claims["email"], claims["name"]) == (user.uid, user.uid, user.uid, user.email, "Ada")
    assert (claims["aud"], claims["iss"]) == (PROJECT, "https://securetoken.google.com/" + PROJECT)
    assert claims["firebase"] == {"identities": {"email": [user.email]}, "sign_in_provider": "password"}
    other = firebase_admin.initialize_app(server.app.credential, {"projectId": "another-project"}, "another-" + server.name)
    refused(auth.InvalidIdTokenError, auth.verify_id_token, token, app=other)
    refused(auth.InvalidIdTokenError, server.auth.verify_id_token, server.auth.create_custom_token(user.uid))
    refused(auth.InvalidIdTokenError, server.auth.verify_id_token, "no token")


@journey(on=["production"])
def a_changed_token_is_refused(server):
    head, body, signature = server.sign_in(server.user().email)["idToken"].split(".")
    other = server.sign_in(server.user().email)["idToken"].split(".")
    refused(auth.InvalidIdTokenError, server.auth.verify_id_token, ".".join([head, other[1], signature]))
    refused(auth.InvalidIdTokenError, server.auth.verify_id_token, f"{head}.{body}.")


@journey(on=["production"])
def an_expired_token_is_refused(server):
    server.advance(-7200)
    user = server.user()
    token = server.sign_in(user.email)["idToken"]
    server.advance(7200)
    refused(auth.ExpiredIdTokenError, server.auth.verify_id_token, token)


@journey
def revoked_tokens_are_found(server):
    server.advance(-60)
    admin, user = server.auth, server.user()
    before = user.tokens_valid_after_timestamp
    session = server.sign_in(user.email)
    server.advance(60)
    admin.revoke_refresh_tokens(user.uid)
    after = admin.get_user(user.uid).tokens_valid_after_timestamp
    assert after > before and abs(after / 1000 - time.time()) < 30
    assert admin.verify_id_token(session["idToken"])["uid"] == user.uid
    refused(auth.RevokedIdTokenError, admin.verify_id_token, session["idToken"], check_revoked=True)
    if server.mode == "strict":
        refused("TOKEN_EXPIRED", server.refresh, session["refreshToken"])
    fresh = server.sign_in(user.email)["idToken"]
    assert admin.verify_id_token(fresh, check_revoked=True)["uid"] == user.uid


@journey
def tokens_of_disabled_and_deleted_users_are_found(server):
    admin, user = server.auth, server.user()
    token = server.sign_in(user.email)["idToken"]
    admin.update_user(user.uid, disabled=True)
    assert admin.verify_id_token(token)["uid"] == user.uid
    refused(auth.UserDisabledError, admin.verify_id_token, token, check_revoked=True)
    admin.delete_user(user.uid)
    refused(auth.UserNotFoundError, admin.verify_id_token, token, check_revoked=True)


@journey
def a_session_cookie_is_made_and_verified(server):
    admin, user = server.auth, server.user()
    admin.set_custom_user_claims(user.uid, {"premium": True})
    token = server.sign_in(user.email)["idToken"]
    claims = auth.verify_session_cookie(auth.create_session_cookie(token, DAY, app=server.app), check_revoked=True, app=server.app)
    assert claims["uid"] == user.uid and claims["email"] == user.email and claims["premium"] is True
    own = {"iss", "iat", "exp"}  # all other claims are the token's
    assert {name: value for name, value in claims.items() if name not in own} == {
        name: value for name, value in server.auth.verify_id_token(token).items() if name not in own}
    assert claims["iss"] == "https://session.firebase.google.com/" + PROJECT and abs(claims["exp"] - time.time() - DAY.total_seconds()) < 30
    refused(auth.InvalidSessionCookieError, auth.verify_session_cookie, token, app=server.app)
    refused(auth.InvalidIdTokenError, auth.create_session_cookie, "no token", DAY, app=server.app)


@journey
def session_cookies_end(server):
    server.advance(-60)
    admin, user = server.auth, server.user()
    token = server.sign_in(user.email)["idToken"]
    cookie = auth.create_session_cookie(token, DAY, app=server.app)
    server.advance(60)
    admin.revoke_refresh_tokens(user.uid)
    assert auth.verify_session_cookie(cookie, app=server.app)["uid"] == user.uid
    refused(auth.RevokedSessionCookieError, auth.verify_session_cookie, cookie, check_revoked=True, app=server.app)
    if server.mode == "strict":
        refused("TOKEN_EXPIRED", auth.create_session_cookie, token, DAY, app=server.app)
    token = server.sign_in(user.email)["idToken"]
    cookie = auth.create_session_cookie(token, DAY, app=server.app)
    admin.update_user(user.uid, disabled=True)
    refused(auth.UserDisabledError, auth.verify_session_cookie, cookie, check_revoked=True, app=server.app)
    if server.mode == "strict":
        refused("USER_DISABLED", auth.create_session_cookie, token, DAY, app=server.app)


@journey(on=["production"])
def an_expired_session_cookie_is_refused(server):
    server.advance(-7200)
    user = server.user()
    cookie = auth.create_session_cookie(server.sign_in(user.email)["idToken"], datetime.timedelta(minutes=5), app=server.app)
    server.advance(7200)
    refused(auth.ExpiredSessionCookieError, auth.verify_session_cookie, cookie, app=server.app)


@journey(on=["production"])
def a_server_without_the_right_key_is_kept_out(server):
    stranger = firebase_admin.initialize_app(credentials.Certificate(ServiceAccount(PROJECT).file), {"projectId": PROJECT}, "kept-out")
    refused("invalid_grant", auth.get_user, "none", app=stranger)
