"""An instance with one of everything, so that what schemathesis sends meets something, and the ids of it all."""
import http.client, json, urllib.parse

SETTINGS = """
ORGANIZATIONS=true
ORGANIZATION_DOMAINS=true
ORGANIZATION_MEMBERS=0
ORGANIZATION_ENROLLMENT=manual_invitation,automatic_invitation,automatic_suggestion,enterprise_sso
OAUTH_PROVIDERS=google
PASSKEYS=true
USERNAME=optional
SIGN_UP_MODE=public
ALLOWLIST=false
ENTERPRISE_SELF_SERVE=true
"""
PASSWORD = "correct horse battery"
# As much of a PNG as is looked at.
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(16)


class World:
    """The instance after a reset, and a device in which its user is signed in, with the organization active."""

    def __init__(self, server):
        self.server = server
        address = urllib.parse.urlsplit(server.base)
        self.connection = http.client.HTTPConnection(address.netloc, timeout=20)
        self.token = ""
        self.ids = {}

    def renew(self):
        assert self.send("POST", urllib.parse.urlsplit(self.server.ready["reset"]).path, headers=self.server.ready["control"])[0] == 200
        self.token, self.ids = "", {}
        user = self.backend("POST", "/users", {"email_address": ["ada@acme.example"], "phone_number": ["+15555550100"], "username": "ada_1", "password": PASSWORD,
                                               "external_id": "ext"})
        other = self.backend("POST", "/users", {"email_address": ["bob@acme.example"], "password": PASSWORD})
        organization = self.backend("POST", "/organizations", {"name": "Acme", "created_by": user["id"]})
        self.backend("POST", f"/organizations/{organization['id']}/memberships", {"user_id": other["id"], "role": "org:member"})
        inside = f"/organizations/{organization['id']}"
        invitation = self.backend("POST", inside + "/invitations", {"email_address": "eve@acme.example", "role": "org:member", "inviter_user_id": user["id"]})
        domain = self.backend("POST", inside + "/domains", {"name": "acme.example", "enrollment_mode": "enterprise_sso", "verified": True})
        signed_in = self.device("POST", "/client/sign_ins", identifier="ada@acme.example", password=PASSWORD)
        session = signed_in["response"]["created_session_id"]
        self.device("POST", f"/client/sessions/{session}/touch", active_organization_id=organization["id"])
        passkey = self.device("POST", "/me/passkeys")["response"]
        sign_in = self.device("POST", "/client/sign_ins", identifier="bob@acme.example")["response"]
        sign_up = self.device("POST", "/client/sign_ups", email_address="eve@home.example", password=PASSWORD)["response"]
        connection = self.backend("POST", "/enterprise_connections", {"name": "Acme", "provider": "oidc_custom", "domains": ["acme.example"],
                                                                      "organization_id": organization["id"]})
        role = self.backend("GET", "/organization_roles")["data"][0]
        made = {
            "user": user, "organization": organization, "session": {"id": session}, "passkey": passkey, "sign_in": sign_in, "sign_up": sign_up,
            "enterprise_connection": connection, "role": role, "domain": domain, "invitation": invitation,
            "email_address": user["email_addresses"][0], "phone_number": user["phone_numbers"][0],
            "permission": self.backend("GET", "/organization_permissions")["data"][0], "role_set": self.backend("GET", "/role_sets")["data"][0],
            "instance_invitation": self.backend("POST", "/invitations", {"email_address": "new@home.example"}),
            "template": self.backend("POST", "/jwt_templates", {"name": "firebase", "claims": {"aud": "x"}}),
            "redirect_url": self.backend("POST", "/redirect_urls", {"url": "com.example.app://callback"}),
            "allowed": self.backend("POST", "/allowlist_identifiers", {"identifier": "new@home.example"}),
            "blocked": self.backend("POST", "/blocklist_identifiers", {"identifier": "bad@home.example"}),
            "sign_in_token": self.backend("POST", "/sign_in_tokens", {"user_id": user["id"]}),
            "actor_token": self.backend("POST", "/actor_tokens", {"user_id": user["id"], "actor": {"sub": other["id"]}}),
            "waiting": self.backend("POST", "/waitlist_entries", {"email_address": "later@home.example"}),
        }
        self.name_ids({name: thing["id"] for name, thing in made.items()}, made["template"]["name"])

    def name_ids(self, ids, template):
        """The ids by the names that placeholders and parameters of the documents have."""
        for name, id in ids.items():
            self.ids[f"{name}_id"] = id
        self.ids |= {
            "organizationID": ids["organization"], "email_id": ids["email_address"], "active_organization_id": ids["organization"],
            "enterpriseConnectionID": ids["enterprise_connection"], "organization_role_id": ids["role"], "role_set_key_or_id": ids["role_set"],
            "_clerk_session_id": ids["session"], "template_name": template, "actor_token_id": ids["actor_token"], "waitlist_entry_id": ids["waiting"],
            "inviter_user_id": ids["user"], "created_by": ids["user"], "client_id": self.device("GET", "/client")["response"]["id"],
        }

    def value(self, name, index):
        """A value that an operation can take for a parameter of that name, where chance would never find one."""
        return {
            "email_address": f"new{index}@home.example", "phone_number": f"+1415555{index:04}", "password": PASSWORD, "new_password": "another good one",
            "current_password": PASSWORD, "role": "org:member", "redirect_url": "https://app.example.com/", "url": "https://app.example.com/",
            "username": f"someone_{index}", "slug": f"slug-{index}", "name": f"new{index}.example.org", "domain": "new.example.org", "strategy": "email_code",
            "user_ids": self.ids["user_id"], "identifier": f"other{index}@home.example", "provider": "oidc_custom", "domains": "acme.example",
            "external_id": f"external-{index}", "code": "000000", "enrollment_mode": "manual_invitation", "service": "firebase", "level": "first_factor",
        }.get(name)

    def backend(self, method, path, body=None):
        headers = {"Authorization": "Bearer " + self.server.vars["secret_key"], "Content-Type": "application/json"}
        return self.checked(*self.send(method, "/v1" + path, json.dumps(body) if body is not None else None, headers))

    def device(self, method, path, **form):
        headers = {"Content-Type": "application/x-www-form-urlencoded", **({"Authorization": self.token} if self.token else {})}
        status, headers, body = self.send(method, f"/v1{path}?_is_native=1", urllib.parse.urlencode(form), headers)
        self.token = headers.get("Authorization", self.token)
        return self.checked(status, headers, body)

    def checked(self, status, _, body):
        assert status < 300, f"the world cannot be made: {status} {body[:300]}"
        return json.loads(body)

    def send(self, method, path, body=None, headers=None):
        self.connection.request(method, path, body, headers or {})
        answer = self.connection.getresponse()
        return answer.status, answer.headers, answer.read()
