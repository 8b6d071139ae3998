internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about sessions in a failing store, and in a process with many other sessions.
    public static let storage: [Contract<World>] = [
        Contract(
            "session.persistence-retried",
            "A session that the store rejects stays in memory, and an event reports it. It is written as soon as the store "
                + "accepts it, and the earlier refresh token is never sent again.",
            needs: [.clock], buildsOn: ["session.refresh.reads-store"]
        ) { w in
            let device = w.device()
            let (client, session) = try await w.signedIn(on: device)
            device.disk.suffers(.writing)
            var tokens: Set<Secret> = [session.accessToken]
            // If the backend rotates refresh tokens, sending the earlier one would end the session by the third refresh.
            for _ in 0..<3 {
                try await w.outliveToken(of: session)
                let token = try await client.accessToken()
                w.expect(tokens.insert(token).inserted, "the client returned an expired token")
            }
            w.expect(w.events.all.contains { $0.name == .persistenceFailed }, "no event reports it")
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")
            device.disk.suffers(nil)
            let current = client.state.session
            let isWritten = try await w.comes(each: .seconds(1)) {
                await device.launch().restore().session?.accessToken == current?.accessToken
            }
            w.expect(isWritten, "the client did not write the session when the store accepted it again")
            // The store may have the session before the event reports it.
            let isTold = try await w.comes { w.events.all.contains { $0.name == .persistenceHealed } }
            w.expect(isTold, "no event reports that the session was written")
            try await w.outliveToken(of: session)
            w.expect(try await tokens.insert(device.launch().accessToken()).inserted, "a relaunch returned an expired token")
        },

        Contract(
            "session.unavailable-heals",
            "A store that cannot be read results in `unavailable`, never in a sign-out. The client recovers without a "
                + "call, and nothing is deleted.",
            buildsOn: ["session.restore.same-user"]
        ) { w in
            let device = w.device()
            let (_, session) = try await w.signedIn(on: device)
            let before = try await device.contents()
            device.disk.suffers(.reading)
            let client = device.launch()
            await client.restore()
            w.expect(client.state.kind == "unavailable", "the state is \(client.state.kind)")
            await w.refused(.storeUnavailable, of: "asking for a token") { () async throws(AuthError) in
                try await client.accessToken()
            }
            device.disk.suffers(nil)
            let isBack = try await w.comes(each: .seconds(1)) { client.state.session?.user.id == session.user.id }
            w.expect(isBack, "the client does not recover: the state is \(client.state.kind)")
            w.expect(try await device.contents() == before, "the store contains something else")
        },

        Contract(
            "session.damaged-kept",
            "A stored session that cannot be decoded is quarantined. The state is `signedOut(storeDamaged)`, and a sign-in "
                + "works.",
            buildsOn: ["session.restore.same-user"]
        ) { w in
            let device = w.device()
            let (former, _) = try await w.signedIn(on: device)
            let whole = try w.require(await device.stored(.session), "the store contains no session")
            w.expect(former.state.session != nil, "no user is signed in")
            let damaged = Array(whole.prefix(whole.count / 2))
            try await device.put(damaged, under: device.key(.session))
            let client = device.launch()
            await client.restore()
            w.expect(client.state.kind == "signedOut(storeDamaged)", "the state is \(client.state.kind)")
            w.expect(
                device.disk.quarantinedValues(for: device.key(.session)) == [damaged], "the damaged value is not quarantined")
            w.expect(w.events.all.contains { $0.name == .quarantine }, "no event reports it")
            let session = try await w.signIn(client)
            let restored = await device.launch().restore().session
            w.expect(restored?.user.id == session.user.id, "the session of a new sign-in is not stored")
        },

        Contract(
            "session.isolation",
            "Hundreds of clients in one process never see each other's tokens, in their own requests and in the app's.",
            needs: [.clock],
            buildsOn: ["session.restore.same-user", "session.authorized.one-retry", "sign-in.password.completes"]
        ) { w in
            let owners = w.clientCount / 15
            var people: [(device: Device, session: Session)] = []
            for _ in 0..<owners {
                let device = w.device()
                people.append((device, try await w.signedIn(on: device).1))
            }
            // Every user has fifteen devices: one original, and fourteen copies that must not refresh.
            var clients: [(client: any PortableClient, session: Session)] = []
            for place in 0..<w.clientCount {
                let (device, session) = people[place % owners]
                clients.append((place < owners ? device.launch() : try await device.copy().launch(), session))
            }
            let strangers = await withTaskGroup(of: Bool.self) { group in
                for (client, session) in clients {
                    group.addTask {
                        let token = try? await client.accessToken()
                        let server = AppServer(200)
                        let response = try? await client.authorized(AppRequest(url: "https://app.example.com/")) {
                            server.answer($0)
                        }
                        return token == session.accessToken && response != nil && server.tokens == [session.accessToken]
                            && client.state.session?.user.id == session.user.id
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 0 : 1 }
            }
            w.expect(strangers == 0, "\(strangers) clients have another session than their own")

            try await w.outliveToken(of: clients[0].session)
            let renewed = await withTaskGroup(of: Secret?.self) { group in
                for (client, session) in clients.prefix(owners) {
                    group.addTask {
                        guard let token = try? await client.accessToken(), let user = try? await client.refreshUser() else {
                            return nil
                        }
                        return user.id == session.user.id && user.email == session.user.email ? token : nil
                    }
                }
                return await group.reduce(into: Set<Secret>()) { if let token = $1 { $0.insert(token) } }
            }
            w.expect(
                renewed.count == owners, "of \(owners) users, only \(renewed.count) have their own token and read their own user"
            )
        },

        Contract(
            "session.authorized.listed-origins",
            "The user's token is sent only to the origins that the app has listed, which are compared exactly. For any "
                + "other origin, nothing is sent.",
            buildsOn: ["session.token.valid-needs-no-request"]
        ) { w in
            let (client, session) = try await w.signedIn()
            for url in AppRequest.listed {
                let server = AppServer(200)
                _ = try await client.authorized(AppRequest(url: url)) { server.answer($0) }
                w.expect(server.tokens == [session.accessToken], "\(url) is listed, and received \(server.tokens.count) tokens")
            }
            for url in AppRequest.unlisted {
                let server = AppServer(200)
                do {
                    _ = try await client.authorized(AppRequest(url: url)) { server.answer($0) }
                    w.found("\(url) is not listed, and its request was not rejected", line: #line)
                } catch let error as AuthError {
                    w.expect(
                        [.invalidConfiguration, .invalidInput].contains(error.code), "\(url) failed with \(error.code)")
                }
                w.expect(server.requests.isEmpty, "\(url) is not listed, and received a request")
            }
        },

        Contract(
            "session.authorized.one-retry",
            "A 401 for a request on behalf of the user causes one shared refresh and one more attempt. A second 401 is returned.",
            needs: [.clock, .trace], buildsOn: ["session.token.valid-needs-no-request"]
        ) { w in
            let (client, session) = try await w.signedIn()
            try await w.advance(by: .seconds(2))
            let request = AppRequest(
                method: "POST", url: "https://app.example.com/orders", headers: [.init("authorization", "Bearer another")],
                body: [7])
            for status in [200, 403, 500] {
                let server = AppServer(status)
                let response = try await w.expectRequests(0...0, "a response with status \(status)") {
                    try await client.authorized(request) { server.answer($0) }
                }
                w.expect(
                    response.status == status && response.content == [7],
                    "the response with status \(status) was not returned to the caller")
                w.expect(
                    server.tokens == [session.accessToken],
                    "the request with the response \(status) was sent \(server.tokens.count) times")
                w.expect(server.requests.allSatisfy { $0.headers.count == 1 }, "the caller's own token was sent too")
            }

            let patient = AppServer(401, 200)
            let response = try await w.expectRequests(1...2, "a 401") {
                try await client.authorized(request) { patient.answer($0) }
            }
            w.expect(response.status == 200, "the response to the second attempt was not returned to the caller")
            w.expect(patient.tokens.count == 2, "the request was sent \(patient.tokens.count) times")
            w.expect(patient.tokens.first == session.accessToken, "the first attempt has another token")
            w.expect(Set(patient.tokens).count == 2, "the second attempt has the rejected token")

            let stubborn = AppServer(401)
            try await w.advance(by: .seconds(2))
            let refused = try await w.expectRequests(1...2, "a repeated 401") {
                try await client.authorized(request) { stubborn.answer($0) }
            }
            w.expect(refused.status == 401, "the second 401 was not returned to the caller")
            w.expect(stubborn.tokens.count == 2, "the request was sent \(stubborn.tokens.count) times")
            w.expect(client.state.session?.user.id == session.user.id, "the state is \(client.state.kind)")

            try await w.advance(by: .seconds(2))
            let old = try await client.accessToken()
            try await w.expectRequests(1...2, "twenty requests that are rejected at the same time") {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<20 {
                        group.addTask {
                            _ = try? await client.authorized(request) { request in
                                let isOld = request.header("Authorization") == "Bearer \(old.reveal())"
                                return AppResponse(status: isOld ? 401 : 200, content: [])
                            }
                        }
                    }
                }
            }
        },
    ]
}
