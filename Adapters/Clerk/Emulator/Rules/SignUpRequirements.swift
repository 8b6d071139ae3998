/// The requirements that a sign-up does not meet yet (https://clerk.com/docs/reference/frontend-api); every list is
/// sorted as in the recordings.
struct SignUpRequirements {
    let settings: ClerkSettings
    let signUp: SignUpRecord
    /// The further requirements of extensions.
    private let others: [String]

    init(context: RequestContext, signUp: SignUpRecord) throws {
        settings = context.settings
        self.signUp = signUp
        others = try context.extensions.missingFields(of: signUp)
    }

    private static let attributes = [
        "email_address", "first_name", "last_name", "legal_accepted", "password", "phone_number", "username",
    ]

    /// The attributes that every user of this instance has.
    ///
    /// If one of two identifiers is sufficient, one name represents both.
    var required: [String] {
        var names = Self.attributes.filter { settings.requirement(of: $0) == .required }
        if let alternative { names.append(alternative) }
        return names.sorted()
    }

    /// The attributes that a user may have.
    var optional: [String] {
        let names = Self.attributes.filter { settings.requirement(of: $0) == .optional && !(alternative ?? "").contains($0) }
        return (names + settings.providers.filter(\.allowsRedirect).map { "oauth_\($0.name)" }).sorted()
    }

    /// The required attributes that are missing.
    var missing: [String] {
        let names = required.filter { name in
            switch name {
            case "email_address": signUp.emailAddress == nil
            case "phone_number": signUp.phoneNumber == nil
            case "username": signUp.username == nil
            case "first_name": signUp.firstName == nil
            case "last_name": signUp.lastName == nil
            case "legal_accepted": signUp.legalAcceptedAt == nil
            // A user whom a provider has verified needs no password.
            case "password": signUp.passwordDigest == nil && signUp.externalVerification?.isVerified != true
            default: signUp.emailAddress == nil && signUp.phoneNumber == nil
            }
        }
        return others.isEmpty ? names : (names + others).sorted()
    }

    /// The entered attributes that are not verified yet.
    var unverified: [String] {
        var names: [String] = []
        if signUp.emailAddress != nil, settings.verifiesEmailAtSignUp, signUp.emailVerification?.isVerified != true {
            names.append("email_address")
        }
        if signUp.phoneNumber != nil, settings.verifiesPhoneAtSignUp, signUp.phoneVerification?.isVerified != true {
            names.append("phone_number")
        }
        return names
    }

    /// Whether nothing is missing or unverified, and no provider's response is pending.
    var isMet: Bool {
        missing.isEmpty && unverified.isEmpty && (signUp.externalVerification?.isVerified ?? true)
            && (signUp.emailAddress ?? signUp.phoneNumber ?? signUp.username ?? signUp.profile?.subject) != nil
    }

    private var alternative: String? {
        guard settings.emailAddress == .optional, settings.phoneNumber == .optional, settings.username != .required else {
            return nil
        }
        return "email_address_or_phone_number"
    }
}
