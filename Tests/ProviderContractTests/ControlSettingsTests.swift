import Lockstep
import LockstepGoTrueEmulator
import LockstepHTTP
import LockstepPrimitives
import LockstepTestConcurrency
import LockstepTestSupport
import Testing

/// The settings of the control routes are the provider's own.
///
/// A patch applies to the adapter's next request, until a reset.
@Suite("Settings of the control API", .limitedConcurrency)
struct ControlSettingsTests {
    /// Values for one provider.
    private struct Values {
        /// A policy that rejects ``ControlCalls/password``.
        var strictPolicy: JSONObject
        /// The name of a setting of the file, and its value there.
        var given: (name: String, value: String)
        /// A misspelled name, and the right one.
        var misspelt: (String, String)
        /// A value of the wrong kind.
        var wrong: (name: String, value: JSON)
        /// A setting that is read only at the start.
        var fixed: (name: String, value: JSON)
        /// A secret setting.
        var secret: String

        init(_ place: ControlledPlace) {
            switch place {
            case .clerk:
                strictPolicy = ["PASSWORD_MIN_LENGTH": 40]
                given = ("APPLICATION_NAME", "Harbor")
                misspelt = ("PASSWORD_MIN_LENGHT", "PASSWORD_MIN_LENGTH")
                wrong = ("PASSWORD_MIN_LENGTH", "many")
                fixed = ("SECRET_KEY", "sk_test_aaaaaaaaaaaaaaaaaaaa")
                secret = "SECRET_KEY"
            case .firebase:
                strictPolicy = ["passwordPolicy": ["enforced": true, "minimumLength": 30]]
                given = ("limits.signUpsPerHour", "7")
                misspelt = ("limits.signUpsPerHuor", "limits.signUpsPerHour")
                wrong = ("passwordPolicy.minimumLength", 5)
                fixed = ("mode", "emulator")
                secret = "hashing.signerKey"
            case .goTrue:
                strictPolicy = ["GOTRUE_PASSWORD_MIN_LENGTH": 40]
                given = ("GOTRUE_JWT_EXP", "1800")
                misspelt = ("GOTRUE_PASWORD_MIN_LENGTH", "GOTRUE_PASSWORD_MIN_LENGTH")
                wrong = ("GOTRUE_PASSWORD_MIN_LENGTH", "many")
                fixed = ("GOTRUE_JWT_SECRET", "another-secret-of-at-least-32-characters")
                secret = "GOTRUE_JWT_SECRET"
            }
        }
    }

    /// The settings by name.
    private func settings(_ routes: ControlCalls) async throws -> [String: JSON] {
        let answer = try await routes(.get, "/settings")
        let list = try #require(answer.json["settings"]?.array)
        return Dictionary(uniqueKeysWithValues: list.map { ($0["name"]?.string ?? "", $0) })
    }

    @Test("a patched policy applies to the next sign-up, and a reset restores the old one", arguments: ControlledPlace.allCases)
    func patchAppliesUntilAReset(_ place: ControlledPlace) async throws {
        let values = Values(place)
        try await place.run { routes async throws in
            let before = try await settings(routes)
            let patched = try await routes(.patch, "/settings", .object(values.strictPolicy))
            #expect(patched.status == 200, "\(patched.json)")
            let changed = try #require(patched.json["settings"]?.array).filter { $0["origin"] == "patched" }
            #expect(changed.contains { $0["value"] == 40 || $0["value"] == 30 }, "\(changed)")
            do {
                _ = try await routes.client().signUp(with: .password(email: "ada@example.com", password: ControlCalls.password))
                Issue.record("a short password was accepted")
            } catch let error as AuthError {
                #expect(error.code == .weakPassword)
            }
            #expect(try await routes(.post, "/reset").status == 200)
            #expect(try await settings(routes) == before)
            _ = try await routes.client().signUp(with: .password(email: "ada@example.com", password: ControlCalls.password))
        }
    }

