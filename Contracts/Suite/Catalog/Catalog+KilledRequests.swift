internal import Lockstep
internal import LockstepPrimitives

extension Catalog {
    /// Contracts about emails whose requesting process was killed before it received the response.
    static let killedRequests: [Contract<World>] = [
        Contract(
            "callback.killed-request",
            "The link of an email works on the device that requested it, even if the process ended before the response to "
                + "the request. A sign-up whose session was lost with the process requires a sign-in.",
            appliesTo: takingLinks, needs: [.mailbox, .browser, .faults, .trace],
            buildsOn: proving + ["sign-in.link.completes", "callback.twice", "verification.survives-relaunch"]
        ) { w in
            let trace = try w.need(w.environment.trace, "the harness does not count requests")
            var count = 0
            for kind in w.journeys(among: [.signUp, .emailLink, .reset, .emailChange]) {
                let usual = try await RequestedMail(kind, in: w)
                let start = trace.totals.requests
                let step = try await usual.ask(usual.client)
                let requests = trace.totals.requests - start
                guard requests > 0, step.accepts.contains(.link), let link = try await w.newestMessage(to: usual.address).link,
                    let url = try await w.environment.browser?.follow(link)
                else { continue }
                let expected = await usual.client.handle(url)
                for number in 1...requests {
                    let isLast = number == requests
                    let mail = try await RequestedMail(kind, in: w)
                    // Kill the process between two requests, or after the backend has handled the last one.
                    try await w.fail(with: isLast ? .answerHeld : .hang, skipping: isLast ? number - 1 : number, times: 1)
                    let work = Task { await result(of: { () async throws(AuthError) in try await mail.ask(mail.client) }) }
                    try await w.untilHanging(1)
                    try await w.heal()
                    let isSent = try await isLast ? w.comes { try await mail.isSent } : mail.isSent
                    w.expect(isSent || !isLast, "\(kind): the last request sends no email")
                    if isSent {
                        count += 1
                        // The first process never continues.
                        let again = try mail.device.relaunch()
                        await again.restore()
                        let outcome = await again.handle(try await w.url(for: mail.address))
                        let what = "\(kind), process killed after \(number) of \(requests) requests: the link"
                        let isAsUsual = outcome.kind == expected.kind || mail.asksForSignIn(outcome)
                        w.expect(isAsUsual, "\(what) returned \(outcome.kind), expected \(expected.kind)")
                        try await mail.finish(outcome, by: again, what)
                    }
                    try await w.release()
                    _ = await work.value
                }
            }
            guard count > 0 else { throw NotApplicable("no link opens the app") }
        }
    ]
}

/// An email with a link, and the client and person that request it.
private struct RequestedMail: Sendable {
    let world: World
    let kind: Journey.Kind
    let device: Device
    let client: any PortableClient
    let person: Person
    /// The recipient of the email.
    let address: String

    /// Prepares everything before the request for the email.
    init(_ kind: Journey.Kind, in world: World) async throws {
        self.world = world
        self.kind = kind
        device = world.device()
        client = device.launch()
        person = kind == .signUp ? world.stranger() : try await world.acquaintance()
        address = kind == .emailChange ? world.stranger().email : person.email
        if kind == .emailChange { try await world.enter(client, person) }
        // A backend limits how often it sends emails to one address, and compares times in whole seconds.
        if world.environment.backendClock != nil { try await world.advance(by: .seconds(61)) }
    }

    /// Whether the email was sent.
    var isSent: Bool { get async throws { try await !world.messages(to: address).isEmpty } }

    /// Requests the email.
    func ask(_ client: any PortableClient) async throws(AuthError) -> AuthStep {
        switch kind {
        case .signUp: try await client.signUp(with: person.credential, displayName: person.name)
        case .reset: try await client.requestPasswordReset(email: address)
        case .emailChange: try await client.changeEmail(to: address)
        default: try await client.signIn(with: .emailLink(address))
        }
    }

    /// Whether the link has verified the address of a sign-up without returning a session (Firebase).
    func asksForSignIn(_ outcome: CallbackOutcome) -> Bool {
        guard kind == .signUp, case .refused(let error) = outcome else { return false }
        return error.code == .notSignedIn && error.remedies.contains(.signIn)
    }

    /// Completes the steps after the link, and checks the user.
    func finish(_ outcome: CallbackOutcome, by client: any PortableClient, _ what: String) async throws {
        if asksForSignIn(outcome) {
            let session = try await world.enter(client, person)
            world.expect(session.user.isEmailVerified, "\(what) did not verify the address")
        }
        guard case .step(var step) = outcome else { return }
        if step.accepts == [.newPassword], let flow = step.flow {
            step = try await client.respond(to: flow, with: .newPassword(world.stranger().password))
        }
        guard let session = step.session else { return }
        let emails = kind == .emailChange ? [address, person.email] : [address]
        world.expect(emails.contains(session.user.email ?? ""), "\(what) signs in another user")
        world.expect(client.state.session?.user.id == session.user.id, "\(what) resulted in the state \(client.state.kind)")
    }
}
