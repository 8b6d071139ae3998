internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the configuration that the developer of an app gives to an adapter.
    static let configuration: [Contract<World>] = [
        Contract(
            "configuration.refused",
            "A malformed address, one without TLS, an empty or malformed key, an administrator's key, and a callback "
                + "address that no app can have are rejected when the adapter is created.",
            needs: [.factory]
        ) { w in
            let factory = try w.need(w.environment.factory, "the harness cannot create another adapter")
            var (refused, left): (Set<ConfigurationMistake>, Set<ConfigurationMistake>) = ([], [])
            for mistake in ConfigurationMistake.allCases {
                do throws(AuthError) {
                    guard try factory.make(.mistake(mistake)) != nil else {
                        left.insert(mistake)
                        continue
                    }
                    w.found("the factory created an adapter in spite of the mistake \(mistake.rawValue)", line: #line)
                } catch {
                    refused.insert(mistake)
                    w.expect(error.code == .invalidConfiguration, "the mistake \(mistake.rawValue) was reported as \(error)")
                    w.expect(!error.message.isEmpty, "the error for the mistake \(mistake.rawValue) does not say what is wrong")
                }
            }
            w.expect(!refused.isEmpty, "the adapter rejects no configuration")
            for place in try await w.placesOfMistakes(refused: refused) {
                let missing = place.intersection(left).map(\.rawValue).sorted()
                w.expect(
                    missing.isEmpty,
                    "the factory created no adapter for \(missing.joined(separator: ", ")), although the harness lists it")
            }
        },

        Contract(
            "configuration.names-its-backend",
            "Two projects of a provider never share stored data, and each project finds its data at the next launch.",
            needs: [.factory, .trace], buildsOn: ["session.restore.same-user", "session.backend-changed"]
        ) { w in
            let factory = try w.need(w.environment.factory, "the harness cannot create another adapter")
            let same = try w.require(try factory.make(.sameProject), "the harness cannot create the adapter a second time")
            let other = try w.require(try factory.make(.otherProject), "the harness cannot create an adapter for another project")
            let own = w.environment.adapter
            w.expect(same.name == own.name && same.backend == own.backend, "at the next launch the backend has a different name")
            w.expect(other.name != own.name || other.backend != own.backend, "two projects have the same name: \(own.backend)")
            let device = w.device()
            let (_, session) = try await w.signedIn(on: device)
            let stranger = device.launch(on: other)
            try await w.expectRequests(0...0, "a launch with another project") {
                await stranger.restore()
                await w.refused(.notSignedIn, of: "the token of another project's session") { () async throws(AuthError) in
                    try await stranger.accessToken()
                }
            }
            w.expect(stranger.state.session == nil, "the client adopted another project's session")
            let again = device.launch(on: same)
            w.expect(
                await again.restore().session?.user.id == session.user.id, "the same project did not find its session")
        },
    ]
}

extension World {
    /// Returns the mistakes that the adapter's configuration can contain, grouped by parameter.
    ///
    /// If the factory makes no adapter with one of these mistakes, the contract cannot check that mistake.
    ///
    /// - Parameter refused: The rejected mistakes. If a parameter can contain one of them, it can also contain the others of its group.
    /// - Throws: An error of the backend's controls.
    fileprivate func placesOfMistakes(refused: Set<ConfigurationMistake>) async throws -> [Set<ConfigurationMistake>] {
        let addresses: Set<ConfigurationMistake> = [.malformedAddress, .insecureAddress]
        let keys: Set<ConfigurationMistake> = [.emptyKey, .paddedKey, .administratorsKey]
        let callbacks: Set<ConfigurationMistake> = [.malformedCallback, .scriptCallback, .fileCallback, .callbackWithoutScheme]
        var places = [addresses, keys, callbacks].filter { !$0.isDisjoint(with: refused) }
        if !environment.adapter.callbacks.addresses.isEmpty { places.append(callbacks) }
        // A backend on this machine does not have the provider's address, so the developer entered its address.
        if try await asksThisMachine() { places.append(addresses) }
        return places
    }

    /// Whether the adapter sends requests over plain HTTP, which it does only to this machine.
    private func asksThisMachine() async throws -> Bool {
        guard let trace = environment.trace, trace.requests != nil else { return false }
        let (client, person) = (client(), stranger())
        _ = await result(of: { () async throws(AuthError) in
            if self.can(.password) { return _ = try await client.signIn(with: person.credential) }
            if self.can(.emailCodeSignIn) { _ = try await client.signIn(with: .emailCode(person.email)) }
        })
        return (trace.requests ?? []).contains { $0.address.reveal().hasPrefix("http://") }
    }
}
