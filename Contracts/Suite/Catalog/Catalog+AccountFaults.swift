internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about account changes whose request fails or whose response is lost.
    static let accountFaults: [Contract<World>] = AccountChange.all.map { change in
        Contract(
            "account.fault.\(change.id)",
            "If a request fails during \(change.words), before or after the backend has handled it, the app can make the call "
                + "again. The second call completes the work, or is rejected because the work is done. The account is then the "
                + "same as after one call, and nothing left over from the first call blocks the user.",
            appliesTo: .claiming(change.claims.union([.password])), needs: change.needs.union([.faults, .clock]),
            buildsOn: entering + change.buildsOn,
            unwatched: change.sendsAgain.map { [.sentOnce: $0] } ?? [:]
        ) { w in
            let refusal = Fault.status(503, retryAfter: nil)
            var refused = 0
            while refused < 10, try await change.make(RepeatedCall(w, refusal, skipping: refused)) { refused += 1 }
            w.expect(refused > 0, "no request of \(change.words) fails if the backend responds to the first request with 503")
            // If the response is lost, the call may discover that its work is done and succeed.
            for skipped in 0...refused { _ = try await change.make(RepeatedCall(w, .answerLost, skipping: skipped)) }
        }
    }
}

/// A change of the signed-in user's account.
struct AccountChange: Sendable {
    let id: String
    let words: String
    /// The capabilities that the change needs, besides passwords.
    let claims: Set<Capability>
    var needs: Set<Need> = []
    let buildsOn: [String]
    /// Why one call may send a request again; `nil` if it may not.
    var sendsAgain: String?
    /// Makes the change, and checks the account afterwards.
    ///
    /// Returns whether a request has failed.
    let make: @Sendable (RepeatedCall) async throws -> Bool

    static let all: [AccountChange] = [
        name, photo, password, email, link, linkPage, unlink, unlinkPage, organization, passwordBegin, addFactor, removeFactor,
        addPhone, backupCodes,
        renamePasskey, removePasskey,
    ]

    private static let name = AccountChange(
        id: "name", words: "a change of the name", claims: [.displayName], buildsOn: ["account.update.display-name"]
    ) { change in
        let (world, what) = (change.world, change.what)
        let (user, hasFailed) = try await change.first(UpdateProfile(displayName: "Grace", photoURL: nil))
        try await world.heal()
        world.expect(user?.displayName == "Grace", "\(what) the user does not have the name")
        world.expect(try await change.client.refreshUser().displayName == "Grace", "\(what) the backend does not have the name")
        return hasFailed
    }

    private static let photo = AccountChange(
        id: "photo", words: "the upload of a photo", claims: [.photoUpload], buildsOn: ["account.photo.upload"]
    ) { change in
        let (world, what) = (change.world, change.what)
        let (user, hasFailed) = try await change.first(SetPhoto(photo: .pixel))
        try await world.heal()
        let url = try world.require(user?.photoURL, "\(what) the user has no photo")
        world.expect(try await change.client.refreshUser().photoURL == url, "\(what) the backend has a different photo")
        return hasFailed
    }

    private static let organization = AccountChange(
        id: "organization", words: "a switch of the organization", claims: [.organizations], needs: [.administrator],
        buildsOn: ["account.organizations.active"]
    ) { change in
        let (world, client, what) = (change.world, change.client, change.what)
        let administrator = try world.administrator()
        let id = try await administrator.createOrganization(named: "Analytical Engines", members: [change.userID])
        let organization = try world.require(try await client.organizations().first, "the list does not contain the organization")
        let (_, hasFailed) = try await change.first(Activate(organization: organization))
        try await world.heal()
        for when in ["the switch", "a refresh"] {
            let token = try await client.accessToken()
            world.expect(client.state.session?.organizationID == id, "\(what), after \(when) another organization is active")
            world.expect(
                try await administrator.accepts(accessToken: token), "\(what), after \(when) the token is not accepted")
            try await world.outliveToken(of: change.session)
        }
        return hasFailed
    }
}
