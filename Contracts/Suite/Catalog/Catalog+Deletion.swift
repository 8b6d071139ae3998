internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about what remains of a user who has deleted the account.
    static let deletion: [Contract<World>] = [
        Contract(
            "account.delete.others",
            "After a deletion, the user's other sessions end at their next refresh with the declared reason, or continue, as declared: new "
                + "ones and ones that were renewed before. Other users' sessions continue.",
            appliesTo: .claiming([.password, .accountDeletion]), needs: [.clock],
            buildsOn: entering + ["account.delete", "session.end.deleted"], declares: Declaration("sessionOfDeletedUser")
        ) { w in
            let (person, bystander) = (try await w.member(), try await w.member())
            let old = try await w.renewedSession(of: person)
            let device = w.device()
            let (far, theirs, near) = (device.launch(), w.client(), w.client())
            let session = try await w.enter(far, person)
            try await w.enter(theirs, bystander)
            try await w.enter(near, person)
            // Backends compare times in whole seconds.
            try await w.advance(by: .seconds(2))
            try await near.deleteAccount()
            try await w.outliveToken(of: session)
            try await w.expectNextRefresh(of: far, on: device, session, w.behavior.sessionOfDeletedUser)
            try await w.expectNextRefresh(of: old.client, on: old.device, old.session, w.behavior.sessionOfDeletedUser)
            _ = try await theirs.accessToken()
        },

        Contract(
            "account.delete.no-return",
            "After a deletion, no code, link, page, ID token or sign-up returns the deleted user, whether it began before or after. It is "
                + "rejected, or creates a new user.",
            appliesTo: .claiming(.accountDeletion), needs: [.administrator, .clock, .mailbox],
            buildsOn: entering + ["account.delete"] + messageGrounds
        ) { w in
            for kind in w.journeys(among: [.emailCode, .emailLink, .phoneCode, .reset, .idToken, .oauth]) {
                guard var first = try await w.beginIfPossible(kind) else { continue }
                try await first.finish()
                let user = try w.require(first.step.session, "\(kind): the flow returned \(first.step.kind)").user
                // A backend limits how often it sends messages to one address.
                try await w.advance(by: .seconds(61))
                let early = try await w.begin(like: first)
                let proof = try await early.proof()
                try await first.client.deleteAccount()
                if let proof {
                    w.expectNoReturn(of: user, await early.settled(await early.send(proof)), early.client, "\(kind) from before")
                }
                try await w.advance(by: .seconds(61))
                let count = try await w.messageCount()
                do {
                    let late = try await w.begin(like: first)
                    // A backend that hides unknown addresses sends no message.
                    let isSent = try await w.messageCount() > count
                    let proof = isSent || kind == .oauth ? try await late.proof() : nil
                    let end: Result<SignInStep, AuthError> =
                        if let proof { await late.settled(await late.send(proof)) } else { .success(late.step) }
                    w.expectNoReturn(of: user, end, late.client, "\(kind) from after")
                } catch let error as AuthError {
                    w.expect(error.code != .unknown && error.code != .invalidResponse, "\(kind) from after failed with \(error)")
                }
                let users = try await w.administrator().users()
                w.expect(users.allSatisfy { $0.id != user.id }, "\(kind): the backend has the deleted user again")
            }
            guard w.can(.password) else { return }
            let (person, client) = (try await w.member(), w.client())
            let user = try await w.enter(client, person).user
            try await client.deleteAccount()
            try await w.advance(by: .seconds(61))
            let again = w.client()
            let session = try await w.prove(again, again.signUp(with: person.credential), of: person)
            w.expect(session.user.id != user.id, "a sign-up with the same address returns the deleted user")
        },
    ]
}

extension Journey {
    /// What the person of a flow sends next: a code, or the URL that opens the app.
    fileprivate enum Proof: Sendable { case code(Secret), url(String) }

    /// Returns the next answer; `nil` if the step needs none, or its link does not open the app.
    fileprivate func proof() async throws -> Proof? {
        switch step {
        case .redirect(let redirect):
            guard let subject else { return nil }
            return .url(try await world.consent(to: redirect.url, as: subject))
        case .verify(let challenge):
            let message = try await world.messages(to: address).last
            if challenge.accepts.contains(.code), let code = message?.code { return .code(Secret(code)) }
            guard challenge.accepts.contains(.link), let link = message?.link else { return nil }
            return try await world.need(world.environment.browser, "the harness cannot open links").follow(link)
                .map { .url($0) }
        default: return nil
        }
    }

    fileprivate func send(_ proof: Proof) async -> Result<SignInStep, AuthError> {
        switch proof {
        case .code(let code): await respond(.code(code))
        case .url(let url): await open(url)
        }
    }
}

extension World {
    /// Checks that an answer does not sign a deleted user in.
    fileprivate func expectNoReturn(
        of user: User, _ outcome: Result<SignInStep, AuthError>, _ client: any PortableClient, _ what: String, line: Int = #line
    ) {
        let ids = [outcome.success?.session?.user.id, client.state.session?.user.id]
        expect(!ids.contains(user.id), "\(what) the deletion signs the deleted user in", line: line)
    }
}
