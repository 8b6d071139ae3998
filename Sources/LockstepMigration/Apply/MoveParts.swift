public import LockstepDirectory
internal import LockstepPrimitives

/// The requests of a target that writes some users, or some changes, in several of them.
///
/// Each request is a state of its own, so that a user whose requests were interrupted is completed.
public struct MoveParts: Sendable {
    /// Returns the values that a new user has after each request; the last ones are those of the user.
    public var stages: @Sendable (_ user: NewDirectoryUser) -> [NewDirectoryUser]
    /// Sends the requests that an incomplete user lacks.
    public var complete: @Sendable (_ user: NewDirectoryUser, _ id: String) async throws(AuthError) -> Void
    /// Splits changes into those of each request.
    public var changes: @Sendable (_ changes: DirectoryChanges) -> [DirectoryChanges]

    /// Creates a description of requests.
    ///
    /// - Parameters:
    ///   - stages: Returns the values that a new user has after each request.
    ///   - complete: Sends the requests that an incomplete user lacks.
    ///   - changes: Splits changes into those of each request.
    public init(
        stages: @escaping @Sendable (_ user: NewDirectoryUser) -> [NewDirectoryUser],
        complete: @escaping @Sendable (_ user: NewDirectoryUser, _ id: String) async throws(AuthError) -> Void,
        changes: @escaping @Sendable (_ changes: DirectoryChanges) -> [DirectoryChanges]
    ) {
        (self.stages, self.complete, self.changes) = (stages, complete, changes)
    }
}

/// A user whose creation may have reached the target.
struct OpenUser: Sendable {
    let number: Int
    let request: RequestedUser
    /// The digest of the values to write.
    let digest: [UInt8]
    /// The values to write; `nil` if only the journal knows the user.
    var new: NewDirectoryUser?
}

extension UserMove {
    /// Returns what becomes of a user of the target who has the right id and other values.
    ///
    /// If the values are those of an earlier request, the user is completed. Without the values to write, this is not known yet.
    func settlement(
        of user: OpenUser, foundAs there: DirectoryUser
    ) async throws(MigrationError) -> Settlement {
        let id = made(there.id)
        guard let parts = target.parts else { return Settlement(user.number, .differs, targetID: id) }
        guard let new = user.new else { return Settlement(user.number, .begun, targetID: id) }
        guard parts.stages(new).dropLast().contains(where: { has(there, digest(of: $0)) }) else {
            return Settlement(user.number, .differs, targetID: id)
        }
        var patience = Patience(self)
        while true {
            do throws(AuthError) {
                try await parts.complete(new, there.id)
                return Settlement(user.number, .complete, targetID: id)
            } catch {
                guard error.mayPass else { return Settlement(user.number, .differs, error.code.rawValue, targetID: id) }
                try await patience.wait(after: error, "the target did not complete a user")
            }
        }
    }
}
