import LockstepClerkEmulator
import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Enterprise connections: created by the Backend API and by settings, and tested.
@Suite(.limitedConcurrency)
struct EnterpriseConnectionTests {
    @Test func serverCreatesChangesAndDeletesConnections() async throws {
        let emulator = try TestEmulator()
        let path = "/enterprise_connections"
        let made = try await emulator.backend(
            .post, path, ["name": "Acme", "domains": ["ACME.example", "acme.example"], "provider": "oidc_custom"])
        #expect(made.status == 201 && made.json["active"] == false && made.json["domains"] == ["acme.example"])
        let id = made.json["id"]?.string ?? ""
        let one = path + "/\(id)"
        #expect(try await emulator.backend(.patch, one, ["active": true]).code == "saml_connection_cant_be_activated")
        let oidc: JSONObject = [
            "client_id": "app", "auth_url": "http://127.0.0.1:9/a", "token_url": "http://127.0.0.1:9/t",
            "user_info_url": "http://127.0.0.1:9/u",
        ]
        #expect(
            try await emulator.backend(.patch, one, ["active": true, "oidc": .object(oidc)]).code
                == "form_public_client_requires_pkce")
        var secret = oidc
        secret["client_secret"] = "hidden from all"
        let active = try await emulator.backend(.patch, one, ["active": true, "name": "Acme Inc", "oidc": .object(secret)])
        #expect(active.json["active"] == true && active.json["name"] == "Acme Inc")
        #expect(active.json["oauth_config"]?["auth_url"] == "http://127.0.0.1:9/a")
        #expect(!active.json.text().contains("hidden from all"))
        _ = try await emulator.backend(.post, path, ["name": "B", "domains": ["b.example"], "provider": "oidc_gitlab"])
        #expect(try await emulator.backend(.get, path).json["total_count"] == 2)
        #expect(try await emulator.backend(.get, path + "?active=true&limit=1").json["data"]?[0]?["id"]?.string == id)
        #expect(try await emulator.backend(.get, path + "?organization_id=org_x").json["total_count"] == 0)
        #expect(try await emulator.backend(.delete, one).json["deleted"] == true)
        #expect(try await emulator.backend(.get, one).code == "resource_not_found")
    }

    @Test(
        arguments: [
            (["name": "A", "domains": ["a.example"]], "form_param_missing"),
            (["name": "A", "provider": "oidc_custom"], "form_param_missing"),
            (["domains": ["a.example"], "provider": "oidc_custom"], "form_param_missing"),
            (["name": "A", "domains": ["a b"], "provider": "oidc_custom"], "form_param_format_invalid"),
            (["name": "A", "domains": ["gmail.com"], "provider": "oidc_custom"], "organization_domain_common"),
            (["name": "A", "domains": ["a.example"], "provider": "saml_okta"], "enterprise_connection_invalid_type"),
            (["name": "A", "domains": ["a.example"], "provider": "ldap"], "form_param_value_invalid"),
            (
                ["name": "A", "domains": ["a.example"], "provider": "oidc_custom", "organization_id": "org_x"],
                "form_resource_not_found"
            ),
            (
                ["name": "A", "domains": ["a.example"], "provider": "oidc_custom", "oidc": ["auth_url": "ftp://x"]],
                "form_param_format_invalid"
            ),
            (
                ["name": "A", "domains": ["a.example"], "provider": "oidc_custom", "saml": ["force_authn": true]],
                "form_conditional_param_disallowed"
            ),
        ] as [(JSON, String)])
    func inputThatCannotBeAConnectionIsRejected(_ body: JSON, code: String) async throws {
        let emulator = try TestEmulator { $0.organizations.isEnabled = true }
        #expect(try await emulator.backend(.post, "/enterprise_connections", body).code == code)
        #expect(try await emulator.backend(.get, "/enterprise_connections").json["total_count"] == 0)
    }

    @Test func connectionsOfOneDomainAreChosenByID() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada())
        let made = try await company.emulator.backend(
            .post, "/enterprise_connections",
            [
                "name": "second", "domains": ["acme.example"], "provider": "oidc_custom", "active": true,
                "oidc": [
                    "client_id": "second", "requires_pkce": true,
                    "discovery_url": .string(company.issuer.base + "/.well-known/openid-configuration"),
                ],
            ])
        let device = company.emulator.device()
        let begun = try await device.post("/client/sign_ins", ["identifier": "ada@acme.example"])
        #expect(begun.strategies("supported_first_factors") == ["enterprise_sso", "enterprise_sso"])
        let path = "/client/sign_ins/\(begun["id"])/prepare_first_factor"
        let form: HTTPForm = ["strategy": "enterprise_sso", "redirect_url": "com.example.app://callback"]
        #expect(
            try await device.post(path, form).code == "enterprise_connection_id_is_required_with_multiple_connections")
        #expect(
            try await device.post(path, HTTPForm(form.pairs + [("enterprise_connection_id", "entconn_x")])).code
                == "enterprise_sso_sign_in_connection_missing")
        let id = made.json["id"]?.string ?? ""
        let sent = try await device.post(path, HTTPForm(form.pairs + [("enterprise_connection_id", id)]))
        try await company.visit(sent.response["first_factor_verification"])
        #expect(company.issuer.emulator.exchanges.last?.form["client_id"] == "second")
    }

    @Test func settingsDeclareConnections() throws {
        let settings = try ClerkSettings(
            text: """
                ENTERPRISE_CONNECTIONS=acme
                ENTERPRISE_ACME_DOMAINS=acme.example, Acme.Test
                ENTERPRISE_ACME_ISSUER=http://127.0.0.1:9/realm/
                ENTERPRISE_ACME_CLIENT=app
                ENTERPRISE_ACME_SECRET=hidden
                ENTERPRISE_SELF_SERVE=true
                """)
        let connection = try #require(settings.enterprise.connections.first)
        #expect(connection.domains == ["acme.example", "acme.test"] && connection.clientID == "app")
        #expect(connection.discoveryURL == "http://127.0.0.1:9/realm/.well-known/openid-configuration")
        #expect(connection.clientSecret?.reveal() == "hidden" && settings.enterprise.isSelfServed)
        for text in [
            "ENTERPRISE_ACME_DOMAINS=a.example", "ENTERPRISE_CONNECTIONS=a\nENTERPRISE_A_DOMAINS=a b",
            "ENTERPRISE_CONNECTIONS=a/b", "ENTERPRISE_CONNECTIONS=a\nENTERPRISE_A_ISSUER=https://far.example",
            "ENTERPRISE_CONNECTIONS=a\nENTERPRISE_A_ISSUER=http://",
        ] {
            #expect { try ClerkSettings(text: text) } throws: { ($0 as? ClerkSettingsError)?.code == .badValue }
        }
        #expect { try ClerkSettings(text: "ENTERPRISE_CONNECTIONS=a\nENTERPRISE_A_COLOUR=b") } throws: {
            ($0 as? ClerkSettingsError)?.code == .unknownName
        }
        // A connection without domains or an issuer would never be used.
        #expect { try ClerkSettings(text: "ENTERPRISE_CONNECTIONS=a") } throws: {
            ($0 as? ClerkSettingsError)?.code == .contradiction
        }
    }

    @Test func deletedConnectionStaysDeletedUntilAReset() async throws {
        let company = try Company()
        let emulator = company.emulator
        #expect(try await emulator.device().get("/environment").json["user_settings"]?["enterprise_sso"]?["enabled"] == true)
        let id = try #require(try await emulator.backend(.get, "/enterprise_connections").json["data"]?[0]?["id"]?.string)
        _ = try await emulator.backend(.delete, "/enterprise_connections/\(id)")
        #expect(try await emulator.backend(.get, "/enterprise_connections").json["total_count"] == 0)
        #expect(try await emulator.device().get("/environment").json["user_settings"]?["enterprise_sso"]?["enabled"] == false)
        #expect(try await emulator.device().signIn("ada@acme.example").code == "form_identifier_not_found")
        try emulator.server.emulator.reset()
        #expect(try await emulator.backend(.get, "/enterprise_connections").json["total_count"] == 1)
    }

    @Test func providerWithoutDiscoveryIsAskedWithPKCE() async throws {
        let company = try Company()
        company.issuer.emulator.expect(Company.ada(["email": "ada@plain.example"]))
        let place = company.issuer.base + "/protocol/openid-connect"
        let made = try await company.emulator.backend(
            .post, "/enterprise_connections",
            [
                "name": "plain", "domains": ["plain.example"], "provider": "oidc_custom", "active": true,
                "oidc": [
                    "client_id": "plain", "client_secret": "hidden", "auth_url": .string(place + "/auth"),
                    "token_url": .string(place + "/token"), "user_info_url": .string(place + "/userinfo"),
                ],
            ])
        #expect(made.json["oauth_config"]?["requires_pkce"] == false)
        // No ID token binds the code to the flow there.
        let signIn = try await company.signIn(company.emulator.device(), "ada@plain.example")
        #expect(signIn.response["first_factor_verification"]?["status"] == "transferable")
        let exchange = try #require(company.issuer.emulator.exchanges.last)
        #expect(exchange.form["code_verifier"]?.isEmpty == false && exchange.authorization.hasPrefix("Basic "))
    }

    // MARK: Test runs

    @Test func testRunCompletesWithoutAUser() async throws {
        let company = try Company()
        let emulator = company.emulator
        let id = try #require(try await emulator.backend(.get, "/enterprise_connections").json["data"]?[0]?["id"]?.string)
        let path = "/enterprise_connections/\(id)/test_runs"
        let made = try await emulator.backend(.post, path)
        let url = try #require(made.json["url"]?.string)
        #expect(try await emulator.backend(.get, path).json["data"]?[0]?["status"] == "pending")
        company.issuer.emulator.expect(Company.ada())
        let there = try await emulator.send(HTTPRequest(.get, url))
        #expect(there.status == 301)
        let address = try #require(there.headers["Location"])
        let page = try #require(try await company.come(from: address).headers["Location"])
        #expect(try await emulator.send(HTTPRequest(.get, page)).headers["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(try await emulator.send(HTTPRequest(.get, page + "x")).code == "resource_not_found")
        #expect(try await emulator.send(HTTPRequest(.get, url)).code == "ticket_invalid_code")
        let run = try await emulator.backend(.get, path + "?status=success").json["data"]?[0]
        #expect(run?["parsed_user_info"]?["email_address"] == "ada@acme.example" && run?["connection_type"] == "oauth")
        #expect(try emulator.admin.userCount() == 0)

        company.issuer.emulator.expect(Company.ada(["email": "eve@elsewhere.example"]))
        let second = try #require(try await emulator.backend(.post, path).json["url"]?.string)
        _ = try await company.come(from: try await emulator.send(HTTPRequest(.get, second)).headers["Location"] ?? "")
        let failed = try await emulator.backend(.get, path + "?status=failed").json["data"]?[0]
        #expect(failed?["logs"]?[0]?["code"] == "enterprise_sso_email_address_domain_mismatch")
        #expect(try await emulator.backend(.get, path + "?status=other").code == "form_param_value_invalid")
    }
}
