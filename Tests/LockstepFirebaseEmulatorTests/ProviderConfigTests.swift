import LockstepEmulation
import LockstepEmulatorTestSupport
import LockstepFirebaseEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTokens
import Testing

/// Configurations of identity providers over HTTP, and sign-ins with them.
@Suite(.limitedConcurrency)
struct ProviderConfigTests {
    private static let openID: JSON = [
        "clientId": "client-1", "issuer": "https://issuer.example.test", "displayName": "Corp", "enabled": true,
        "responseType": ["idToken": true],
    ]
    private static let saml: JSON = [
        "displayName": "Corp", "enabled": true,
        "idpConfig": [
            "idpEntityId": "corp", "ssoUrl": "https://corp.example.test/sso",
            "idpCertificates": [["x509Certificate": "-----BEGIN CERTIFICATE-----"]],
        ],
        "spConfig": [
            "spEntityId": "app", "callbackUri": "https://app.example.test/handler", "spCertificates": [["x509Certificate": "no"]],
        ],
    ]
    private static let standard: JSON = ["clientId": "client-2", "clientSecret": "secret-2", "enabled": true]

    private static let kinds: [(path: String, parameter: String, id: String, body: JSON)] = [
        ("oauthIdpConfigs", "oauthIdpConfigId", "oidc.corp", openID),
        ("inboundSamlConfigs", "inboundSamlConfigId", "saml.corp", saml),
        ("defaultSupportedIdpConfigs", "idpId", "github.com", standard),
    ]

    private func tenant(of emulator: TestEmulator) async throws -> String {
        try await emulator.configure(.post, "tenants", ["displayName": "team"])["tenantId"]
    }

