"""Sessions, their tokens, and what a server concludes from a request."""
import json

import httpx, jwt
from clerk_backend_api.security import (
    AuthenticateRequestOptions, AuthErrorReason, TokenVerificationError, TokenVerificationErrorReason, VerifyTokenOptions, verify_token)

from server import journey
from stage import refused


def request(token=None, **headers):
    return httpx.Request("GET", "http://app.example/", headers={**({"Authorization": f"Bearer {token}"} if token else {}), **headers})


@journey
def sessions_are_listed_and_revoked(server):
    sessions, (user, device) = server.clerk.sessions, server.signed_in()
    listed = sessions.list(user_id=user.id)
    assert [(one.id, one.user_id, one.status) for one in listed] == [(device.session, user.id, "active")]
    one = sessions.get(session_id=device.session)
    assert one.client_id == listed[0].client_id and one.expire_at > server.now() * 1000 and one.last_active_at
    assert [other.id for other in sessions.list(client_id=one.client_id)] == [device.session]
    second = server.device()
    second.sign_in(user.email_addresses[0].email_address)
    assert sorted(other.id for other in sessions.list(user_id=user.id)) == sorted([device.session, second.session])
    assert len(sessions.list(user_id=user.id, limit=1)) == 1
    assert sessions.revoke(session_id=device.session).status == "revoked"
    refused("authentication_invalid", device.session_token)
    assert second.session_token()
    assert [other.id for other in sessions.list(user_id=user.id, status="active")] == [second.session]
    assert [other.id for other in sessions.list(user_id=user.id, status="revoked")] == [device.session]
    refused("resource_not_found", sessions.get, session_id="sess_none")


@journey
def a_server_makes_sessions_and_tokens(server):
    sessions, user = server.clerk.sessions, server.user()
    one = sessions.create(request={"user_id": user.id})
    assert one.user_id == user.id and one.status == "active"
    claims = jwt.decode(sessions.create_token(session_id=one.id).jwt, server.public_key(), ["RS256"])
    assert (claims["sub"], claims["sid"], claims["iss"]) == (user.id, one.id, server.vars["fapi"]) and claims["exp"] - claims["iat"] == 60
    long = jwt.decode(sessions.create_token(session_id=one.id, expires_in_seconds=600).jwt, server.public_key(), ["RS256"])
    assert long["exp"] - long["iat"] == 600
    refused("resource_not_found", sessions.create, request={"user_id": "user_none"})
    refused("resource_not_found", sessions.create_token, session_id="sess_none")


@journey
def clients_are_shown(server):
    clients, (user, device) = server.clerk.clients, server.signed_in()
    name = server.clerk.sessions.get(session_id=device.session).client_id
    one = clients.get(client_id=name)
    assert one.id == name and one.session_ids == [device.session] and one.last_active_session_id == device.session
    assert [session.user_id for session in one.sessions] == [user.id]
    assert clients.verify(request={"token": device.token.removeprefix("Bearer ")}).id == name
    assert name in [other.id for other in clients.list(limit=500)]
    refused("resource_not_found", clients.get, client_id="client_none")


@journey
def a_request_is_authenticated(server):
    (user, device), key = server.signed_in(), server.public_key()
    token = device.session_token()
    for asked in (request(token), request(Cookie=f"a=b; __session={token}")):
        state = server.clerk.authenticate_request(asked, AuthenticateRequestOptions(jwt_key=key))
        assert state.is_signed_in and (state.payload["sub"], state.payload["sid"]) == (user.id, device.session)
        about = state.to_auth()
        assert (about.sub, about.sid, about.v) == (user.id, device.session, 2)
    state = server.clerk.authenticate_request(request(), AuthenticateRequestOptions(jwt_key=key))
    assert not state.is_signed_in and state.reason == AuthErrorReason.SESSION_TOKEN_MISSING
    head, _, signature = token.split(".")
    forged = ".".join([head, server.signed_in()[1].session_token().split(".")[1], signature])
    state = server.clerk.authenticate_request(request(forged), AuthenticateRequestOptions(jwt_key=key))
    assert state.reason == TokenVerificationErrorReason.TOKEN_INVALID_SIGNATURE
    state = server.clerk.authenticate_request(request(token), AuthenticateRequestOptions(jwt_key=key, accepts_token=["api_key"]))
    assert state.reason == AuthErrorReason.TOKEN_TYPE_NOT_SUPPORTED
    state = server.clerk.authenticate_request(request(token), AuthenticateRequestOptions(jwt_key=key, authorized_parties=["https://app.example"]))
    assert state.reason == TokenVerificationErrorReason.TOKEN_INVALID_AUTHORIZED_PARTIES


