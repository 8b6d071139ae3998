"""What an app does with the client."""
import hashlib

from lines import names
from server import authenticator, journey, query
from stage import RETURN, refused


@journey
def sign_up_and_confirm_by_code(server):
    client, email = server.client(), server.email()
    answer = client.sign_up({"email": email, "password": "password-1", "options": {"data": {"plan": "free"}}})
    assert answer.session is None and answer.user.email == email and answer.user.user_metadata["plan"] == "free"
    refused("email_not_confirmed", client.sign_in_with_password, {"email": email, "password": "password-1"})
    answer = client.verify_otp({"email": email, "token": server.mail(email)[0], "type": "signup"})
    assert answer.session and client.get_user().user.email_confirmed_at


@journey
def sign_up_and_confirm_by_link(server):
    client, email = server.client(), server.email()
    client.sign_up({"email": email, "password": "password-1", "options": {"email_redirect_to": RETURN}})
    back = server.open(server.mail(email)[1])
    assert back.startswith(RETURN) and query(back, "fragment")["type"] == "signup"
    client.initialize_from_url(back.replace("#", "?"))
    assert client.get_session().user.email == email


@journey
def sign_up_and_confirm_by_link_with_pkce(server):
    client, email = server.client("pkce"), server.email()
    client.sign_up({"email": email, "password": "password-1", "options": {"email_redirect_to": RETURN}})
    code = query(server.open(server.mail(email)[1]))["code"]
    answer = client.exchange_code_for_session({"auth_code": code, "redirect_to": RETURN})
    assert answer.user.email == email and client.get_session()
    refused("flow_state_not_found", client.exchange_code_for_session, {"auth_code": code, "code_verifier": "x" * 43})


@journey
def sign_up_twice_shows_no_user(server):
    _, email = server.user()
    assert server.client().sign_up({"email": email, "password": "password-2"}).user.identities == []


@journey
def sign_up_by_phone(server):
    client, phone = server.client(), server.phone()
    assert client.sign_up({"phone": phone, "password": "password-1"}).user.phone == phone
    client.resend({"type": "sms", "phone": phone})
    assert client.verify_otp({"phone": phone, "token": server.text_code(phone), "type": "sms"}).session
    assert server.client().sign_in_with_password({"phone": phone, "password": "password-1"}).session


@journey
def password_and_refusals(server):
    client, email = server.user()
    assert client.get_user().user.email == email
    refused("invalid_credentials", server.client().sign_in_with_password, {"email": email, "password": "wrong-password"})
    refused("weak_password", server.client().sign_up, {"email": server.email(), "password": "x"})
    refused("validation_failed", server.client().sign_up, {"email": "nobody", "password": "password-1"})


@journey
def refresh_and_set_session(server):
    client, _ = server.user()
    first = client.get_session()
    second = client.refresh_session().session
    assert second.refresh_token != first.refresh_token
    other = server.client()
    assert other.set_session(second.access_token, second.refresh_token).user.id == first.user.id
    refused("refresh_token_not_found", server.client().refresh_session, "unheardofabc")
    refused("validation_failed", server.client().refresh_session, "short")


@journey
def a_stolen_refresh_token_ends_the_session(server):
    client, _ = server.user()
    first = client.get_session().refresh_token
    client.refresh_session()
    client.refresh_session()
    server.advance(60)
    refused("refresh_token_already_used", server.client().refresh_session, first)


@journey
def one_time_code_by_mail(server):
    client, email = server.client(), server.email()
    client.sign_in_with_otp({"email": email, "options": {"data": {"plan": "free"}}})
    answer = client.verify_otp({"email": email, "token": server.mail(email)[0], "type": "email"})
    assert answer.user.user_metadata["plan"] == "free"
    client.sign_in_with_otp({"email": email})
    assert client.verify_otp({"email": email, "token": server.mail(email)[0], "type": "magiclink"}).session
    refused("otp_disabled", server.client().sign_in_with_otp, {"email": server.email(), "options": {"should_create_user": False}})
    refused("otp_expired", client.verify_otp, {"email": email, "token": "000000", "type": "email"})


