import Lockstep
import LockstepContracts
import LockstepGoTrueEmulator
import LockstepPrimitives
import LockstepStoreHarnesses
import LockstepTestConcurrency
import Testing

/// The app's own name for a backend: the stored session belongs to the same backend at another address.
@Suite("Names of backends", .limitedConcurrency)
struct BackendNameTests {
    @Test(arguments: ControlledPlace.allCases, StoreHarnesses.all.map(\.name))
    func namedBackendKeepsItsSessionAtAnotherAddress(_ place: ControlledPlace, _ name: String) async throws {
        let harness = try #require(StoreHarnesses.all.first { $0.name == name })
        try await place.run { calls in
            let id = try await calls.makeUser()
            let elsewhere = calls.ready.base.replacing("127.0.0.1", with: "localhost")
            #expect(elsewhere != calls.ready.base)
            try await harness.withPlace { stored in
                let first = try calls.client(try await stored.open(), at: calls.ready.base, named: "orders-prod")
                _ = try await first.signIn(with: .password(email: "ada@example.com", password: ControlCalls.password))

                let moved = try calls.client(try await stored.open(), at: elsewhere, named: "orders-prod")
                #expect(await moved.restore().session?.user.id == id)
                #expect(try await moved.refreshUser().id == id)
                #expect(moved.sessionKey == first.sessionKey)

                for (base, other) in [(elsewhere, "orders-test"), (calls.ready.base, nil)] {
                    let stranger = try calls.client(try await stored.open(), at: base, named: other)
                    #expect(await stranger.restore() == .signedOut(.backendChanged), "\(other ?? "without a name")")
                }
            }
        }
    }

    @Test("the former address as the name keeps the sessions of an app without a name", arguments: ControlledPlace.allCases)
    func formerAddressWorksAsTheBackendName(_ place: ControlledPlace) async throws {
        try await place.run { calls in
            let id = try await calls.makeUser()
            let store = MemorySessionStore(clock: calls.clock)
            let released = try calls.client(store, at: calls.ready.base, named: nil)
            _ = try await released.signIn(with: .password(email: "ada@example.com", password: ControlCalls.password))
            let elsewhere = calls.ready.base.replacing("127.0.0.1", with: "localhost")
            let update = try calls.client(store, at: elsewhere, named: released.sessionKey.backend)
            #expect(await update.restore().session?.user.id == id)
        }
    }

    @Test(arguments: ControlledPlace.allCases, ["", "two\nlines", String(repeating: "x", count: 257)])
    func rejectsNameThatIsEmptyOrLongOrHasControlCharacters(_ place: ControlledPlace, _ name: String) async throws {
        try await place.run { calls in
            let error = #expect(throws: AuthError.self) {
                try calls.client(MemorySessionStore(), at: calls.ready.base, named: name)
            }
            #expect(error?.code == .invalidConfiguration)
        }
    }
}
