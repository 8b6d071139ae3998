internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about links that were changed in transit, opened twice, or never requested.
    static let links: [Contract<World>] = [
        Contract(
            "callback.additions",
            "Additions to a link by browsers, mail programs and analytics have no effect, even if they are malformed or "
                + "duplicated.",
            appliesTo: takingLinks, needs: [.mailbox, .browser], buildsOn: proving + ["sign-in.link.completes"]
        ) { w in
            let additions = [
                "utm_source=mail&utm_source=news&fbclid=x", "utm_campaign=50%off&gclid=%ff", "sb=&_gl=1*2&sb=1", "mc_eid=%00",
                "error_description=a&error_description=b",
            ]
            for addition in additions {
                let (client, url) = try await w.awaitingLink()
                let step = try await w.follow(client, url.adding(addition))
                w.expect(step.session != nil, "with \(addition) the link returned \(step.kind)")
            }
            for fragment in ["#", "#_=_", "#utm_source=mail"] {
                let (client, url) = try await w.awaitingLink()
                guard !url.contains("#") else { continue }
                let step = try await w.follow(client, url + fragment)
                w.expect(step.session != nil, "with \(fragment) the link returned \(step.kind)")
            }
        },

        // A backend may redirect back to the callback address without parameters. Clerk does this for a new user.
        Contract(
            "callback.page-additions",
            "Additions by browsers and analytics to the callback of an identity provider's page have no effect.",
            appliesTo: .claiming(.oauth), needs: [.identityPage], buildsOn: ["sign-in.oauth.round-trip"]
        ) { w in
            let changes: [@Sendable (String) -> String] = [
                { $0 + "#_=_" }, { $0 + "#" }, { $0.adding("fbclid=a&fbclid=b") }, { $0.adding("utm_term=%zz") },
            ]
            for change in changes {
                let (client, person) = (w.client(), w.subject())
                let url = try await w.consent(to: try await w.page(client), as: person)
                guard !url.contains("#") else { throw NotApplicable("the callback already has a fragment") }
                let outcome = await client.handle(change(url))
                w.expect(outcome.session?.user.email == person.email, "\(change("URL")) returned \(outcome.kind)")
            }
        },

        Contract(
            "callback.slash",
            "A link to the callback address with one additional slash at the end of its path is accepted. A link with two additional "
                + "slashes does not belong to the app.",
            appliesTo: takingLinks, needs: [.mailbox, .browser],
            buildsOn: proving + ["sign-in.link.completes", "callback.not-ours"]
        ) { w in
            let ours = try w.callback()
            guard !ours.hasSuffix("/") else { throw NotApplicable("the callback address ends with a slash") }
            let (client, url) = try await w.awaitingLink()
            let rest = url.dropFirst(ours.count)
            guard url.hasPrefix(ours), rest.hasPrefix("?") || rest.hasPrefix("#") else {
                throw NotApplicable("the link opens another address of the app")
            }
            w.expect(
                await client.handle("\(ours)//\(rest)").isNotOurs,
                "an address with two slashes was treated as the callback address")
            let step = try await w.follow(client, "\(ours)/\(rest)")
            w.expect(step.session != nil, "with a slash the link returned \(step.kind)")
        },

        Contract(
            "callback.used-after-relaunch",
            "A link that is opened again after a relaunch fails with `linkUsed` without a request, while the user is "
                + "signed in and after a sign-out.",
            appliesTo: takingLinks, needs: [.mailbox, .browser, .trace],
            buildsOn: [
                "callback.twice", "verification.survives-relaunch", "session.sign-out.local", "session.sign-out.wipes-flow",
            ]
        ) { w in
            let device = w.device()
            let (client, url) = try await w.awaitingLink(on: device)
            let session = try w.require(try await w.follow(client, url).session, "the link does not complete the flow")
            let again = try device.relaunch()
            await again.restore()
            func isUsed(_ client: any PortableClient, _ when: String) async throws {
                try await w.expectRequests(0...0, "a used link \(when)") {
                    let kind = await client.handle(url).kind
                    w.expect(kind == "linkUsed", "\(when) the used link returned \(kind)")
                }
            }
            try await isUsed(again, "after a relaunch")
            w.expect(again.state.session?.user.id == session.user.id, "after a used link the state is \(again.state.kind)")
            try await again.signOut()
            try await isUsed(again, "after a sign-out")
            let last = try device.relaunch()
            await last.restore()
            try await isUsed(last, "after a sign-out and a relaunch")
            w.expect(last.state.session == nil, "after a used link the state is \(last.state.kind)")
        },

        Contract(
            "callback.invitation",
            "The link of an invitation signs in the invited person on any device, once, and never over another session.",
            appliesTo: .claiming(.ticket), needs: [.administrator, .trace], buildsOn: entering
        ) { w in
            let person = w.stranger()
            guard let url = try await w.administrator().invitation(to: person.email) else {
                throw NotApplicable("the backend has no invitations")
            }
            let (busy, session) = try await w.signedIn()
            try await w.expectRequests(0...0, "an invitation while a user is signed in") {
                let outcome = await busy.handle(url)
                w.expect(outcome.kind == "userMismatch", "over another session the invitation returned \(outcome.kind)")
            }
            w.expect(busy.state.session?.user.id == session.user.id, "the invitation replaced the session")

            let device = w.device()
            let client = device.launch()
            let outcome = await client.handle(url)
            switch outcome {
            case .step(.complete(let invited)):
                w.expect(invited.user.email == person.email, "the invitation signs in another user")
            case .step(.moreInformation(let step)):
                w.expect(!step.fields.isEmpty, "the invitation requires no field")
            default: w.found("the invitation returned \(outcome.kind)", line: #line)
            }
            try await client.signOut()
            let again = try device.relaunch()
            await again.restore()
            let second = await again.handle(url)
            w.expect(second.kind == "linkUsed", "the second time, the invitation returned \(second.kind)")
        },

        Contract(
            "callback.server-link",
            "A sign-in link that the app's server created signs its user in. Or it is rejected without a request, because an attacker "
                + "could have created it; the error then names the call that accepts its ticket, and the ticket signs the user in.",
            appliesTo: .claiming([.ticket, .password]), needs: [.administrator, .trace], buildsOn: ["sign-in.ticket.single-use"]
        ) { w in
            let person = try await w.member()
            let userID = try await w.userID(of: person)
            let ticket = try await w.administrator().ticket(for: userID)
            guard let url = try await w.administrator().link(with: ticket) else {
                throw NotApplicable("the backend's tickets do not come in links")
            }
            let client = w.client()
            let trace = try w.need(w.environment.trace, "the harness does not count requests")
            let before = trace.totals.requests
            var end: AuthStep
            switch await client.handle(url) {
            case .step(let step): end = step
            case .refused(let error):
                w.expect(trace.totals.requests == before, "the client sent a request for a link that it rejects")
                w.expect(error.code == .flowStartedElsewhere, "the link of a server failed with \(error)")
                w.expect(error.message.contains("signIn(with: .ticket("), "the error names no call: \(error.message)")
                end = try await client.signIn(with: .ticket(ticket))
            case .notOurs: return w.found("the link of a server does not open the app", line: #line)
            }
            end = try await w.proveWhatIsMailed(client, end, of: person)
            try await w.expectGenuine(end, of: userID, client, "the link of a server")
        },

        // GoTrue sends one email a minute, so the sign-in sends no other email. The only link is that of the sign-up.
        Contract(
            "verification.link.password-first",
            "A person who signs up, and signs in with the right password before opening the link, is signed in by the link "
                + "of the newest email.",
            appliesTo: .claiming([.password, .confirmationLink]), when: .proofIsRequired, needs: [.mailbox, .browser],
            buildsOn: [
                "sign-up.password.asks-for-proof", "verification.link.completes", "sign-in.password.unverified-is-a-step",
            ]
        ) { w in
            for isCancelled in [false, true] {
                let person = w.stranger()
                let client = w.client()
                let challenge = try await w.challenge(of: person, client)
                if isCancelled { try await client.cancel(challenge.flow) }
                let step = try await client.signIn(with: person.credential)
                w.expect(step.challenge != nil, "the password before the verification returned \(step.kind)")
                let followed = try await w.follow(client, try await w.url(for: person.email))
                let session = try w.require(followed.session, "after the right password the link returned \(followed.kind)")
                w.expect(session.user.email == person.email, "the link signs in another user")
            }
        },
    ]
}
