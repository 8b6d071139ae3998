"""What holds for the whole instance: who may sign up, and where links may lead."""
from server import journey
from stage import PASSWORD, refused


def sign_up(server, email):
    return server.device().ask("POST", "/client/sign_ups", email_address=email, password=PASSWORD)["response"]["status"]


@journey
def a_blocked_address_cannot_sign_up(server):
    blocked, email = server.clerk.blocklist_identifiers, server.email()
    one = blocked.create(request={"identifier": email})
    assert one.identifier == email and one.id in [other.id for other in blocked.list().data]
    server.clerk.instance_settings.update_restrictions(request={"blocklist": True})
    try:
        refused("not_allowed_access", sign_up, server, email)
        assert sign_up(server, server.email()) == "missing_requirements"
    finally:
        server.clerk.instance_settings.update_restrictions(request={"blocklist": False})
    assert blocked.delete(identifier_id=one.id).deleted
    assert sign_up(server, email) == "missing_requirements"
    refused("resource_not_found", blocked.delete, identifier_id=one.id)


@journey
def only_allowed_addresses_sign_up(server):
    allowed, email = server.clerk.allowlist_identifiers, server.email()
    one = allowed.create(request={"identifier": email, "notify": False})
    assert server.clerk.instance_settings.update_restrictions(request={"allowlist": True}).allowlist
    try:
        assert sign_up(server, email) == "missing_requirements"
        refused("not_allowed_access", sign_up, server, server.email())
    finally:
        server.clerk.instance_settings.update_restrictions(request={"allowlist": False})
    assert one.id in [other.id for other in allowed.list()]
    assert allowed.delete(identifier_id=one.id).deleted and one.id not in [other.id for other in allowed.list()]


@journey
def redirect_urls_are_kept(server):
    urls = server.clerk.redirect_urls
    one = urls.create(request={"url": "myapp://callback"})
    assert one.url == "myapp://callback" and urls.get(id=one.id).url == one.url and one.id in [other.id for other in urls.list()]
    assert urls.delete(id=one.id).deleted
    refused("resource_not_found", urls.get, id=one.id)
