import Lockstep
import LockstepContracts
import LockstepModels
import LockstepTestConcurrency
import Testing

#if canImport(LockstepEmulatorTestSupport)
import LockstepEmulatorTestSupport
#endif

/// The account: changes, sensitive ones after another sign-in, second factors, and the deletion.
@Suite("Account", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct AccountJourneyTests {
    private static let old = Duration.seconds(3600)

    @Test("a different name is saved", arguments: Place.all)
    func changesTheName(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let model = AccountModel(app.auth)
            #expect(model.displayName == "Ada" && !model.canSaveProfile)
            model.displayName = "Countess"
            #expect(model.canSaveProfile)
            await model.saveProfile()
            #expect(model.form.problems.isEmpty && model.lastChange == .profile)
            #expect(model.user?.displayName == "Countess" && !model.canSaveProfile)
            #expect(try await backend.environment.administrator?.users().first?.displayName == "Countess")
        }
    }

    @Test("the password is changed, and a wrong current password is shown next to its field", arguments: Place.all)
    func changesThePassword(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let model = AccountModel(app.auth)
            #expect(!model.canChangePassword)
            model.newPassword = "Better-Horse-2"
            model.currentPassword = "wrong"
            #expect(model.canChangePassword)
            await model.changePassword()
            #expect(model.form.codes == [.currentPassword: .invalidCredentials])
            model.currentPassword = Backend.password
            model.newPassword = "abc"
            await model.changePassword()
            #expect(model.form.codes == [.newPassword: .weakPassword])
            model.newPassword = "Better-Horse-2"
            await model.changePassword()
            #expect(model.form.problems.isEmpty && model.lastChange == .password)
            #expect(model.newPassword.isEmpty && model.currentPassword.isEmpty)
            try await (await backend.launch()).signIn(password: "Better-Horse-2")
        }
    }

    @Test(
        "a new address is used after its verification",
        arguments: [Place.code, .link, .limited, .goTrue])
    func changesTheAddress(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let model = AccountModel(app.auth)
            model.newEmail = "countess@"
            #expect(!model.canChangeEmail)
            model.newEmail = "countess@example.com"
            #expect(model.canChangeEmail)
            await model.changeEmail()
            #expect(model.form.problems.isEmpty && model.reauthentication == nil)
            #expect(app.screen == .signedIn && app.auth.sheet?.name == .verify)
            #expect(model.user?.email == Backend.email)
            // After a relaunch the form still asks for it.
            let relaunched = await backend.launch(on: app.store)
            #expect(relaunched.screen == .signedIn && relaunched.auth.sheet?.name == .verify)
            try await relaunched.verification().cancel()
            #expect(relaunched.auth.sheet == nil && relaunched.screen == .signedIn)
        }
    }

    @Test("an account is deleted once, after confirmation and another sign-in", arguments: Place.all)
    func deletesTheAccount(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            try await backend.advance(by: Self.old)
            let model = DeletionModel(app.auth)
            #expect(model.isOffered && !model.canSubmit)
            await model.submit()
            #expect(try await backend.environment.administrator?.users().count == 1)
            model.isConfirmed = true
            #expect(model.canSubmit)
            await model.submit()
            #expect(!model.isDeleted)
            let again = try #require(model.reauthentication)
            #expect(!model.canSubmit)
            #expect(again.way == .password && !again.canSubmit)
            again.password = "wrong"
            await again.submit()
            #expect(again.form.codes == [.password: .invalidCredentials])
            #expect(try await backend.environment.administrator?.users().count == 1)
            again.password = Backend.password
            await twice { await again.submit() }
            #expect(again.progress == .done && model.isDeleted)
            guard case .signedOut(.userDeleted) = app.auth.screen else {
                Issue.record("\(app.screen) is due after a deletion")
                return
            }
            #expect(try await backend.environment.administrator?.users().isEmpty == true)
        }
    }

    @Test("a cancelled deletion changes nothing", arguments: [Place.code, .firebase, .goTrue, .clerk])
    func cancelsADeletion(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            try await backend.advance(by: Self.old)
            let model = DeletionModel(app.auth)
            model.isConfirmed = true
            await model.submit()
            let again = try #require(model.reauthentication)
            again.password = Backend.password
            await model.cancel()
            #expect(model.reauthentication == nil && !model.isConfirmed && !model.canSubmit)
            // Its form is no longer active: a late tap does nothing.
            await again.submit()
            #expect(again.progress == .left)
            #expect(app.screen == .signedIn)
            #expect(try await backend.environment.administrator?.users().count == 1)
        }
    }

    @Test(
        "a password reset during a deletion ends it, and nothing is deleted",
        arguments: [Place.code, .link, .firebase, .goTrue])
    func passwordResetEndsADeletion(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            try await backend.advance(by: Self.old)
            let model = DeletionModel(app.auth)
            model.isConfirmed = true
            await model.submit()
            let again = try #require(model.reauthentication)
            #expect(again.offersPasswordReset)
            await again.forgotPassword()
            #expect(again.form.problems.isEmpty)
            #expect(again.progress == .left)
            #expect(app.screen == .signedIn && app.auth.sheet?.name == .verify)
            if try !app.verification().endsOnWebPage {
                try await app.prove()
                guard case .newPassword(let password)? = app.auth.step else {
                    Issue.record("\(app.auth.step?.name.rawValue ?? "nothing") is due after the proof")
                    return
                }
                password.password = "Better-Horse-2"
                await password.submit()
                #expect(app.screen == .signedIn && app.auth.sheet == nil)
            }
            #expect(!model.isDeleted)
            #expect(try await backend.environment.administrator?.users().count == 1)
        }
    }

    @Test("after a code as second sign-in the account is deleted", arguments: [Place.code, .goTrue])
    func deletesAfterACode(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            try await backend.advance(by: Self.old)
            let model = DeletionModel(app.auth)
            model.isConfirmed = true
            await model.submit()
            let again = try #require(model.reauthentication)
            #expect(again.ways.contains(.emailCodeSignIn))
            again.way = .emailCodeSignIn
            #expect(again.canSubmit)
            await again.submit()
            #expect(again.form.problems.isEmpty && again.progress == .underWay)
            #expect(app.auth.sheet?.name == .verify)
            // If the user cancels in the middle, nothing is deleted, and the user can start again.
            try await app.verification().cancel()
            #expect(again.progress == .asking && app.screen == .signedIn)
            #expect(try await backend.environment.administrator?.users().count == 1)
            try await backend.advance(by: .seconds(61))
            await again.submit()
            try await app.prove()
            #expect(again.progress == .done && model.isDeleted)
            #expect(try await backend.environment.administrator?.users().isEmpty == true)
        }
    }

    // An authenticator app computes codes for the emulators, which `make quick` does not build.
    #if canImport(LockstepEmulatorTestSupport)
    @Test("a second factor is added by its first code, listed and removed", arguments: [Place.firebase, .goTrue, .clerk])
    func addsAFactor(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let model = AccountModel(app.auth)
            #expect(model.offersFactors && model.canAdd(.authenticatorApp) && !model.canAdd(.phone))
            model.factorPhone = "0123"
            #expect(!model.canAdd(.phone))
            // An error about another kind is not shown next to the number.
            model.factorPhone = ""
            await model.loadFactors()
            #expect(model.factors?.isEmpty == true)
            await model.addFactor(.authenticatorApp, label: "Phone")
            #expect(model.form.problems.isEmpty)
            #expect(model.enrolment?.key != nil)
            #expect(app.auth.sheet?.name == .verify && app.screen == .signedIn)
            let verification = try app.verification()
            verification.code = "000000"
            await verification.submit()
            #expect(verification.form.problem(for: .code) != nil)
            #expect(model.enrolment != nil)
            await verification.cancel()
            #expect(model.enrolment == nil && app.auth.sheet == nil && model.lastChange == nil)
            // A factor without a confirmed code does not keep its name.
            await model.addFactor(.authenticatorApp, label: "Phone")
            #expect(model.form.problems.isEmpty && model.enrolment?.key != nil)
            try await app.verification().cancel()
            await model.addFactor(.authenticatorApp, label: "Tablet")
            let phone = AuthenticatorApp(secret: try #require(model.enrolment?.key).reveal())
            try app.verification().code = phone.code(at: backend.environment.clock.now)
            try await app.verification().submit()
            #expect(model.enrolment == nil && app.auth.sheet == nil && model.lastChange == .factorAdded)
            // The list contains it without another call.
            let factor = try #require(model.factors?.first)
            #expect(model.factors?.count == 1 && factor.kind == .authenticatorApp)
            await model.remove(factor)
            #expect(model.form.problems.isEmpty && model.factors?.isEmpty == true && model.lastChange == .factorRemoved)
        }
    }
    #endif

    @Test("a sensitive change in an old session asks for the password and then continues", arguments: [Place.code, .firebase])
    func changesAfterASecondSignIn(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            try await backend.advance(by: Self.old)
            let model = AccountModel(app.auth)
            model.newPassword = "abc"
            await model.changePassword()
            let first = try #require(model.reauthentication)
            #expect(model.lastChange == nil && model.newPassword == "abc")
            first.password = Backend.password
            await first.submit()
            // The following call fails, and the form shows the error next to its field.
            #expect(model.form.codes == [.newPassword: .weakPassword])
            #expect(model.reauthentication == nil && model.lastChange == nil && first.progress == .done)
            try await backend.advance(by: Self.old)
            model.newPassword = "Better-Horse-2"
            await model.changePassword()
            let again = try #require(model.reauthentication)
            again.password = Backend.password
            await again.submit()
            #expect(model.form.problems.isEmpty && model.lastChange == .password && model.reauthentication == nil)
            #expect(model.newPassword.isEmpty)
            try await (await backend.launch()).signIn(password: "Better-Horse-2")
        }
    }
}
