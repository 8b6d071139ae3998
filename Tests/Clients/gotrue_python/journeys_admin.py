"""What a server does with the administrator's part of the client."""
import uuid

from pydantic import ValidationError
import moved
from server import authenticator, journey, query
from stage import RETURN, refused


@journey
def admin_users(server):
    admin, email, phone = server.admin, server.email(), server.phone()
    user = admin.create_user({"email": email, "phone": phone, "password": "password-1", "email_confirm": True, "phone_confirm": True,
                              "user_metadata": {"plan": "free"}, "app_metadata": {"team": 1}, "role": "editor"}).user
    assert user.role == "editor" and user.app_metadata["team"] == 1 and user.phone_confirmed_at
    assert admin.get_user_by_id(user.id).user.email == email
    assert admin.update_user_by_id(user.id, {"user_metadata": {"plan": "paid"}}).user.user_metadata["plan"] == "paid"
    assert any(u.id == user.id for u in admin.list_users(page=1, per_page=1000))
    assert len(admin.list_users(page=1, per_page=1)) == 1
    refused("email_exists", admin.create_user, {"email": email})
    refused("user_not_found", admin.get_user_by_id, str(uuid.uuid4()))
    admin.delete_user(user.id)
    refused("user_not_found", admin.get_user_by_id, user.id)


@journey
def admin_changes_password_and_address(server):
    client, _ = server.user()
    user, email = client.get_user().user, server.email()
    server.admin.update_user_by_id(user.id, {"password": "password-2", "email": email, "email_confirm": True})
    assert server.client().sign_in_with_password({"email": email, "password": "password-2"}).user.id == user.id


@journey
def admin_bans(server):
    client, email = server.user()
    user = client.get_user().user
    server.admin.update_user_by_id(user.id, {"ban_duration": "1h"})
    refused("user_banned", server.client().sign_in_with_password, {"email": email, "password": "password-1"})
    server.admin.update_user_by_id(user.id, {"ban_duration": "none"})
    assert server.client().sign_in_with_password({"email": email, "password": "password-1"}).session


@journey
def admin_imports_a_hash(server):
    email = server.email()
    known = "$2y$10$va66S4MxFrH6G6L7BzYl0.QgcYgvSr/F92gc.3botlz7bG4p/g/1i"  # of "test"
    server.admin.create_user({"email": email, "password_hash": known, "email_confirm": True})
    assert server.client().sign_in_with_password({"email": email, "password": "test"}).session


@journey
def admin_deletes_softly(server):
    client, email = server.user()
    user = client.get_user().user
    server.admin.delete_user(user.id, should_soft_delete=True)
    # The server shows such a user's identities without their data, as the real one does, which the client's model cannot read.
    try:
        server.admin.get_user_by_id(user.id)
    except ValidationError as error:
        assert [place["loc"][-1] for place in error.errors()] == ["user", "identity_data"]
    refused("invalid_credentials", server.client().sign_in_with_password, {"email": email, "password": "password-1"})


@journey
def admin_invites(server):
    email = server.email()
    assert server.admin.invite_user_by_email(email, {"data": {"plan": "free"}, "redirect_to": RETURN}).user.invited_at
    code, link = server.mail(email)
    assert query(server.open(link), "fragment")["type"] == "invite"
    email = server.email()
    server.admin.invite_user_by_email(email)
    assert server.client().verify_otp({"email": email, "token": server.mail(email)[0], "type": "invite"}).user.email == email


@journey
def admin_makes_links(server):
    admin, email = server.admin, server.email()
    for kind in ("signup", "invite", "magiclink", "recovery", "email_change_current", "email_change_new"):
        wish = {"type": kind, "email": email, "password": "password-1", "options": {"redirect_to": RETURN}}
        if kind == "invite":
            wish["email"] = server.email()
        if kind.startswith("email_change"):
            wish["new_email"] = "new-" + email
        answer = admin.generate_link(wish)
        link = answer.properties
        assert link.verification_type == kind and link.redirect_to == RETURN and len(link.email_otp) == 6, kind
        # For a new address the hash is of the old one, which verifies nothing; the link is right.
        assert link.action_link.startswith(server.base + "/verify?"), kind
        assert (link.hashed_token in link.action_link) == (kind != "email_change_new"), kind
        fragment = query(server.open(link.action_link), "fragment")
        assert "access_token" in fragment or "message" in fragment, (kind, fragment)
    # For a user who is not there yet it is a confirmation.
    link = admin.generate_link({"type": "magiclink", "email": server.email()}).properties
    assert link.verification_type == "signup"
    assert server.client().verify_otp({"token_hash": link.hashed_token, "type": link.verification_type}).session


@journey
def admin_factors(server):
    client, _ = server.user()
    user = client.get_user().user
    factor = client.mfa.enroll({"factor_type": "totp"})
    client.mfa.challenge_and_verify({"factor_id": factor.id, "code": authenticator(factor.totp.secret, server.now())})
    listed = server.admin.mfa.list_factors({"user_id": user.id})
    assert [f.id for f in listed] == [factor.id] and listed[0].status == "verified"
    assert server.admin.mfa.delete_factor({"user_id": user.id, "id": factor.id}).id == factor.id
    assert server.admin.mfa.list_factors({"user_id": user.id}) == []


@journey
def admin_signs_out(server):
    client, _ = server.user()
    token = client.get_session().access_token
    server.admin.sign_out(token)
    refused("session_not_found", server.client().get_user, token)


@journey
def admin_is_not_for_everybody(server):
    client, _ = server.user()
    token = client.get_session().access_token
    refused("not_admin", server.client(key=token).admin.list_users)
    refused("not_admin", server.client().admin.create_user, {"email": server.email()})


@journey(on=["HS256"])
def moved_users_sign_in_with_their_old_passwords(server):
    target = {"provider": "gotrue", "url": server.base + "/auth/v1", "key": {"env": "KEY"}}
    users = moved.move(server, target, KEY=server.keys["service_role"])
    there = [user.email for user in server.admin.list_users(per_page=1000)]
    for user in users:
        assert there.count(user.email) == 1, user.kind
        user.check(lambda email, password: server.client().sign_in_with_password({"email": email, "password": password}))
