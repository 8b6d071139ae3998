import LockstepClerkEmulator
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// The response to any request is an error in Clerk's format, never a failure of the server.
@Suite(.limitedConcurrency)
struct HostileInputTests {
    private static let values = [
        "", " ", "\0", "ada@example.com", "ADA@EXAMPLE.COM ", "a@b", "a@x.com,b@y.com", "a\r\nBcc: b@y.com", "\"a\" <b@y.com>",
        "\u{212A}ada@example.com", "ada＠example.com", "ada\u{200B}@example.com", "+12015550100", "+", "++++", "null", "true",
        "-1",
        "99999999999999999999", "{}", "[]", "{\"a\":", "{\"__proto__\":{}}", "%00", "' OR 1=1 --", "../../etc/passwd", "💥",
        String(repeating: "a", count: 5000), String(repeating: "{\"a\":", count: 400), "email_code", "phone_code", "password",
        "ticket",
        "oauth_apple", "oauth_token_apple", "reset_password_email_code", "totp", "javascript:alert(1)",
        "https://app.example.com/",
        "://", "424242", "000000",
    ]
    private static let names = [
        "identifier", "password", "strategy", "email_address", "phone_number", "username", "code", "ticket", "token", "transfer",
        "redirect_url", "redirect_uri", "code_challenge", "code_challenge_method", "unsafe_metadata", "legal_accepted",
        "first_name",
        "level", "email_address_id", "phone_number_id", "new_password", "current_password", "sign_out_of_other_sessions",
        "intent",
        "active_organization_id", "flow_id", "approval_token", "code_verifier", "_method", "reserved_for_second_factor", "locale",
        "name", "slug", "role", "user_id", "enrollment_mode", "affiliation_email_address", "organization_id", "names",
        "public_key_credential", "service", "notify",
    ]

