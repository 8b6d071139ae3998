public import LockstepPrimitives

/// A user as stored by the instance.
public struct ClerkAccount: Sendable, Hashable, Identifiable {
    /// The id, `user_…`.
    public var id: String
    /// The primary address, or the first one.
    public var email: String?
    /// Whether that address is proven.
    public var isEmailVerified: Bool
    /// The first name.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The metadata of the user's own apps.
    public var unsafeMetadata: JSONObject
    /// Whether sign-in is refused.
    public var isBanned: Bool
    /// Whether there is a password.
    public var hasPassword: Bool

    /// First and last name together; `nil` where there is neither.
    public var displayName: String? {
        let names = [firstName, lastName].compactMap(\.self)
        return names.isEmpty ? nil : names.joined(separator: " ")
    }

    init(_ user: UserRecord, _ context: RequestContext) throws {
        let rows = try UserRepository(context: context).identifications(of: user).filter { $0.kind == .email }
        let row = rows.first { $0.id == user.primaryEmailID } ?? rows.last
        id = user.id
        email = row?.value
        isEmailVerified = row?.isVerified ?? false
        firstName = user.firstName
        lastName = user.lastName
        unsafeMetadata = user.unsafeMetadata
        isBanned = user.isBanned
        hasPassword = user.passwordDigest != nil
    }
}
