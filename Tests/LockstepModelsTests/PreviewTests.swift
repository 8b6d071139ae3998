import Lockstep
import LockstepModelPreviews
import LockstepModels
import LockstepTestSupport
import Testing

/// The list of previews: each is built, and shows what it is named after.
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
            let sentence = Words.english.sentence(for: app.auth.screen)
            #expect(!sentence.isEmpty && !sentence.contains("{"), "\(preview.id)")
        }
    }

    @Test("there is a preview of every screen, every step over a session, and of every way to stand before a gate")
    func showsEveryScreen() async {
        #expect(Set(ModelPreview.all.map(\.screen)) == Set(ScreenName.allCases))
        var (sheets, gates, forms) = (Set<ScreenName>(), 0, Set<String>())
        for preview in ModelPreview.all {
            let app = await preview.make(Self.effects)
            if let sheet = app.auth.sheet { sheets.insert(sheet.name) }
            guard let form = app.form else { continue }
            forms.insert(String("\(form)".prefix { $0 != "(" }))
            if case .gate(let gate) = form {
                #expect(gate.isWaiting, "\(preview.id)")
                gates += 1
                await gate.leave()
            }
        }
        #expect(sheets == [.verify, .browser])
        #expect(gates == 3)
        #expect(forms == ["signIn", "signUp", "passwordReset", "account", "deletion", "guest", "gate"])
    }

    @Test(
        "what can be wrong is shown beside its field",
        arguments: [
            ("signIn.wrongPassword", FormField.password, AuthError.Code.invalidCredentials),
            ("signIn.invalidEmail", .email, .invalidEmail),
            ("signIn.noNetwork", nil, .network), ("signUp.weakPassword", .password, .weakPassword),
            ("verify.wrongCode", .code, .invalidCode), ("account.wrongPassword", .currentPassword, .invalidCredentials),
        ] as [(String, FormField?, AuthError.Code)])
    func showsProblems(_ id: String, _ field: FormField?, _ code: AuthError.Code) async throws {
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