@journey
def magic_link_by_mail(server):
    for flow in ("implicit", "pkce"):
        client, email = server.client(flow), server.email()
        client.sign_in_with_otp({"email": email, "options": {"email_redirect_to": RETURN}})
        back = server.open(server.mail(email)[1])
        if flow == "pkce":
            client.exchange_code_for_session({"auth_code": query(back)["code"]})
        else:
            client.initialize_from_url(back.replace("#", "?"))
        assert client.get_user().user.email == email


@journey
def token_hash_of_a_link(server):
    client, email = server.client(), server.email()
    client.sign_in_with_otp({"email": email})
    token = query(server.mail(email)[1])["token"]
    assert client.verify_otp({"token_hash": token, "type": "email"}).user.email == email
    refused("otp_expired", client.verify_otp, {"token_hash": token, "type": "email"})


@journey
def one_time_code_by_text_message(server):
    client, phone = server.client(), server.phone()
    client.sign_in_with_otp({"phone": phone})
    assert client.verify_otp({"phone": phone, "token": server.text_code(phone), "type": "sms"}).user.phone == phone


@journey
def resend_a_confirmation(server):
    client, email = server.client(), server.email()
    client.sign_up({"email": email, "password": "password-1"})
    first = server.mail(email)[0]
    client.resend({"type": "signup", "email": email, "options": {"email_redirect_to": RETURN}})
    second, link = server.mail(email)
    assert query(link)["redirect_to"] == RETURN
    if first != second:
        refused("otp_expired", client.verify_otp, {"email": email, "token": first, "type": "signup"})
    assert client.verify_otp({"email": email, "token": second, "type": "signup"}).session


@journey
def reset_a_password_by_code(server):
    client, email = server.user()
    events = []
    other = server.client()
    other.on_auth_state_change(lambda event, _: events.append(event))
    other.reset_password_for_email(email)
    other.verify_otp({"email": email, "token": server.mail(email)[0], "type": "recovery"})
    assert events == ["PASSWORD_RECOVERY"]
    other.update_user({"password": "password-2"})
    assert server.client().sign_in_with_password({"email": email, "password": "password-2"}).session


@journey
def reset_a_password_by_link_with_pkce(server):
    _, email = server.user()
    client = server.client("pkce")
    client.reset_password_for_email(email, {"redirect_to": RETURN})
    back = server.open(server.mail(email)[1])
    assert client.exchange_code_for_session({"auth_code": query(back)["code"]}).user.email == email
    assert client.update_user({"password": "password-3"}).user.email == email
    server.client().reset_password_for_email("nobody-here@example.com")


@journey
def change_what_is_known(server):
    client, _ = server.user()
    assert client.update_user({"data": {"plan": "paid"}}).user.user_metadata["plan"] == "paid"
    assert client.get_session().user.user_metadata["plan"] == "paid"
    refused("same_password", client.update_user, {"password": "password-1"})


@journey
def change_the_address(server):
    client, old = server.user()
    new = server.email()
    assert client.update_user({"email": new}, {"email_redirect_to": RETURN}).user.new_email == new
    client.verify_otp({"email": old, "token": server.mail(old)[0], "type": "email_change"})
    client.verify_otp({"email": new, "token": server.mail(new)[0], "type": "email_change"})
    assert client.get_user().user.email == new
    _, taken = server.user()
    refused("email_exists", client.update_user, {"email": taken})


@journey
def change_the_phone(server):
    client, _ = server.user()
    phone = server.phone()
    client.update_user({"phone": phone})
    client.resend({"type": "phone_change", "phone": phone})
    assert client.verify_otp({"phone": phone, "token": server.text_code(phone), "type": "phone_change"}).user.phone == phone


@journey
def reauthenticate_for_a_new_password(server):
    client, email = server.user()
    server.advance(25 * 3600)
    client.refresh_session()
    refused("reauthentication_needed", client.update_user, {"password": "password-2"})
    client.reauthenticate()
    refused("reauthentication_not_valid", client.update_user, {"password": "password-2", "nonce": "000000"})
    client.update_user({"password": "password-2", "nonce": server.mail(email)[0]})