    @Test(arguments: FirebaseMode.allCases, [0, 1, 2])
    func configurationIsCreatedReadChangedAndDeleted(_ mode: FirebaseMode, _ index: Int) async throws {
        let (path, parameter, id, body) = Self.kinds[index]
        let emulator = try TestEmulator(mode)
        let tenant = "tenants/\(try await tenant(of: emulator))/"
        for scope in ["", tenant] {
            let list = scope + path
            let made = try await emulator.configure(.post, list, query: [parameter: id], body)
            #expect(made.status == 200, "\(made.json)")
            #expect(made["name"] == "projects/demo-lockstep/\(list)/\(id)")
            let read = try await emulator.configure(.get, "\(list)/\(id)")
            #expect(read.json == made.json)
            for (name, value) in body.object ?? [:] where name != "spConfig" { #expect(read.json[name] == value, "\(name)") }
            #expect(read.json["spConfig"]?["spCertificates"] == nil, "They are the server's to make.")
            let again = try await emulator.configure(.post, list, query: [parameter: id], body)
            #expect(again.status == 409 && again.code == "CONFIGURATION_EXISTS")

            let off = try await emulator.configure(.patch, "\(list)/\(id)", query: ["updateMask": "enabled"], ["enabled": false])
            #expect(off.json["enabled"] == nil)
            let unnamed = index == 2 ? "clientId" : "displayName"
            let changed = try await emulator.configure(
                .patch, "\(list)/\(id)", query: ["updateMask": "enabled"], .object(["enabled": true, unnamed: "other"]))
            #expect(changed.json["enabled"] == true)
            #expect(changed.json[unnamed] == body[unnamed], "The mask does not name it.")

            let all = try await emulator.configure(.get, list)
            #expect(all.json[path]?.array?.count == 1 && all.json["nextPageToken"] == nil)
            #expect(try await emulator.configure(.delete, "\(list)/\(id)").status == 200)
            for response in [
                try await emulator.configure(.get, "\(list)/\(id)"), try await emulator.configure(.delete, "\(list)/\(id)"),
                try await emulator.configure(.patch, "\(list)/\(id)", body),
            ] {
                #expect(response.status == 404 && response.code == "CONFIGURATION_NOT_FOUND")
            }
            #expect(try await emulator.configure(.get, list).json[path] == nil)
        }
    }

    @Test func updateMasksChangeAndClearNestedValues() async throws {
        let emulator = try TestEmulator()
        _ = try await emulator.configure(.post, "inboundSamlConfigs", query: ["inboundSamlConfigId": "saml.corp"], Self.saml)
        let path = "inboundSamlConfigs/saml.corp"
        let changed = try await emulator.configure(
            .patch, path, query: ["updateMask": "idpConfig.ssoUrl,display_name"],
            ["idpConfig": ["ssoUrl": "https://new.example.test/", "idpEntityId": "other"], "displayName": nil])
        #expect(changed.json["idpConfig"]?["ssoUrl"] == "https://new.example.test/")
        #expect(changed.json["idpConfig"]?["idpEntityId"] == "corp" && changed.json["displayName"] == nil)
        #expect(changed.json["idpConfig"]?["idpCertificates"]?.array?.count == 1)
        let broken = try await emulator.configure(.patch, path, query: ["updateMask": "spConfig.spEntityId"], ["spConfig": [:]])
        #expect(broken.status == 400 && broken.code == "MISSING_SAML_RELYING_PARTY_CONFIG")
        #expect(try await emulator.configure(.get, path).json == changed.json)
        let replaced = try await emulator.configure(.patch, path, ["enabled": true])
        #expect(replaced.code == "MISSING_SAML_RELYING_PARTY_CONFIG", "Without a mask everything is replaced.")
    }

    @Test func listsArePaged() async throws {
        let emulator = try TestEmulator()
        for index in 0..<5 {
            let query: HTTPForm = ["oauthIdpConfigId": "oidc.corp-\(index)"]
            #expect(try await emulator.configure(.post, "oauthIdpConfigs", query: query, Self.openID).status == 200)
        }
        var seen: [String] = []
        var token = ""
        repeat {
            let query: HTTPForm = token.isEmpty ? ["pageSize": "2"] : ["pageSize": "2", "pageToken": token]
            let page = try await emulator.configure(.get, "oauthIdpConfigs", query: query)
            seen += (page.json["oauthIdpConfigs"]?.array ?? []).compactMap { $0["name"]?.string }
            token = page["nextPageToken"]
        } while !token.isEmpty && seen.count < 10
        #expect(seen == (0..<5).map { "projects/demo-lockstep/oauthIdpConfigs/oidc.corp-\($0)" })
        #expect(try await emulator.configure(.get, "oauthIdpConfigs", query: ["pageSize": "5"]).json["nextPageToken"] == nil)
        #expect(try await emulator.configure(.get, "oauthIdpConfigs", query: ["pageSize": "-1"]).status == 400)
        #expect(try await emulator.configure(.get, "inboundSamlConfigs").json == [:])
        #expect(try await emulator.configure(.get, "oauthIdpConfigs").json["oauthIdpConfigs"]?.array?.count == 5)
    }

    @Test func unusableConfigurationIsRejected() async throws {
        let emulator = try TestEmulator()
        func changed(_ config: JSON, _ name: String, _ value: JSON) -> JSON {
            var members = config.object ?? [:]
            members[name] = value
            return .object(members)
        }
        let cases: [(Int, String?, JSON, String)] = [
            (0, nil, Self.openID, "MISSING_CONFIG_ID"), (0, "saml.corp", Self.openID, "INVALID_CONFIG_ID"),
            (0, "oidc.", Self.openID, "INVALID_CONFIG_ID"), (0, "oidc.a/b", Self.openID, "INVALID_CONFIG_ID"),
            // A sign-in reads `providerId` in lower case and would not find them.
            (0, "oidc.Corp", Self.openID, "INVALID_CONFIG_ID"), (1, "saml.Corp", Self.saml, "INVALID_CONFIG_ID"),
            (0, "oidc.corp", changed(Self.openID, "clientId", ""), "MISSING_OAUTH_CLIENT_ID"),
            (0, "oidc.corp", changed(Self.openID, "issuer", nil), "MISSING_ISSUER"),
            (0, "oidc.corp", changed(Self.openID, "issuer", "corp"), "INVALID_CONFIG"),
            (0, "oidc.corp", changed(Self.openID, "responseType", ["code": true, "idToken": true]), "INVALID_CONFIG"),
            (0, "oidc.corp", changed(Self.openID, "responseType", ["code": true]), "INVALID_CONFIG"),
            (1, "oidc.corp", Self.saml, "INVALID_CONFIG_ID"),
            (1, "saml.corp", changed(Self.saml, "spConfig", nil), "MISSING_SAML_RELYING_PARTY_CONFIG"),
            (1, "saml.corp", changed(Self.saml, "idpConfig", ["idpEntityId": "corp"]), "INVALID_CONFIG"),
            (
                1, "saml.corp",
                changed(Self.saml, "idpConfig", ["idpEntityId": "c", "ssoUrl": "https://c.test/", "idpCertificates": []]),
                "INVALID_CONFIG"
            ),
            (2, "unknown.example.test", Self.standard, "INVALID_CONFIG_ID"),
            (2, "google.com", ["enabled": true], "MISSING_OAUTH_CLIENT_ID"),
        ]
        for (kind, id, body, code) in cases {
            let (path, parameter, _, _) = Self.kinds[kind]
            let query: HTTPForm = id.map { [parameter: $0] } ?? [:]
            let refused = try await emulator.configure(.post, path, query: query, body)
            #expect(refused.status == 400 && refused.code == code, "\(id ?? "") \(body)")
            #expect(try await emulator.configure(.get, path).json == [:])
        }
        let apple: JSON = ["appleSignInConfig": ["bundleIds": ["com.example.app"]], "enabled": true]
        #expect(
            try await emulator.configure(.post, "defaultSupportedIdpConfigs", query: ["idpId": "apple.com"], apple).status == 200)
        let path = "/identitytoolkit.googleapis.com/v2/projects/demo-lockstep/oauthIdpConfigs"
        #expect(try await emulator.get(path).status == 403)
        #expect(try await emulator.get(path + "?key=any").code == "INSUFFICIENT_PERMISSION")
    }

