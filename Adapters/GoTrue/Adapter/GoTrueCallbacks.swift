internal import Lockstep
internal import LockstepPrimitives
internal import LockstepWire

/// Reads a link without a request.
struct GoTrueCallbacks: CallbackReading {
    let addresses: [CallbackAddress]
    var linksComeWithCodes = false

    func decides(_ name: String) -> Bool { Self.decides(name) }

    /// The server writes its message for people twice, in the query and in the fragment, and escapes it twice in the
    /// fragment.
    static func decides(_ name: String) -> Bool { Callback.namesOfProofs.contains(name) || name == "type" }

    func read(_ callback: Callback) -> CallbackContent {
        guard addresses.contains(where: { $0.matches(callback) }) else { return .notOurs }
        let parameters = callback.parameters
        if parameters["error"] != nil || parameters["error_code"] != nil { return .refusal(refusal(callback)) }
        switch CallbackProof(callback) {
        case .code: return .proof(kinds: Set(Flow.Kind.allCases), state: nil)
        case .hash(_, let type): return .proof(kinds: kinds(of: type), state: nil)
        case .half: return .proof(kinds: [.emailChange, .linking], state: nil)
        case .none: break
        }
        if parameters["access_token"] != nil {
            return .refusal(
                AuthError(
                    .linkInvalid,
                    "This link contains tokens that an attacker could have inserted. Only links that the app requested work. "
                        + "To sign in with a link of your own server, pass the hashed_token of generate_link to the app: "
                        + "signIn(with: .ticket(…)).",
                    remedies: [.startAgain]))
        }
        return parameters["code"] == nil ? .notOurs : .refusal(CallbackProof.unreadable)
    }

    private func kinds(of type: String) -> Set<Flow.Kind> {
        switch type {
        case "signup": [.confirmation, .signIn]
        case "magiclink": [.signIn, .reauthentication]
        case "email": [.confirmation, .signIn, .reauthentication]
        case "recovery": [.passwordReset]
        case "email_change": [.emailChange, .linking]
        default: []
        }
    }

    /// Returns the error of the server or the identity provider in a link.
    private func refusal(_ callback: Callback) -> AuthError {
        let parameters = callback.parameters
        let code = parameters["error_code"] ?? parameters["error"]
        let detail = ProviderDetail(code: code, message: parameters["error_description"], of: callback)
        if code == "otp_expired" {
            return AuthError(
                .linkExpired, "The link has expired, was already used, or a newer link was sent.",
                remedies: [.resend, .startAgain],
                provider: detail)
        }
        guard let code, let meaning = ErrorMeaning.ofCodes[code], meaning.code != .serverUnavailable else {
            return AuthError(
                .providerRefused, "The identity provider returned an error; see `provider.message`.", remedies: [.startAgain],
                provider: detail)
        }
        return AuthError(meaning.code, meaning.sentence, retry: meaning.retry, remedies: meaning.remedies, provider: detail)
    }
}

/// The verification in a link that opened the app.
enum CallbackProof {
    /// A code for this device's verifier (PKCE).
    case code(Secret)
    /// The hash of a message's token, with GoTrue's name of the message.
    case hash(Secret, type: String)
    /// The verification of one of two addresses.
    case half
    /// Nothing.
    case none

    init(_ callback: Callback) {
        let parameters = callback.parameters
        if let code = parameters["code"], !callback.fragmentNames.contains("code"), code.isUUID {
            self = .code(Secret(code))
        } else if let hash = parameters["token_hash"], let type = parameters["type"], !hash.isEmpty {
            self = .hash(Secret(hash), type: type)
        } else {
            self = parameters["message"] == nil ? .none : .half
        }
    }

    static let unreadable = AuthError(
        .linkInvalid,
        "This link contains no code or token in GoTrue's form: a code is a UUID in the query, and a token has a type. Request a new link.",
        remedies: [.resend, .startAgain])
}

extension String {
    var isUUID: Bool {
        utf8.count == 36
            && utf8.enumerated().allSatisfy { place, unit in
                [8, 13, 18, 23].contains(place) ? unit == UInt8(ascii: "-") : Hex.decode([unit, unit].text) != nil
            }
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
