/// The reason why a seed cannot be used.
public struct SeedProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of problem with a seed.
    public enum Kind: Sendable, Hashable {
        /// The text is not a valid seed.
        case malformed
        /// The provider cannot store a value of the seed.
        case notKept
    }

    /// The kind of the problem.
    public let kind: Kind
    /// A sentence that names the value, and says how to correct the seed.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Creates the problem for a value of a user that a provider cannot store.
    ///
    /// - Parameters:
    ///   - error: The reason why the value cannot be stored.
    ///   - owner: The words for the user or the organization, such as `user "ada@example.com"`.
    ///   - provider: The name of the provider.
    init(_ error: UserValueError, of owner: String, on provider: String) {
        kind = .notKept
        description =
            switch error {
            case .unsupported(let name):
                "\(provider) cannot store \"\(name)\" of \(owner). Leave it out, or use \"only\" to limit the \(owner.kindOfOwner) to other providers."
            case .unavailable(let sentence), .conflict(let sentence): "\(provider) cannot store \(owner): \(sentence)"
            case .taken(let name):
                "\(provider) cannot store \(owner): another \(owner.kindOfOwner) has the same \"\(name)\". Change one of the two."
            case .invalid(let name, let expected):
                "\(provider) cannot store \(owner): invalid value for \"\(name)\": expected \(expected)"
            }
    }
}

extension String {
    /// The first word, such as `user` in `user "ada@example.com"`.
    fileprivate var kindOfOwner: Substring { prefix { $0 != " " } }
}
