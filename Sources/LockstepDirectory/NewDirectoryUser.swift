@_exported public import LockstepPrimitives
@_exported public import LockstepUserFields

/// A user to create, or to import from another backend.
///
/// The values of ``UserFields`` are members of a user to create, as in `new.email`.
///
/// ```swift
/// var new = NewDirectoryUser(email: "ada@example.com", password: .text("correct horse battery staple"))
/// new.isEmailConfirmed = true
/// let user = try await directory.create(new)
/// ```
@dynamicMemberLookup
public struct NewDirectoryUser: Sendable, Hashable {
    /// The password in clear text, or its hash.
    public enum Password: Sendable, Hashable {
        /// The password in clear text.
        ///
        /// The backend applies its password policy and hashes the password.
        case text(Secret)
        /// The hash of the password from another backend.
        ///
        /// The hash is in the text format of its algorithm: `$2b$…`, `$argon2id$…`, `$fbscrypt$…`.
        case hash(Secret)
    }

    /// The id of the new user, if the backend lets the caller choose it.
    public var id: String?
    /// The password, or its hash.
    ///
    /// Without a password, the user needs another way to sign in.
    public var password: Password?
    /// The values that users of every form have.
    public var values = UserFields()
    /// The user's accounts at identity providers.
    public var providerIdentities: [DirectoryIdentity] = []
    /// The second factors.
    public var factors: [DirectoryFactor] = []
    /// Whether the backend accepts a clear-text password that breaks the project's policy.
    public var isExemptFromPolicy = false

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - phone: The phone number in E.164 form.
    ///   - password: The password.
    public init(email: String? = nil, phone: String? = nil, password: Password? = nil) {
        self.password = password
        (values.email, values.phone) = (email, phone)
    }

    /// Reads or sets one of the ``values``.
    ///
    /// - Parameter path: The value.
    public subscript<Value>(dynamicMember path: WritableKeyPath<UserFields, Value>) -> Value {
        get { values[keyPath: path] }
        _modify { yield &values[keyPath: path] }
    }
}

extension NewDirectoryUser {
    /// Creates a copy of a user who was read from a directory.
    ///
    /// Use the copy to write the user to another directory, or to the same one again. The copy contains every value that a
    /// directory can write. The copy contains the password hash if the directory returned the hash
    /// (``DirectoryUser/missingHash``). To drop values that the other directory cannot store, use ``removing(_:)``.
    ///
    /// - Parameter read: The user who was read from a directory.
    public init(_ read: DirectoryUser) {
        self.init(password: read.passwordHash.map { .hash($0) })
        id = read.id
        values = read.values
        values.isEmailConfirmed = read.email != nil && read.isEmailConfirmed
        if !values.isEmailConfirmed { values.emailConfirmedAt = nil }
        values.isPhoneConfirmed = read.phone != nil && read.isPhoneConfirmed
        if !values.isPhoneConfirmed { values.phoneConfirmedAt = nil }
        if !values.isDisabled { values.bannedUntil = nil }
        providerIdentities = read.providerIdentities
        factors = read.factors
        // A value that is the default needs no feature of a directory.
        let (email, phone) = (values.hasEmailIdentity, values.hasPhoneIdentity)
        (values.hasEmailIdentity, values.hasPhoneIdentity) = (nil, nil)
        if let email, email != signsInWithEmail { values.hasEmailIdentity = email }
        if let phone, phone != signsInWithPhone { values.hasPhoneIdentity = phone }
    }

    /// Whether the user can sign in with the email address, where a backend stores this fact separately.
    package var signsInWithEmail: Bool {
        values.email != nil && (values.hasEmailIdentity ?? (password != nil || providerIdentities.isEmpty))
    }

    /// Whether the user can sign in with the phone number, where a backend stores this fact separately.
    package var signsInWithPhone: Bool { values.phone != nil && values.hasPhoneIdentity ?? true }
}
