internal import LockstepCrypto
public import LockstepPrimitives

/// The signatures of a call, as Standard Webhooks makes them (https://www.standardwebhooks.com), and Svix.
public struct WebhookSignature: Sendable, Hashable {
    /// The time of the call in seconds.
    public let stamp: String
    /// One signature for each secret that can be read.
    public let signatures: [String]

    /// Signs a call.
    ///
    /// The stamp has the machine's time, which no test has moved: a listener compares it to its own clock and accepts five minutes either way, so
    /// that nobody can replay a call later. The body has the backend's time.
    ///
    /// - Parameters:
    ///   - id: The id of the call.
    ///   - body: The body.
    ///   - secrets: What it is signed with: base 64, with `whsec_` before it or `v1,whsec_`.
    ///   - now: The backend's time.
    ///   - environment: Says how far the backend's clock was moved.
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
    /// The secrets; each makes a signature.
    public let secrets: [Secret]
    /// The names before `-id`, `-timestamp` and `-signature` in headers.
    public let prefixes: [String]

    /// Values from their parts.
    public init(id: String, secrets: [Secret], prefixes: [String] = ["webhook"]) {
        self.id = id
        self.secrets = secrets
        self.prefixes = prefixes
    }

    /// The headers of a call with this body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - now: The backend's time.
    ///   - environment: Says how far the backend's clock was moved.
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
