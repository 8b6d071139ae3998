/// A part of the list of users: a search, filters, an order and a page.
public struct UserListing: Sendable, Hashable {
    /// The value by which the users are ordered.
    public enum Order: String, Sendable, CaseIterable {
        /// The order in which the users were created.
        case created
        /// The email address, or else the phone number.
        case address
        /// The time of the last sign-in.
        case signedIn
    }

    /// A state that users have or do not have.
    public enum State: String, Sendable, CaseIterable {
        /// The email address is verified.
        case verified
        /// There is an email address, and it is not verified.
        case unverified
        /// The user has signed in anonymously.
        case anonymous
        /// The user cannot sign in.
        case disabled
        /// The user has a second factor.
        case secondFactor
    }

    /// A part of an id, address, number or name, in upper or lower case; `nil` for all users.
    public var query: String?
    /// The id of the last user of the previous page, in the order of their creation; `nil` for the first page.
    public var after: String?
    /// The number of users to leave out.
    public var offset = 0
    /// The maximum number of users.
    public var limit = 50
    /// The order.
    public var order = Order.created
    /// Whether the last one comes first.
    public var isDescending = false
    /// The state of the users; `nil` for any.
    public var state: State?
    /// How the users can sign in: `password`, `phone`, or a part of an identity provider's name; `nil` for any way.
    public var method: String?

    /// Creates a listing of the first users in the order of their creation.
    public init() {}

    /// The end of a statement.
    ///
    /// - Parameters:
    ///   - key: The expression of ``order``.
    ///   - last: The column that grows with each user.
    public func ending(_ key: SQL, _ last: SQL) -> SQL {
        let direction: SQL = isDescending ? " DESC" : ""
        let first: SQL = order == .created ? "" : "\(key)\(direction), "
        return " ORDER BY \(first)\(last)\(direction) LIMIT \(limit) OFFSET \(offset)"
    }
}
