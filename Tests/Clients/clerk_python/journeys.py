"""Users, as a server makes, finds, changes and removes them."""
from lines import names
from server import journey
from stage import PASSWORD, refused


@journey
def users_are_made_read_changed_and_deleted(server):
    users, email, phone = server.clerk.users, server.email(), "+1" + server.phone()[1:]
    made = users.create(email_address=[email], phone_number=[phone], username="ada" + email[4:6].strip("@"), password=PASSWORD, first_name="Ada",
                        last_name="Lovelace", external_id="ext-" + email, public_metadata={"plan": "free"}, private_metadata={"note": 1},
                        unsafe_metadata={"theme": "dark"}, created_at="2024-03-01T10:00:00.000Z")
    assert (made.first_name, made.last_name, made.external_id, made.password_enabled) == ("Ada", "Lovelace", "ext-" + email, True)
    assert made.created_at == 1709287200000 and made.primary_email_address_id == made.email_addresses[0].id
    assert made.email_addresses[0].verification.status == "verified" and made.phone_numbers[0].phone_number == phone
    assert (made.public_metadata, made.private_metadata, made.unsafe_metadata) == ({"plan": "free"}, {"note": 1}, {"theme": "dark"})
    assert users.get(user_id=made.id).id == made.id
    changed = users.update(user_id=made.id, first_name="Augusta", username="augusta" + email[4:6].strip("@"), external_id="new-" + email)
    assert (changed.first_name, changed.last_name, changed.external_id) == ("Augusta", "Lovelace", "new-" + email)
    assert changed.username.startswith("augusta") and changed.updated_at >= made.updated_at
    assert users.delete(user_id=made.id).deleted
    refused("resource_not_found", users.get, user_id=made.id)
    refused("resource_not_found", users.delete, user_id=made.id)


@journey
def users_are_found_by_what_is_known(server):
    users, phone = server.clerk.users, "+1" + server.phone()[1:]
    one = server.user(first_name="Grace", username="grace_h", external_id="known-1", phone_number=[phone])
    two = server.user(first_name="Hedy", last_name="Gracely", external_id="known-2")

    def found(**filters):
        listed = {user.id for user in users.list(request={"limit": 100, **filters})}
        assert users.count(request=filters).total_count == len(listed)
        return listed

    email = two.email_addresses[0].email_address
    assert found(email_address=[email]) == {two.id} and found(email_address=[email, one.email_addresses[0].email_address]) == {one.id, two.id}
    assert found(phone_number=[phone]) == {one.id} and found(username=["grace_h"]) == {one.id}
    assert found(external_id=["known-1", "known-2", "known-3"]) == {one.id, two.id} and found(user_id=[one.id, "user_none"]) == {one.id}
    assert found(query="grace") == {one.id, two.id} and found(name_query="hedy") == {two.id} and found(username_query="RACE_") == {one.id}
    assert found(email_address_query=email.upper()) == {two.id} and found(phone_number_query=phone[3:]) == {one.id}
    assert found(email_address=["none@example.com"]) == set()
    users.ban(user_id=two.id)
    assert found(banned=True, user_id=[one.id, two.id]) == {two.id} and found(banned=False, user_id=[one.id, two.id]) == {one.id}
    now = int(server.now() * 1000)
    assert {one.id, two.id} <= found(created_at_after=now - 60000) and not {one.id, two.id} & found(created_at_before=now - 60000)


@journey
def users_are_listed_in_order_and_page_by_page(server):
    users = server.clerk.users
    made = [server.user(first_name=name, created_at=f"2021-01-0{day}T00:00:00.000Z").id for name, day in (("Ab", 3), ("Ac", 1), ("Aa", 2))]

    def listed(**query):
        return [user.id for user in users.list(request={"user_id": made, **query})]

    assert listed() == listed(order_by="-created_at") == [made[0], made[2], made[1]]
    assert listed(order_by="created_at") == listed(order_by="+created_at") == [made[1], made[2], made[0]]
    assert listed(order_by="first_name") == [made[2], made[0], made[1]]
    assert listed(limit=2) == [made[0], made[2]] and listed(limit=2, offset=2) == [made[1]] and listed(offset=3) == []
    refused("form_param_value_invalid", users.list, request={"order_by": "shoe_size"})


