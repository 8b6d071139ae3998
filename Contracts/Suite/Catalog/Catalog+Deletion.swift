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
            "After a deletion, no code, link, poll, page, ID token, passkey, second factor or sign-up returns the deleted user, whether it "
                + "began before or after. It is rejected, or creates a new user.",
            appliesTo: .claiming(.accountDeletion), needs: [.administrator, .clock, .mailbox],
            buildsOn: entering + ["account.delete"] + messageGrounds
        ) { w in
            // A ticket is the word of the app's own server, which may name any id.
            let kinds: [Journey.Kind] = [
                .emailCode, .emailLink, .phoneCode, .reset, .renewal, .idToken, .oauth, .passkey, .secondFactor,
            ]
            for kind in w.journeys(among: kinds) {
                guard var first = try await w.beginIfPossible(kind) else { continue }
                try await first.finish()
                let user = try w.require(first.step.session, "\(kind): the flow returned \(first.step.kind)").user
                // A backend limits how often it sends messages to one address.
                try await w.advance(by: .seconds(61))
                let early = try await w.begin(like: first)
                let proofs = try await early.proofs()
                try await first.client.deleteAccount()
                for proof in proofs { await w.expectNoReturn(of: user, by: proof, in: early, "\(kind) from before") }
                try await w.advance(by: .seconds(61))
                let count = try await w.messageCount()
                do {
                    let late = try await w.begin(like: first)
                    w.expectNoReturn(of: user, .success(late.step), in: late, "\(kind) from after")
                    // A backend that hides unknown addresses sends no message. An older one is of no use then.
                    let isNew = try await w.messageCount() > count || [.oauth, .passkey].contains(kind)
                    for proof in isNew ? try await late.proofs() : [] {
                        await w.expectNoReturn(of: user, by: proof, in: late, "\(kind) from after")
                    }
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
    /// What the person of a flow can send next: an answer, or the URL that opens the app.
    fileprivate enum Proof: Sendable { case answer(ChallengeResponse), url(String) }

    /// Returns all answers to the current step.
    fileprivate func proofs() async throws -> [Proof] {
        switch step {
        case .redirect(let redirect):
            guard let subject else { return [] }
            return [.url(try await world.consent(to: redirect.url, as: subject))]
        case .verify(let challenge) where challenge.accepts.contains(.passkey):
            let sheet = try world.need(world.environment.passkeys, "the harness cannot use passkeys")
            return [.answer(.passkey(try await sheet.sign(challenge.passkeyOptions ?? .null, as: userID ?? "")))]
        case .verify(let challenge):
            let message = try await world.messages(to: address).last
            var proofs: [Proof] = []
            if challenge.accepts.contains(.code), let code = message?.code { proofs.append(.answer(.code(Secret(code)))) }
            if let link = message?.link, let browser = world.environment.browser {
                if challenge.accepts.contains(.link) {
                    if let url = try await browser.follow(link) { proofs.append(.url(url)) }
                } else if challenge.accepts.contains(.poll) {
                    try await browser.confirm(link)
                }
            }
            if challenge.accepts.contains(.poll) { proofs.append(.answer(.poll)) }
            return proofs
        case .secondFactor(let second):
            guard let factor else { return [] }
            if second.challenge?.accepts.contains(.code) != true { _ = try await world.choose(client, factor.kind, of: second) }
            return [.answer(.code(try await world.code(of: factor)))]
        default: return []
        }
    }
}

extension World {
    /// Checks that an answer does not sign a deleted user in.
    fileprivate func expectNoReturn(
        of user: User, by proof: Journey.Proof, in journey: Journey, _ what: String, line: Int = #line
    ) async {
        let outcome =
            switch proof {
            case .answer(let answer): await journey.respond(answer)
            case .url(let url): await journey.open(url)
            }
        expectNoReturn(of: user, await journey.settled(outcome), in: journey, what, line: line)
    }

    fileprivate func expectNoReturn(
        of user: User, _ outcome: Result<AuthStep, AuthError>, in journey: Journey, _ what: String, line: Int = #line
    ) {
        // A client that was signed in does not know of the deletion yet.
        let shown = journey.hasUser ? nil : journey.client.state.session
        let ids = [outcome.success?.session?.user.id, shown?.user.id]
        expect(!ids.contains(user.id), "\(what) the deletion signs the deleted user in", line: line)
    }
}
