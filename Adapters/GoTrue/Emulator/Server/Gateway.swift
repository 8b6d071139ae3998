internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepTokens

/// The platform's gateway, which stands before the server below `/auth/v1` and asks for the project's key.
///
/// A key is a token with the role `anon` or `service_role`, signed with the secret: those of the ready line, and a team's own. It comes in
/// the header `apikey`, or in the query.
struct Gateway: Sendable {
    static let mount = "/auth/v1"

    let state: ServerState

    private static let roles = ["anon", "service_role"]

    /// What browsers open, and other servers read: links of mails, the ways to a provider and back, published keys.
    private static let open = ["/verify", "/callback", "/authorize", "/.well-known/", "/sso/saml/"]

    private static let missing = refusal(
        "No API key found in request", hint: "No `apikey` request header or url param was found.")
    private static let wrong = refusal(
        "Invalid API key", hint: "Double check your Supabase `anon` or `service_role` API key.")

    /// Whether a request is for the gateway.
    static func takes(_ request: EmulatorRequest) -> Bool {
        request.rawPath == mount || request.rawPath.hasPrefix(mount + "/")
    }

    /// The gateway's own answer, for what it does not let through.
    func refusal(of request: EmulatorRequest) -> EmulatorResponse? {
        guard Self.takes(request) else { return nil }
        let path = request.rawPath.dropFirst(Self.mount.count)
        guard !Self.open.contains(where: { path.hasPrefix($0) }) else { return nil }
        let key = request.headers["apikey"] ?? request.query["apikey"] ?? ""
        guard !key.isEmpty else { return Self.missing }
        return isKey(key) ? nil : Self.wrong
    }

    private func isKey(_ text: String) -> Bool {
        let secret = SigningKey.secret(state.settings.tokens.secret).verificationKey
        // The platform compares texts: a key does not expire here.
        guard let token = try? TokenVerifier.verifySignature(of: text, keys: [secret]) else { return false }
        return Self.roles.contains(token.claims["role"]?.string ?? "")
    }

    private static func refusal(_ message: String, hint: String) -> EmulatorResponse {
        .json(
            ["message": .string(message), "hint": .string(hint)], status: 401, contentType: "application/json; charset=utf-8")
    }
}
