/// A phone number that gets a code to sign in with.
public struct PhoneCodeCredential: Credential {
    /// The number in E.164 form: `+`, country, number, digits only.
    public var phone: String

    /// The number, not yet checked.
    public init(phone: String) {
        self.phone = phone
    }

    /// The capability `phoneCode`.
    public static var capability: Capability { .phoneCode }

    /// The number.
    public var identifier: String? { phone }

    /// The number trimmed and checked; nothing is guessed, so that no message goes to a wrong country.
    public func normalized() throws(AuthError) -> PhoneCodeCredential {
        let trimmed = phone.trimmingPlainSpace()
        let digits = trimmed.dropFirst()
        guard trimmed.first == "+", (7...15).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            digits.first != "0"
        else {
            throw AuthError(.invalidPhone, "The phone number is not in E.164 form: a plus sign, then 7 to 15 digits.")
        }
        return PhoneCodeCredential(phone: trimmed)
    }
}

extension Credential where Self == PhoneCodeCredential {
    /// A code by SMS.
    public static func phoneCode(_ phone: String) -> PhoneCodeCredential { PhoneCodeCredential(phone: phone) }
}