    /// An emulator in strict mode, a local issuer, and a function that signs in with its tokens.
    private struct World {
        let emulator: TestEmulator
        let issuer: EmulatorServer<IssuerServer>
        let key: SigningKey

        init() throws {
            key = try FirebaseSettings.makeSigningKey()
            issuer = try IssuerServer.start(publishing: JSONWebKeySet(publishing: [key]).json)
            emulator = try TestEmulator()
        }

        func configure(_ changes: JSONObject = [:], tenant: String = "") async throws {
            var body: JSONObject = ["clientId": "client-1", "issuer": .string(issuer.base), "enabled": true]
            for (name, value) in changes { body[name] = value }
            let path = tenant.isEmpty ? "oauthIdpConfigs" : "tenants/\(tenant)/oauthIdpConfigs"
            let made = try await emulator.configure(.post, path, query: ["oauthIdpConfigId": "oidc.corp"], .object(body))
            #expect(made.status == 200)
        }

        func signIn(_ changes: JSONObject = [:], signedBy other: SigningKey? = nil, tenant: String = "") async throws
            -> TestEmulator.TestResponse
        {
            let now = emulator.server.environment.now.seconds
            var claims: JSONObject = [
                "iss": .string(issuer.base), "aud": "client-1", "sub": "grace", "iat": .int(now), "exp": .int(now + 600),
                "email": "grace@example.com", "email_verified": true,
            ]
            for (name, value) in changes { claims[name] = value }
            let token = try TokenWriter.sign(claims, with: other ?? key)
            let post = Percent.encodeForm([("providerId", "oidc.corp"), ("id_token", token)])
            var body: JSONObject = ["requestUri": "http://localhost", "postBody": .string(post)]
            if !tenant.isEmpty { body["tenantId"] = .string(tenant) }
            return try await emulator.call("accounts:signInWithIdp", .object(body))
        }
    }

    @Test func aConfiguredIssuersTokensSignIn() async throws {
        let world = try World()
        defer { world.issuer.stop() }
        #expect(try await world.signIn().code == "OPERATION_NOT_ALLOWED")
        try await world.configure()
        let user = try await world.signIn()
        #expect(user.status == 200 && user["providerId"] == "oidc.corp" && user.json["isNewUser"] == true)
        #expect(try await world.signIn()["localId"] == user["localId"])
        #expect(try await world.signIn(["aud": "client-2"]).code == "INVALID_IDP_RESPONSE")
        #expect(try await world.signIn(["iss": "https://issuer.example.test"]).code == "INVALID_IDP_RESPONSE")
        #expect(try await world.signIn(signedBy: FirebaseSettings.makeSigningKey()).code == "INVALID_IDP_RESPONSE")
        let path = "oauthIdpConfigs/oidc.corp"
        _ = try await world.emulator.configure(.patch, path, query: ["updateMask": "enabled"], ["enabled": false])
        #expect(try await world.signIn().code == "OPERATION_NOT_ALLOWED")
    }

