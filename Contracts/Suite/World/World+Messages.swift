public import Lockstep
public import LockstepPrimitives

extension World {
    /// Returns the number of messages sent to all addresses.
    public func messageCount() async throws -> Int {
        try await need(environment.outbox, "messages cannot be read").messages().count
    }

    /// Returns the messages to an address, oldest first.
    public func messages(to address: String) async throws -> [SentMessage] {
        try await need(environment.outbox, "messages cannot be read").messages().filter {
            $0.recipient.lowercased() == address.lowercased()
        }
    }

    /// Returns the newest message to an address.
    public func newestMessage(to address: String, line: Int = #line) async throws -> SentMessage {
        try require(try await messages(to: address).last, "no message reached the address", line: line)
    }

    /// Returns the code of the newest message.
    public func code(for address: String, line: Int = #line) async throws -> Secret {
        let message = try await newestMessage(to: address, line: line)
        return Secret(try require(message.code, "the message holds no code", line: line))
    }

    /// Returns the URL with which a message's link opens the app.
    public func url(of message: SentMessage, line: Int = #line) async throws -> String {
        let link = try require(message.link, "the message holds no link", line: line)
        let browser = try need(environment.browser, "links cannot be opened")
        return try require(try await browser.follow(link), "the link did not lead to the app", line: line)
    }

    /// Returns the URL with which the newest message's link opens the app.
    public func url(for address: String, line: Int = #line) async throws -> String {
        try await url(of: try await newestMessage(to: address, line: line), line: line)
    }

    /// Completes a challenge: with a code if it accepts one, with a link, or on another device.
    public func give(
        _ client: any PortableClient, _ challenge: Challenge, to address: String, line: Int = #line
    ) async throws -> SignInStep {
        let ways = [ChallengeResponse.Kind.code, .link, .poll]
        let way = try require(
            ways.first { challenge.accepts.contains($0) }, "the challenge takes neither a code nor a link", line: line)
        return try await give(client, challenge, to: address, way: way, line: line)
    }

    /// Gives the newest message's proof in a certain way.
    func give(
        _ client: any PortableClient, _ challenge: Challenge, to address: String, way: ChallengeResponse.Kind, line: Int = #line
    ) async throws -> SignInStep {
        switch way {
        case .code: return try await client.respond(to: challenge.flow, with: .code(try await code(for: address, line: line)))
        case .link: return try await follow(client, try await url(for: address, line: line), line: line)
        default:
            try await confirmElsewhere(address, line: line)
            return try await client.respond(to: challenge.flow, with: .poll)
        }
    }

    /// Opens the newest message's link on a device without the app.
    public func confirmElsewhere(_ address: String, line: Int = #line) async throws {
        let link = try require(try await newestMessage(to: address, line: line).link, "the message holds no link", line: line)
        try await need(environment.browser, "links cannot be opened").confirm(link)
    }

    /// Opens the app with a URL, and returns the resulting step.
    public func follow(_ client: any PortableClient, _ url: String, line: Int = #line) async throws -> SignInStep {
        switch await client.handle(url) {
        case .step(let step): return step
        case .refused(let error): throw error
        case .notOurs: try end("the app's own link was taken for another app's", line: line)
        }
    }

    /// Signs a new user up, and returns the challenge.
    func challenge(of person: Person, _ client: any PortableClient, line: Int = #line) async throws -> Challenge {
        let step = try await client.signUp(with: person.credential, displayName: person.name)
        return try require(step.challenge, "the sign-up leads to \(step.kind)", line: line)
    }

    /// Waits until a challenge may be sent again, and sends it.
    func sendAgain(_ client: any PortableClient, _ challenge: Challenge, line: Int = #line) async throws -> Challenge {
        let available = try require(challenge.resendAvailableAt, "the challenge cannot be sent again", line: line)
        if available > clock.now { try await advance(by: available - clock.now + .seconds(1)) }
        return try await client.resend(challenge.flow)
    }

    /// Gives the proof of a certain message.
    func give(_ client: any PortableClient, _ challenge: Challenge, by message: SentMessage) async throws -> SignInStep {
        if challenge.accepts.contains(.code), let code = message.code {
            return try await client.respond(to: challenge.flow, with: .code(Secret(code)))
        }
        return try await follow(client, try await url(of: message))
    }
}
