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
