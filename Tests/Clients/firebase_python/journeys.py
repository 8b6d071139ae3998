"""Users, as a server makes, finds, changes and removes them."""
import os

import firebase_admin
from firebase_admin import auth

from lines import names
from server import journey
from stage import refused


@journey
def users_are_made_read_changed_and_deleted(server):
    admin, email, phone = server.auth, server.email(), "+" + server.phone()
    user = admin.create_user(uid="ada-" + email[:8], email=email, phone_number=phone, password="password-1", display_name="Ada",
                             photo_url="https://example.com/ada.png", email_verified=True)
    assert (user.uid, user.email, user.phone_number, user.display_name) == ("ada-" + email[:8], email, phone, "Ada")
    assert user.photo_url == "https://example.com/ada.png" and user.email_verified and not user.disabled
    assert sorted(one.provider_id for one in user.provider_data) == ["password", "phone"]
    assert abs(user.user_metadata.creation_timestamp / 1000 - server.now()) < 60
    for found in (admin.get_user(user.uid), admin.get_user_by_email(email), admin.get_user_by_phone_number(phone)):
        assert found.uid == user.uid and found.email == email
    other, number = server.email(), "+" + server.phone()
    changed = admin.update_user(user.uid, email=other, phone_number=number, display_name="Lovelace", password="password-2", email_verified=False)
    assert (changed.email, changed.phone_number, changed.display_name, changed.email_verified) == (other, number, "Lovelace", False)
    session = server.sign_in(other, "password-2")
    server.refresh(session["refreshToken"])
    times = admin.get_user(user.uid).user_metadata
    assert session["localId"] == user.uid and times.last_refresh_timestamp >= times.last_sign_in_timestamp >= times.creation_timestamp
    admin.delete_user(user.uid)
    refused(auth.UserNotFoundError, admin.get_user, user.uid)


@journey
def a_user_without_anything(server):
    user = server.auth.create_user()
    assert user.uid and (user.email, user.phone_number, user.display_name, user.photo_url, user.custom_claims) == (None,) * 5
    assert not user.email_verified and not user.disabled and list(user.provider_data) == []
    # Firebase's own emulator gives a time here, and so does its copy.
    assert (user.user_metadata.last_sign_in_timestamp is None) == (server.mode == "strict")


@journey
def attributes_are_taken_away(server):
    user = server.user(phone_number="+" + server.phone(), display_name="Ada", photo_url="https://example.com/ada.png")
    left = server.auth.update_user(user.uid, display_name=auth.DELETE_ATTRIBUTE, photo_url=auth.DELETE_ATTRIBUTE, phone_number=auth.DELETE_ATTRIBUTE)
    assert (left.display_name, left.photo_url, left.phone_number) == (None, None, None) and left.email == user.email
    assert [one.provider_id for one in left.provider_data] == ["password"]
    refused(auth.UserNotFoundError, server.auth.get_user_by_phone_number, user.phone_number)


@journey
def what_is_taken_or_missing_is_refused(server):
    admin, user = server.auth, server.user(phone_number="+" + server.phone())
    other = admin.create_user()
    refused(auth.UidAlreadyExistsError, admin.create_user, uid=user.uid)
    refused(auth.EmailAlreadyExistsError, admin.create_user, email=user.email)
    refused(auth.EmailAlreadyExistsError, admin.update_user, other.uid, email=user.email)
    refused(auth.PhoneNumberAlreadyExistsError, admin.create_user, phone_number=user.phone_number)
    refused(auth.PhoneNumberAlreadyExistsError, admin.update_user, other.uid, phone_number=user.phone_number)
    refused("WEAK_PASSWORD", server.rest, "accounts:signUp", {"email": server.email(), "password": "short"})
    refused(auth.UserNotFoundError, admin.get_user_by_email, "none@example.com")
    refused(auth.UserNotFoundError, admin.update_user, "none", display_name="x")
    refused(auth.UserNotFoundError, admin.set_custom_user_claims, "none", {"a": 1})
    refused(auth.UserNotFoundError, admin.delete_user, "none")


@journey
def users_are_found_by_identifiers(server):
    admin, one, two = server.auth, server.user(), server.user(phone_number="+" + server.phone())
    uid = "linked-" + one.uid[:6]
    google = auth.UserProvider(uid="google-" + uid, provider_id="google.com", email=server.email())
    assert admin.import_users([auth.ImportUserRecord(uid, provider_data=[google])]).success_count == 1
    missing = [auth.UidIdentifier("none"), auth.EmailIdentifier("none@example.com"), auth.PhoneIdentifier("+15550009999"),
               auth.ProviderIdentifier("google.com", "none")]
    found = admin.get_users([auth.UidIdentifier(one.uid), auth.PhoneIdentifier(two.phone_number), auth.EmailIdentifier(two.email),
                             auth.ProviderIdentifier("google.com", "google-" + uid), *missing])
    assert sorted(user.uid for user in found.users) == sorted([one.uid, two.uid, uid])
    assert found.not_found == missing


