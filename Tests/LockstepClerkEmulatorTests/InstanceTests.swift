import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The instance's settings, lists and addresses in the Backend API, and their effects.
@Suite(.limitedConcurrency)
struct InstanceTests {
    private func id(_ answer: TestResponse) -> String { answer.json["id"]?.string ?? "" }

    @Test func onlyAllowedIdentifiersSignUp() async throws {
        let emulator = try TestEmulator()
        #expect(try await emulator.backend(.patch, "/instance/restrictions", ["allowlist": true]).json["allowlist"] == true)
        let form: HTTPForm = ["email_address": "ada@example.com", "password": TestEmulator.password]
        let refused = try await emulator.device().post("/client/sign_ups", form)
        #expect(refused.status == 403 && refused.code == "not_allowed_access")
        #expect(refused.json["errors"]?[0]?["meta"]?["identifiers"] == ["ada@example.com"])
        let host = try await emulator.backend(.post, "/allowlist_identifiers", ["identifier": "example.com"])
        #expect(host.json["identifier"] == "*@example.com")
        #expect(try await emulator.device().post("/client/sign_ups", form).status == 200)
        #expect(
            try await emulator.backend(.post, "/allowlist_identifiers", ["identifier": "example.com"]).code == "duplicate_record")
        #expect(
            try await emulator.backend(.post, "/allowlist_identifiers", ["identifier": "no one"]).code
                == "form_param_format_invalid")
        let invited = try await emulator.backend(
            .post, "/allowlist_identifiers", ["identifier": "bob@other.test", "notify": true])
        #expect(invited.json["invitation_id"]?.string?.hasPrefix("inv_") == true)
        #expect(emulator.link(to: "bob@other.test") != "")
        #expect(try await emulator.backend(.get, "/allowlist_identifiers").json.array?.count == 2)
        #expect(try await emulator.backend(.delete, "/allowlist_identifiers/\(id(host))").json["deleted"] == true)
        #expect(try await emulator.backend(.delete, "/allowlist_identifiers/\(id(host))").code == "resource_not_found")
        #expect(try await emulator.device().post("/client/sign_ups", form).code == "not_allowed_access")
    }

    @Test func blockedIdentifiersCannotSignUpOrIn() async throws {
        let emulator = try TestEmulator { $0.restrictions.hasBlocklist = true }
        try await emulator.device().signUp()
        let made = try await emulator.backend(.post, "/blocklist_identifiers", ["identifier": "ada@example.com"])
        #expect(try await emulator.device().signIn().code == "not_allowed_access")
        #expect(try await emulator.backend(.get, "/blocklist_identifiers").json["total_count"] == 1)
        _ = try await emulator.backend(.patch, "/instance/restrictions", ["allowlist_blocklist_disabled_on_sign_in": true])
        #expect(try await emulator.device().signIn()["status"] == "complete")
        _ = try await emulator.backend(.delete, "/blocklist_identifiers/\(id(made))")
        _ = try await emulator.backend(.patch, "/instance/restrictions", ["block_email_subaddresses": true])
        let plus = try await emulator.device().post(
            "/client/sign_ups", ["email_address": "bob+x@example.com", "password": TestEmulator.password])
        #expect(plus.code == "not_allowed_access")
        emulator.admin.change { $0.phoneNumber = .optional }
        let phone = try await emulator.device().post(
            "/client/sign_ups", ["phone_number": "+4915112345678", "password": TestEmulator.password])
        #expect(phone.status == 200)
    }

    @Test func waitlistEntryGetsAnInvitation() async throws {
        let emulator = try TestEmulator { $0.signUpMode = .waitlist }
        let joined = try await emulator.device().post("/waitlist", ["email_address": "ada@example.com"])
        #expect(try await emulator.device().post("/waitlist", ["email_address": "ADA@example.com"]).json == joined.json)
        let path = "/waitlist_entries/\(id(joined))"
        #expect(try await emulator.backend(.get, "/waitlist_entries?status=pending").json["total_count"] == 1)
        let bulk = try await emulator.backend(
            .post, "/waitlist_entries/bulk", [["email_address": "b@example.com"], ["email_address": "c@example.com"]])
        #expect(bulk.json.array?.count == 2)
        #expect(try await emulator.backend(.get, "/waitlist_entries?query=b@ex").json["total_count"] == 1)
        let rejected = try await emulator.backend(.post, "/waitlist_entries/\(bulk.json[0]?["id"]?.string ?? "")/reject")
        #expect(rejected.json["status"] == "rejected")
        #expect(
            try await emulator.backend(.post, "/waitlist_entries/\(id(rejected))/reject").code
                == "waitlist_entry_already_rejected")
        let invited = try await emulator.backend(.post, path + "/invite")
        #expect(invited.json["status"] == "invited" && invited.json["invitation"]?["status"] == "pending")
        #expect(try await emulator.backend(.post, path + "/invite").code == "waitlist_entry_already_invited")
        #expect(try await emulator.backend(.delete, path).code == "waitlist_entry_already_invited")
        let ticket = String(emulator.link(to: "ada@example.com").split(separator: "=").last ?? "")
        let device = emulator.device()
        let signUp = try await device.post(
            "/client/sign_ups", ["strategy": "ticket", "ticket": ticket, "password": TestEmulator.password])
        #expect(signUp["status"] == "complete")
        #expect(try await emulator.backend(.get, "/waitlist_entries?status=completed").json["total_count"] == 1)
        #expect(
            try await emulator.backend(.delete, "/waitlist_entries/\(bulk.json[1]?["id"]?.string ?? "")").json["deleted"] == true)
    }

    @Test func redirectURLsBindNativeApps() async throws {
        let emulator = try TestEmulator {
            $0.providers = [IdentityProvider(name: "apple", issuer: "https://appleid.apple.com")]
        }
        func begin() async throws -> TestResponse {
            try await emulator.device().post("/client/sign_ins", ["strategy": "oauth_apple", "redirect_url": "app://callback"])
        }
        #expect(try await begin().status == 200)
        let made = try await emulator.backend(.post, "/redirect_urls", ["url": "app://other"])
        #expect(try await begin().code == "invalid_redirect_url")
        #expect(try await emulator.backend(.post, "/redirect_urls", ["url": "app://callback"]).status == 200)
        #expect(try await begin().status == 200)
        let bad = try await emulator.backend(.post, "/redirect_urls", ["url": "javascript:alert(1)"])
        #expect(bad.code == "prohibited_redirect_url" && bad.parameter == "url")
        #expect(try await emulator.backend(.post, "/redirect_urls", ["url": "app://other"]).code == "duplicate_record")
        #expect(try await emulator.backend(.get, "/redirect_urls/\(id(made))").json["url"] == "app://other")
        #expect(try await emulator.backend(.delete, "/redirect_urls/\(id(made))").json["deleted"] == true)
        #expect(try await emulator.backend(.get, "/redirect_urls").json.array?.count == 1)
    }

    @Test func settingsChangeTheRunningInstance() async throws {
        let emulator = try TestEmulator()
        let changed = try await emulator.backend(
            .patch, "/instance/organization_settings",
            [
                "enabled": true, "max_allowed_memberships": 9, "slug_disabled": true,
                "domains_enrollment_modes": ["automatic_invitation"],
            ])
        #expect(changed.json["max_allowed_memberships"] == 9 && changed.json["slug_disabled"] == true)
        #expect(try await emulator.backend(.get, "/instance/organization_settings").json == changed.json)
        let environment = try await emulator.device().get("/environment").json["organization_settings"]
        #expect(environment?["enabled"] == true && environment?["slug"]?["disabled"] == true)
        #expect(
            try await emulator.backend(.post, "/organizations", ["name": "A", "slug": "a"]).code == "organization_slugs_disabled")
        let odd = try await emulator.backend(
            .patch, "/instance/organization_settings", ["enabled": false, "domains_enrollment_modes": ["odd"]])
        #expect(odd.code == "form_param_value_invalid")
        #expect(try await emulator.backend(.get, "/instance/organization_settings").json["enabled"] == true)
        let member = try await emulator.backend(.patch, "/instance/organization_settings", ["creator_role_id": "org:member"])
        #expect(member.code == "organization_missing_creator_role_permissions")
        let communication = try await emulator.backend(.patch, "/instance/communication", ["blocked_country_codes": ["DE"]])
        #expect(communication.json["blocked_country_codes"] == ["DE"])
        #expect(try await emulator.backend(.get, "/instance/communication").json == communication.json)
        #expect(try await emulator.backend(.patch, "/instance/protect", ["rules_enabled": true]).json["rules_enabled"] == true)
        #expect(try await emulator.backend(.get, "/instance/protect").json["specter_enabled"] == false)
        let beta = try await emulator.backend(.patch, "/beta_features/instance_settings", ["restricted_to_allowlist": true])
        #expect(beta.json["restricted_to_allowlist"] == true)
        #expect(emulator.server.emulator.settings.restrictions.hasAllowlist)
        let production = try await emulator.backend(.post, "/instance/change_domain", ["home_url": "https://x.example"])
        #expect(production.code == "request_invalid_for_environment")
    }

    @Test func satelliteDomainsAreCreated() async throws {
        let emulator = try TestEmulator()
        let made = try await emulator.backend(.post, "/domains", ["name": "satellite.test", "is_satellite": true])
        #expect(made.json["is_satellite"] == true)
        #expect(
            try await emulator.backend(.post, "/domains", ["name": "b.test", "is_satellite": false]).code
                == "primary_domain_already_exists")
        let list = try await emulator.backend(.get, "/domains").json
        let primary = list["data"]?[0]?["id"]?.string ?? ""
        #expect(list["total_count"] == 2 && list["data"]?[0]?["is_satellite"] == false)
        #expect(try await emulator.backend(.patch, "/domains/\(primary)", ["name": "c.test"]).code == "domain_update_forbidden")
        #expect(try await emulator.backend(.delete, "/domains/\(primary)").code == "operation_not_allowed_on_primary_domain")
        let moved = try await emulator.backend(
            .patch, "/domains/\(id(made))", ["name": "d.test", "proxy_url": "http://127.0.0.1:9/__clerk"])
        #expect(moved.json["name"] == "d.test" && moved.json["proxy_url"] == "http://127.0.0.1:9/__clerk")
        #expect(try await emulator.backend(.delete, "/domains/\(id(made))").json["deleted"] == true)
        let dead = try await emulator.backend(.post, "/proxy_checks", ["proxy_url": .string(emulator.server.base + "/nowhere")])
        #expect(dead.json["successful"] == false)
        #expect(try await emulator.backend(.post, "/proxy_checks", [:]).code == "form_param_missing")
    }

    @Test func providerTokensAreReadAndDeleted() async throws {
        let emulator = try TestEmulator {
            $0.providers = [IdentityProvider(name: "google", issuer: "https://accounts.google.com")]
        }
        let device = emulator.device()
        try await device.signUp()
        let user = try await device.get("/me")["id"]
        let path = "/users/\(user)/oauth_access_tokens/google"
        #expect(try await emulator.backend(.get, path).json == [])
        let begun = try await device.post(
            "/me/external_accounts", ["strategy": "oauth_google", "redirect_url": "app://callback"])
        func visit(_ answer: TestResponse) async throws {
            let url = answer.response["verification"]?["external_verification_redirect_url"]?.string ?? ""
            let page = try await emulator.send(HTTPRequest(.get, url + "&sub=g1&email=ada@example.com"))
            _ = try await emulator.send(HTTPRequest(.get, page.headers["Location"] ?? ""))
        }
        try await visit(begun)
        let token = try await emulator.backend(.get, path).json[0]
        #expect(token?["token"]?.string?.count == 32 && token?["provider"] == "oauth_google")
        let account = "/me/external_accounts/\(begun["id"])"
        #expect(try await device.call(.delete, account + "/tokens")["id"] == user)
        #expect(try await emulator.backend(.get, path).code == "oauth_missing_access_token")
        let again = try await device.call(
            .patch, account + "/reauthorize", ["redirect_url": "app://callback", "additional_scope": "calendar"])
        #expect(again["approved_scopes"].contains("calendar"))
        try await visit(again)
        #expect(try await emulator.backend(.get, path).json[0]?["scopes"]?.array?.contains("calendar") == true)
        #expect(
            try await emulator.backend(.get, "/users/\(user)/oauth_access_tokens/apple").code
                == "oauth_token_provider_not_enabled")
        #expect(try await device.call(.delete, "/me/external_accounts/eac_x/tokens").code == "resource_not_found")
    }

    @Test func pagesOfTheInstanceAreServed() async throws {
        let emulator = try TestEmulator()
        func get(_ path: String, _ headers: HTTPHeaders = [:]) async throws -> TestResponse {
            try await emulator.send(HTTPRequest(.get, emulator.server.base + path, headers: headers))
        }
        for path in ["openid-configuration", "oauth-authorization-server"] {
            let answer = try await get("/.well-known/\(path)")
            #expect(answer.json["issuer"]?.string == emulator.server.base)
            #expect(
                try await emulator.send(HTTPRequest(.get, answer.json["jwks_uri"]?.string ?? "")).json["keys"]?.array?.count == 1)
        }
        #expect(try await get("/.well-known/webauthn").json["origins"]?[0]?.string == emulator.server.base)
        #expect(try await get("/.well-known/assetlinks.json").json == [])
        #expect(try await get("/v1/account_portal").json["enabled"] == false)
        #expect(try await get("/v1/proxy-health").code == "form_param_missing")
        #expect(try await get("/v1/proxy-health?domain_id=d").json["status"] == "unhealthy")
        #expect(try await get("/v1/proxy-health?domain_id=d", ["X-Forwarded-For": "10.0.0.1"]).json["status"] == "healthy")
        #expect(try await get("/v1/clear-site-data").headers["Clear-Site-Data"]?.contains("cookies") == true)
        #expect(try await get("/v1/redirect?redirect_url=https://app.example/x").headers["Location"] == "https://app.example/x")
        #expect(try await get("/v1/redirect?redirect_url=javascript:alert(1)").code == "prohibited_redirect_url")
        let device = emulator.device()
        try await device.signUp()
        #expect(try await device.post("/me/tokens", ["service": "x"]).code == "form_param_value_invalid")
        _ = try await emulator.backend(.post, "/jwt_templates", ["name": "firebase", "claims": ["a": 1]])
        #expect(try await device.post("/me/tokens", ["service": "firebase"]).json["object"] == "token")
    }
}
