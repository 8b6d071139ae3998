import LockstepEmulation
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import Testing

struct SettingsTests {
    @Test func readsTheServersNames() throws {
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

    @Test func tellsOfWhatHasNoEffect() throws {
        let settings = try GoTrueSettings(environment: [
            ("GOTRUE_SAML_ENABLED", "true"), ("GOTRUE_NO_SUCH_THING", "1"), ("GOTRUE_DB_DRIVER", "postgres"), ("PATH", "/bin"),
        ])
        #expect(settings.notices.count == 2)
        #expect(settings.notices.contains { $0.contains("GOTRUE_SAML_ENABLED") })
        #expect(settings.notices.contains { $0.contains("GOTRUE_NO_SUCH_THING") })
    }

    @Test(arguments: [
        ("GOTRUE_JWT_EXP", "soon"), ("GOTRUE_DISABLE_SIGNUP", "perhaps"), ("GOTRUE_SMTP_MAX_FREQUENCY", "often"),
        ("LOCKSTEP_PASSWORD_COST", "free"),
    ])
    func refusesWhatItCannotRead(_ pair: (String, String)) {
        #expect(throws: GoTrueSettingsError.self) { try GoTrueSettings(environment: [(name: pair.0, value: pair.1)]) }
    }

    @Test func refusesKeysThatDoNotSign() throws {
        #expect(throws: GoTrueSettingsError.self) { try Stage { $0.tokens.keys = "[]" } }
    }

    @Test func readsAFile() {
        let pairs = EnvironmentFile.parse("# a comment\nA=1\n\nexport B=\"two words\"\nC='x=y'\r\n")
        #expect(pairs.map(\.name) == ["A", "B", "C"])
        #expect(pairs.map(\.value) == ["1", "two words", "x=y"])
    }
}
