"""The identity providers of a project or tenant."""
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from firebase_admin import auth, tenant_mgt

from front import certificate
from server import journey
from stage import refused


def text_certificate():
    key = ec.generate_private_key(ec.SECP256R1())
    return certificate("idp.example", key, "idp.example", key, []).public_bytes(serialization.Encoding.PEM).decode()


def saml(certificates):
    return {"idp_entity_id": "https://idp.example/entity", "sso_url": "https://idp.example/login", "x509_certificates": certificates,
            "rp_entity_id": "https://app.example/entity", "callback_url": "https://app.example/__/auth/handler"}


@journey
def oidc_providers_are_made_changed_and_deleted(server):
    admin, name = server.auth, "oidc.one-" + server.name
    made = admin.create_oidc_provider_config(name, client_id="client", issuer="https://oidc.example/one", display_name="One", enabled=True)
    assert (made.provider_id, made.client_id, made.issuer, made.display_name, made.enabled) == (name, "client", "https://oidc.example/one", "One", True)
    found = admin.get_oidc_provider_config(name)
    assert (found.provider_id, found.issuer, found.enabled) == (name, "https://oidc.example/one", True) and not found.code_response_type
    changed = admin.update_oidc_provider_config(name, client_id="other", issuer="https://oidc.example/two", display_name="Two", enabled=False,
                                                client_secret="secret", id_token_response_type=False, code_response_type=True)
    assert (changed.client_id, changed.issuer, changed.display_name, changed.enabled) == ("other", "https://oidc.example/two", "Two", False)
    assert (changed.client_secret, changed.code_response_type, changed.id_token_response_type) == ("secret", True, False)
    partly = admin.update_oidc_provider_config(name, enabled=True)
    assert (partly.client_id, partly.issuer, partly.enabled) == ("other", "https://oidc.example/two", True)
    assert admin.update_oidc_provider_config(name, display_name=auth.DELETE_ATTRIBUTE).display_name is None
    admin.delete_oidc_provider_config(name)
    refused(auth.ConfigurationNotFoundError, admin.get_oidc_provider_config, name)
    refused(auth.ConfigurationNotFoundError, admin.delete_oidc_provider_config, name)
    refused(auth.ConfigurationNotFoundError, admin.update_oidc_provider_config, name, enabled=True)


@journey
def saml_providers_are_made_changed_and_deleted(server):
    admin, name = server.auth, "saml.one-" + server.name
    one, two = text_certificate(), text_certificate()
    made = admin.create_saml_provider_config(name, **saml([one]), display_name="One", enabled=True)
    assert (made.provider_id, made.idp_entity_id, made.sso_url) == (name, "https://idp.example/entity", "https://idp.example/login")
    assert (made.rp_entity_id, made.callback_url) == ("https://app.example/entity", "https://app.example/__/auth/handler")
    assert made.x509_certificates == [one] and made.enabled and made.display_name == "One"
    changed = admin.update_saml_provider_config(name, x509_certificates=[one, two], sso_url="https://idp.example/other", enabled=False)
    assert changed.x509_certificates == [one, two] and changed.sso_url == "https://idp.example/other" and not changed.enabled
    found = admin.get_saml_provider_config(name)
    assert (found.idp_entity_id, found.sso_url, found.display_name) == ("https://idp.example/entity", "https://idp.example/other", "One")
    admin.delete_saml_provider_config(name)
    refused(auth.ConfigurationNotFoundError, admin.get_saml_provider_config, name)


@journey
def providers_are_listed_page_by_page(server):
    admin = server.auth
    oidc = [f"oidc.listed-{server.name}-{number}" for number in range(3)]
    for name in oidc:
        admin.create_oidc_provider_config(name, client_id="client", issuer="https://oidc.example/" + name)
    page, names = admin.list_oidc_provider_configs(max_results=2), []
    while page:
        assert len(page.provider_configs) <= 2
        names, page = names + [one.provider_id for one in page.provider_configs], page.get_next_page()
    assert set(oidc) <= set(names) and len(names) == len(set(names))
    admin.create_saml_provider_config(f"saml.listed-{server.name}", **saml([text_certificate()]))
    listed = [one.provider_id for one in admin.list_saml_provider_configs().iterate_all()]
    assert f"saml.listed-{server.name}" in listed and not set(oidc) & set(listed)


@journey
def providers_belong_to_their_tenant(server):
    made = tenant_mgt.create_tenant("Tenant-one", app=server.app)
    client, name = tenant_mgt.auth_for_tenant(made.tenant_id, app=server.app), "oidc.tenant-" + server.name
    client.create_oidc_provider_config(name, client_id="client", issuer="https://oidc.example/tenant", enabled=True)
    assert client.get_oidc_provider_config(name).issuer == "https://oidc.example/tenant"
    refused(auth.ConfigurationNotFoundError, server.auth.get_oidc_provider_config, name)
    assert [one.provider_id for one in client.list_oidc_provider_configs().iterate_all()] == [name]
