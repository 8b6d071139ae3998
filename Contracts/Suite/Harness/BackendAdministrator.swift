public import Lockstep
public import LockstepPrimitives

/// The backend's API for administrators, which is independent of the adapter.
///
/// The responses of this API show the data in the backend. If a backend does not support an operation, its function throws an
/// ``EnvironmentError``. Any other error means that the check has failed without a result.
public protocol BackendAdministrator: Sendable {
    /// Returns all users.
    ///
    /// - Throws: An error that ends the check.
    func users() async throws -> [StoredUser]

    /// Creates a user who can sign in with a password.
    ///
    /// - Parameters:
    ///   - email: The email address.
    ///   - isEmailVerified: Whether the email address is verified.
    ///   - displayName: The display name; `nil` for none.
    /// - Returns: The id of the user, in the same format as the adapter returns.
    /// - Throws: An error that ends the check.
    func create(email: String, password: String, isEmailVerified: Bool, displayName: String?) async throws -> String

    /// Changes the display name of a user.
    ///
    /// - Throws: An error that ends the check.
    func rename(_ userID: String, to displayName: String) async throws

    /// Changes whether the email address of a user is verified.
    ///
    /// - Throws: An error that ends the check.
    func setEmailVerified(_ isVerified: Bool, of userID: String) async throws

    /// Disables a user. The backend then rejects the user's sign-ins.
    ///
    /// - Throws: An error that ends the check.
    func disable(_ userID: String) async throws

    /// Deletes a user.
    ///
    /// - Throws: An error that ends the check.
    func delete(_ userID: String) async throws

    /// Ends all sessions of a user.
    ///
    /// - Throws: An error that ends the check.
    func endSessions(of userID: String) async throws

    /// Changes the password of a user.
    ///
    /// - Throws: An error that ends the check.
    func setPassword(_ password: String, of userID: String) async throws

    /// Turns off a sign-in method in the settings of the project, such as `password`, `anonymous` or `idToken`.
    ///
    /// - Throws: An error that ends the check.
    func switchOff(_ capability: Capability) async throws

    /// Creates a user who can sign in with a code by SMS.
    ///
    /// If the project does not allow this sign-in yet, this function turns it on.
    ///
    /// - Parameter phone: The phone number.
    /// - Returns: The id of the user, in the same format as the adapter returns.
    /// - Throws: An error that ends the check.
    func create(phone: String) async throws -> String

    /// Creates a ticket that signs a user in once.
    ///
    /// - Throws: An error that ends the check.
    func ticket(for userID: String) async throws -> Secret

    /// Invites a person who has no account.
    ///
    /// - Parameter email: The email address of the person.
    /// - Returns: The URL that opens the app from the invitation; `nil` if the backend has no invitations.
    /// - Throws: An error that ends the check.
    func invitation(to email: String) async throws -> String?

    /// Returns a link that opens the app with a ticket, as the app's own server would send it.
    ///
    /// - Returns: The URL that opens the app; `nil` if the backend's tickets do not come in links.
    /// - Throws: An error that ends the check.
    func link(with ticket: Secret) async throws -> String?

    /// Adds a second factor to a user, with backup codes if the backend has them.
    ///
    /// - Throws: An error that ends the check.
    func addFactor(to userID: String) async throws -> EnrolledFactor

    /// Allows phones as second factors in the settings of the project.
    ///
    /// - Returns: Whether users can now have phones as second factors. If not, the adapter may reject them.
    /// - Throws: An error that ends the check.
    func allowPhones() async throws -> Bool

    /// Adds a phone as a second factor to a user.
    ///
    /// Use it for a backend whose users cannot add a phone themselves.
    ///
    /// - Throws: An error that ends the check.
    func addPhoneFactor(to userID: String) async throws -> EnrolledFactor

    /// Creates an organization.
    ///
    /// - Parameters:
    ///   - members: The ids of the users who are its members.
    /// - Returns: The id of the organization, in the form that the adapter also returns.
    /// - Throws: An error that ends the check.
    func createOrganization(named name: String, members: [String]) async throws -> String

    /// Requires a user to set a new password at the next sign-in.
    ///
    /// - Throws: An error that ends the check.
    func demandNewPassword(of userID: String) async throws

    /// Changes the settings of the project so that every new user must have a value for a field.
    ///
    /// - Throws: An error that ends the check.
    func demand(_ field: MissingFieldsStep.Field) async throws

    /// Changes the settings of the project so that unknown clients must send a captcha token.
    ///
    /// - Returns: A captcha token that the backend accepts any number of times.
    /// - Throws: An error that ends the check.
    func demandCaptcha() async throws -> Secret

    /// Returns whether the backend accepts an access token now.
    ///
    /// It sends a request for a resource of the user. It does not decode the token.
    ///
    /// - Throws: An error that ends the check.
    func accepts(accessToken: Secret) async throws -> Bool

