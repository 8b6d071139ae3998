import Lockstep
import LockstepModelPreviews
import LockstepModels
import LockstepTestSupport
import Testing

/// Every preview of the list can be built and shows the screen of its name.
@Suite("Previews")
@MainActor
struct PreviewTests {
    private static let effects = ClientEffects(clock: ManualClock(base: FixedClock()), randomness: SeededRandomness(seed: 7))

    @Test("every preview shows its screen")
    func showsItsScreen() async {
        #expect(Set(ModelPreview.all.map(\.id)).count == ModelPreview.all.count)
        for preview in ModelPreview.all {
            let app = await preview.make(Self.effects)
            #expect(app.auth.screen.name == preview.screen, "\(preview.id)")
            let sentence = AuthStrings.english.sentence(for: app.auth.screen)
            #expect(!sentence.isEmpty && !sentence.contains("{"), "\(preview.id)")
        }
    }

    @Test("every screen, every step over a session and every state of a gate has a preview")
    func showsEveryScreen() async {
        #expect(Set(ModelPreview.all.map(\.screen)) == Set(ScreenName.allCases))
        var (sheets, gates, forms) = (Set<ScreenName>(), Set<String>(), Set<String>())
        for preview in ModelPreview.all {
            let app = await preview.make(Self.effects)
            if let sheet = app.auth.sheet { sheets.insert(sheet.name) }
            guard let form = app.form else { continue }
            forms.insert(String("\(form)".prefix { $0 != "(" }))
            if case .gate(let gate) = form {
                #expect(gate.isWaiting, "\(preview.id)")
                if let obstacle = gate.obstacle { gates.insert(Self.name(of: obstacle)) }
                await gate.cancel()
            }
        }
        #expect(sheets == [.verify, .browser])
        #expect(
            gates == ["signIn", "linkAnonymousUser", "step", "secondFactor", "noSecondFactor", "reauthenticate", "problem"],
            "\(gates.sorted())")
        #expect(forms == ["signIn", "signUp", "passwordReset", "account", "deletion", "anonymous", "gate"])
    }

    /// Without a default, so that a new method is missed here.
    private static func name(of obstacle: FeatureGate.Obstacle) -> String {
        switch obstacle {
        case .signIn: "signIn"
        case .linkAnonymousUser: "linkAnonymousUser"
        case .step: "step"
        case .secondFactor: "secondFactor"
        case .noSecondFactor: "noSecondFactor"
        case .reauthenticate: "reauthenticate"
        case .problem: "problem"
        }
    }

    private static func make(_ id: String) async throws -> PreviewApp {
        let preview = try #require(ModelPreview.all.first { $0.id == id })
        return await preview.make(effects)
    }

    @Test("pending, expired, chosen, enrolled and conflicting states have previews")
    func showsOtherViews() async throws {
        let busy = try await Self.make("signIn.busy")
        guard case .signIn(let signIn)? = busy.form else { throw Failure("no sign-in") }
        #expect(signIn.form.activity == .signingIn && !signIn.canSubmit)
        signIn.form.cancel()
        #expect(try await Self.make("signIn.refusedAtAPage").auth.problem?.error.code == .providerRefused)
        guard case .verify(let expired)? = try await Self.make("verify.expired").auth.step else { throw Failure("no proof") }
        #expect(expired.expiryCountdown?.isOver == true && expired.canResend)
        guard case .secondFactor(let factor)? = try await Self.make("secondFactor.backupCode").auth.step else {
            throw Failure("no second factor")
        }
        #expect(factor.choices.count == 2 && factor.step.challenge?.channel == .backupCode)
        guard case .account(let enrolling)? = try await Self.make("account.newFactor").form else { throw Failure("no account") }
        #expect(enrolling.enrolment?.key != nil && enrolling.factors == [])
        let conflict = try await Self.make("account.conflict")
        guard case .account(let account)? = conflict.form else { throw Failure("no account") }
        #expect(conflict.auth.conflict != nil && account.conflict != nil && account.otherAccount != nil)
    }

    @Test(
        "errors are shown next to their fields",
        arguments: [
            ("signIn.wrongPassword", FormField.password, AuthError.Code.invalidCredentials),
            ("signIn.invalidEmail", .email, .invalidEmail),
            ("signIn.noNetwork", nil, .network), ("signUp.weakPassword", .password, .weakPassword),
            ("signUp.tooWeakForTheApp", .password, .weakPassword),
            ("verify.wrongCode", .code, .invalidCode), ("account.wrongPassword", .currentPassword, .invalidCredentials),
        ] as [(String, FormField?, AuthError.Code)])
    func showsProblemsNextToTheirFields(_ id: String, _ field: FormField?, _ code: AuthError.Code) async throws {
        let app = try await #require(ModelPreview.all.first { $0.id == id }).make(Self.effects)
        let form: FormState? =
            switch app.form {
            case .signIn(let model): model.form
            case .signUp(let model): model.form
            case .account(let model): model.form
            default: if case .verify(let model)? = app.auth.step { model.form } else { nil }
            }
        #expect(form?.codes == [field: code])
    }
}
