internal import Lockstep
internal import LockstepContracts
internal import LockstepCurl
internal import LockstepEmulatorTestSupport
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepTokens

/// The clock of a server with a route that moves the clock.
struct ServerTime: BackendClock {
    let base: String
    private let transport = CurlTransport()

    init(base: String) { self.base = base }

    func advance(by duration: Duration) async throws {
        // The emulator never requires a recent sign-in, and accepts old tokens. After a day, its behavior would differ from
        // production.
        guard duration < .seconds(24 * 3600) else { throw EnvironmentError("On this server a sign-in is never too old.") }
        let seconds = (duration.milliseconds + 999) / 1000
        let response = try await transport.send(HTTPRequest(.get, "\(base)/__tick?seconds=\(seconds)"))
        guard ![404, 501].contains(response.status) else {
            throw EnvironmentError("This server has no route that moves its clock.")
        }
        guard response.isSuccess else {
            throw HarnessFailure("The request to move the server's clock returned \(response.status).")
        }
    }
}

/// The requests that the adapter has sent.
struct ClientTrace: RequestTrace {
    private let trace: HTTPTrace

    init(_ trace: HTTPTrace) { self.trace = trace }

    var totals: RequestTotals {
        let totals = trace.totals
        return RequestTotals(
            requests: totals.requests, bytesUp: totals.bytesUp, bytesDown: totals.bytesDown, duration: totals.duration)
    }

    var requests: [TracedRequest]? { trace.exchanges.map(TracedRequest.init) }

    var transcript: String {
        trace.exchanges.map { "\($0.method.rawValue) \($0.url)\n\($0.headers)\n\($0.body)\n\($0.outcome)" }.joined(
            separator: "\n\n")
    }
}

/// An issuer for a server that does not verify ID tokens.
struct OpenIssuer: IdentityIssuer {
    let provider = IdentityProvider.apple
    let clock: any DeviceClock
    let tokenLife = Duration.seconds(600)

    func idToken(for subject: IdentitySubject, flaw: IDTokenFlaw?) async throws -> Secret {
        guard flaw == nil else { throw EnvironmentError("This server accepts any ID token, even a flawed one.") }
        var claims: JSONObject = [
            "iss": "https://appleid.apple.com", "aud": "com.example.app", "sub": .string(subject.id),
            "iat": .int(clock.now.seconds), "exp": .int((clock.now + tokenLife).seconds),
        ]
        if let email = subject.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(subject.isEmailVerified)
        }
        claims["nonce"] = subject.nonce.map { .string($0) }
        claims["name"] = subject.name.map { .string($0) }
        return Secret(TokenWriter.unsigned(claims))
    }
}
