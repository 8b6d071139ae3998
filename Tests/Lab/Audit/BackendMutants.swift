import Lockstep
import LockstepContracts
import LockstepMutants
import LockstepPrimitives

/// Generated, named faults in the controls of the backend.
///
/// With each fault, the administrator's API, the mailbox or the trace shows the data of a faulty backend.
enum BackendMutants {
    /// All faults.
    static let all: [SystematicMutants.Named] = users + operations + tokens + messages + pages + traffic

    private static let users: [SystematicMutants.Named] = [
        listing("the backend has no users") { _ in [] },
        listing("the backend has each user twice") { $0 + $0.map { user in user.changed { $0.id += "-2" } } },
        listing("the backend has each user with a different id") {
            $0.map { user in user.changed { $0.id = "another-\(user.id)" } }
        },
        listing("the backend has no email addresses") { $0.map { user in user.changed { $0.email = nil } } },
        listing("the backend has other email addresses") { $0.map { user in user.changed { $0.email = "other@example.org" } } },
        listing("the backend has each verification inverted") { $0.map { user in user.changed { $0.isEmailVerified.toggle() } } },
        listing("the backend has other display names") { $0.map { user in user.changed { $0.displayName = "Mutant" } } },
        listing("the backend has one more user") { users in
            users + [StoredUser(id: "another-user", email: nil, isEmailVerified: false, displayName: nil)]
        },
    ]

    /// Faults in which an operation of the administrator changes nothing.
    private static let operations: [SystematicMutants.Named] = AlteredAdministrator.Operation.allCases.map { operation in
        admin("\(operation.rawValue) does nothing") { $0.idle = operation }
    }

    private static let tokens: [SystematicMutants.Named] = [
        admin("the backend accepts no token") { $0.accepting = { _ in false } },
        admin("the backend accepts every token") { $0.accepting = { _ in true } },
        admin("the backend accepts exactly the invalid tokens") { $0.accepting = { !$0 } },
    ]

    private static let messages: [SystematicMutants.Named] = [
        outbox("no message is sent") { _ in [] },
        outbox("each message is sent twice") { $0.flatMap { [$0, $0] } },
        outbox("messages contain no code") { $0.map { message in message.changed { $0.code = nil } } },
        outbox("messages contain no link") { $0.map { message in message.changed { $0.link = nil } } },
        outbox("messages contain a wrong code") {
            $0.map { message in message.changed { $0.code = $0.code.map { _ in "000000" } } }
        },
        outbox("messages contain a wrong link") { messages in
            messages.map { message in message.changed { $0.link = messages.first { $0.link != message.link }?.link } }
        },
        outbox("messages go to another address") { $0.map { message in message.changed { $0.recipient = "other@example.org" } } },
        outbox("only the first message is sent") { Array($0.prefix(1)) },
        growing,
        misdirected,
        outbox("an additional message is sent") { $0 + [SentMessage(recipient: "other@example.org", code: "000000")] },
    ]

    private static let growing: SystematicMutants.Named = (
        "each read of the outbox shows every message once more",
        Mutation(controls: { environment, notebook in
            environment.outbox = environment.outbox.map { base in
                AlteredOutbox(base: base) { messages in
                    (0..<notebook.count("looks")).reduce(messages) { all, _ in all + messages }
                }
            }
        })
    )

    /// A fault that adds a message for each address.
    ///
    /// The clients record every address in their calls.
    private static let misdirected: SystematicMutants.Named = (
        "every address in a request receives a message",
        Mutation(
            client: { client, context in
                var faulty = FaultyClient(client)
                let note: @Sendable (String?) -> Void = { address in
                    guard let address else { return }
                    let known = context.notebook["addresses"]?.reveal() ?? ""
                    context.notebook["addresses"] = Secret(known + address + "\n")
                }
                faulty.onSignUp = { base, credential, name async throws(AuthError) in
                    note(credential.identifier)
                    return try await base.signUp(with: credential, displayName: name)
                }
                faulty.onSignIn = { base, credential async throws(AuthError) in
                    note(credential.identifier)
                    return try await base.signIn(with: credential)
                }
                faulty.onReset = { base, email async throws(AuthError) in
                    note(email)
                    return try await base.requestPasswordReset(email: email)
                }
                faulty.onChangeEmail = { base, email async throws(AuthError) in
                    note(email)
                    return try await base.changeEmail(to: email)
                }
                return faulty
            },
            controls: { environment, notebook in
                environment.outbox = environment.outbox.map { base in
                    AlteredOutbox(base: base) { messages in
                        let named = notebook["addresses"]?.reveal().split(separator: "\n") ?? []
                        return messages + named.map { SentMessage(recipient: String($0), code: "000000") }
                    }
                }
            })
    )

