internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about the exact address that a person has typed.
    static let exactAddresses: [Contract<World>] = [
        /// Cases: B12.
        Contract(
            "sign-up.address-exact",
            "Each entry sends exactly the typed address, in any script and with any sign: the message goes to this mailbox and to no "
                + "other, and the user has the address. Or the backend rejects it, and sends nothing.",
            appliesTo: .claimingAny(Journey.Kind.messageCapabilities), needs: [.mailbox, .trace, .clock],
            buildsOn: messageGrounds + ["sign-up.address-left-to-backend"]
        ) { w in
            var count = 0
            for kind in w.journeys(among: [.signUp, .emailCode, .emailLink, .reset, .emailChange]) {
                for name in [
                    "m\u{FC}ller.\u{142}\u{F3}d\u{17A}.", "\u{7528}\u{6237}.\u{43A}\u{430}\u{442}\u{44F}.",
                    "o'neil+a.b=c&d%e#{f}.",
                ] {
                    count += 1
                    try await w.reaches(name, by: kind)
                }
            }
            if count == 0 { throw NotApplicable("no flow of this backend sends an email") }
        }
    ]
}

extension World {
    /// Checks that the message of an entry reaches the mailbox with this name, and that its user has the address.
    fileprivate func reaches(_ name: String, by kind: Journey.Kind, line: Int = #line) async throws {
        var person = stranger()
        person.email = name + person.email.dropFirst("lockstep+".utf8.count)
        let former = kind == .emailChange ? try await member() : nil
        let device = device()
        let client = device.launch()
        if let former { try await enter(client, former, line: line) }
        let needsAccount = kind == .reset || kind.isSignInByMail && behavior.unknownAddressAtLink != .createsAccount
        if needsAccount, try await !hasAccount(person) { return }
        // Backends limit how often they send messages, and compare times in whole seconds.
        try await advance(by: .seconds(61))
        let trace = try need(environment.trace, "the harness does not count requests")
        let (requests, count) = (trace.totals.requests, try await messageCount())
        let begun = await begins(kind, person, client)
        let outbox = try need(environment.outbox, "the harness cannot read messages")
        let sent = try await outbox.messages().dropFirst(count).map(\.recipient)
        let address = person.email
        guard begun.failure?.code != .invalidEmail else {
            expect(trace.totals.requests > requests, "\(kind): the client rejected \(address) without a request", line: line)
            return expect(sent.isEmpty, "\(kind): the rejected address \(address) led to a message", line: line)
        }
        let step = try begun.get()
        let allowed = [address, former?.email].compactMap(\.self).map { Array($0.utf8) }
        expect(
            sent.contains { Array($0.utf8) == allowed[0] } && sent.allSatisfy { allowed.contains(Array($0.utf8)) },
            "\(kind): for \(address), messages went to \(sent)", line: line)
        var journey = Journey(
            world: self, kind: kind, device: device, client: client, step: step, person: former ?? person,
            addresses: former.map { [address, $0.email] } ?? [])
        journey.newAddress = address
        if kind == .reset { journey.person.password = stranger().password }
        try await journey.finish(line: line)
        var user = journey.step.session?.user
        if let former {
            person.password = former.password
            user = try await enter(self.client(), person, line: line).user
        }
        let email = try require(user?.email, "\(kind): \(address) returned \(journey.step.kind)", line: line)
        expect(Array(email.utf8) == allowed[0], "\(kind): the user has the address \(email), not \(address)", line: line)
    }

    /// Makes the call that sends the message.
    private func begins(
        _ kind: Journey.Kind, _ person: Person, _ client: any PortableClient
    ) async -> Result<AuthStep, AuthError> {
        await result(of: { () async throws(AuthError) in
            switch kind {
            case .signUp: try await client.signUp(with: person.credential, displayName: person.name)
            case .emailCode: try await client.signIn(with: .emailCode(person.email))
            case .emailLink: try await client.signIn(with: .emailLink(person.email))
            case .reset: try await client.requestPasswordReset(email: person.email)
            default: try await client.changeEmail(to: person.email)
            }
        })
    }

    /// Creates an account for a person; returns `false` if the backend rejects the address.
    private func hasAccount(_ person: Person) async throws -> Bool {
        guard can(.password) else {
            _ = try await administrator().create(
                email: person.email, password: person.password.reveal(), isEmailVerified: true, displayName: person.name)
            return true
        }
        let client = client()
        do {
            _ = try await prove(client, client.signUp(with: person.credential, displayName: person.name), of: person)
            try await client.signOut()
            return true
        } catch let error as AuthError where error.code == .invalidEmail {
            return false
        }
    }
}

extension Journey.Kind {
    fileprivate var isSignInByMail: Bool { self == .emailCode || self == .emailLink }
}
