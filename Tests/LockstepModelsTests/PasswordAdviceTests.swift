import Lockstep
import LockstepModels
import LockstepTestSupport
import Synchronization
import Testing

/// A meter's estimate: shown, and blocking only if the app sets a minimum.
@Suite("Password advice")
@MainActor
struct PasswordAdviceTests {
    /// Scores by length, and records its input.
    private final class Meter: PasswordStrengthMeter {
        private let asked = Mutex<[[String]]>([])
        var weakWords: [[String]] { asked.withLock { $0 } }

        func strength(of password: Secret, weakWords: [String]) -> PasswordStrength {
            asked.withLock { $0.append(weakWords) }
            let length = password.reveal().count
            guard length < 12 else { return PasswordStrength(.strong) }
            return PasswordStrength(length < 6 ? .veryWeak : .fair, reason: .short, suggestion: .makeLonger)
        }
    }

    @Test("without a meter no password is estimated or blocked")
    func passwordsNeedNoMeter() async throws {
        try await Place.code.run { backend in
            let model = SignUpModel(await backend.launch().auth)
            model.email = Backend.email
            model.password = "abc"
            #expect(model.strength == nil && model.canSubmit)
        }
    }

    @Test("an estimate is shown, with name and address as weak words")
    func estimateInforms() async throws {
        try await Place.code.run { backend in
            let meter = Meter()
            let model = SignUpModel(await backend.launch(advice: PasswordAdvice(meter)).auth)
            #expect(model.strength == nil && meter.weakWords.isEmpty)
            model.email = Backend.email
            model.displayName = "Ada Lovelace"
            model.password = "abcdefgh"
            #expect(model.strength == PasswordStrength(.fair, reason: .short, suggestion: .makeLonger))
            #expect(meter.weakWords.last == [Backend.email, "Ada Lovelace"])
            #expect(model.canSubmit)
        }
    }

    @Test(
        "a weak password is blocked if the app sets a minimum: at sign-up, after a reset, in the account",
        arguments: [Place.code, .goTrue])
    func weakPasswordIsBlockedIfTheAppSetsAMinimum(_ place: Place) async throws {
        try await place.run { backend in
            let advice = PasswordAdvice(Meter(), minimum: .good)
            try await backend.enrol()
            let app = await backend.launch(advice: advice)
            let model = SignUpModel(app.auth)
            model.email = "new@example.com"
            model.password = "abcdefgh"
            #expect(!model.canSubmit)
            let sent = try await backend.requests { await model.submit() }
            #expect(sent == 0)
            // A tap without an effect shows the reason.
            #expect(model.form.codes == [.password: .weakPassword])
            #expect(
                model.form.problem(for: .password)?.text() == "Choose a password with a strength of at least 3 out of 4 (Good).")
            model.password = Backend.password
            #expect(model.canSubmit)
            let reset = PasswordResetModel(app.auth)
            reset.email = Backend.email
            await reset.submit()
            try await app.prove()
            guard case .newPassword(let password)? = app.auth.step else {
                Issue.record("\(app.screen) is due")
                return
            }
            password.password = "abcdefgh"
            #expect(password.strength?.score == .fair && !password.canSubmit)
            await password.submit()
            #expect(app.auth.step?.name == .newPassword)
            password.password = "Better-Horse-2"
            await password.submit()
            #expect(app.screen == .signedIn)
            let account = AccountModel(app.auth)
            account.newPassword = "abcdefgh"
            #expect(!account.canChangePassword)
            account.newPassword = "Even-Better-Horse-3"
            #expect(account.canChangePassword)
        }
    }

    @Test("a name is suggested if the app asks for it, and another one on request")
    func suggestsNames() async throws {
        try await Place.automatic.run { backend in
            let app = await backend.launch()
            #expect(SignUpModel(app.auth).displayName.isEmpty && !SignUpModel(app.auth).canSuggestName)
            let model = SignUpModel(app.auth) { "quiet otter " + $0.text(4) }
            let first = model.displayName
            #expect(first.hasPrefix("quiet otter ") && model.canSuggestName)
            model.suggestName()
            #expect(model.displayName != first)
            model.email = Backend.email
            model.password = Backend.password
            await model.submit()
            #expect(app.auth.screen.session?.user.displayName == model.displayName)
        }
    }
}