@journey
def what_is_taken_missing_or_wrong_is_refused(server):
    users, user = server.clerk.users, server.user(external_id="taken-1", username="taken_1")
    email = user.email_addresses[0].email_address
    refused("form_identifier_exists", users.create, email_address=[email], password=PASSWORD)
    refused("form_identifier_exists", users.create, email_address=[server.email()], username="taken_1", password=PASSWORD)
    refused("form_identifier_exists", users.create, email_address=[server.email()], external_id="taken-1", password=PASSWORD)
    refused("form_data_missing", users.create, email_address=[server.email()])
    refused("form_data_missing", users.create, password=PASSWORD)
    refused("form_param_format_invalid", users.create, email_address=["no address"], password=PASSWORD)
    refused("form_password_length_too_short", users.create, email_address=[server.email()], password="short")
    assert users.create(email_address=[server.email()], password="short", skip_password_checks=True).password_enabled
    assert not users.create(email_address=[server.email()], skip_password_requirement=True).password_enabled
    refused("resource_not_found", users.get, user_id="user_none")
    refused("resource_not_found", users.update, user_id="user_none", first_name="x")
    refused("clerk_key_invalid", server.client("sk_test_wrong").users.count, request={})


@journey
def metadata_is_merged_and_replaced(server):
    users, user = server.clerk.users, server.user(public_metadata={"plan": "free", "seats": {"used": 1, "most": 5}}, private_metadata={"note": 1})
    merged = users.update_metadata(user_id=user.id, public_metadata={"plan": None, "seats": {"used": 2}}, unsafe_metadata={"theme": "dark"})
    assert merged.public_metadata == {"seats": {"used": 2, "most": 5}} and merged.private_metadata == {"note": 1}
    assert merged.unsafe_metadata == {"theme": "dark"}
    replaced = users.replace_metadata(user_id=user.id, public_metadata={"plan": "paid"})
    assert replaced.public_metadata == {"plan": "paid"} and replaced.private_metadata == {"note": 1}
    refused("resource_not_found", users.update_metadata, user_id="user_none", public_metadata={})


@journey
def banned_users_are_kept_out(server):
    users, (user, device) = server.clerk.users, server.signed_in()
    email = user.email_addresses[0].email_address
    assert users.ban(user_id=user.id).banned
    refused("user_banned", server.device().sign_in, email)
    refused("authentication_invalid", device.session_token)
    assert not users.unban(user_id=user.id).banned
    assert server.device().sign_in(email)["status"] == "complete"
    others = [user.id, server.user().id]
    users.bulk_ban(user_ids=others)
    assert [users.get(user_id=one).banned for one in others] == [True, True]
    users.bulk_unban(user_ids=others)
    assert [users.get(user_id=one).banned for one in others] == [False, False]


@journey
def locked_users_wait(server):
    users, user = server.clerk.users, server.user()
    email = user.email_addresses[0].email_address
    locked = users.lock(user_id=user.id)
    assert locked.locked and locked.lockout_expires_in_seconds > 0
    refused("user_locked", server.device().sign_in, email)
    assert not users.unlock(user_id=user.id).locked
    assert server.device().sign_in(email)["status"] == "complete"
    users.lock(user_id=user.id)
    server.advance(3601)
    try:
        assert server.device().sign_in(email)["status"] == "complete" and not users.get(user_id=user.id).locked
    finally:
        server.advance(-3601)


@journey
def email_addresses_are_added_and_replaced(server):
    addresses, user = server.clerk.email_addresses, server.user()
    email = server.email()
    added = addresses.create(request={"user_id": user.id, "email_address": email, "verified": True})
    assert added.email_address == email and added.verification.status == "verified"
    assert addresses.get(email_address_id=added.id).id == added.id
    assert server.clerk.users.get(user_id=user.id).primary_email_address_id == user.primary_email_address_id
    addresses.update(email_address_id=added.id, primary=True)
    assert server.clerk.users.get(user_id=user.id).primary_email_address_id == added.id
    assert server.device().sign_in(email)["status"] == "complete"
    assert addresses.delete(email_address_id=user.primary_email_address_id).deleted
    assert [one.id for one in server.clerk.users.get(user_id=user.id).email_addresses] == [added.id]
    refused("form_identifier_exists", addresses.create, request={"user_id": user.id, "email_address": server.user().email_addresses[0].email_address})
    refused("resource_not_found", addresses.get, email_address_id=user.primary_email_address_id)
    newest = server.email()
    addresses.replace_for_user(user_id=user.id, email_address=newest, identification_status="verified")
    after = server.clerk.users.get(user_id=user.id)
    assert [one.email_address for one in after.email_addresses] == [newest] and after.primary_email_address_id == after.email_addresses[0].id


