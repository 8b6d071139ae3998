public import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// The address of an instance's front-end API, its key and its settings; validated at creation.
public struct ClerkConfiguration: Sendable {
    /// The address of the front-end API without a slash at the end, such as `https://clerk.example.com`.
    public let url: String
    /// Where links come back to the app; without one, links are neither asked for nor taken.
    public let callback: CallbackAddress?
    /// Whether a link proves the address of a sign-up, as the instance's settings may say (“Email verification link”), and not a
    /// code; it needs ``callback``.
    public let confirmsByLink: Bool
    /// Clerk's interval between two codes to one address (30 s; reference: FAPI 429 `verification_code_too_many_requests`).
    public var resendInterval: Duration = .seconds(30)
    /// The lifetime of codes and links where an answer names none (10 minutes).
    public var proofLife: Duration = .seconds(600)
    /// The timeout of a request.
    public var deadline: Duration = .seconds(30)

    /// A configuration, checked.
    ///
    /// - Parameters:
    ///   - publishableKey: `pk_test_…` or `pk_live_…`; it contains the address of the API.
    ///   - proxy: The address of the API where it is another one than the key says: the team's own proxy, or a local server.
    ///   - callback: The address at which the app takes links back.
    ///   - confirmsByLink: Whether the instance proves addresses at sign-up by link and not by code.
    /// - Throws: `invalidConfiguration` with what is wrong: a malformed key, a secret key, plain http to another machine.
    public init(
        publishableKey: String, proxy: String? = nil, callback: String? = nil, confirmsByLink: Bool = false
    ) throws(AuthError) {
        guard callback != nil || !confirmsByLink else {
            throw AuthError(.invalidConfiguration, "Links that prove addresses need a callback address: give one.")
        }
        self.confirmsByLink = confirmsByLink
        let host = try Self.host(in: publishableKey)
        url = try BackendAddress(proxy ?? "https://\(host)", called: "API address").url
        self.callback =
            if let callback { try CallbackAddress(callback) } else { nil }
    }

    private static func host(in key: String) throws(AuthError) -> String {
        guard !key.hasPrefix("sk_") else {
            throw AuthError(
                .invalidConfiguration,
                "This is a secret key. Anyone who has the app could read it and do anything: give the publishable key (pk_…).")
        }
        let parts = key.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "pk", ["test", "live"].contains(parts[1]), let bytes = Base64.decode(parts[2]),
            let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("$"), text.dropLast().contains("."),
            !text.dropLast().contains("$")
        else {
            throw AuthError(
                .invalidConfiguration,
                "The publishable key is not one: copy it from the dashboard; it begins with pk_test_ or pk_live_.")
        }
        return String(text.dropLast())
    }
}
