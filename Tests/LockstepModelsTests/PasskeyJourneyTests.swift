import Lockstep
import LockstepContracts
import LockstepModels
import LockstepPrimitives
import LockstepTestConcurrency
import Testing

/// Passkeys: created in the account, then used to sign in and as a second factor.
@Suite("Passkeys", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct PasskeyJourneyTests {
    private nonisolated static let places = [Place.code, .goTrue, .clerk]
    private static let unknownUser = "6f1a0f36-0000-4000-8000-000000000000"

    @Test("a passkey is created in the account and signs its user in", arguments: places)
    func createdPasskeySignsIn(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let userID = try #require(app.userID)
            let account = AccountModel(app.auth)
            #expect(account.offersPasskey)
            await account.addPasskey()
            #expect(app.screen == .signedIn && app.auth.sheet?.name == .verify && account.lastChange == nil)
            let asked = try app.verification()
            #expect(asked.passkeyRequest?.action == .make && !asked.canSubmit && !asked.takesCode)
            await asked.submit(passkey: try await backend.made(asked.passkeyRequest, of: userID))
            #expect(asked.form.problems.isEmpty && app.auth.sheet == nil && account.lastChange == .identityAdded)

            let other = await backend.launch()
            let signIn = SignInModel(other.auth)
            #expect(signIn.offersPasskey)
            await signIn.signInWithPasskey()
            let proof = try other.verification()
            #expect(proof.passkeyRequest?.action == .sign && proof.offersLeaving)
            await proof.submit(passkey: try await backend.signed(proof.passkeyRequest, as: userID))
            #expect(other.screen == .signedIn && other.userID == userID)
        }
    }

    @Test("a closed sheet does not change the account or the sign-in", arguments: places)
    func closedSheetChangesNothing(_ place: Place) async throws {
        try await place.run { backend in
            let app = try await backend.member()
            let account = AccountModel(app.auth)
            await account.addPasskey()
            try await app.verification().cancel()
            #expect(app.auth.sheet == nil && app.screen == .signedIn && account.lastChange == nil && !account.form.isBusy)

            let other = await backend.launch()
            let signIn = SignInModel(other.auth)
            await signIn.signInWithPasskey()
            try await other.verification().cancel()
            #expect(other.screen == .signedOut && !signIn.form.isBusy)
            try await other.signIn()
            #expect(other.screen == .signedIn)
        }
    }

    @Test("an unknown passkey is reported on the form, and the sign-in can start again", arguments: places)
    func anUnknownPasskeyIsRejected(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            let signIn = SignInModel(app.auth)
            await signIn.signInWithPasskey()
            let proof = try app.verification()
            await proof.submit(passkey: try await backend.signed(proof.passkeyRequest, as: Self.unknownUser))
            #expect(proof.form.codes == [nil: .invalidCredentials])
            #expect(app.userID == nil)
            await proof.cancel()
            try await app.signIn()
            #expect(app.screen == .signedIn)
        }
    }

    /// The adapter in memory has no passkeys as second factors.
    @Test func passkeyIsASecondFactor() async throws {
        try await Place.goTrue.run { backend in
            let app = try await backend.member()
            let userID = try #require(app.userID)
            let account = AccountModel(app.auth)
            #expect(account.canAdd(.passkey))
            await account.addFactor(.passkey)
            let asked = try app.verification()
            #expect(asked.passkeyRequest?.action == .make)
            await asked.submit(passkey: try await backend.made(asked.passkeyRequest, of: userID))
            #expect(asked.form.problems.isEmpty && account.lastChange == .factorAdded)
            #expect(account.factors?.map(\.kind) == [.passkey])

            try await backend.advance(by: .seconds(60))
            let other = await backend.launch()
            try await other.signIn()
            guard case .secondFactor(let factor)? = other.auth.step else { throw Failure("\(other.screen) is due") }
            if let choice = factor.choices.first, factor.passkeyRequest == nil { await factor.choose(choice) }
            #expect(factor.passkeyRequest?.action == .sign && !factor.takesCode)
            await factor.submit(passkey: try await backend.signed(factor.passkeyRequest, as: userID))
            #expect(other.screen == .signedIn && other.userID == userID)
        }
    }
}

extension App {
    /// The signed-in user.
    fileprivate var userID: String? { client.state.session?.user.id }
}

extension Backend {
    /// The result of the platform's sheet that creates a passkey.
    fileprivate func made(_ request: PasskeyRequest?, of userID: String) async throws -> JSON {
        let sheet = try #require(environment.passkeys)
        return try await sheet.create(try #require(request).options, of: userID)
    }

    /// The result of the platform's sheet that signs.
    fileprivate func signed(_ request: PasskeyRequest?, as userID: String) async throws -> JSON {
        let sheet = try #require(environment.passkeys)
        return try await sheet.sign(try #require(request).options, as: userID)
    }
}
