public import LockstepPrimitives

/// The id and the secret with which an emulator identifies itself at a token endpoint.
public enum OpenIDCredentials: Sendable, Hashable {
    /// The id and the secret in the header `Authorization`.
    ///
    /// Both are form-encoded first (RFC 6749, section 2.3.1).
    case basic(id: String, secret: Secret)
    /// The id and the secret in the form.
    ///
    /// A client without a secret sends only its id.
    case form(id: String, secret: Secret?)

    /// Returns a text for a form, in which a space becomes a plus sign.
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
