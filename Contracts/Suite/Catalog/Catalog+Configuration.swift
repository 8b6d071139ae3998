internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// What an adapter takes from the developer of an app.
    static let configuration: [Contract] = [
        Contract(
            "configuration.refused",
            "A malformed address, one without TLS, an empty or garbled key, an administrator's key and a callback address that no app can have are refused when the adapter is made.",
            needs: [.factory]
        ) { w in
            let factory = try w.need(w.environment.factory, "no other adapter can be made")
            var refused = 0
            for mistake in ConfigurationMistake.allCases {
                do throws(AuthError) {
                    guard try factory.make(.mistake(mistake)) != nil else { continue }
                    w.found("an adapter is made in spite of a \(mistake.rawValue)", line: #line)
                } catch {
                    refused += 1
                    w.expect(error.code == .invalidConfiguration, "a \(mistake.rawValue) is refused as \(error)")
                    w.expect(!error.message.isEmpty, "the refusal of a \(mistake.rawValue) does not say what is wrong")
                }
            }
            w.expect(refused > 0, "the adapter refuses nothing")
        },

        Contract(
            "configuration.names-its-backend",
            "Two projects of one provider never share what is stored, and one project finds it again at the next launch.",
            needs: [.factory, .trace], buildsOn: ["session.restore.same-user", "session.backend-changed"]
        ) { w in
            let factory = try w.need(w.environment.factory, "no other adapter can be made")
            let same = try w.require(try factory.make(.sameProject), "the adapter cannot be made a second time")
            let other = try w.require(try factory.make(.otherProject), "no adapter of another project can be made")
            let own = w.environment.adapter
            w.expect(same.name == own.name && same.backend == own.backend, "the backend has another name at the next launch")
            w.expect(other.name != own.name || other.backend != own.backend, "two projects have one name: \(own.backend)")
            let device = w.device()
            let (_, session) = try await w.signedIn(on: device)
            let stranger = device.launch(on: other)
            try await w.expectRequests(0...0, "a launch with another project") {
                await stranger.restore()
                await w.refused(.notSignedIn, of: "a token of another project's session") { () async throws(AuthError) in
                    try await stranger.accessToken()
                }
            }
            w.expect(stranger.state.session == nil, "another project's session is taken over")
            let again = device.launch(on: same)
            w.expect(
                await again.restore().session?.user.id == session.user.id, "the same project does not find its session again")
        },
    ]
}