@journey
def guest_becomes_a_user(server):
    client = server.client()
    guest = client.sign_in_anonymously({"options": {"data": {"cart": 3}}}).user
    assert guest.is_anonymous and guest.user_metadata["cart"] == 3
    email = server.email()
    client.update_user({"email": email})
    answer = client.verify_otp({"email": email, "token": server.mail(email)[0], "type": "email_change"})
    assert answer.user.id == guest.id and not answer.user.is_anonymous
    client.update_user({"password": "password-1"})
    assert server.client().sign_in_with_password({"email": email, "password": "password-1"}).user.id == guest.id


@journey
def identity_token(server):
    email, issuer = server.email(), server.issuer
    nonce = "6e1f0b5f1b0e3f5c"
    token = issuer.token(server.now(), sub=email, email=email, email_verified=True, nonce=hashlib.sha256(nonce.encode()).hexdigest())
    answer = server.client().sign_in_with_id_token({"provider": "keycloak", "token": token, "nonce": nonce})
    assert answer.user.email == email and answer.user.app_metadata["provider"] == "keycloak"
    for wrong in ({"token": token}, {"token": token, "nonce": "another"}, {"token": "a.b.c"}, {"token": issuer.token(0, sub=email)}):
        refused(None, server.client().sign_in_with_id_token, {"provider": "keycloak", **wrong})


@journey
def provider_by_redirect(server):
    email = server.email()
    server.issuer.next = {"sub": email, "email": email, "email_verified": True, "name": "Ada"}
    client = server.client("pkce")
    url = client.sign_in_with_oauth({"provider": "keycloak", "options": {"redirect_to": RETURN, "scopes": "profile"}}).url
    answer = client.exchange_code_for_session({"auth_code": query(server.open(url))["code"]})
    assert answer.user.email == email and answer.session.provider_token == "a"
    client = server.client()
    url = client.sign_in_with_oauth({"provider": "keycloak", "options": {"redirect_to": RETURN}}).url
    client.initialize_from_url(server.open(url).replace("#", "?"))
    assert client.get_session().provider_token == "a"


@journey
def provider_on_the_internet(server):
    client, _ = server.user()
    url = client.link_identity({"provider": "github", "options": {"redirect_to": RETURN, "scopes": "read:org"}}).url
    assert url.startswith("https://github.com/login/oauth/authorize?"), url
    asked = query(url)
    assert asked["scope"] == "user:email read:org" and asked["redirect_uri"] == server.base + "/callback", asked


@journey
def the_gateway_wants_a_key(server):
    login = {"email": server.user()[1], "password": "password-1"}
    for key in [None, "garbage", server.client_with(server.keys["anon"], "x").sign_in_with_password(login).session.access_token]:
        refused(None, server.client_with(key, key).sign_in_with_password, login)


@journey
def the_projects_publishable_and_secret_key(server):
    _, email = server.user()
    publishable, secret = server.keys["publishable"], server.keys["secret"]
    client = server.client_with(publishable, publishable)
    assert client.sign_in_with_password({"email": email, "password": "password-1"}).user.email == email
    refused("not_admin", client.admin.list_users)
    assert any(user.email == email for user in server.client_with(secret, secret).admin.list_users())


@journey
def link_and_unlink_an_identity(server):
    client, email = server.user(server.client("pkce"))
    server.issuer.next = {"sub": "linked-" + email, "email": "other-" + email, "email_verified": True}
    url = client.link_identity({"provider": "keycloak", "options": {"redirect_to": RETURN}}).url
    client.exchange_code_for_session({"auth_code": query(server.open(url))["code"]})
    identities = client.get_user_identities().identities
    assert sorted(i.provider for i in identities) == ["email", "keycloak"]
    client.unlink_identity(next(i for i in identities if i.provider == "keycloak"))
    left = client.get_user_identities().identities
    assert [i.provider for i in left] == ["email"]
    refused("single_identity_not_deletable", client.unlink_identity, left[0])


@journey
def single_sign_on_is_refused_where_it_is_off(server):
    refused("saml_provider_disabled", server.client().sign_in_with_sso, {"domain": "example.com"})


