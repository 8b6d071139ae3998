public import Lockstep
public import LockstepPrimitives

/// The administrator's API of the backend, independent of the adapter.
///
/// Its responses show the stored data.
///
/// An operation that a backend does not support throws an ``EnvironmentError``. Any other error fails the run.
public protocol BackendAdministrator: Sendable {
    /// All users.
    func users() async throws -> [StoredUser]

    /// Creates a user who can sign in by password.
    ///
    /// - Returns: the user's id, the same that the adapter reports.
    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String

    /// Gives a user another name.
    func rename(_ userID: String, to displayName: String) async throws

    /// Disables a user: sign-in is rejected from now on.
    func disable(_ userID: String) async throws

    /// Deletes a user.
    func delete(_ userID: String) async throws

    /// Ends every session of a user.
    func endSessions(of userID: String) async throws

    /// Gives a user another password.
    func setPassword(_ password: String, of userID: String) async throws

    /// Switches a method off in the project's settings: `password`, `anonymous`, `idToken`, `emailLinkSignIn`…
    func switchOff(_ capability: Capability) async throws

    /// Creates a user who can sign in by a code to this number, and lets users sign in so if the project does not yet.
    ///
    /// - Returns: the user's id, the same that the adapter reports.
    func create(phone: String) async throws -> String

    /// Makes a ticket that signs a user in once.
    func ticket(for userID: String) async throws -> Secret

    /// Invites a person who has no account.
    ///
    /// - Parameter email: The person's address.
    /// - Returns: The URL that the app is opened with when the person opens the invitation; `nil` if the backend has no
    ///   invitations.
    /// - Throws: An error of the backend; it ends the check.
    func invitation(to email: String) async throws -> String?

    /// Gives a user a second factor, and backup codes if the backend has them.
    func addFactor(to userID: String) async throws -> EnrolledFactor

    /// Lets users have phones as second factors if the project does not yet.
    ///
    /// - Returns: whether they can have them now; `false` excuses an adapter that offers them from adding one.
    func allowPhones() async throws -> Bool

    /// Gives a user a phone as second factor; for a backend whose users cannot add one by the client.
    func addPhoneFactor(to userID: String) async throws -> EnrolledFactor

    /// Makes an organization of these users, by their ids.
    ///
    /// - Returns: the organization's id, the same that the adapter reports.
    func createOrganization(named name: String, members: [String]) async throws -> String

    /// Makes the user's password one that has to be replaced at the next sign-in.
    func demandNewPassword(of userID: String) async throws

    /// From now on the project demands this field of every new user.
    func demand(_ field: MissingFieldsStep.Field) async throws

    /// From now on the project demands a captcha of whom it does not know.
    ///
    /// - Returns: a token that it takes, any number of times.
    func demandCaptcha() async throws -> Secret

    /// Whether the backend itself takes this access token of a session now.
    ///
    /// Checked by a request for a resource of the user, and not by reading the token.
    func accepts(accessToken: Secret) async throws -> Bool

    /// Whether the backend would give a new access token for this refresh token now. It may use the token up.
    func accepts(refreshToken: Secret) async throws -> Bool
}

extension BackendAdministrator {
    /// Default: not supported, because not every backend has phone numbers.
    public func create(phone: String) async throws -> String { throw EnvironmentError("no user can be made with a number") }

    /// Default: not supported, because not every backend has tickets.
    public func ticket(for userID: String) async throws -> Secret { throw EnvironmentError("no tickets can be made") }

    /// Default: not supported (`nil`).
    public func invitation(to email: String) async throws -> String? { nil }

    /// Default: not supported, because not every backend has second factors.
    public func addFactor(to userID: String) async throws -> EnrolledFactor {
        throw EnvironmentError("no user can be given a second factor")
    }

    /// Default: not supported, because not every backend has organizations.
    public func createOrganization(named name: String, members: [String]) async throws -> String {
        throw EnvironmentError("no organization can be made")
    }

    /// Default: the project already allows phone numbers.
    public func allowPhones() async throws -> Bool { true }

    /// Default: not supported, because not every backend has phones as second factors.
    public func addPhoneFactor(to userID: String) async throws -> EnrolledFactor {
        throw EnvironmentError("no user can be given a phone as second factor")
    }

    /// Default: not supported, because not every backend can require it.
    public func demandNewPassword(of userID: String) async throws { throw EnvironmentError("no password can be demanded") }

    /// Default: not supported, because not every backend can require a captcha.
    public func demandCaptcha() async throws -> Secret { throw EnvironmentError("no captcha can be demanded") }

    /// Default: not supported, because not every backend can require it.
    public func demand(_ field: MissingFieldsStep.Field) async throws { throw EnvironmentError("no field can be demanded") }
}

/// A second factor that a user has.
public struct EnrolledFactor: Sendable {
    /// The kind, as offered by a step.
    public var kind: FactorChoice.Kind
    /// Returns the current code; `nil` if the code is sent by SMS to ``phone``.
    public var code: (@Sendable () async throws -> Secret)?
    /// The number to which codes are sent.
    public var phone: String?
    /// The backup codes.
    public var backupCodes: [Secret]

    /// A factor.
    public init(
        _ kind: FactorChoice.Kind, phone: String? = nil, backupCodes: [Secret] = [],
        code: (@Sendable () async throws -> Secret)? = nil
    ) {
        self.kind = kind
        self.phone = phone
        self.backupCodes = backupCodes
        self.code = code
    }
}

/// A user as stored by the backend.
public struct StoredUser: Sendable, Hashable, Identifiable {
    /// The id, the same as in the adapter.
    public var id: String
    /// The stored address.
    public var email: String?
    /// Whether the address is verified.
    public var isEmailVerified: Bool
    /// The display name.
    public var displayName: String?
    /// Whether sign-in is rejected.
    public var isDisabled: Bool

    /// Creates a user.
    public init(id: String, email: String?, isEmailVerified: Bool, displayName: String?, isDisabled: Bool = false) {
        self.id = id
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.displayName = displayName
        self.isDisabled = isDisabled
    }
}