@journey
def users_are_listed_page_by_page(server):
    admin = server.auth
    made = {server.user().uid for _ in range(5)}
    page, sizes, listed = admin.list_users(max_results=2), [], []
    while page:
        sizes.append(len(page.users))
        listed += page.users
        page = page.get_next_page()
    assert all(size == 2 for size in sizes[:-1]) and len(sizes) >= 3
    ids = [user.uid for user in listed]
    assert made <= set(ids) and len(ids) == len(set(ids))
    assert ids == [user.uid for user in admin.list_users().iterate_all()]
    assert all(user.password_hash and user.password_salt for user in listed if user.uid in made)


@journey
def users_are_deleted_many_at_once(server):
    admin, users = server.auth, [server.user() for _ in range(3)]
    result = admin.delete_users([users[0].uid, users[1].uid, "none"])
    assert (result.success_count, result.failure_count, result.errors) == (3, 0, [])
    assert [user.uid for user in admin.get_users([auth.UidIdentifier(user.uid) for user in users]).users] == [users[2].uid]
    assert admin.delete_users([users[0].uid]).success_count == 1
    refused("INVALID_LOGIN_CREDENTIALS" if server.mode == "strict" else "EMAIL_NOT_FOUND", server.sign_in, users[0].email)


@journey
def a_disabled_user_is_kept_out(server):
    user = server.user()
    session = server.sign_in(user.email)
    assert server.auth.update_user(user.uid, disabled=True).disabled
    refused("USER_DISABLED", server.sign_in, user.email)
    refused("USER_DISABLED", server.refresh, session["refreshToken"])
    assert not server.auth.update_user(user.uid, disabled=False).disabled
    assert server.sign_in(user.email)["localId"] == user.uid


@journey
def a_new_password_replaces_the_old_one(server):
    user = server.user()
    server.auth.update_user(user.uid, password="password-2")
    refused("INVALID_LOGIN_CREDENTIALS" if server.mode == "strict" else "INVALID_PASSWORD", server.sign_in, user.email)
    assert server.sign_in(user.email, "password-2")["localId"] == user.uid


@journey
def custom_claims_reach_tokens(server):
    admin, user = server.auth, server.user()
    admin.set_custom_user_claims(user.uid, {"admin": True, "team": {"id": 7}})
    assert admin.get_user(user.uid).custom_claims == {"admin": True, "team": {"id": 7}}
    session = server.sign_in(user.email)
    claims = admin.verify_id_token(session["idToken"])
    assert claims["admin"] is True and claims["team"] == {"id": 7}
    admin.set_custom_user_claims(user.uid, {"admin": False})
    claims = admin.verify_id_token(server.refresh(session["refreshToken"])["id_token"])
    assert claims["admin"] is False and "team" not in claims
    admin.set_custom_user_claims(user.uid, None)
    assert not admin.get_user(user.uid).custom_claims


@journey
def a_provider_is_unlinked(server):
    uid, email = "unlinked-" + server.email()[:8], server.email()
    google = auth.UserProvider(uid="g-" + uid, provider_id="google.com", email=email, display_name="Ada")
    github = auth.UserProvider(uid="h-" + uid, provider_id="github.com")
    server.auth.import_users([auth.ImportUserRecord(uid, email=email, provider_data=[google, github])])
    user = server.auth.get_user(uid)
    assert {(one.provider_id, one.uid) for one in user.provider_data} == {("google.com", "g-" + uid), ("github.com", "h-" + uid)}
    left = server.auth.update_user(uid, providers_to_delete=["google.com"])
    assert [one.provider_id for one in left.provider_data] == ["github.com"]


@journey
def a_second_factor_shows_in_the_token(server):
    user, number = server.user(), "+" + server.phone()
    session = server.sign_in(user.email)
    started = server.rest("v2/accounts/mfaEnrollment:start", {"idToken": session["idToken"], "phoneEnrollmentInfo": {"phoneNumber": number}})
    proof = {"sessionInfo": started["phoneSessionInfo"]["sessionInfo"], "code": server.text_code(number)}
    enrolled = server.rest("v2/accounts/mfaEnrollment:finalize", {"idToken": session["idToken"], "displayName": "Phone", "phoneVerificationInfo": proof})
    assert "sign_in_second_factor" in server.auth.verify_id_token(enrolled["idToken"])["firebase"]
    pending = server.sign_in(user.email)
    assert "idToken" not in pending
    credential, factor = pending["mfaPendingCredential"], pending["mfaInfo"][0]
    started = server.rest("v2/accounts/mfaSignIn:start", {"mfaPendingCredential": credential, "mfaEnrollmentId": factor["mfaEnrollmentId"], "phoneSignInInfo": {}})
    proof = {"sessionInfo": started["phoneResponseInfo"]["sessionInfo"], "code": server.text_code(number)}
    session = server.rest("v2/accounts/mfaSignIn:finalize", {"mfaPendingCredential": credential, "phoneVerificationInfo": proof})
    claims = server.auth.verify_id_token(session["idToken"])["firebase"]
    assert claims["sign_in_second_factor"] == "phone" and claims["second_factor_identifier"] == factor["mfaEnrollmentId"]


@journey(on=["emulator"])
def lines_of_the_page_reach_the_server(server):
    user = server.user()
    os.environ["GOOGLE_CLOUD_PROJECT"] = server.vars["project"]
    try:
        users = names("firebase", server)["users"]
        assert user.uid in [user.uid for user in users]
    finally:
        del os.environ["GOOGLE_CLOUD_PROJECT"]
        firebase_admin.delete_app(firebase_admin.get_app())
