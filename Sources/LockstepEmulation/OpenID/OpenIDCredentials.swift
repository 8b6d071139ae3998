public import LockstepPrimitives

/// The credentials of an emulator at a token endpoint.
public enum OpenIDCredentials: Sendable, Hashable {
    /// In the header; both parts are form-encoded first (RFC 6749, section 2.3.1).
    case basic(id: String, secret: Secret)
    /// In the form; a client without a secret sends only its id.
    case form(id: String, secret: Secret?)

    /// A space is a plus sign.
    static func encoded(_ text: String) -> String { Percent.encode(text).replacing("%20", with: "+") }

    var header: String? {
        guard case .basic(let id, let secret) = self else { return nil }
        return "Basic " + Base64.encode(Array("\(Self.encoded(id)):\(Self.encoded(secret.reveal()))".utf8))
    }

    var form: [(String, String)] {
        guard case .form(let id, let secret) = self else { return [] }
        return [("client_id", id)] + (secret.map { [("client_secret", $0.reveal())] } ?? [])
    }
}
