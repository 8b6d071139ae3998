internal import Lockstep
internal import LockstepDirectory
internal import LockstepGoTrueDirectory
internal import LockstepPrimitives

extension DirectoryIdentity {
    /// Returns the identity of an address or a number.
    static func address(of userID: String, email: String? = nil, phone: String? = nil, isProven: Bool) -> Self {
        var data: JSONObject = [:]
        if let email { data["email"] = .string(email) }
        if let phone { data["phone"] = .string(phone) }
        data["email_verified"] = .bool(email != nil && isProven)
        data["phone_verified"] = .bool(phone != nil && isProven)
        return DirectoryIdentity(email == nil ? .phone : .email, subject: userID, data: data)
    }

    /// Throws an error for an identity that the server would not find.
    func check() throws(AuthError) {
        let name = goTrueProvider
        if name.hasPrefix("sso:") {
            throw AuthError(
                .unsupported,
                "GoTrue's database cannot store a new single sign-on user. GoTrue creates the user at the next sign-in "
                    + "(\(DirectoryFeature.singleSignOn)).")
        }
        guard !subject.isEmpty, !name.isEmpty, ![.email, .phone].contains(provider), !name.hasPrefix("oauth_"),
            !name.contains(".") || name.hasPrefix("custom:")
        else {
            throw AuthError(
                .invalidInput,
                "Invalid identity: expected GoTrue's name of the provider, such as google, and the user's id at that provider. "
                    + "Leave out identities for email and phone."
            )
        }
    }

    /// The content of the column: the data with the provider's id.
    ///
    /// Without the id, the server rejects the row.
    var row: JSONObject {
        var row = data
        row["sub"] = .string(subject)
        for (name, value) in [("email", email), ("full_name", displayName), ("avatar_url", photoURL)] where row[name] == nil {
            row[name] = value.map(JSON.string)
        }
        return row
    }

    /// The server's name of the provider.
    var goTrueProvider: String { GoTrueDirectory.name(of: provider) }
}