    /// Returns whether the backend would now return a new access token for a refresh token.
    ///
    /// This call can use up the refresh token. A spent token counts as sent again, as if by a thief.
    ///
    /// - Throws: An error that ends the check.
    func accepts(refreshToken: Secret) async throws -> Bool
}

extension BackendAdministrator {
    /// Default implementation for backends whose administrators cannot change the verification: throws an error.
    ///
    /// - Parameters:
    ///   - isVerified: Whether the address is verified.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func setEmailVerified(_ isVerified: Bool, of userID: String) async throws {
        throw EnvironmentError("the backend's administrators cannot change whether an address is verified")
    }

    /// Default implementation for backends without phone numbers: throws an error.
    ///
    /// - Parameter phone: The phone number.
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func create(phone: String) async throws -> String {
        throw EnvironmentError("the backend cannot create a user with a number")
    }

    /// Default implementation for backends without tickets: throws an error.
    ///
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func ticket(for userID: String) async throws -> Secret { throw EnvironmentError("the backend cannot create tickets") }

    /// Default implementation for backends without invitations: returns `nil`.
    ///
    /// - Parameter email: The email address of the person.
    /// - Returns: `nil`.
    /// - Throws: Nothing.
    public func invitation(to email: String) async throws -> String? { nil }

    /// Default implementation for backends whose tickets do not come in links: returns `nil`.
    ///
    /// - Returns: `nil`.
    /// - Throws: Nothing.
    public func link(with ticket: Secret) async throws -> String? { nil }

    /// Default implementation for backends without second factors: throws an error.
    ///
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func addFactor(to userID: String) async throws -> EnrolledFactor {
        throw EnvironmentError("the backend cannot give a user a second factor")
    }

    /// Default implementation for backends without organizations: throws an error.
    ///
    /// - Parameters:
    ///   - members: The ids of the users who are its members.
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func createOrganization(named name: String, members: [String]) async throws -> String {
        throw EnvironmentError("the backend cannot create organizations")
    }

    /// Default implementation for backends whose projects already allow phones as second factors: returns `true`.
    ///
    /// - Throws: Nothing.
    public func allowPhones() async throws -> Bool { true }

    /// Default implementation for backends without phones as second factors: throws an error.
    ///
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func addPhoneFactor(to userID: String) async throws -> EnrolledFactor {
        throw EnvironmentError("the backend cannot give a user a phone as second factor")
    }

    /// Default implementation for backends that cannot require a new password: throws an error.
    ///
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func demandNewPassword(of userID: String) async throws {
        throw EnvironmentError("the backend cannot require a new password")
    }

    /// Default implementation for backends that cannot require a captcha: throws an error.
    ///
    /// - Returns: Nothing.
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func demandCaptcha() async throws -> Secret { throw EnvironmentError("the backend cannot require a captcha") }

    /// Default implementation for backends that cannot require a field: throws an error.
    ///
    /// - Throws: ``EnvironmentError``, so that the suite reports the contract as not checked.
    public func demand(_ field: MissingFieldsStep.Field) async throws {
        throw EnvironmentError("the backend cannot require a field")
    }
}

/// A second factor that a user has.
public struct EnrolledFactor: Sendable {
    /// The kind of the factor, as in a sign-in step.
    public var kind: FactorChoice.Kind
    /// Returns the current code; `nil` if codes are sent by SMS to ``phone``.
    public var code: (@Sendable () async throws -> Secret)?
    /// The phone number that receives the codes, or `nil`.
    public var phone: String?
    /// The backup codes of the user.
    public var backupCodes: [Secret]

    /// Creates a second factor.
    ///
    /// - Parameters:
    ///   - phone: The phone number that receives the codes, or `nil`.
    ///   - backupCodes: The backup codes of the user. Default: none.
    ///   - code: Returns the current code; `nil` if codes are sent by SMS.
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

/// A user, as the backend stores it.
public struct StoredUser: Sendable, Hashable, Identifiable {
    /// The id of the user, in the same format as the adapter returns.
    public var id: String
    /// The email address; `nil` if the user has none.
    public var email: String?
    /// Whether the email address is verified.
    public var isEmailVerified: Bool
    /// The display name.
    public var displayName: String?
    /// Whether the user is disabled.
    ///
    /// The backend rejects the sign-ins of a disabled user.
    public var isDisabled: Bool

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - email: The email address; `nil` if the user has none.
    ///   - isEmailVerified: Whether the email address is verified.
    ///   - displayName: The display name; `nil` if the user has none.
    ///   - isDisabled: Whether the user is disabled. Default: `false`.
    public init(id: String, email: String?, isEmailVerified: Bool, displayName: String?, isDisabled: Bool = false) {
        self.id = id
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.displayName = displayName
        self.isDisabled = isDisabled
    }
}
