"""Tenants, each with users of its own. The client manages them under Google's names only, told of an emulator or not."""
from firebase_admin import auth, tenant_mgt

from server import journey, query
from stage import refused


def tenant(server, name="Tenant-one", **switches):
    """A new tenant's id, and the client for its users."""
    made = tenant_mgt.create_tenant(name, **{"allow_password_sign_up": True, "enable_email_link_sign_in": True, **switches}, app=server.app)
    return made.tenant_id, tenant_mgt.auth_for_tenant(made.tenant_id, app=server.app)


@journey
def tenants_are_made_changed_and_deleted(server):
    made = tenant_mgt.create_tenant("Tenant-one", allow_password_sign_up=True, enable_email_link_sign_in=False, app=server.app)
    assert (made.display_name, made.allow_password_sign_up, made.enable_email_link_sign_in) == ("Tenant-one", True, False)
    found = tenant_mgt.get_tenant(made.tenant_id, app=server.app)
    assert (found.tenant_id, found.display_name) == (made.tenant_id, "Tenant-one")
    changed = tenant_mgt.update_tenant(made.tenant_id, display_name="Tenant-two", enable_email_link_sign_in=True, app=server.app)
    assert (changed.tenant_id, changed.display_name, changed.allow_password_sign_up, changed.enable_email_link_sign_in) == (
        made.tenant_id, "Tenant-two", True, True)
    tenant_mgt.delete_tenant(made.tenant_id, app=server.app)
    assert made.tenant_id not in [one.tenant_id for one in tenant_mgt.list_tenants(app=server.app).iterate_all()]


@journey(on=["strict", "production"])
def a_tenant_that_is_gone_is_not_found(server):
    name, _ = tenant(server)
    tenant_mgt.delete_tenant(name, app=server.app)
    for call in (tenant_mgt.get_tenant, tenant_mgt.delete_tenant):
        refused(tenant_mgt.TenantNotFoundError, call, name, app=server.app)
    refused(tenant_mgt.TenantNotFoundError, tenant_mgt.update_tenant, name, display_name="Tenant-x", app=server.app)


@journey
def tenants_are_listed_page_by_page(server):
    made = {tenant(server)[0] for _ in range(3)}
    page, ids, pages = tenant_mgt.list_tenants(max_results=2, app=server.app), [], 0
    while page:
        assert len(page.tenants) <= 2
        ids, pages, page = ids + [one.tenant_id for one in page.tenants], pages + 1, page.get_next_page()
    assert made <= set(ids) and len(ids) == len(set(ids)) and pages >= 2


@journey
def users_belong_to_their_tenant(server):
    (one, first), (two, second) = tenant(server), tenant(server)
    email = server.email()
    users = [client.create_user(email=email, password="password-1") for client in (first, second)]
    assert users[0].uid != users[1].uid and [user.tenant_id for user in users] == [one, two]
    refused(auth.UserNotFoundError, second.get_user, users[0].uid)
    refused(auth.UserNotFoundError, server.auth.get_user_by_email, email)
    assert [user.uid for user in first.list_users().iterate_all()] == [users[0].uid]
    session = server.sign_in(email, tenantId=one)
    assert session["localId"] == users[0].uid
    assert first.verify_id_token(session["idToken"])["firebase"]["tenant"] == one
    refused(tenant_mgt.TenantIdMismatchError, second.verify_id_token, session["idToken"])
    second.update_user(users[1].uid, password="password-2")
    assert server.sign_in(email, tenantId=one)["localId"] == users[0].uid
    assert first.delete_users([users[0].uid, users[1].uid]).success_count == 2 and second.get_user(users[1].uid).uid == users[1].uid


@journey(on=["emulator", "production"])
def a_custom_token_is_for_its_tenant(server):
    name, client = tenant(server)
    other, _ = tenant(server)
    token = client.create_custom_token("custom-of-" + name, {"tier": 1}).decode()
    session = server.rest("accounts:signInWithCustomToken", {"token": token, "returnSecureToken": True, "tenantId": name})
    claims = client.verify_id_token(session["idToken"])
    assert claims["tier"] == 1 and claims["firebase"]["tenant"] == name and client.get_user(claims["uid"]).tenant_id == name
    refused("TENANT_ID_MISMATCH", server.rest, "accounts:signInWithCustomToken", {"token": token, "returnSecureToken": True, "tenantId": other})


@journey
def a_tenant_has_claims_imports_and_links(server):
    name, client = tenant(server)
    email = server.email()
    assert client.import_users([auth.ImportUserRecord("in-" + name, email=email, display_name="Ada")]).success_count == 1
    client.set_custom_user_claims("in-" + name, {"team": name})
    refused(auth.UserNotFoundError, server.auth.get_user, "in-" + name)
    link = client.generate_password_reset_link(email)
    assert query(link)["tenantId"] == name
    server.rest("accounts:resetPassword", {"oobCode": query(link)["oobCode"], "newPassword": "password-1", "tenantId": name})
    session = server.sign_in(email, tenantId=name)
    assert client.verify_id_token(session["idToken"])["team"] == name


@journey
def a_tenant_without_passwords_refuses_them(server):
    name, client = tenant(server, allow_password_sign_up=False)
    user = client.create_user(email=server.email(), password="password-1")
    refused("PASSWORD_LOGIN_DISABLED", server.sign_in, user.email, tenantId=name)
    tenant_mgt.update_tenant(name, allow_password_sign_up=True, app=server.app)
    assert server.sign_in(user.email, tenantId=name)["localId"] == user.uid
