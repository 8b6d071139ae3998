/// The identifier that a person types.
enum Identifier: Hashable {
    case email(String)
    case phone(String)
    case username(String)

    /// Reads an identifier: what has an `@` is an e-mail address, what begins with `+` a number, anything else a user name.
    init?(_ raw: String) {
        let text = raw.trimmed
        if text.contains("@") {
            guard let address = EmailAddress(text) else { return nil }
            self = .email(address.text)
        } else if text.hasPrefix("+") {
            guard let number = PhoneNumber(text) else { return nil }
            self = .phone(number.text)
        } else {
            guard !text.isEmpty, text.utf8.count <= 256 else { return nil }
            self = .username(text.lowercased())
        }
    }

    /// The identifier in its normal form.
    var text: String {
        switch self {
        case .email(let text), .phone(let text), .username(let text): text
        }
    }

    /// The attribute's name on the wire.
    var attribute: String {
        switch self {
        case .email: "email_address"
        case .phone: "phone_number"
        case .username: "username"
        }
    }

    var identificationKind: IdentificationRecord.Kind {
        if case .phone = self { .phone } else { .email }
    }
}