    private static func paths(_ device: Device) async throws -> [String] {
        let client = try await device.get("/client").response
        let session = client["last_active_session_id"]?.string ?? "sess_x"
        let domains = try await device.get("/organizations/acme/domains").response["data"]
        let domain = domains?[0]?["id"]?.string ?? "orgdmn_x"
        let email = client["sessions"]?[0]?["user"]?["email_addresses"]?[0]?["id"]?.string ?? "idn_x"
        return [
            "/client", "/client/sign_ins", "/client/sign_ins/sia_x", "/client/sign_ins/%00/attempt_first_factor",
            "/client/sign_ins/\(client["sign_in"]?["id"]?.string ?? "x")/attempt_first_factor", "/client/sign_ups",
            "/client/sign_ups/\(client["sign_up"]?["id"]?.string ?? "x")/prepare_verification",
            "/client/sessions/\(session)/touch",
            "/client/sessions/\(session)/tokens", "/client/sessions/\(session)/tokens/x", "/client/sessions/\(session)/verify",
            "/client/sessions/\(session)/verify/attempt_first_factor", "/me", "/me/metadata", "/me/change_password",
            "/me/email_addresses",
            "/me/email_addresses/\(email)/prepare_verification", "/me/phone_numbers", "/me/totp", "/me/totp/attempt_verification",
            "/me/backup_codes", "/me/external_accounts", "/client/magic_links/complete", "/waitlist", "/dev_browser", "/verify",
            "/oauth_callback", "/client/handshake", "/tickets/accept", "/nowhere", "/me/../me", "//me",
            "/organizations", "/organizations/acme", "/organizations/acme/memberships", "/organizations/acme/invitations",
            "/organizations/acme/invitations/bulk", "/organizations/acme/domains", "/organizations/acme/domains/bulk",
            "/organizations/acme/domains/\(domain)/prepare_affiliation_verification",
            "/organizations/acme/domains/\(domain)/attempt_affiliation_verification",
            "/organizations/acme/domains/\(domain)/update_enrollment_mode",
            "/organizations/acme/domains/prepare_ownership_verification/bulk", "/organizations/acme/logo",
            "/organizations/%00/memberships/x", "/me/organization_memberships", "/me/organization_invitations/x/accept",
            "/me/organization_suggestions", "/me/profile_image", "/me/passkeys", "/me/passkeys/x/attempt_verification",
            "/me/tokens",
            "/redirect", "/proxy-health",
        ]
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func randomRequestsDoNotBreakTheFrontendAPI(seed: UInt64) async throws {
        let emulator = try TestEmulator {
            $0.lockout = nil
            $0.providers = [IdentityProvider(name: "apple", issuer: "https://appleid.apple.com")]
            $0.organizations.isEnabled = true
            $0.organizations.hasDomains = true
            $0.passkeys.isEnabled = true
        }
        let device = emulator.device()
        try await device.signUp()
        _ = try await device.post("/organizations", ["name": "Acme"])
        _ = try await device.post("/organizations/acme/domains", ["name": "acme.test"])
        let dice = Dice(seed)
        for _ in 0..<250 {
            let path = dice.pick(try await Self.paths(device))
            let pairs = (0..<dice.number(5)).map { _ in (name: dice.pick(Self.names), value: dice.pick(Self.values)) }
            let method = dice.pick([HTTPMethod.get, .post, .post, .post, .patch, .delete])
            let answer = try await device.call(method, path, method == .get ? [:] : HTTPForm(pairs))
            #expect(answer.status < 500, "\(method) \(path) \(pairs): \(answer.json.text())")
            if answer.status >= 400 { #expect(answer.code != nil, "\(method) \(path) \(pairs)") }
        }
    }

    @Test(arguments: [UInt64(4), 5])
    func randomRequestsDoNotBreakTheBackendAPI(seed: UInt64) async throws {
        let emulator = try TestEmulator {
            $0.organizations.isEnabled = true
            $0.organizations.hasDomains = true
        }
        let user = try await emulator.admin.createUser(email: "ada@example.com", password: "correct horse battery")
        _ = try await emulator.backend(.post, "/organizations", ["name": "Acme", "created_by": .string(user.id)])
        let dice = Dice(seed)
        let paths = [
            "/users", "/users/\(user.id)", "/users/\(user.id)/metadata", "/users/\(user.id)/verify_password",
            "/users/\(user.id)/ban",
            "/users/ban", "/users/count", "/email_addresses", "/phone_numbers", "/sessions", "/sign_in_tokens", "/actor_tokens",
            "/invitations", "/jwt_templates", "/instance", "/clients/verify", "/users/%00", "/sessions/x/tokens",
            "/organizations", "/organizations/acme", "/organizations/acme/metadata", "/organizations/acme/memberships",
            "/organizations/acme/memberships/\(user.id)", "/organizations/acme/invitations",
            "/organizations/acme/invitations/bulk",
            "/organizations/acme/domains", "/organization_roles", "/organization_permissions", "/role_sets",
            "/role_sets/role_set:default/replace", "/role_sets/role_set:default/roles", "/organization_domains",
            "/organization_invitations", "/allowlist_identifiers", "/blocklist_identifiers", "/redirect_urls", "/domains",
            "/proxy_checks", "/waitlist_entries", "/waitlist_entries/bulk", "/invitations/bulk",
            "/instance/organization_settings",
            "/instance/restrictions", "/instance/communication", "/beta_features/instance_settings",
        ]
        let names = [
            "email_address", "phone_number", "password", "password_digest", "password_hasher", "username", "external_id",
            "user_id",
            "public_metadata", "created_at", "user_ids", "actor", "name", "claims", "lifetime", "token", "verified", "banned",
            "totp_secret", "backup_codes", "expires_in_seconds", "limit", "order_by",
            "slug", "role", "roles", "key", "permissions", "description", "enrollment_mode", "identifier", "notify", "url",
            "proxy_url", "is_satellite", "query", "status", "dest_role_set_key", "role_keys", "reassignment_mappings",
        ]
        let values: [JSON] =
            Self.values.map { .string($0) } + [
                nil, true, false, 0, -1, 1.5, 9_223_372_036_854_775_807, [], [:], [nil], ["ada@example.com", "b@example.com"],
                ["a": nil],
                [["a"]],
            ]
        for _ in 0..<400 {
            let path = dice.pick(paths)
            let method = dice.pick([HTTPMethod.get, .post, .post, .patch, .put])
            var body = JSONObject()
            for _ in 0..<dice.number(6) { body[dice.pick(names)] = dice.pick(values) }
            let query = dice.number(3) == 0 ? "?\(dice.pick(names))=\(Percent.encode(dice.pick(Self.values)))" : ""
            let answer = try await emulator.backend(method, path + query, method == .get ? nil : .object(body))
            #expect(answer.status < 500, "\(method) \(path)\(query) \(JSON.object(body).text()): \(answer.json.text())")
            if answer.status >= 400 { #expect(answer.code != nil, "\(method) \(path)") }
        }
    }

    @Test func brokenBodiesAreRejected() async throws {
        let emulator = try TestEmulator()
        func send(_ bytes: [UInt8], _ type: String) async throws -> TestResponse {
            try await emulator.send(
                HTTPRequest(.post, emulator.server.base + "/v1/client/sign_ins?_is_native=1", body: HTTPBody(bytes, type: type)))
        }
        let form = "application/x-www-form-urlencoded"
        #expect(try await send(Array("identifier=%zz".utf8), form).status == 400)
        #expect(try await send([0x69, 0x3d, 0xff, 0xfe], form).status == 400)
        #expect(try await send(Array("identifier=a&identifier=b".utf8), form).code == "form_param_duplicate")
        #expect(try await send([UInt8](repeating: 0x61, count: 2 << 20), form).status == 413)
        #expect(try await emulator.send(HTTPRequest(.get, emulator.server.base + "/v1/nothing")).code == "resource_not_found")
    }
}
