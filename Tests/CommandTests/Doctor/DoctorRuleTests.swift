import Foundation
import Lockstep
import LockstepDoctor
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Each finding has a response that causes it and one that does not, from a real server with the responses of the providers'
/// documents.
@Suite("The findings of lockstep doctor", .limitedConcurrency)
struct DoctorRuleTests {
    private typealias Answer = (path: String, status: Int64, body: JSON)

    /// The findings about settings that no provider's API reports.
    private static let unreported: Set<String> = ["gotrue.sms-regions", "clerk.session-end", "clerk.codes"]

    /// Checks that every rule fails on one set of responses, passes on another, and is unknown without them.
    private func hold(
        _ project: ScriptedProject, safe: [Answer], unsafe: [Answer], first: String, doctor: () throws -> Doctor
    ) async throws {
        try await project.answer(safe)
        let good = try await doctor().report()
        let isUnreported = { (finding: DoctorFinding) in Self.unreported.contains(finding.id) && finding.level == .unknown }
        for finding in good.findings {
            #expect(
                finding.level == .info || isUnreported(finding), "\(finding.id): \(finding.level): \(finding.sentence)")
        }

        try await project.answer(unsafe)
        try await project.control(.post, "/clock?seconds=3600")
        let bad = try await doctor().report()
        for finding in bad.findings {
            #expect(finding.needsChange || isUnreported(finding), "\(finding.id): \(finding.level): \(finding.sentence)")
        }
        #expect(bad.findings.map(\.id) == good.findings.map(\.id) && bad.count(.fail) > 0)
        #expect(bad.sorted.first?.level == .fail)

