public import Lockstep
package import LockstepPrimitives
internal import LockstepUserFields
internal import LockstepWire

/// The unique property by which a user was requested.
///
/// A cache or proxy can return the response to a different request. If a directory trusted that response, its next request
/// would change the wrong user. So the directory passes each response through ``UserDirectory/checked(_:as:)`` first.
public enum RequestedUser: Sendable, Hashable {
    /// The user with this id.
    ///
    /// Upper and lower case are different.
    case id(String)
    /// The user with this email address, in upper or lower case.
    case email(String)
    /// The user with this phone number in E.164 form.
    case phone(String)
    /// The user with this account at an identity provider.
    case identity(IdentityProvider, subject: String)
    /// The user who has this id in another system.
    case externalID(String)
}

extension RequestedUser {
    /// A request in a comparable form, with addresses in lower case.
    package enum Key: Hashable, Sendable {
        /// An id.
        case id(ExactString)
        /// Any other property, with its kind.
        case text(ExactString, ExactString)
    }

    /// The request in a comparable form.
    package var key: Key {
        switch self {
        case .id(let id): .id(id.exact)
        case .email(let address): .text("email", address.lowercased().exact)
        case .phone(let number): .text("phone", number.exact)
        case .identity(let provider, let subject): .text(("identity:" + provider.rawValue).exact, subject.exact)
        case .externalID(let id): .text("externalID", id.exact)
        }
    }

    /// Returns every property by which a user can be requested.
    fileprivate static func keys(of user: DirectoryUser) -> [Key] {
        var all: [RequestedUser] = [.id(user.id)]
        all += user.emails.map { .email($0.value) } + user.phones.map { .phone($0.value) }
        all += user.providerIdentities.map { .identity($0.provider, subject: $0.subject) }
        if let id = user.externalID { all.append(.externalID(id)) }
        return all.map(\.key)
    }

    /// The word for the property in an error.
    fileprivate var kind: String {
        switch self {
        case .id: "id"
        case .email: "e-mail address"
        case .phone: "number"
        case .identity: "identity of a provider"
        case .externalID: "id of another system"
        }
    }
}

extension UserDirectory {
    /// Checks that a response contains the requested user.
    ///
    /// - Parameters:
    ///   - user: The user in the response.
    ///   - request: The requested user.
    /// - Returns: The value of `user`.
    /// - Throws: `invalidResponse` if the response contains another user.
    public func checked(_ user: DirectoryUser, as request: RequestedUser) throws(AuthError) -> DirectoryUser {
        guard RequestedUser.keys(of: user).contains(request.key) else { throw foreignAnswer }
        return user
    }

    /// Returns the users of a response in the order of the requests.
    ///
    /// - Parameters:
    ///   - users: The users in the response, in any order. If two have the same address, the first one is used.
    ///   - requests: The users that were asked for.
    /// - Returns: The user for each request, or `nil`.
    /// - Throws: `invalidResponse` if the response contains a user who was not requested.
    package func sorted(_ users: [DirectoryUser], as requests: [RequestedUser]) throws(AuthError) -> [DirectoryUser?] {
        let requested = Set(requests.map(\.key))
        var found: [RequestedUser.Key: DirectoryUser] = [:]
        for user in users {
            let keys = RequestedUser.keys(of: user).filter(requested.contains)
            guard !keys.isEmpty else { throw foreignAnswer }
            for key in keys where found[key] == nil { found[key] = user }
        }
        return requests.map { found[$0.key] }
    }

    /// Returns the error for a kind of lookup that a backend does not support.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - name: The name of the backend.
    ///   - instead: What to do instead, as in "list the users".
    /// - Returns: The error.
    package func noLookUp(_ request: RequestedUser, of name: String, instead: String) -> AuthError {
        AuthError(.unsupported, "\(name) cannot find users by \(request.kind). No request was sent; \(instead).")
    }

    /// Checks that the response to a change contains the id of the changed user.
    ///
    /// - Parameters:
    ///   - id: The id in the response; `nil` if the response contains no id.
    ///   - requested: The id of the user that the call changes.
    /// - Throws: `invalidResponse` if the response contains the id of another user.
    public func check(answered id: String?, for requested: String) throws(AuthError) {
        guard let id else { return }
        guard id.exact == requested.exact else { throw foreignAnswer }
    }

    /// The error to throw if a response contains another user.
    ///
    /// The error does not name the user. The id of another user must not be in the logs of this call.
    public var foreignAnswer: AuthError {
        AuthError(
            .invalidResponse,
            "\"\(address)\" returned a different user than the call requested. Find the cache or proxy that mixes up responses, "
                + "and read the user again before you repeat the call.")
    }

    /// The URL of the backend, without the project or key that ``backend`` also contains.
    package var address: String { String(backend.prefix { $0 != "#" }) }
}

extension AuthError {
    /// Returns this error for a call whose first part has succeeded.
    ///
    /// - Parameter part: The part that has succeeded.
    /// - Returns: The error, which names that part.
    package func after(_ part: String) -> AuthError {
        var error = self
        error.completed.insert(part, at: 0)
        return error
    }

    /// Returns this error for a call that is not about a particular user, such as a list of users.
    ///
    /// - Parameter address: The URL of the backend.
    /// - Returns: The error.
    package func ofUnnamedUser(at address: String) -> AuthError {
        guard code == .userNotFound || code == .invalidResponse && provider?.status == 404 else { return self }
        return AuthError(
            .invalidConfiguration,
            "\"\(address)\" has no list of users (status \(provider?.status ?? 404)). Use the address of the backend's API.",
            provider: provider)
    }

    /// Returns this error for a call with an administrator's key.
    ///
    /// Such a call has no session.
    ///
    /// - Parameters:
    ///   - address: The URL of the backend.
    ///   - key: The key that is needed, as in "the secret key of this instance".
    /// - Returns: The error.
    package func ofAdministrator(at address: String, key: String) -> AuthError {
        guard [.accessTokenRefused, .sessionRevoked, .sessionExpired].contains(code) else { return self }
        return AuthError(.invalidKey, "\"\(address)\" rejected the administrator's key. Use \(key).", provider: provider)
    }
}