    @Test("each setting has its value, its default and its origin; a secret is masked", arguments: ControlledPlace.allCases)
    func showsOrigins(_ place: ControlledPlace) async throws {
        let values = Values(place)
        try await place.run([values.given]) { routes async throws in
            let shown = try await settings(routes)
            let given = try #require(shown[values.given.name])
            #expect(
                given["origin"] == "file" && given["value"]?.settingText == values.given.value
                    && given["value"] != given["default"])
            #expect(given["changeable"] == true && given["section"]?.string?.isEmpty == false)
            let other = try #require(shown[values.misspelt.1])
            #expect(other["origin"] == (values.misspelt.1 == values.given.name ? "file" : "default"))
            #expect(shown[values.fixed.name]?["changeable"] == false)
            let secret = try #require(shown[values.secret]?["value"])
            #expect(secret.isNull || secret == .string(Secret.mask), "\(secret)")
        }
    }

    @Test(
        "a patch with one invalid value changes nothing, and the error names it", arguments: ControlledPlace.allCases)
    func changesAllOrNothing(_ place: ControlledPlace) async throws {
        let values = Values(place)
        try await place.run { routes async throws in
            let before = try await settings(routes)
            for (name, value, status, part) in [
                (values.misspelt.0, 8, 400, "Did you mean \"\(values.misspelt.1)\"?"),
                (values.wrong.name, values.wrong.value, 400, "for \(values.wrong.name): expected"),
                (values.fixed.name, values.fixed.value, 422, "\"\(values.fixed.name)\""),
            ] as [(String, JSON, Int, String)] {
                var patch = values.strictPolicy
                if patch[name] == nil { patch[name] = value } else { patch = [name: value] }
                let refused = try await routes(.patch, "/settings", .object(patch))
                #expect(refused.status == status && refused.json["error"]?.string?.contains(part) == true, "\(refused)")
            }
            for body in [JSON.array([]), "text", 1] {
                #expect(try await routes(.patch, "/settings", body).status == 400)
            }
            #expect(try await settings(routes) == before)
            #expect(try await routes(.patch, "/settings", [:]).status == 200)
        }
    }

    @Test("settings that contradict each other are rejected together", arguments: [ControlledPlace.clerk, .goTrue])
    func rejectsContradictions(_ place: ControlledPlace) async throws {
        let patch: JSON =
            place == .clerk
            ? ["EMAIL_ADDRESS": "off", "PHONE_NUMBER": "off", "USERNAME": "off"]
            : ["GOTRUE_MAILER_AUTOCONFIRM": true, "GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS": true]
        try await place.run { routes async throws in
            let before = try await settings(routes)
            let refused = try await routes(.patch, "/settings", patch)
            #expect(refused.status == 422, "\(refused)")
            #expect(try await settings(routes) == before)
        }
    }

    @Test("a waiting request for changes reports a patch", arguments: ControlledPlace.allCases)
    func patchIsReportedAsAChange(_ place: ControlledPlace) async throws {
        try await place.run { routes async throws in
            let number = try #require(try await routes(.get, "/changes").json["number"]?.int)
            #expect(try await routes(.patch, "/settings", .object(Values(place).strictPolicy)).status == 200)
            let kinds = try await routes(.get, "/changes?after=\(number)&wait=30").json["kinds"]?.array
            #expect(kinds?.contains("settings") == true)
        }
    }

    @Test("patched addresses and limits apply immediately on Supabase (GoTrue)")
    func patchedRulesApplyImmediately() async throws {
        try await ControlledPlace.goTrue.run { routes async throws in
            let credential = { (name: String) in
                PasswordCredential.password(email: name + "@example.com", password: ControlCalls.password)
            }
            _ = try await routes.client().signUp(with: credential("ada"))
            let patch: JSON = ["GOTRUE_SITE_URL": "https://harbor.example", "GOTRUE_RATE_LIMIT_EMAIL_SENT": 1]
            #expect(try await routes(.patch, "/settings", patch).status == 200)
            _ = try await routes.client().signUp(with: credential("bob"))
            let mails = try await routes(.get, "/messages").json["messages"]?.array
            #expect(mails?.map { $0["link"]?.string?.contains("harbor.example") } == [false, true])
            do {
                _ = try await routes.client().signUp(with: credential("eve"))
                Issue.record("a second mail of the hour was sent")
            } catch let error as AuthError {
                #expect(error.code == .tooManyRequests)
            }
        }
    }
}
