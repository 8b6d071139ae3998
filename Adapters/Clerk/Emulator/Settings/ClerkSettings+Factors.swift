/// Values derived from the settings, by their names on the wire.
extension ClerkSettings {
    /// The attributes that can identify a user, in Clerk's order.
    var identifierNames: [String] {
        [("email_address", emailAddress), ("phone_number", phoneNumber), ("username", username)].filter(\.1.isEnabled).map(\.0)
    }

    /// Whether users have the attribute of that name.
    func requirement(of name: String) -> Requirement {
        switch name {
        case "email_address": emailAddress
        case "phone_number": phoneNumber
        case "username": username
        case "first_name": firstName
        case "last_name": lastName
        case "password": password
        case "legal_accepted": requiresLegalConsent ? .required : .off
        default: .off
        }
    }

    /// `supported_identifiers` of a sign-in, sorted.
    var supportedIdentifiers: [String] {
        (identifierNames + (password.isEnabled && signsInByPassword && username.isEnabled ? ["password"] : [])).sorted()
    }

    /// Every strategy that can be a first factor here, sorted.
    var firstFactors: [String] {
        var names = ["ticket"]
        if emailAddress.isEnabled { names += emailSignIn.map(\.rawValue) }
        if phoneNumber.isEnabled, signsInByPhoneCode { names.append("phone_code") }
        if password.isEnabled, signsInByPassword {
            names.append("password")
            if emailAddress.isEnabled { names.append("reset_password_email_code") }
            if phoneNumber.isEnabled { names.append("reset_password_phone_code") }
        }
        for provider in providers {
            if provider.allowsRedirect { names.append("oauth_\(provider.name)") }
            if provider.allowsTokens { names.append("oauth_token_\(provider.name)") }
            if provider.allowsTokens, provider.name == "google" { names.append("google_one_tap") }
        }
        return names.sorted()
    }

    /// The provider of a strategy like `oauth_apple` or `oauth_token_apple`, if it is known here.
    func provider(ofStrategy strategy: String, withPrefix prefix: String) -> IdentityProvider? {
        guard strategy.hasPrefix(prefix) else { return nil }
        let name = strategy.dropFirst(prefix.count)
        return providers.first { $0.name == name }
    }
}