@journey
def second_factor_by_app(server):
    client, _ = server.user()
    assert client.mfa.get_authenticator_assurance_level().next_level == "aal1"
    factor = client.mfa.enroll({"factor_type": "totp", "friendly_name": "phone", "issuer": "tests"})
    assert factor.totp.uri.startswith("otpauth://") and "<svg" in factor.totp.qr_code
    refused("mfa_verification_failed", client.mfa.challenge_and_verify, {"factor_id": factor.id, "code": "000000"})
    client.mfa.challenge_and_verify({"factor_id": factor.id, "code": authenticator(factor.totp.secret, server.now())})
    level = client.mfa.get_authenticator_assurance_level()
    assert level.current_level == level.next_level == "aal2"
    assert "totp" in [method.method for method in level.current_authentication_methods]
    assert [f.id for f in client.mfa.list_factors().totp] == [factor.id]
    refused("mfa_factor_name_conflict", client.mfa.enroll, {"factor_type": "totp", "friendly_name": "phone"})
    client.mfa.unenroll({"factor_id": factor.id})
    assert client.mfa.list_factors().all == []


@journey
def second_factor_at_the_next_sign_in(server):
    client, email = server.user()
    factor = client.mfa.enroll({"factor_type": "totp"})
    client.mfa.challenge_and_verify({"factor_id": factor.id, "code": authenticator(factor.totp.secret, server.now())})
    client = server.client()
    client.sign_in_with_password({"email": email, "password": "password-1"})
    level = client.mfa.get_authenticator_assurance_level()
    assert (level.current_level, level.next_level) == ("aal1", "aal2")
    refused("insufficient_aal", client.mfa.unenroll, {"factor_id": factor.id})
    server.advance(30)
    challenge = client.mfa.challenge({"factor_id": factor.id})
    client.mfa.verify({"factor_id": factor.id, "challenge_id": challenge.id, "code": authenticator(factor.totp.secret, server.now())})
    assert client.mfa.get_authenticator_assurance_level().current_level == "aal2"


@journey
def second_factor_by_text_message(server):
    client, _ = server.user()
    phone = server.phone()
    factor = client.mfa.enroll({"factor_type": "phone", "phone": phone, "friendly_name": "texts"})
    challenge = client.mfa.challenge({"factor_id": factor.id, "channel": "sms"})
    client.mfa.verify({"factor_id": factor.id, "challenge_id": challenge.id, "code": server.text_code(phone)})
    assert [f.id for f in client.mfa.list_factors().phone] == [factor.id]


@journey
def sign_out_by_scope(server):
    first, email = server.user()
    second, third = server.client(), server.client()
    for client in (second, third):
        client.sign_in_with_password({"email": email, "password": "password-1"})
    events = []
    first.on_auth_state_change(lambda event, _: events.append(event))
    first.sign_out({"scope": "others"})
    assert events == [] and first.get_user()
    refused("session_not_found", second.get_user)
    token = first.get_session().access_token
    first.sign_out({"scope": "local"})
    assert events == ["SIGNED_OUT"] and first.get_session() is None
    refused("session_not_found", first.get_user, token)
    third.sign_in_with_password({"email": email, "password": "password-1"})
    third.sign_out()
    assert third.get_session() is None


@journey
def events_are_told(server):
    client, events = server.client(), []
    subscription = client.on_auth_state_change(lambda event, _: events.append(event))
    server.user(client)
    client.refresh_session()
    client.update_user({"data": {"a": 1}})
    client.sign_out()
    assert events == ["SIGNED_IN", "TOKEN_REFRESHED", "USER_UPDATED", "SIGNED_OUT"], events
    subscription.unsubscribe()


@journey
def claims_are_checked(server):
    client, email = server.user()
    answer = client.get_claims()
    assert answer["claims"]["email"] == email and answer["headers"]["alg"] == server.name
    head, claims, _ = client.get_session().access_token.split(".")
    try:
        client.get_claims(f"{head}.{claims}.{'A' * 86}")
    except Exception:
        return
    raise AssertionError("a wrong signature was taken")


@journey
def lines_of_the_page_reach_the_server(server):
    client, email = names("gotrue", server)["auth"], server.email()
    assert client.sign_up({"email": email, "password": "password-1"}).user.email == email