@journey
def an_unverified_address_is_reserved(server):
    email = server.email()
    user = server.user(email_address=[email], email_address_identification_status=["reserved"])
    assert user.email_addresses[0].reserved and user.email_addresses[0].verification is None
    refused("form_identifier_exists", server.user, email_address=[email])
    server.clerk.email_addresses.update(email_address_id=user.email_addresses[0].id, verified=True)
    assert server.clerk.users.get(user_id=user.id).email_addresses[0].verification.status == "verified"


@journey
def phone_numbers_are_added(server):
    numbers, (user, device) = server.clerk.phone_numbers, server.signed_in()
    phone = "+1" + server.phone()[1:]
    added = numbers.create(request={"user_id": user.id, "phone_number": phone, "verified": True, "primary": True})
    assert added.phone_number == phone and added.verification.status == "verified" and not added.reserved_for_second_factor
    assert server.clerk.users.get(user_id=user.id).primary_phone_number_id == added.id
    assert numbers.update(phone_number_id=added.id, reserved_for_second_factor=True).reserved_for_second_factor
    assert server.device().sign_in(user.email_addresses[0].email_address)["status"] == "needs_second_factor"
    assert numbers.get(phone_number_id=added.id).reserved_for_second_factor
    refused("form_identifier_exists", numbers.create, request={"user_id": server.user().id, "phone_number": phone})
    assert numbers.delete(phone_number_id=added.id).deleted
    assert server.clerk.users.get(user_id=user.id).phone_numbers == []
    refused("resource_not_found", numbers.get, phone_number_id=added.id)


@journey
def an_address_is_verified_by_code(server):
    addresses, user, email = server.clerk.email_addresses, server.user(), server.email()
    one = addresses.create(request={"user_id": user.id, "email_address": email, "verified": False}).id
    sent = addresses.prepare_verification(email_address_id=one)
    code = server.mail(email)[0]
    # A wrong code is told by the status, not by an error (the specification's AttemptEmailAddressVerification).
    tried = addresses.attempt_verification(email_address_id=one, verification_id=sent.id, code=f"{(int(code) + 1) % 10**6:06}")
    assert (tried.status, tried.attempts) == ("unverified", 1)
    verification = addresses.get(email_address_id=one).verification
    assert verification is None or verification.status == "unverified"
    assert addresses.attempt_verification(email_address_id=one, verification_id=sent.id, code=code).status == "verified"
    assert addresses.get(email_address_id=one).verification.status == "verified"
    refused("verification_already_verified", addresses.attempt_verification, email_address_id=one, verification_id=sent.id, code=code)


@journey
def a_phone_number_is_verified_by_code(server):
    numbers, user, phone = server.clerk.phone_numbers, server.user(), "+1" + server.phone()[1:]
    one = numbers.create(request={"user_id": user.id, "phone_number": phone, "verified": False}).id
    sent = numbers.prepare_verification(phone_number_id=one)
    assert numbers.attempt_verification(phone_number_id=one, verification_id=sent.id, code=server.text_code(phone)).status == "verified"
    assert numbers.get(phone_number_id=one).verification.status == "verified"


@journey
def a_phone_number_is_replaced(server):
    old, new = "+1" + server.phone()[1:], "+1" + server.phone()[1:]
    user = server.user(phone_number=[old])
    server.clerk.phone_numbers.replace_for_user(user_id=user.id, phone_number=new, identification_status="verified")
    after = server.clerk.users.get(user_id=user.id)
    assert [one.phone_number for one in after.phone_numbers] == [new] and after.primary_phone_number_id == after.phone_numbers[0].id


@journey
def lines_of_the_page_reach_the_server(server):
    clerk, user = names("clerk", server)["clerk"], server.user()
    assert clerk.users.get(user_id=user.id).id == user.id
