import LockstepHTTP
import LockstepPrimitives
import LockstepVerifier

/// The tokens of a Firebase emulator in its default mode, which have no signature and do not expire.
///
/// A verifier on a server rejects them, so the emulator itself decides about its own tokens.
struct UnsignedTokens {
    private let lookup: String
    private let transport: any HTTPTransport

    /// Reads the ready line of an emulator.
    init(_ document: JSON, _ transport: any HTTPTransport) {
        let key = document["vars"]?["api_key"]?.string ?? ""
        lookup =
            (document["base"]?.string ?? "") + "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=\(Percent.encode(key))"
        self.transport = transport
    }

    /// Returns a verifier's checks of an unsigned token, with the emulator's own verdicts.
    ///
    /// - Parameters:
    ///   - read: The content of the token.
    func checks(_ checks: [TokenCheck], of token: Secret, _ read: UnverifiedToken) async -> [TokenCheck] {
        var decided: [TokenCheck] = []
        for check in checks {
            switch check.subject {
            case .signature:
                decided.append(
                    TokenCheck(
                        .signature, .passed,
                        "This emulator does not sign its tokens. A verifier on a server rejects them. For signed tokens, use lockstep serve firebase --mode strict."
                    ))
            case .times where check.verdict == .failed:
                decided.append(TokenCheck(.times, .passed, "This emulator accepts its tokens after their expiry."))
            case .backend: decided.append(await verdict(on: token, tenant: read.claims["firebase"]?["tenant"]))
            default: decided.append(check)
            }
        }
        return decided
    }

    /// Asks the emulator for the token's user.
    private func verdict(on token: Secret, tenant: JSON?) async -> TokenCheck {
        var body: JSONObject = ["idToken": .string(token.reveal())]
        body["tenantId"] = tenant
        let request = HTTPRequest(
            .post, lookup, body: .json(.object(body)), deadline: .seconds(10), connectDeadline: .seconds(5))
        guard let answer = try? await transport.send(request) else {
            return TokenCheck(.backend, .unknown, "The emulator did not respond.")
        }
        guard answer.status != 200 else { return TokenCheck(.backend, .passed, "The emulator accepts the token of this user.") }
        let code = (try? JSON.parse(answer.body))?["error"]?["message"]?.string ?? "status \(answer.status)"
        return TokenCheck(.backend, .failed, "The emulator rejects the token: \(code).")
    }
}
