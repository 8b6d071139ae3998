internal import LockstepCrypto
public import LockstepPrimitives

/// The signatures of a call by the rules of Standard Webhooks (https://www.standardwebhooks.com) and Svix.
public struct WebhookSignature: Sendable, Hashable {
    /// The time of the call, in seconds since 1970.
    public let stamp: String
    /// One signature for each valid secret.
    public let signatures: [String]

    /// Signs a call.
    ///
    /// The timestamp uses the machine's clock, which tests do not move. A listener compares it with its own clock and accepts
    /// five minutes of difference, which prevents replays. The body uses the backend's clock.
    ///
    /// - Parameters:
    ///   - id: The id of the call.
    ///   - body: The body.
    ///   - secrets: The secrets in base 64, with the prefix `whsec_` or `v1,whsec_`.
    ///   - now: The backend's time.
    ///   - environment: The environment, whose clock shows how far time was moved.
    public init(id: String, body: [UInt8], secrets: [Secret], at now: Instant, in environment: EmulationEnvironment) {
        let stamp = String((now - environment.clock.offset).seconds)
        self.stamp = stamp
        signatures = secrets.compactMap { secret in
            let text = secret.reveal()
            guard let key = Base64.decode(text.firstRange(of: "whsec_").map { text[$0.upperBound...] } ?? text[...]) else {
                return nil
            }
            return "v1," + Base64.encode(HashFunction.sha256.authenticate(Array("\(id).\(stamp).".utf8) + body, key: key))
        }
    }
}

/// The values that sign a call, so that the same call can be signed again at another time.
public struct WebhookSigning: Sendable, Hashable {
    /// The id of the call.
    public let id: String
    /// The secrets; each one creates a signature.
    public let secrets: [Secret]
    /// The prefixes of the headers `-id`, `-timestamp` and `-signature`.
    public let prefixes: [String]

    /// Creates the values.
    public init(id: String, secrets: [Secret], prefixes: [String] = ["webhook"]) {
        self.id = id
        self.secrets = secrets
        self.prefixes = prefixes
    }

    /// Returns the headers of a call with this body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - now: The backend's time.
    ///   - environment: The environment, whose clock shows how far time was moved.
    /// - Returns: The headers by name.
    public func headers(of body: [UInt8], at now: Instant, in environment: EmulationEnvironment) -> [String: String] {
        let signature = WebhookSignature(id: id, body: body, secrets: secrets, at: now, in: environment)
        var headers: [String: String] = [:]
        for prefix in prefixes {
            headers[prefix + "-id"] = id
            headers[prefix + "-timestamp"] = signature.stamp
            headers[prefix + "-signature"] = signature.signatures.joined(separator: ", ")
        }
        return headers
    }
}
