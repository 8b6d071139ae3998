internal import Lockstep
internal import LockstepPrimitives

/// The proof in a returning link.
enum CallbackProof {
    /// A code for this device's verifier (PKCE).
    case code(Secret)
    /// The hash of a message's token, with GoTrue's name of the message.
    case hash(Secret, type: String)
    /// That one of two addresses is proven.
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
        .linkInvalid, "This link carries no proof that GoTrue gives out. Ask for a new one.", remedies: [.resend, .startAgain])
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