    @Test func unreachableIssuerIsNamed() async throws {
        let world = try World()
        defer { world.issuer.stop() }
        try await world.configure(["issuer": "https://issuer.example.test"])
        let remote = try await world.signIn(["iss": "https://issuer.example.test"])
        #expect(remote.code == "INVALID_IDP_RESPONSE")
        #expect(remote.json["error"]?["message"]?.string?.contains("identityProviders") == true)
        // The settings contain its keys, so nothing is fetched.
        try world.emulator.admin.change { settings in
            settings.identityProviders["oidc.corp"] = TrustedIssuer(
                issuer: "https://issuer.example.test", audiences: [], keys: JSONWebKeySet(publishing: [world.key]).json)
        }
        #expect(try await world.signIn(["iss": "https://issuer.example.test"]).status == 200)
        let path = "oauthIdpConfigs/oidc.corp"
        // A document that names another issuer is invalid.
        let other = JSON.string(world.issuer.base + "/")
        _ = try await world.emulator.configure(.patch, path, query: ["updateMask": "issuer"], ["issuer": other])
        #expect(try await world.signIn(["iss": other]).code == "INVALID_IDP_RESPONSE")
    }

    /// A configuration of SAML can be stored, but no sign-in can use it.
    ///
    /// The error says so, with and without an assertion.
    @Test func samlSignInIsRejectedByName() async throws {
        let emulator = try TestEmulator()
        let begin: JSON = ["providerId": "saml.corp", "continueUri": "http://localhost/"]
        let end: JSON = ["requestUri": "http://localhost", "postBody": "providerId=saml.corp&SAMLResponse=PHNhbWw+"]
        for (operation, body) in [("createAuthUri", begin), ("signInWithIdp", end)] {
            #expect(
                try await emulator.call("accounts:" + operation, body).code == "OPERATION_NOT_ALLOWED", "It is not configured.")
        }
        _ = try await emulator.configure(.post, "inboundSamlConfigs", query: ["inboundSamlConfigId": "saml.corp"], Self.saml)
        for (operation, body) in [("createAuthUri", begin), ("signInWithIdp", end)] {
            let refused = try await emulator.call("accounts:" + operation, body)
            #expect(refused.status == 501 && refused.json["error"]?["status"] == "NOT_IMPLEMENTED", "\(operation)")
        }
        let path = "inboundSamlConfigs/saml.corp"
        _ = try await emulator.configure(.patch, path, query: ["updateMask": "enabled"], ["enabled": false])
        #expect(try await emulator.call("accounts:signInWithIdp", end).code == "OPERATION_NOT_ALLOWED", "It is switched off.")
    }

    @Test func tenantsHaveSeparateConfigurations() async throws {
        let world = try World()
        defer { world.issuer.stop() }
        let tenant = try await tenant(of: world.emulator)
        try await world.configure()
        #expect(try await world.signIn(tenant: tenant).code == "OPERATION_NOT_ALLOWED")
        try await world.configure(tenant: tenant)
        #expect(try await world.signIn(tenant: tenant)["tenantId"] == tenant)
        #expect(try await world.emulator.configure(.delete, "tenants/\(tenant)").status == 200)
        #expect(try await world.emulator.configure(.get, "tenants/\(tenant)/oauthIdpConfigs").code == "TENANT_NOT_FOUND")
    }

    @Test func configuredClientsAreAcceptedAsAudiences() async throws {
        let key = try FirebaseSettings.makeSigningKey()
        let emulator = try TestEmulator { settings in
            settings.identityProviders["google.com"] = TrustedIssuer(
                issuer: "https://accounts.google.com", audiences: ["client-1"], keys: JSONWebKeySet(publishing: [key]).json)
        }
        func signIn(_ audience: String) async throws -> TestEmulator.TestResponse {
            let now = emulator.server.environment.now.seconds
            let claims: JSONObject = [
                "iss": "https://accounts.google.com", "aud": .string(audience), "sub": "g-1", "iat": .int(now),
                "exp": .int(now + 600),
            ]
            let token = try TokenWriter.sign(claims, with: key)
            let post = Percent.encodeForm([("providerId", "google.com"), ("id_token", token)])
            return try await emulator.call(
                "accounts:signInWithIdp", ["requestUri": "http://localhost", "postBody": .string(post)])
        }
        #expect(try await signIn("client-1").status == 200)
        #expect(try await signIn("client-2").code == "INVALID_IDP_RESPONSE")
        let made = try await emulator.configure(
            .post, "defaultSupportedIdpConfigs", query: ["idpId": "google.com"], Self.standard)
        #expect(made.status == 200)
        #expect(try await signIn("client-2").status == 200)
        let known = try await emulator.configure(.get, "/identitytoolkit.googleapis.com/v2/defaultSupportedIdps")
        #expect(known.json["defaultSupportedIdps"]?.array?.contains { $0["idpId"] == "google.com" } == true)
    }
}
