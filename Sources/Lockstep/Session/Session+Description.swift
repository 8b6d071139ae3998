extension Session: CustomStringConvertible {
    /// The provider and the user as text, without tokens and claims: `gotrue session of 7f3a… (a•••@example.com)`.
    public var description: String {
        let factors = assurance == .twoFactors ? ", with a second factor" : ""
        return "\(provider) session of \(user)\(factors)"
    }
}

extension User: CustomStringConvertible {
    /// The user as text: the id, the masked address or number, and the status, such as `7f3a… (a•••@example.com,
    /// unverified)`.
    public var description: String {
        var words: [String] = []
        if let email { words.append(EmailAddress.masked(email)) }
        if email == nil, let phone { words.append(PhoneCodeCredential.masked(phone)) }
        if isAnonymous { words.append("anonymous") }
        if email != nil, !isEmailVerified { words.append("unverified") }
        return words.isEmpty ? id : "\(id) (\(words.joined(separator: ", ")))"
    }
}
