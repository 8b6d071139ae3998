internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about a refresh and a change of the user at the same time.
    static let refreshRaces: [Contract<World>] = [
        Contract(
            "session.update.keeps-new-tokens",
            "A profile change that ends after a refresh never restores the earlier tokens.",
            appliesTo: .claiming(.displayName), needs: [.clock, .faults],
            buildsOn: ["account.update.display-name", "session.authorized.one-retry"]
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            try await w.advance(by: .seconds(2))
            try await w.fail(with: .hang, times: 1)
            let change = Task {
                await result(of: { () async throws(AuthError) in try await client.update(displayName: "Grace", photoURL: nil) })
            }
            try await w.untilHanging(1)
            let renewed = try await w.renew(client)
            let refreshed = client.state.session
            try await w.release()
            let outcome = await w.soon { await change.value }
            w.expect(outcome?.value?.displayName == "Grace", "the user does not have the change")
            let current = try w.require(client.state.session, "the state is \(client.state.kind)")
            w.expect(current.user.displayName == "Grace", "the user has the old name")
            w.expect(current.accessToken != session.accessToken, "the session has the earlier access token")
            w.expect(renewed != session.accessToken, "no token was renewed in the meantime")
            if refreshed?.refreshToken != session.refreshToken {
                w.expect(current.refreshToken != session.refreshToken, "the session has the earlier refresh token")
            }
            let stored = await device.launch().restore().session
            w.expect(stored == current, "the store contains something else")
            for _ in 0..<2 {
                try await w.outliveToken(of: session)
                w.expect(try await !client.accessToken().isEmpty, "the session cannot be refreshed")
            }
        },

        Contract(
            "session.update.during-refresh",
            "A profile change and a refresh at the same time both take effect, in any order on the backend: the user has "
                + "the new name, and the session can be refreshed repeatedly.",
            appliesTo: .claiming(.displayName), needs: [.clock, .faults], buildsOn: ["session.update.keeps-new-tokens"]
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            for last in LastOfTwo.allCases {
                let name = "Grace \(last.rawValue)"
                try await w.race(client, last) { () async throws(AuthError) in
                    _ = try await client.update(displayName: name, photoURL: nil)
                }
                w.expect(client.state.session?.user.displayName == name, "\(last): the user has a different name")
                try await w.expectRefreshable(client, session, "\(last)")
                w.expect(try await client.refreshUser().displayName == name, "\(last): the backend has a different name")
                let stored = await device.launch().restore().session
                w.expect(stored == client.state.session, "\(last): the store contains something else")
            }
        },
    ]
}

/// The request or response that comes last when a change and a refresh happen at the same time.
enum LastOfTwo: String, CaseIterable, Sendable {
    case refresh
    case answerToRefresh
    case change
    case answerToChange

    var isRefresh: Bool { self == .refresh || self == .answerToRefresh }
    var fault: Fault { self == .refresh || self == .change ? .hang : .answerHeld }
}

extension World {
    /// Runs a change and a refresh at the same time, and delays the request or response that must come last.
    func race(
        _ client: any PortableClient, _ last: LastOfTwo, line: Int = #line,
        _ change: @escaping @Sendable () async throws(AuthError) -> Void
    ) async throws {
        // Two tokens that are issued in the same second can be identical.
        try await advance(by: .seconds(2))
        try await fail(last.isRefresh ? .refresh : .any, with: last.fault, times: 1)
        if last.isRefresh {
            let refresh = Task { try await renew(client, line: line) }
            try await untilHanging(1)
            try await advance(by: .seconds(2))
            try await expectDone(Task { await result(of: change) }, "\(last): the change", line: line)
            try await release()
            _ = try await refresh.value
        } else {
            let change = Task { await result(of: change) }
            try await untilHanging(1)
            try await renew(client, line: line)
            try await release()
            try await expectDone(change, "\(last): the change", line: line)
        }
        try await heal()
    }

    private func expectDone(_ task: Task<Result<Void, AuthError>, Never>, _ what: String, line: Int) async throws {
        let outcome = await soon { await task.value }
        expect(outcome?.isSuccess == true, "\(what) ended with \(outcome.map(named) ?? "no result")", line: line)
    }

    /// Checks that a session can be refreshed twice, because a used refresh token may fail only the second time.
    func expectRefreshable(
        _ client: any PortableClient, _ session: Session, _ what: String, line: Int = #line
    ) async throws {
        for _ in 0..<2 {
            try await outliveToken(of: session)
            let outcome = await result(of: { () async throws(AuthError) in try await client.accessToken() })
            expect(outcome.isSuccess, "\(what): a refresh ended with \(named(outcome))", line: line)
        }
    }
}
