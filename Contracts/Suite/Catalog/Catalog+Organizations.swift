internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the organizations of a user.
    ///
    /// At most one organization is active in a session.
    static let organizations: [Contract<World>] = [
        Contract(
            "account.organizations.active",
            "A user's organizations are listed. The activated one is active in the session and its token, after a refresh, "
                + "a reload and a relaunch, and in no other session, until the user leaves it.",
            appliesTo: .claiming([.organizations, .password]), needs: [.administrator, .mailbox, .clock],
            buildsOn: entering + ["session.restore.same-user"]
        ) { w in
            let person = try await w.member()
            let userID = try await w.userID(of: person)
            let names = ["Analytical Engines", "Büro & \"Söhne\""]
            var ids: [String] = []
            for name in names { ids.append(try await w.administrator().createOrganization(named: name, members: [userID])) }
            _ = try await w.administrator().createOrganization(named: "Others", members: [])
            let (device, elsewhere) = (w.device(), w.client())
            let client = device.launch()
            let session = try await w.enter(client, person)
            try await w.enter(elsewhere, person)
            w.expect(session.organizationID == nil, "after the sign-in an organization is active")
            let listed = try await client.organizations()
            w.expect(Set(listed.map(\.id)) == Set(ids), "the user's organizations are \(listed.map(\.name))")
            w.expect(listed.map(\.name).sorted() == names.sorted(), "the organization names are \(listed.map(\.name))")
            w.expect(listed.allSatisfy { $0.role?.isEmpty == false }, "the user's roles are \(listed.map(\.role))")

            func expectActive(_ id: String?, _ client: any PortableClient, _ when: String, line: Int = #line) async throws {
                let now = client.state.session
                w.expect(
                    now?.organizationID == id, "\(when) the active organization is \(now?.organizationID ?? "none")", line: line)
                w.expect(now?.user.id == userID, "\(when) the state is \(client.state.kind)", line: line)
                let token = try await client.accessToken()
                w.expect(try await w.administrator().accepts(accessToken: token), "\(when) the token is not accepted", line: line)
            }
            for id in ids {
                let organization = try w.require(
                    listed.first { $0.id == id }, "the list does not contain an organization of the user")
                let before = client.state.session?.accessToken
                try await client.activate(organization)
                w.expect(client.state.session?.accessToken != before, "the switch returned the same token")
                try await expectActive(id, client, "after the switch")
            }
            let last = ids[names.count - 1]
            try await w.outliveToken(of: session)
            _ = try await client.accessToken()
            try await expectActive(last, client, "after a refresh")
            _ = try await client.refreshUser()
            try await expectActive(last, client, "after a reload")
            let relaunched = device.launch()
            await relaunched.restore()
            try await expectActive(last, relaunched, "after a relaunch")
            try await w.outliveToken(of: session)
            _ = try await relaunched.accessToken()
            try await expectActive(last, relaunched, "after a relaunch and a refresh")
            _ = try await elsewhere.accessToken()
            try await expectActive(nil, elsewhere, "in the other session")

            try await relaunched.activate(nil)
            try await expectActive(nil, relaunched, "after leaving it")
            try await w.outliveToken(of: session)
            _ = try await relaunched.accessToken()
            try await expectActive(nil, relaunched, "after leaving it and a refresh")
        },

        Contract(
            "account.organizations.members-only",
            "Activating an organization without a membership is rejected, and the active one stays.",
            appliesTo: .claiming([.organizations, .password]), needs: [.administrator, .mailbox, .clock],
            buildsOn: ["account.organizations.active"]
        ) { w in
            let person = try await w.member()
            let userID = try await w.userID(of: person)
            let own = try await w.administrator().createOrganization(named: "Own", members: [userID])
            let other = try await w.userID(of: try await w.member())
            let foreign = try await w.administrator().createOrganization(named: "Foreign", members: [other])
            let client = w.client()
            let session = try await w.enter(client, person)
            let organization = try w.require(
                try await client.organizations().first, "the list does not contain the user's own organization")
            try await client.activate(organization)
            for id in [foreign, "none"] {
                await w.refused(.invalidInput, of: "another user's organization") { () async throws(AuthError) in
                    try await client.activate(Organization(id: id, name: "Foreign"))
                }
                w.expect(client.state.session?.organizationID == own, "after the rejection another organization is active")
            }
            try await w.outliveToken(of: session)
            _ = try await client.accessToken()
            w.expect(
                client.state.session?.organizationID == own, "after the rejection and a refresh another organization is active")
        },

        Contract(
            "account.organizations.during-refresh",
            "A switch of the organization during a refresh takes effect, in any order on the backend. The organization "
                + "stays active after refreshes and a relaunch.",
            appliesTo: .claiming([.organizations, .password]), needs: [.administrator, .mailbox, .clock, .faults],
            buildsOn: ["account.organizations.active", "session.update.during-refresh"]
        ) { w in
            let person = try await w.member()
            let userID = try await w.userID(of: person)
            for name in ["Analytical Engines", "Difference Engines"] {
                _ = try await w.administrator().createOrganization(named: name, members: [userID])
            }
            let device = w.device()
            let client = device.launch()
            let session = try await w.enter(client, person)
            let organizations = try await client.organizations()
            w.expect(organizations.count == 2, "the user's organizations are \(organizations.map(\.name))")
            _ = try w.require(organizations.first, "the user has no organization to switch to")
            for (number, last) in LastOfTwo.allCases.enumerated() {
                let chosen = organizations[number % organizations.count]
                try await w.race(client, last) { () async throws(AuthError) in try await client.activate(chosen) }
                w.expect(client.state.session?.organizationID == chosen.id, "\(last): another organization is active")
                let token = try await client.accessToken()
                w.expect(try await w.administrator().accepts(accessToken: token), "\(last): the token is not accepted")
                try await w.expectRefreshable(client, session, "\(last)")
                w.expect(
                    client.state.session?.organizationID == chosen.id, "\(last): after a refresh another organization is active")
                let stored = await device.launch().restore().session
                w.expect(stored?.organizationID == chosen.id, "\(last): after a relaunch another organization is active")
            }
        },
    ]
}
