import Lockstep
import LockstepContracts
import LockstepModels
import LockstepTestConcurrency
import Testing

/// Failing networks, disappearing screens, and responses that this version does not know.
@Suite("Faults", .limitedConcurrency, .timeLimit(.minutes(20)))
@MainActor
struct FaultJourneyTests {
    nonisolated private static let places = [Place.code, .firebase, .goTrue, .clerk]

    @Test("without a network the form keeps its input, shows one error and works later", arguments: places)
    func keepsTypedInput(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            let faults = try #require(backend.environment.faults)
            let model = SignInModel(app.auth)
            model.email = Backend.email
            model.password = Backend.password
            try await faults.inject(.offline, on: .any, skipping: 0, times: nil)
            await model.submit()
            #expect(model.form.codes == [nil: .network])
            #expect(model.form.problem?.text() == AuthStrings.english("error.network"))
            #expect(!model.form.isBusy && model.canSubmit)
            #expect(model.email == Backend.email && model.password == Backend.password)
            try await faults.clear()
            await model.submit()
            #expect(model.form.problems.isEmpty)
            #expect(app.screen == .signedIn)
        }
    }

    @Test("a disappearing screen ends its call, and a late response signs nobody in", arguments: places)
    func endsWithTheScreen(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            let faults = try #require(backend.environment.faults)
            let model = SignInModel(app.auth)
            model.email = Backend.email
            model.password = Backend.password
            try await faults.inject(.hang, on: .signIn, skipping: 0, times: 1)
            let call = Task { await model.submit() }
            try await faults.untilHanging(1)
            #expect(model.form.activity == .signingIn)
            #expect(!model.canSubmit)
            model.form.cancel()
            await call.value
            #expect(!model.form.isBusy)
            #expect(model.form.problems.isEmpty)
            try await faults.release()
            #expect(app.screen == .signedOut)
            // The next one is not delayed.
            await model.submit()
            #expect(app.screen == .signedIn)
        }
    }

    @Test("a cancelled caller ends its call", arguments: [Place.code, .goTrue])
    func endsWithItsCaller(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            let faults = try #require(backend.environment.faults)
            let model = SignInModel(app.auth)
            model.email = Backend.email
            model.password = Backend.password
            try await faults.inject(.hang, on: .signIn, skipping: 0, times: 1)
            let call = Task { await model.submit() }
            try await faults.untilHanging(1)
            call.cancel()
            await call.value
            #expect(!model.form.isBusy && model.form.problems.isEmpty)
            try await faults.release()
            #expect(app.screen == .signedOut)
        }
    }

    @Test("the time to wait is shown, and the provider's text is not", arguments: places)
    func showsTheWaitTime(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            let faults = try #require(backend.environment.faults)
            let model = SignInModel(app.auth)
            model.email = Backend.email
            model.password = Backend.password
            try await faults.inject(.rateLimited(retryAfter: .seconds(17)), on: .signIn, skipping: 0, times: 1)
            await model.submit()
            #expect(model.form.codes == [nil: .tooManyRequests])
            if model.form.problem?.error.retry == .after(.seconds(17)) {
                #expect(model.form.problem?.text() == "Too many attempts. Try again in 17 seconds.")
            }
            try await faults.inject(.unknownCode("SOME_NEW_CODE"), on: .signIn, skipping: 0, times: 1)
            await model.submit()
            #expect(model.form.codes == [nil: .unknown])
            #expect(model.form.problem?.text() == AuthStrings.english("error.unknown"))
        }
    }

    @Test("a step that this version does not know can be cancelled", arguments: [Place.code, .clerk])
    func cancelsAnUnknownStep(_ place: Place) async throws {
        try await place.run { backend in
            try await backend.enrol()
            let app = await backend.launch()
            try await backend.environment.faults?.inject(.unknownStep("needs_a_dance"), on: .signIn, skipping: 0, times: 1)
            try await app.signIn()
            guard case .unknown(let model)? = app.auth.step else {
                Issue.record("\(app.screen) is due")
                return
            }
            #expect(model.page == nil)
            #expect(!AuthStrings.english.sentence(for: app.auth.screen).contains("dance"))
            await model.cancel()
            #expect(app.screen == .signedOut)
        }
    }

    @Test("a foreign URL changes nothing, and a malformed link shows an error until it is read", arguments: Place.all)
    func reportsABrokenLink(_ place: Place) async throws {
        try await place.run { backend in
            let app = await backend.launch()
            #expect(await !app.auth.handle("otherapp://auth/callback?code=1"))
            #expect(app.auth.problem == nil)
            guard let callback = backend.environment.callbacks.first else { return }
            #expect(await app.auth.handle(callback.url + "?code=%zz"))
            #expect(app.auth.problem?.error.code == .linkInvalid)
            app.auth.dismissProblem()
            #expect(app.auth.problem == nil)
            #expect(app.screen == .signedOut)
        }
    }
}
