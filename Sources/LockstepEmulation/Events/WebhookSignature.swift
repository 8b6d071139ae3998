internal import LockstepCrypto
public import LockstepPrimitives

/// The signatures of a call to a webhook, according to the rules of Standard Webhooks (https://www.standardwebhooks.com) and Svix.
public struct WebhookSignature: Sendable, Hashable {
    /// The time of the call, in seconds since 1970, as in the header.
    public let stamp: String
    /// The signatures, one for each valid secret.
    public let signatures: [String]

    /// Signs a call.
    ///
    /// The signed time comes from the machine's clock, even if a test has moved the backend's clock. The called server compares
    /// the time with its own clock, and accepts a difference of five minutes. This prevents replays. Times in the body come
    /// from the backend's clock.
    ///
    /// - Parameters:
    ///   - secrets: The secrets in base 64, with the prefix `whsec_` or `v1,whsec_`.
    ///   - environment: The environment of the emulator. The environment's clock shows how far a test has moved the time.
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

/// The values that the emulator needs to sign a call, and to sign the same call again later.
public struct WebhookSigning: Sendable, Hashable {
    /// The id of the call.
    public let id: String
    /// The secrets.
    ///
    /// Each secret creates one signature.
    public let secrets: [Secret]
    /// The prefixes of the header names; the names end with `-id`, `-timestamp` and `-signature`.
    public let prefixes: [String]

    /// Creates the values for signing a call.
    ///
    /// - Parameters:
    ///   - secrets: The secrets. Each secret creates one signature.
    ///   - prefixes: The prefixes of the header names; the names end with `-id`, `-timestamp` and `-signature`.
    public init(id: String, secrets: [Secret], prefixes: [String] = ["webhook"]) {
        self.id = id
        self.secrets = secrets
        self.prefixes = prefixes
    }

    /// Returns the headers that sign a call.
    ///
    /// - Parameters:
    ///   - now: The time on the backend's clock.
    ///   - environment: The environment of the emulator. The environment's clock shows how far a test has moved the time.
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
