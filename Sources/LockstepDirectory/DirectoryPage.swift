/// Some of the users of a backend.
public struct DirectoryPage: Sendable, Hashable {
    /// The users.
    public var users: [DirectoryUser]
    /// Where the next page begins; `nil` on the last.
    public var next: DirectoryCursor?
    /// How many users there are, where the backend says.
    public var total: Int?

    /// A page.
    public init(users: [DirectoryUser], next: DirectoryCursor? = nil, total: Int? = nil) {
        self.users = users
        self.next = next
        self.total = total
    }
}
