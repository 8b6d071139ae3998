import Lockstep
import LockstepContracts
import LockstepModels
import LockstepTestConcurrency
import Testing

/// Concurrent events: a tap during a call, a user who leaves when a response arrives, another user in place of the first.
@Suite("Races", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct RaceTests {
    private static let old = Duration.seconds(3600)

    // MARK: Leaving a second sign-in

    @Test("the cancel button of the second sign-in returns to the change", arguments: [Place.code, .firebase])
    func cancelsReauthenticationByItsButton(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            try await backend.advance(by: Self.old)
            let deletion = DeletionModel(app.auth)
            deletion.isConfirmed = true
            await deletion.submit()
            let first = try #require(deletion.reauthentication)
            await first.cancel()
            #expect(deletion.reauthentication == nil && deletion.canSubmit)
            await deletion.submit()
            let second = try #require(deletion.reauthentication)
            #expect(second !== first && second.progress == .asking)
            // A form that is still on the screen does not delete an account that is no longer confirmed.
            deletion.isConfirmed = false
            second.password = Backend.password
            await second.submit()
            #expect(deletion.reauthentication == nil && second.progress == .left)
            let account = AccountModel(app.auth)
            account.newPassword = "Better-Horse-2"
            await account.changePassword()
            await account.reauthentication?.cancel()
            #expect(account.reauthentication == nil && account.canChangePassword)
            #expect(try await backend.environment.administrator?.users().count == 1)
        }
    }

    @Test(
        "a password reset ends a pending sign-in and sends the message",
        arguments: [Place.code, .firebase, .goTrue])
    func passwordResetEndsAPendingSignIn(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let faults = try #require(backend.environment.faults)
            try await backend.advance(by: Self.old)
            let model = DeletionModel(app.auth)
            model.isConfirmed = true
            await model.submit()
            let again = try #require(model.reauthentication)
            // Without a network the form shows the error, and the user can still sign in.
            try await faults.inject(.offline, on: .any, skipping: 0, times: nil)
            await again.forgotPassword()
            #expect(again.form.codes == [nil: .network] && again.progress == .asking && model.reauthentication != nil)
            try await faults.clear()
            again.password = Backend.password
            try await faults.inject(.hang, on: .signIn, skipping: 0, times: 1)
            let tap = Task { await again.submit() }
            try await faults.untilHanging(1)
            await again.forgotPassword()
            await tap.value
            try await faults.release()
            #expect(again.form.problems.isEmpty && again.progress == .left && model.reauthentication == nil)
            #expect(app.auth.sheet?.name == .verify)
            #expect(try await backend.message().recipient == Backend.email)
            #expect(!model.isDeleted)
            #expect(try await backend.environment.administrator?.users().count == 1)
        }
    }

    @Test("leaving while the code is sent leaves no flow that deletes the account")
    func leavingWhileTheCodeIsSentKeepsTheAccount() async throws {
        try await Place.code.run { backend in
            let interruption = Interruption()
            let app = try await backend.member(events: interruption.events)
            try await backend.advance(by: Self.old)
            let model = DeletionModel(app.auth)
            model.isConfirmed = true
            await model.submit()
            let again = try #require(model.reauthentication)
            again.way = .emailCodeSignIn
            interruption.at(endOf: "account.reauthenticate") { await model.cancel() }
            await again.submit()
            await interruption.end()
            #expect(again.progress == .left && model.reauthentication == nil)
            #expect(app.auth.sheet == nil && app.client.pending == nil)
        }
    }

    @Test("leaving while an error arrives shows no form that deletes the account", arguments: [Place.code, .firebase])
    func leavingWhileAnErrorArrivesShowsNoForm(_ place: Place) async throws {
        try await place.run { backend in
            let interruption = Interruption()
            let app = try await backend.member(events: interruption.events)
            try await backend.advance(by: Self.old)
            let model = DeletionModel(app.auth)
            model.isConfirmed = true
            interruption.at(endOf: "account.delete") { await model.cancel() }
            await model.submit()
            await interruption.end()
            #expect(model.reauthentication == nil && !model.isConfirmed && model.form.problems.isEmpty)
        }
    }

    @Test("another change ends the second sign-in of the previous change and its flow")
    func nextChangeEndsAPendingReauthentication() async throws {
        try await Place.code.run { backend in
            let app = try await backend.member()
            try await backend.advance(by: Self.old)
            let model = AccountModel(app.auth)
            model.newPassword = "Better-Horse-2"
            await model.changePassword()
            let again = try #require(model.reauthentication)
            again.way = .emailCodeSignIn
            await again.submit()
            #expect(app.auth.sheet?.name == .verify)
            model.displayName = "Countess"
            await model.saveProfile()
            #expect(model.lastChange == .profile && model.reauthentication == nil && again.progress == .left)
            #expect(app.auth.sheet == nil && app.client.pending == nil)
        }
    }

    @Test("a newer enrollment keeps its key when the older one ends", arguments: [Place.code, .goTrue])
    func newerEnrollmentKeepsItsKey(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let model = AccountModel(app.auth)
            await model.addFactor(.authenticatorApp, label: "Phone")
            let first = try #require(model.enrolment)
            await model.addFactor(.authenticatorApp, label: "Tablet")
            let second = try #require(model.enrolment)
            #expect(first.challenge.flow.id != second.challenge.flow.id && second.key != nil)
            try await app.verification().cancel()
            #expect(model.enrolment == nil)
        }
    }

    // MARK: Buttons of one form

    @Test("a sign-out ends pending changes and is carried out", arguments: [Place.code, .firebase, .goTrue, .clerk])
    func signOutEndsPendingChanges(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let faults = try #require(backend.environment.faults)
            let model = AccountModel(app.auth)
            model.displayName = "Countess"
            try await faults.inject(.hang, on: .change, skipping: 0, times: 1)
            let saving = Task { await model.saveProfile() }
            try await faults.untilHanging(1)
            await twice { await model.signOut() }
            await saving.value
            #expect(app.screen == .signedOut && model.form.problems.isEmpty && !model.form.isBusy)
            try await faults.release()
        }
    }

    @Test("another button waits for its turn, and the same button sends one request", arguments: [Place.code, .goTrue])
    func secondButtonWaitsForItsTurn(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let faults = try #require(backend.environment.faults)
            let model = AccountModel(app.auth)
            model.displayName = "Countess"
            model.newPassword = "Better-Horse-2"
            model.currentPassword = Backend.password
            try await faults.inject(.hang, on: .change, skipping: 0, times: 1)
            let saving = Task { await model.saveProfile() }
            try await faults.untilHanging(1)
            let changing = Task { await twice { await model.changePassword() } }
            let again = Task { await model.saveProfile() }
            await Task.yield()
            try await faults.release()
            for task in [saving, changing, again] { await task.value }
            #expect(model.form.problems.isEmpty && model.lastChange == .password)
            #expect(model.user?.displayName == "Countess")
            try await (await backend.launch()).signIn(password: "Better-Horse-2")
            // A disappeared screen makes no waiting call.
            model.displayName = "Ada"
            model.newEmail = "countess@example.com"
            try await faults.inject(.hang, on: .change, skipping: 0, times: 1)
            let first = Task { await model.saveProfile() }
            try await faults.untilHanging(1)
            let waiting = Task { await model.changeEmail() }
            await Task.yield()
            model.form.cancel()
            for task in [first, waiting] { await task.value }
            try await faults.release()
            #expect(app.client.pending == nil)
        }
    }

    @Test("a link that fails during the check of a code does not end the change that waits for the code")
    func failedLinkDoesNotEndTheChange() async throws {
        try await Place.code.run { backend in
            let app = try await backend.member()
            let faults = try #require(backend.environment.faults)
            let following = Task { await app.auth.run() }
            defer { following.cancel() }
            let model = AccountModel(app.auth)
            model.newEmail = "countess@example.com"
            await model.changeEmail()
            let verification = try app.verification()
            verification.code = try #require(try await backend.message(to: model.newEmail).code)
            try await faults.inject(.hang, on: .verification, skipping: 0, times: 1)
            let answer = Task { await verification.submit() }
            try await faults.untilHanging(1)
            let callback = try #require(backend.environment.callbacks.first)
            #expect(await app.auth.handle(callback.url + "?error=access_denied"))
            try await faults.release()
            await answer.value
            #expect(model.lastChange == .emailProven)
        }
    }

    @Test("a successful sign-in completes its form")
    func successfulSignInCompletesItsForm() async throws {
        try await Place.code.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            let model = SignInModel(app.auth)
            model.email = Backend.email
            model.password = Backend.password
            let taps = [Task { await model.submit() }, Task { await model.signInAnonymously() }]
            for tap in taps { await tap.value }
            #expect(app.screen == .signedIn)
            await AccountModel(app.auth).signOut()
            // If it fails, the other button's call is made.
            model.password = "wrong"
            let others = [Task { await model.submit() }, Task { await model.signInAnonymously() }]
            for tap in others { await tap.value }
            #expect(app.screen == .anonymous)
        }
    }

    // MARK: Another user

    @Test("the input of one user is cleared for another", arguments: [Place.code, .goTrue])
    func inputOfOneUserIsClearedForAnother(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let admin = try #require(backend.environment.administrator)
            _ = try await admin.create(
                email: "grace@example.com", password: Backend.password, isEmailVerified: true, displayName: "Grace")
            let (deletion, account) = (DeletionModel(app.auth), AccountModel(app.auth))
            deletion.isConfirmed = true
            account.displayName = "Countess"
            account.newPassword = "Better-Horse-2"
            account.newEmail = "countess@example.com"
            // Another process with the same store signs the other user in.
            let other = await backend.launch(on: app.store)
            await AccountModel(other.auth).signOut()
            try await other.signIn("grace@example.com")
            await app.client.reloadFromStore()
            #expect(app.client.state.session?.user.email == "grace@example.com")
            // The app's model does not know this yet, and the user taps.
            await deletion.submit()
            await account.saveProfile()
            #expect(!deletion.isConfirmed && !deletion.canSubmit && deletion.reauthentication == nil)
            #expect(account.displayName == "Grace" && account.newPassword.isEmpty && account.newEmail.isEmpty)
            let users = try await admin.users()
            #expect(users.count == 2 && users.contains { $0.displayName == "Grace" })
        }
    }
}