        // The first response is empty and the others are missing. Only the clock is known.
        try await project.answer([(first, 200, [:])] + safe.filter { $0.path != first }.map { ($0.path, 404, [:]) })
        let none = try await doctor().report()
        for finding in none.findings where !finding.id.hasSuffix(".clock") {
            // A rejected secret key is a finding.
            #expect(finding.level == .unknown || finding.id == "gotrue.service-key", "\(finding.id): \(finding.sentence)")
        }
        try await project.control(.post, "/reset")
    }

    @Test func goTrueFindingsFollowTheResponses() async throws {
        try await ScriptedProject.with(["gotrue"]) { project in
            let url = "https://abc.supabase.co/auth/v1"
            func settings(_ isSafe: Bool) -> JSON {
                [
                    "external": ["email": true, "phone": true, "anonymous_users": .bool(!isSafe)], "disable_signup": false,
                    "mailer_autoconfirm": .bool(!isSafe), "phone_autoconfirm": .bool(!isSafe),
                ]
            }
            func config(_ isSafe: Bool) -> JSON {
                [
                    "site_url": "https://app.example", "disable_signup": false, "smtp_max_frequency": 60,
                    "uri_allow_list": .string(isSafe ? "myapp://auth/callback,https://app.example/in" : "https://*"),
                    "jwt_exp": .int(isSafe ? 3600 : 604_800), "security_captcha_enabled": .bool(isSafe),
                    "refresh_token_rotation_enabled": .bool(isSafe), "security_refresh_token_reuse_interval": 10,
                    "sessions_timebox": .int(isSafe ? 720 : 0), "sessions_inactivity_timeout": 0,
                    "password_min_length": .int(isSafe ? 10 : 6), "password_hibp_enabled": .bool(isSafe),
                    "mailer_otp_exp": .int(isSafe ? 1800 : 86_400), "mailer_otp_length": 6,
                    "sms_otp_exp": .int(isSafe ? 60 : 3600),
                    "sms_otp_length": 6, "smtp_host": isSafe ? "smtp.example" : .null, "rate_limit_email_sent": 2,
                    "mailer_templates_confirmation_content": .string(
                        isSafe ? "<p>{{ .Token }}</p>" : "<a>{{ .ConfirmationURL }}</a>"),
                    "mfa_totp_verify_enabled": .bool(isSafe), "security_update_password_require_reauthentication": .bool(isSafe),
                    "mailer_secure_email_change_enabled": .bool(isSafe), "sms_test_otp": isSafe ? .null : "4915123=123456",
                    "mailer_allow_unverified_email_sign_ins": .bool(!isSafe), "rate_limit_otp": 30,
                    "rate_limit_verify": .int(isSafe ? 30 : 3000), "security_manual_linking_enabled": .bool(isSafe),
                ]
            }
            func answers(_ isSafe: Bool) -> [Answer] {
                [
                    ("/settings", 200, settings(isSafe)), ("/health", 200, ["version": .string(isSafe ? "v2.200.0" : "v2.99.1")]),
                    ("/.well-known/jwks.json", 200, ["keys": isSafe ? [["kty": "EC"]] : []]),
                    ("/.well-known/openid-configuration", 200, ["issuer": .string(isSafe ? url : "https://old.example")]),
                    ("/v1/projects/abc/config/auth", 200, config(isSafe)),
                    ("/admin/users*", isSafe ? 200 : 401, isSafe ? ["users": []] : ["message": "Invalid API key"]),
                ]
            }
            try await hold(project, safe: answers(true), unsafe: answers(false), first: "/settings") {
                .goTrue(
                    url: url, key: "sb_publishable_canary", managementToken: "sbp_canary", serviceKey: "sb_secret_canary",
                    transport: project.transport, clock: SystemClock())
            }
        }
    }

    @Test func firebaseFindingsFollowTheResponses() async throws {
        try await ScriptedProject.with(["firebase"]) { project in
            func config(_ isSafe: Bool) -> JSON {
                [
                    "emailPrivacyConfig": isSafe ? ["enableImprovedEmailPrivacy": true] : [:],
                    "signIn": [
                        "allowDuplicateEmails": .bool(!isSafe), "anonymous": ["enabled": true],
                        "phoneNumber": ["enabled": true, "testPhoneNumbers": isSafe ? [:] : ["+4915123": "123456"]],
                    ],
                    "autodeleteAnonymousUsers": .bool(isSafe), "smsRegionConfig": isSafe ? ["allowlistOnly": [:]] : [:],
                    "mfa": ["state": .string(isSafe ? "ENABLED" : "DISABLED")],
                    "client": ["permissions": ["disabledUserSignup": .bool(isSafe), "disabledUserDeletion": .bool(!isSafe)]],
                    "notification": ["sendEmail": ["method": .string(isSafe ? "CUSTOM_SMTP" : "DEFAULT")]],
                    "recaptchaConfig": ["phoneEnforcementState": .string(isSafe ? "ENFORCE" : "AUDIT")],
                    "passwordPolicyConfig": ["forceUpgradeOnSignin": .bool(isSafe)],
                    "blockingFunctions": isSafe ? [:] : ["triggers": ["beforeSignIn": ["functionUri": "https://f.example"]]],
                    "monitoring": ["requestLogging": ["enabled": .bool(isSafe)]],
                ]
            }
            func answers(_ isSafe: Bool) -> [Answer] {
                let refusal = isSafe ? "INVALID_LOGIN_CREDENTIALS" : "PASSWORD_LOGIN_DISABLED"
                return [
                    ("*/v1/projects", 200, ["projectId": "1", "authorizedDomains": isSafe ? ["app.example"] : ["localhost"]]),
                    (
                        "*/v3/relyingparty/getProjectConfig", 200, ["projectId": "1", "enableAnonymousUser": .bool(!isSafe)]
                    ),
                    (
                        "*/defaultSupportedIdpConfigs", 200,
                        [
                            "defaultSupportedIdpConfigs": [
                                ["name": "projects/1/google.com", "enabled": true, "clientId": .string(isSafe ? "id" : "")]
                            ]
                        ]
                    ),
                    (
                        "*/oauthIdpConfigs*", 200,
                        [
                            "oauthIdpConfigs": [
                                ["enabled": true, "issuer": .string(isSafe ? "https://id.example" : "http://id.example")]
                            ]
                        ]
                    ),
                    (
                        "*/inboundSamlConfigs*", 200,
                        [
                            "inboundSamlConfigs": [
                                [
                                    "name": "projects/1/saml.okta", "enabled": true,
                                    "idpConfig": ["idpCertificates": isSafe ? [["x509Certificate": "x"]] : []],
                                ]
                            ]
                        ]
                    ),
                    (
                        "*/v2/passwordPolicy", 200,
                        [
                            "customStrengthOptions": ["minPasswordLength": 10],
                            "enforcementState": .string(isSafe ? "ENFORCE" : "OFF"),
                        ]
                    ),
                    (
                        "*/v2/recaptchaConfig*", 200,
                        isSafe
                            ? [
                                "recaptchaEnforcementState": [
                                    ["provider": "EMAIL_PASSWORD_PROVIDER", "enforcementState": "ENFORCE"]
                                ]
                            ]
                            : [:]
                    ), ("*/service_accounts/*", 200, ["keys": isSafe ? [["kty": "RSA"]] : []]),
                    ("*/admin/v2/projects/orders/config", 200, config(isSafe)),
                    ("*/v1/accounts:signInWithPassword", 400, ["error": ["message": .string(refusal)]]),
                    ("*/v1/accounts:createAuthUri", 200, isSafe ? ["sessionId": "x"] : ["sessionId": "x", "registered": false]),
                ]
            }
            let doctor = {
                Doctor.firebase(
                    apiKey: "AIzaCanary", project: "orders", accessToken: "ya29.canary", probes: true,
                    transport: project.transport,
                    clock: SystemClock())
            }
            // One response cannot show both: a project without passwords reveals nothing about its users.
            let told: Answer = ("*/v1/accounts:signInWithPassword", 400, ["error": ["message": "EMAIL_NOT_FOUND"]])
            try await project.answer(answers(false).filter { !$0.path.hasSuffix("signInWithPassword") } + [told])
            let report = try await doctor().report()
            #expect(report.findings.first { $0.id == "firebase.unknown-addresses" }?.level == .warn)

            try await project.answer(answers(true))
            let good = try await doctor().report()
            for finding in good.findings { #expect(finding.level == .info, "\(finding.id): \(finding.sentence)") }
            try await project.answer(answers(false))
            try await project.control(.post, "/clock?seconds=3600")
            let bad = try await doctor().report()
            for finding in bad.findings where finding.id != "firebase.unknown-addresses" {
                #expect(finding.needsChange, "\(finding.id): \(finding.level): \(finding.sentence)")
            }
            try await project.answer([("*/v1/projects", 200, [:])] + answers(true).dropFirst().map { ($0.path, 404, [:]) })
            for finding in try await doctor().report().findings where !finding.id.hasSuffix(".clock") {
                #expect(finding.level == .unknown, "\(finding.id): \(finding.sentence)")
            }
            #expect(good.adapter?.contains("https://app.example/auth/callback") == true)
        }
    }

    @Test func clerkFindingsFollowTheResponses() async throws {
        try await ScriptedProject.with(["clerk"]) { project in
            func environment(_ isSafe: Bool) -> JSON {
                [
                    "auth_config": ["test_mode": .bool(!isSafe), "reverification": .bool(isSafe)],
                    "display_config": ["instance_environment_type": .string(isSafe ? "production" : "development")],
                    "user_settings": [
                        "attributes": [
                            "email_address": [
                                "enabled": true, "verify_at_sign_up": .bool(isSafe),
                                "verifications": isSafe ? ["email_code"] : ["email_link"],
                            ], "authenticator_app": ["used_for_second_factor": .bool(isSafe)],
                        ], "password_settings": ["min_length": .int(isSafe ? 8 : 6), "disable_hibp": .bool(!isSafe)],
                        "sign_up": ["mode": "public", "captcha_enabled": .bool(isSafe)],
                        "attack_protection": [
                            "user_lockout": ["enabled": .bool(isSafe)], "enumeration_protection": ["enabled": .bool(isSafe)],
                            "email_link": ["require_same_client": .bool(isSafe)],
                        ],
                    ],
                ]
            }
            func answers(_ isSafe: Bool) -> [Answer] {
                [
                    ("/v1/environment", 200, environment(isSafe)),
                    ("/.well-known/jwks.json", 200, ["keys": isSafe ? [["kid": "ins_1"]] : []]),
                    (
                        "/v1/instance", 200,
                        [
                            "environment_type": "production",
                            "allowed_origins": [.string(isSafe ? "capacitor://localhost" : "http://localhost:3000")],
                        ]
                    ), ("/v1/instance/communication", 200, ["blocked_country_codes": isSafe ? ["XX"] : []]),
                    (
                        "/v1/domains", 200,
                        ["data": [["frontend_api_url": .string(isSafe ? "https://clerk.app.example" : "https://x")]]]
                    ),
                    ("/v1/redirect_urls", 200, [["url": .string(isSafe ? "https://app.example/in" : "http://app.example")]]),
                    (
                        "/v1/instance/organization_settings", 200,
                        ["enabled": true, "admin_delete_enabled": .bool(!isSafe)]
                    ), ("/v1/jwks", 200, ["keys": [["kid": .string(isSafe ? "ins_1" : "ins_2")]]]),
                ]
            }
            let key = Secret("pk_live_" + Data("clerk.app.example$".utf8).base64EncodedString())
            try await hold(project, safe: answers(true), unsafe: answers(false), first: "/v1/environment") {
                try .clerk(publishableKey: key, secretKey: "sk_live_canary", transport: project.transport, clock: SystemClock())
            }
        }
    }

    private static let providers = ["gotrue", "firebase", "clerk"]

    /// The page of each provider contains every finding about it.
    @Test(arguments: providers) func pageListsEveryFinding(provider: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let page = root.appendingPathComponent("docs/\(provider).md").standardized
        let table = DoctorReport.table(of: provider)
        let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "<!-- findings -->\n")
        try #require(parts.count == 3)
        if ProcessInfo.processInfo.environment["LOCKSTEP_WRITE_PAGES"] != nil {
            let whole = [parts[0], "\n" + table + "\n", parts[2]].joined(separator: "<!-- findings -->\n")
            try Data(whole.utf8).write(to: page)
        } else {
            #expect(parts[1] == "\n" + table + "\n", "LOCKSTEP_WRITE_PAGES=1 swift test --filter DoctorRuleTests writes it")
        }
        for id in DoctorReport.allIDs where id.hasPrefix(provider + ".") { #expect(table.contains("`\(id)`")) }
    }

    @Test func findingsHaveUniqueNames() {
        #expect(Set(DoctorReport.allIDs).count == DoctorReport.allIDs.count)
        for id in DoctorReport.allIDs { #expect(Self.providers.contains { id.hasPrefix($0 + ".") }, "\(id)") }
    }

    /// Each finding names a statement, a capability or an error that exists.
    @Test func namesInFindingsExist() {
        let statements = Set(ProviderBehavior().statements.map { "ProviderBehavior.\($0.name)" })
        let capabilities = Set(Capability.all.map { "Capability.\($0.rawValue)" })
        let errors: [AuthError.Code] = [.weakPassword, .tooManyRequests, .providerRefused]
        let known = statements.union(capabilities).union(errors.map { "AuthError.Code.\($0.rawValue)" })
        let tables = Self.providers.map { DoctorReport.table(of: $0) }.joined()
        let touched = tables.matches(of: /`((?:ProviderBehavior|Capability|AuthError)[^`]*)`/).map { String($0.1) }
        #expect(touched.count > 40)
        for name in Set(touched).sorted() { #expect(known.contains(name), "\(name) does not exist") }
    }

    /// Each kind of redirect address, as in Supabase's list.
    @Test(arguments: [
        ("https://*", DoctorFinding.Level.fail), ("https://*.com/**", .fail), ("https://app.*/in", .fail), ("*", .fail),
        ("http://app.example/in", .fail), ("https://*.app.example/in", .warn), ("http://localhost:3000/**", .warn),
        ("http://127.0.0.1:3000", .warn), ("myapp://*", .info), ("https://app.example/**", .info), ("", .info),
    ])
    func redirectPatternsAreRated(address: String, level: DoctorFinding.Level) async throws {
        try await ScriptedProject.with(["gotrue"]) { project in
            let config: JSON = ["site_url": "https://app.example", "uri_allow_list": .string(address)]
            try await project.answer([("/settings", 200, [:]), ("/v1/projects/abc/config/auth", 200, config)])
            let report = try await Doctor.goTrue(
                url: "https://abc.supabase.co/auth/v1", key: nil, managementToken: "sbp_canary", transport: project.transport,
                clock: SystemClock()
            ).report()
            let finding = report.findings.first { $0.id == "gotrue.redirects" }
            #expect(finding?.level == level, "\(finding?.sentence ?? "")")
        }
    }

    /// A slow clock is as wrong as a fast one.
    @Test(arguments: [(-3600, DoctorFinding.Level.fail), (-20, .warn), (20, .warn), (0, .info)])
    func clocksAreCompared(seconds: Int, level: DoctorFinding.Level) async throws {
        try await ScriptedProject.with(["gotrue"]) { project in
            try await project.control(.post, "/clock?seconds=\(seconds)")
            let report = try await Doctor.goTrue(
                url: project.base + "/auth/v1", key: project.key("publishable"), transport: project.transport,
                clock: SystemClock()
            ).report()
            let finding = report.findings.first { $0.id == "gotrue.clock" }
            #expect(finding?.level == level, "\(finding?.sentence ?? "")")
        }
    }

    /// The line of Swift contains the project's settings.
    @Test func adapterLineHasTheProjectsSettings() async throws {
        try await ScriptedProject.with(["gotrue"]) { project in
            let config: JSON = [
                "site_url": "https://app.example", "uri_allow_list": "https://app.example/in,acme://in",
                "mailer_templates_confirmation_content": "<a href='{{ .SiteURL }}?t={{ .TokenHash }}'>", "mailer_otp_exp": 1800,
                "mailer_otp_length": 6, "sms_otp_exp": 60, "smtp_max_frequency": 5,
            ]
            try await project.answer([("/settings", 200, [:]), ("/v1/projects/abc/config/auth", 200, config)])
            let report = try await Doctor.goTrue(
                url: "https://abc.supabase.co/auth/v1", key: nil, managementToken: "sbp_canary", transport: project.transport,
                clock: SystemClock()
            ).report()
            #expect(report.findings.first { $0.id == "gotrue.mails-show-codes" }?.level == .warn)
            let adapter = report.adapter ?? ""
            for line in [
                "callback: \"acme://in\"", "configuration.mailsShowCodes = false",
                "configuration.emailProofLife = .seconds(1800)", "configuration.resendInterval = .seconds(5)",
            ] { #expect(adapter.contains(line), "\(adapter)") }
            #expect(!adapter.contains("smsProofLife"))
        }
    }

    /// A function's messages are its own, and a project without limits reports null.
    @Test func unusualResponsesAreUnderstood() async throws {
        try await ScriptedProject.with(["gotrue"]) { project in
            func expect(_ level: DoctorFinding.Level, _ id: String, _ config: JSON) async throws {
                try await project.answer([("/settings", 200, [:]), ("/v1/projects/abc/config/auth", 200, config)])
                let doctor = Doctor.goTrue(
                    url: "https://abc.supabase.co/auth/v1", key: nil, managementToken: "sbp_canary",
                    transport: project.transport, clock: SystemClock())
                let report = try await doctor.report()
                #expect(report.findings.first { $0.id == "gotrue." + id }?.level == level, "\(id): \(config.text())")
            }
            try await expect(.warn, "session-end", ["sessions_timebox": .null, "sessions_inactivity_timeout": .null])
            try await expect(.info, "session-end", ["sessions_timebox": 24, "sessions_inactivity_timeout": .null])
            try await expect(.unknown, "session-end", ["sessions_timebox": 24])
            try await expect(.info, "mail-service", ["smtp_host": .null, "hook_send_email_enabled": true])
            try await expect(.warn, "mail-service", ["smtp_host": .null, "hook_send_email_enabled": false])
            let template: JSON = "<a>{{ .ConfirmationURL }}</a>"
            try await expect(
                .unknown, "mails-show-codes",
                ["mailer_templates_confirmation_content": template, "hook_send_email_enabled": true])
        }
    }

    /// A token without its project is reported and not sent.
    @Test func missingProjectIsReported() async throws {
        try await ScriptedProject.with(["gotrue"]) { project in
            try await project.answer([("/settings", 200, [:]), ("*/v1/projects", 200, [:])])
            let reports = [
                try await Doctor.goTrue(
                    url: "https://auth.app.example", key: nil, managementToken: "sbp_canary", transport: project.transport,
                    clock: SystemClock()
                ).report(),
                try await Doctor.firebase(
                    apiKey: "AIzaCanary", accessToken: "ya29.canary", transport: project.transport, clock: SystemClock()
                ).report(),
            ]
            for (report, id) in zip(reports, ["gotrue.token-life", "firebase.anonymous-users"]) {
                let finding = try #require(report.findings.first { $0.id == id })
                #expect(finding.level == .unknown && finding.sentence.contains("--project"), "\(finding.sentence)")
            }
            #expect(!project.transport.requests.contains { "\($0.headers)".contains("canary") || $0.url.contains("canary") })
            let bearers = project.transport.requests.filter { $0.headers["Authorization"] != nil }
            #expect(bearers.isEmpty)
        }
    }
}