@journey
def old_and_future_tokens_are_refused(server):
    _, device = server.signed_in()
    key, reasons = AuthenticateRequestOptions(jwt_key=server.public_key()), TokenVerificationErrorReason
    for seconds, expected in ((-120, [reasons.TOKEN_EXPIRED]), (120, [reasons.TOKEN_NOT_ACTIVE_YET, reasons.TOKEN_IAT_IN_THE_FUTURE])):
        server.advance(seconds)
        try:
            token = device.session_token()
        finally:
            server.advance(-seconds)
        assert server.clerk.authenticate_request(request(token), key).reason in expected
    assert server.clerk.authenticate_request(request(device.session_token()), key).is_signed_in


@journey
def a_token_is_verified_with_the_key_set(server):
    user, device = server.signed_in()
    options = VerifyTokenOptions(secret_key=server.vars["secret_key"], api_url=server.vars["bapi"])
    assert verify_token(device.session_token(), options)["sub"] == user.id
    try:
        verify_token(device.session_token(), VerifyTokenOptions(secret_key="sk_test_wrong", api_url=server.vars["bapi"]))
        raise AssertionError("verified with a wrong key")
    except TokenVerificationError as error:
        assert error.reason == TokenVerificationErrorReason.JWK_FAILED_TO_LOAD
    key = server.clerk.jwks.get_jwks().keys[0]
    assert (key.kty, key.alg, key.use) == ("RSA", "RS256", "sig") and key.kid == jwt.get_unverified_header(device.session_token())["kid"]


@journey
def templates_make_tokens(server):
    templates, (user, device) = server.clerk.jwt_templates, server.signed_in(public_metadata={"plan": "paid"})
    made = templates.create(request={"name": "database", "claims": {}, "lifetime": 300, "allowed_clock_skew": 10})
    assert (made.name, made.lifetime, made.allowed_clock_skew) == ("database", 300, 10) and templates.get(template_id=made.id).name == "database"
    # The client's model of claims has no fields, so that it sends and shows none (7.0.0): they are given without it.
    claims = json.dumps({"claims": {"aud": "database", "plan": "{{user.public_metadata.plan}}", "id": "{{user.id}}"}})
    headers = {"Authorization": "Bearer " + server.vars["secret_key"], "Content-Type": "application/json"}
    assert server.send("PATCH", f"{server.vars['bapi']}/v1/jwt_templates/{made.id}", claims, headers)[0] == 200
    for token in (server.clerk.sessions.create_token_from_template(session_id=device.session, template_name="database").jwt,
                  device.ask("POST", f"/client/sessions/{device.session}/tokens/database")["jwt"]):
        claims = jwt.decode(token, server.public_key(), ["RS256"], audience="database")
        assert (claims["plan"], claims["id"], claims["sub"]) == ("paid", user.id, user.id) and claims["exp"] - claims["iat"] == 300
    assert templates.update(template_id=made.id, name="warehouse", claims={}, lifetime=600).lifetime == 600
    assert templates.get(template_id=made.id).name == "warehouse"
    refused("form_identifier_exists", templates.create, request={"name": "warehouse", "claims": {}})
    assert made.id in [one.id for one in templates.list()]
    assert templates.delete(template_id=made.id).deleted
    refused("resource_not_found", templates.get, template_id=made.id)
    refused("resource_not_found", server.clerk.sessions.create_token_from_template, session_id=device.session, template_name="warehouse")
