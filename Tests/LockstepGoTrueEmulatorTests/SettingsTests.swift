import Foundation
import LockstepEmulation
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

@testable import LockstepGoTrueEmulator

@Suite(.limitedConcurrency)
struct SettingsTests {
    @Test func readsTheServersVariableNames() throws {
        let settings = try GoTrueSettings(environment: [
            ("GOTRUE_SITE_URL", "https://app.example.com"), ("GOTRUE_JWT_EXP", "60"), ("GOTRUE_SMTP_MAX_FREQUENCY", "1m30s"),
            ("GOTRUE_PASSWORD_REQUIRED_CHARACTERS", "abc:\\:+"), ("GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID", "a, b"),
            ("GOTRUE_SESSIONS_TIMEBOX", "24h"),
        ])
        #expect(settings.siteURL == "https://app.example.com")
        #expect(settings.tokens.life == 60)
        #expect(settings.mail.interval == .seconds(90))
        #expect(settings.passwords.requiredCharacters == ["abc", ":+"])
        #expect(settings.providers["keycloak"]?.clients == ["a", "b"])
        #expect(settings.sessions.life == .seconds(86_400))
        #expect(settings.notices.isEmpty)
    }

    @Test func readsValuesLikeTheServer() throws {
        let settings = try GoTrueSettings(environment: [
            ("GOTRUE_PASSWORD_REQUIRED_CHARACTERS", #"a\b:c\:d::e"#), ("GOTRUE_SMS_TEST_OTP", "+1 555 0:123456, 1666:1"),
            ("GOTRUE_SMS_TEST_OTP_VALID_UNTIL", "2030-01-01T00:00:00Z"), ("GOTRUE_SMS_OTP_LENGTH", "11"),
            ("GOTRUE_MAILER_OTP_EXP", "999999"), ("GOTRUE_RATE_LIMIT_EMAIL_SENT", "5"), ("GOTRUE_RATE_LIMIT_SMS_SENT", "5/1m"),
            ("GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION", "600"), ("GOTRUE_MFA_PHONE_TEMPLATE", "{{ .Code }}!"),
            ("GOTRUE_MAILER_TEMPLATES_INVITE", "http://localhost/invite"),
            ("GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES", "a@b.c"), ("GOTRUE_CORS_ALLOWED_HEADERS", "apikey, X-Own"),
            ("GOTRUE_HOOK_MFA_VERIFICATION_ATTEMPT_ENABLED", "true"),
            ("GOTRUE_HOOK_MFA_VERIFICATION_ATTEMPT_URI", "http://localhost:1/x"),
            ("GOTRUE_HOOK_MFA_VERIFICATION_ATTEMPT_SECRETS", "v1,whsec_YQ==|v1,whsec_Yg=="),
        ])
        #expect(settings.passwords.requiredCharacters == [#"a\b"#, "c:d", "e"])
        #expect(settings.sms.testCodes == ["15550": "123456", "1666": "1"])
        #expect(settings.sms.testCodesEnd == Instant(rfc3339: "2030-01-01T00:00:00Z"))
        #expect(settings.sms.codeLength == 6)
        #expect(settings.mail.codeLife == .seconds(86_400))
        #expect(settings.limits.mails == SendingRate(perHour: 5))
        #expect(settings.limits.messages?.period == .seconds(60))
        #expect(settings.factors.challengeLife == .seconds(600))
        #expect(settings.factors.phoneTemplate == "{{ .Code }}!")
        #expect(settings.mail.templates == ["INVITE": "http://localhost/invite"])
        #expect(settings.allowedHeaders == ["apikey", "X-Own"])
        #expect(settings.hooks.factorVerification?.secrets.count == 2)
        #expect(settings.notices.isEmpty)
    }

    @Test func reportsSettingsWithoutEffect() throws {
        let settings = try GoTrueSettings(environment: [
            ("GOTRUE_SAML_ENABLED", "true"), ("GOTRUE_NO_SUCH_THING", "1"), ("GOTRUE_DB_DRIVER", "postgres"), ("SITE_ULR", "x"),
            ("DB_MAX_POOL_SIZE", "1"), ("SAML_PRIVATE_KEY", "x"), ("JWT_EXP", "60"), ("GOTRUE_JWT_EXP", "70"),
        ])
        #expect(settings.notices.count == 4)
        #expect(settings.notices.contains { $0.hasPrefix("SITE_ULR is unknown") })
        #expect(settings.notices.contains { $0.hasPrefix("SAML_PRIVATE_KEY has no effect") })
        #expect(settings.tokens.life == 70, "the name with its prefix counts")
        #expect(settings.notices.contains { $0.contains("GOTRUE_SAML_ENABLED") })
        #expect(settings.notices.contains { $0.contains("GOTRUE_NO_SUCH_THING") })
    }

    @Test(arguments: [
        ("GOTRUE_JWT_EXP", "soon"), ("GOTRUE_DISABLE_SIGNUP", "perhaps"), ("GOTRUE_SMTP_MAX_FREQUENCY", "often"),
        ("LOCKSTEP_PASSWORD_COST", "free"), ("LOCKSTEP_HEADER_LIMIT", "1000"), ("LOCKSTEP_HEADER_LIMIT", "2000000"),
        ("GOTRUE_RATE_LIMIT_EMAIL_SENT", "many"), ("GOTRUE_SESSIONS_TIMEBOX", "0s"),
        ("GOTRUE_SMS_TEST_OTP_VALID_UNTIL", "soon"),
    ])
    func rejectsUnreadableSettings(_ pair: (String, String)) {
        #expect(throws: GoTrueSettingsError.self) { try GoTrueSettings(environment: [(name: pair.0, value: pair.1)]) }
    }

    @Test func rejectsKeysThatDoNotSign() throws {
        #expect(throws: GoTrueSettingsError.self) { try TestEmulator { $0.tokens.keys = "[]" } }
    }

    @Test func readsASettingsFile() throws {
        let pairs = try EnvironmentFile.parse("# a comment\nA=1\n\nexport B=\"two words\"\nC='x=y'\r\n")
        #expect(pairs.map(\.name) == ["A", "B", "C"])
        #expect(pairs.map(\.value) == ["1", "two words", "x=y"])
    }

    /// `lockstep serve gotrue --print-env` prints exactly the defaults, as the reader itself reports them.
    @Test func sampleEqualsTheDefaults() throws {
        let pairs = try EnvironmentFile.parse(GoTrueSettings.sampleEnvironment)
        #expect(try GoTrueSettings(environment: pairs) == GoTrueSettings())
        #expect(pairs.contains { $0 == ("GOTRUE_SITE_URL", "http://localhost:3000") })
        #expect(pairs.contains { $0 == ("GOTRUE_MAILER_OTP_EXP", "86400") })
        #expect(pairs.contains { $0 == ("GOTRUE_SMTP_MAX_FREQUENCY", "60s") })
        #expect(pairs.contains { $0 == ("GOTRUE_JWT_ADMIN_ROLES", "service_role,supabase_admin") })
    }

    /// The sample contains every setting once, below a line about it.
    ///
    /// It is also valid without the comment marks.
    @Test func sampleListsEverySetting() throws {
        let lines = GoTrueSettings.sampleEnvironment.split(separator: "\n", omittingEmptySubsequences: false)
        var shown: [String: Int] = [:]
        for (index, line) in lines.enumerated() {
            let bare = line.hasPrefix("# GOTRUE_") ? line.dropFirst(2) : line
            guard let sign = bare.firstIndex(of: "="), !bare.hasPrefix("#") else { continue }
            shown[String(bare[..<sign]), default: 0] += 1
            let about = lines[index - 1]
            #expect(about.hasPrefix("# ") && about.hasSuffix(".") && about.utf8.count > 10, "\(bare)")
        }
        #expect(shown.values.allSatisfy { $0 == 1 })
        for name in GoTrueSettings.providerNames {
            let provider = "GOTRUE_EXTERNAL_" + name.uppercased() + "_"
            let read = Set(
                GoTrueSettings.variables(of: name).map { variable in
                    variable.name.hasPrefix(provider)
                        ? "GOTRUE_EXTERNAL_GOOGLE_" + variable.name.dropFirst(provider.utf8.count) : variable.name
                })
            #expect(read == Set(shown.keys), "\(name): \(read.symmetricDifference(shown.keys))")
        }
        let whole = lines.map { $0.hasPrefix("# GOTRUE_") ? String($0.dropFirst(2)) : String($0) }.joined(separator: "\n")
        let settings = try GoTrueSettings(environment: EnvironmentFile.parse(whole))
        #expect(settings.notices.isEmpty && settings.providers.keys.sorted() == ["google"])
        #expect(settings.providers["google"]?.isEnabled == false)
    }

    /// The settings of the recordings come from a real server.
    ///
    /// The sample contains those that have an effect.
    @Test(arguments: ["full", "autoc", "strict", "disabled", "captcha", "es256", "nosend", "hookfail", "sessions"])
    func sampleListsTheSettingsOfRealServers(_ variant: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/Settings/gotrue/\(variant).env")
        let sample = GoTrueSettings.sampleEnvironment
        for (name, value) in try EnvironmentFile.parse(try String(contentsOf: file, encoding: .utf8)) {
            // A setting without an effect does not change the settings.
            let without = try GoTrueSettings(environment: [])
            guard let with = try? GoTrueSettings(environment: [(name, value)]), with != without else { continue }
            let shown = name.replacing("_KEYCLOAK_", with: "_GOOGLE_")
            #expect(sample.contains("\n\(shown)=") || sample.contains("\n# \(shown)="), "\(name)")
        }
    }
}
