public import Lockstep
public import LockstepPrimitives

extension World {
    /// Returns the number of messages that the backend has sent to all recipients.
    ///
    /// - Throws: ``EnvironmentError`` if messages cannot be read.
    public func messageCount() async throws -> Int {
        try await need(environment.outbox, "the harness cannot read messages").messages().count
    }

    /// Returns the messages to a recipient, oldest first.
    ///
    /// - Parameter address: The email address or phone number of the recipient.
    /// - Throws: ``EnvironmentError`` if messages cannot be read.
    public func messages(to address: String) async throws -> [SentMessage] {
        try await need(environment.outbox, "the harness cannot read messages").messages().filter {
            $0.recipient.lowercased() == address.lowercased()
        }
    }

    /// Returns the newest message to a recipient.
    ///
    /// If there is no message, the check ends and the contract is broken.
    ///
    /// - Parameters:
    ///   - address: The email address or phone number of the recipient.
    ///   - line: The line of the check in the source.
    /// - Throws: An error that ends the check.
    public func newestMessage(to address: String, line: Int = #line) async throws -> SentMessage {
        try require(try await messages(to: address).last, "no message reached the address", line: line)
    }

    /// Returns the code in the newest message to a recipient.
    ///
    /// If there is no message, the check ends and the contract is broken.
    ///
    /// - Parameters:
    ///   - address: The email address or phone number of the recipient.
    ///   - line: The line of the check in the source.
    /// - Throws: An error that ends the check.
    public func code(for address: String, line: Int = #line) async throws -> Secret {
        let message = try await newestMessage(to: address, line: line)
        return Secret(try require(message.code, "the message contains no code", line: line))
    }

    /// Opens the link in a message, and returns the URL that opens the app.
    ///
    /// - Parameters:
    ///   - line: The line of the check in the source.
    /// - Throws: An error that ends the check.
    public func url(of message: SentMessage, line: Int = #line) async throws -> String {
        let link = try require(message.link, "the message contains no link", line: line)
        let browser = try need(environment.browser, "the harness cannot open links")
        return try require(try await browser.follow(link), "the link did not open the app", line: line)
    }

    /// Opens the link in the newest message to a recipient, and returns the URL that opens the app.
    ///
    /// - Parameters:
    ///   - address: The email address of the recipient.
    ///   - line: The line of the check in the source.
    /// - Throws: An error that ends the check.
    public func url(for address: String, line: Int = #line) async throws -> String {
        try await url(of: try await newestMessage(to: address, line: line), line: line)
    }

    /// Completes a challenge with the code.
    ///
    /// If the challenge does not accept a code, the function uses the link.
    ///
    /// If the challenge does not accept the link on this device, the function opens the link on another device.
    ///
    /// - Parameters:
    ///   - address: The recipient of the message.
    ///   - line: The line of the check in the source.
    /// - Returns: The next step.
    /// - Throws: The error that the client throws, or another error that ends the check.
    public func give(
        _ client: any PortableClient, _ challenge: Challenge, to address: String, line: Int = #line
    ) async throws -> AuthStep {
        let ways = [ChallengeResponse.Kind.code, .link, .poll]
        let way = try require(
            ways.first { challenge.accepts.contains($0) }, "the challenge accepts neither a code nor a link", line: line)
        return try await give(client, challenge, to: address, way: way, line: line)
    }

    /// Sends the code or link from the newest message, as the given kind of response.
    func give(
        _ client: any PortableClient, _ challenge: Challenge, to address: String, way: ChallengeResponse.Kind, line: Int = #line
    ) async throws -> AuthStep {
        switch way {
        case .code: return try await client.respond(to: challenge.flow, with: .code(try await code(for: address, line: line)))
        case .link: return try await follow(client, try await url(for: address, line: line), line: line)
        default:
            try await confirmElsewhere(address, line: line)
            return try await client.respond(to: challenge.flow, with: .poll)
        }
    }

    /// Opens the link in the newest message to a recipient, on a device without the app.
    ///
    /// - Parameters:
    ///   - address: The email address of the recipient.
    ///   - line: The line of the check in the source.
    /// - Throws: An error that ends the check.
    public func confirmElsewhere(_ address: String, line: Int = #line) async throws {
        let link = try require(try await newestMessage(to: address, line: line).link, "the message contains no link", line: line)
        try await need(environment.browser, "the harness cannot open links").confirm(link)
    }

    /// Opens the app with a URL, and returns the next step.
    ///
    /// - Parameters:
    ///   - line: The line of the check in the source.
    /// - Throws: The error that the client throws, or another error that ends the check.
    public func follow(_ client: any PortableClient, _ url: String, line: Int = #line) async throws -> AuthStep {
        switch await client.handle(url) {
        case .step(let step): return step
        case .refused(let error): throw error
        case .notOurs: try end("the client treated the app's own link as another app's", line: line)
        }
    }

    /// Signs a new user up, and returns the challenge.
    func challenge(of person: Person, _ client: any PortableClient, line: Int = #line) async throws -> Challenge {
        let step = try await client.signUp(with: person.credential, displayName: person.name)
        return try require(step.challenge, "the sign-up returned \(step.kind)", line: line)
    }

    /// Waits until the message of a challenge can be sent again, and sends it.
    func sendAgain(_ client: any PortableClient, _ challenge: Challenge, line: Int = #line) async throws -> Challenge {
        let available = try require(challenge.resendAvailableAt, "the challenge cannot be sent again", line: line)
        if available > clock.now { try await advance(by: available - clock.now + .seconds(1)) }
        return try await client.resend(challenge.flow)
    }

    /// Sends the code or link from a message.
    func give(_ client: any PortableClient, _ challenge: Challenge, by message: SentMessage) async throws -> AuthStep {
        if challenge.accepts.contains(.code), let code = message.code {
            return try await client.respond(to: challenge.flow, with: .code(Secret(code)))
        }
        return try await follow(client, try await url(of: message))
    }
}
