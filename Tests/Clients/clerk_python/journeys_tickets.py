"""Invitations, and tokens that sign a user in."""
import jwt

from server import journey
from stage import PASSWORD, refused


@journey
def an_invitation_is_accepted(server):
    invitations, email, device = server.clerk.invitations, server.email(), server.device()
    made = invitations.create(request={"email_address": email, "public_metadata": {"team": "blue"}, "redirect_url": "https://app.example/join"})
    assert (made.email_address, made.status, made.public_metadata) == (email, "pending", {"team": "blue"})
    assert server.mail(email)[1] == made.url
    status, headers, _ = server.get(made.url)
    assert status in (302, 303, 307) and headers["Location"].startswith("https://app.example/join?")
    ticket = headers["Location"].split("__clerk_ticket=")[1].split("&")[0]
    answer = device.ask("POST", "/client/sign_ups", strategy="ticket", ticket=ticket, password=PASSWORD)["response"]
    assert answer["status"] == "complete"
    user = server.clerk.users.get(user_id=answer["created_user_id"])
    assert user.public_metadata == {"team": "blue"} and user.email_addresses[0].verification.status == "verified"
    assert invitations.list(status="accepted", limit=1)[0].id == made.id
    refused("duplicate_record", invitations.create, request={"email_address": email})


@journey
def invitations_are_listed_and_revoked(server):
    invitations = server.clerk.invitations
    emails = [server.email() for _ in range(3)]
    made = [invitations.create(request={"email_address": email, "notify": False}) for email in emails]
    assert emails[0] not in server.get(server.ready["inbox"] + "/api/v1/messages?limit=200")[2].decode()
    refused("duplicate_record", invitations.create, request={"email_address": emails[0]})
    again = invitations.create(request={"email_address": emails[0], "ignore_existing": True, "notify": False})
    pending = [one.id for one in invitations.list(status="pending", limit=100)]
    assert {again.id, *(one.id for one in made)} <= set(pending) and len(invitations.list(status="pending", limit=2)) == 2
    assert invitations.list(status="pending", limit=2, offset=1)[0].id == pending[1]
    gone = invitations.revoke(invitation_id=made[1].id)
    assert gone.status == "revoked"
    refused("invitation_already_revoked", invitations.revoke, invitation_id=made[1].id)
    refused("resource_not_found", invitations.revoke, invitation_id="inv_none")
    assert made[1].id in [one.id for one in invitations.list(status="revoked", limit=100)]


@journey
def many_are_invited_at_once(server):
    emails = [server.email() for _ in range(3)]
    made = server.clerk.invitations.bulk_create(request=[{"email_address": email, "notify": False, "public_metadata": {"n": 1}} for email in emails])
    assert [one.email_address for one in made] == emails and all(one.status == "pending" for one in made)


@journey
def a_sign_in_token_signs_in_once(server):
    tokens, user, device = server.clerk.sign_in_tokens, server.user(), server.device()
    made = tokens.create(request={"user_id": user.id, "expires_in_seconds": 600})
    assert (made.user_id, made.status) == (user.id, "pending")
    assert device.begin(strategy="ticket", ticket=made.token)["status"] == "complete"
    assert jwt.decode(device.session_token(), server.public_key(), ["RS256"])["sub"] == user.id
    refused("sign_in_token_already_used_code", server.device().begin, strategy="ticket", ticket=made.token)
    refused("sign_in_token_cannot_be_revoked_code", tokens.revoke, sign_in_token_id=made.id)
    revoked = tokens.create(request={"user_id": user.id})
    assert tokens.revoke(sign_in_token_id=revoked.id).status == "revoked"
    refused("sign_in_token_revoked_code", server.device().begin, strategy="ticket", ticket=revoked.token)
    old = tokens.create(request={"user_id": user.id, "expires_in_seconds": 60})
    server.advance(61)
    try:
        refused("ticket_expired_code", server.device().begin, strategy="ticket", ticket=old.token)
    finally:
        server.advance(-61)
    refused("resource_not_found", tokens.create, request={"user_id": "user_none"})


@journey
def an_actor_signs_in_for_a_user(server):
    tokens, user, actor, device = server.clerk.actor_tokens, server.user(), server.user(), server.device()
    made = tokens.create(request={"user_id": user.id, "actor": {"sub": actor.id}, "expires_in_seconds": 600})
    assert (made.user_id, made.status) == (user.id, "pending")
    assert device.begin(strategy="ticket", ticket=made.token)["status"] == "complete"
    claims = jwt.decode(device.session_token(), server.public_key(), ["RS256"])
    assert claims["sub"] == user.id and claims["act"]["sub"] == actor.id
    other = tokens.create(request={"user_id": user.id, "actor": {"sub": actor.id}})
    assert tokens.revoke(actor_token_id=other.id).status == "revoked"
    refused("actor_token_revoked_code", server.device().begin, strategy="ticket", ticket=other.token)


@journey
def a_testing_token_is_made(server):
    made = server.clerk.testing_tokens.create()
    assert made.token and made.expires_at > server.now()