    private static let pages: [SystematicMutants.Named] = [
        (
            "links do not open the app",
            Mutation(controls: { environment, _ in environment.browser = environment.browser.map { ClosedBrowser(base: $0) } })
        ),
        (
            "the page of an identity provider does not open the app",
            Mutation(controls: { environment, _ in
                environment.identityPage = environment.identityPage.map { ClosedPage(provider: $0.provider) }
            })
        ),
        (
            "an identity provider signs with another key",
            Mutation(controls: { environment, _ in environment.issuer = environment.issuer.map { FlawedIssuer(base: $0) } })
        ),
        (
            "an identity provider issues no flawed token",
            Mutation(controls: { environment, _ in environment.issuer = environment.issuer.map { CarelessIssuer(base: $0) } })
        ),
    ]

    private static let traffic: [SystematicMutants.Named] = [
        (
            "requests are counted that were not sent",
            Mutation(controls: { environment, notebook in
                environment.trace = environment.trace.map { GrowingTrace(base: $0, notebook: notebook) }
            })
        ),
        (
            "no request is counted",
            Mutation(controls: { environment, _ in environment.trace = environment.trace.map { SilentTrace(base: $0) } })
        ),
    ]

    private static func listing(
        _ name: String, _ change: @escaping @Sendable ([StoredUser]) -> [StoredUser]
    ) -> SystematicMutants.Named {
        admin(name) { $0.listing = change }
    }

    private static func admin(
        _ name: String, _ change: @escaping @Sendable (inout AlteredAdministrator) -> Void
    ) -> SystematicMutants.Named {
        let mutation = Mutation(controls: { environment, _ in
            environment.administrator = environment.administrator.map {
                var altered = AlteredAdministrator(base: $0)
                change(&altered)
                return altered
            }
        })
        return (name, mutation)
    }

    private static func outbox(
        _ name: String, _ change: @escaping @Sendable ([SentMessage]) -> [SentMessage]
    ) -> SystematicMutants.Named {
        let mutation = Mutation(controls: { environment, _ in
            environment.outbox = environment.outbox.map { AlteredOutbox(base: $0, change: change) }
        })
        return (name, mutation)
    }
}

extension StoredUser {
    fileprivate func changed(_ change: (inout StoredUser) -> Void) -> StoredUser {
        var user = self
        change(&user)
        return user
    }
}

extension SentMessage {
    fileprivate func changed(_ change: (inout SentMessage) -> Void) -> SentMessage {
        var message = self
        change(&message)
        return message
    }
}

/// A mailbox with changed messages.
private struct AlteredOutbox: Outbox {
    let base: any Outbox
    let change: @Sendable ([SentMessage]) -> [SentMessage]

    func messages() async throws -> [SentMessage] { change(try await base.messages()) }
}

/// A browser whose links do not open the app.
private struct ClosedBrowser: Browser {
    let base: any Browser

    func follow(_ link: String) async throws -> String? { nil }
    func confirm(_ link: String) async throws {}
    func scan(_ link: String, _ method: ScanMethod) async throws { try await base.scan(link, method) }
}

/// A page that does not open the app.
private struct ClosedPage: IdentityPage {
    let provider: IdentityProvider

    func approve(_ page: String, as subject: IdentitySubject) async throws -> String? { nil }
    func refuse(_ page: String) async throws -> String? { nil }
}

/// An issuer whose tokens no backend can accept.
private struct FlawedIssuer: IdentityIssuer {
    let base: any IdentityIssuer

    var provider: IdentityProvider { base.provider }
    var tokenLife: Duration { base.tokenLife }
    func idToken(for subject: IdentitySubject, flaw: IDTokenFlaw?) async throws -> Secret {
        try await base.idToken(for: subject, flaw: flaw ?? .foreignKey)
    }
}

/// An issuer that returns a valid token even for a request with a flaw.
private struct CarelessIssuer: IdentityIssuer {
    let base: any IdentityIssuer

    var provider: IdentityProvider { base.provider }
    var tokenLife: Duration { base.tokenLife }
    func idToken(for subject: IdentitySubject, flaw: IDTokenFlaw?) async throws -> Secret {
        try await base.idToken(for: subject, flaw: nil)
    }
}

/// A trace whose count grows on every read.
private struct GrowingTrace: RequestTrace {
    let base: any RequestTrace
    let notebook: CheckLog

    var totals: RequestTotals {
        var totals = base.totals
        totals.requests += notebook.count("requests")
        return totals
    }
    var requests: [TracedRequest]? { base.requests }
    var transcript: String { base.transcript }
}

/// A trace whose totals stay at zero.
private struct SilentTrace: RequestTrace {
    let base: any RequestTrace

    var totals: RequestTotals { RequestTotals() }
    var requests: [TracedRequest]? { base.requests }
    var transcript: String { base.transcript }
}
