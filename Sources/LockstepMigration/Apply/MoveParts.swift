public import LockstepDirectory
internal import LockstepPrimitives

/// The requests of a target that writes some users, or some changes, in several of them.
public struct MoveParts: Sendable {
    /// Returns the values that a new user has after each request; the last ones are those of the user.
    public var stages: @Sendable (_ user: NewDirectoryUser) -> [NewDirectoryUser]
    /// Splits changes into those of each request.
    public var changes: @Sendable (_ changes: DirectoryChanges) -> [DirectoryChanges]

    /// Creates a description of requests.
    ///
    /// - Parameters:
    ///   - stages: Returns the values that a new user has after each request.
    ///   - changes: Splits changes into those of each request.
    public init(
        stages: @escaping @Sendable (_ user: NewDirectoryUser) -> [NewDirectoryUser],
        changes: @escaping @Sendable (_ changes: DirectoryChanges) -> [DirectoryChanges]
    ) {
        (self.stages, self.changes) = (stages, changes)
    }
}

/// A user whose creation may have reached the target.
struct OpenUser: Sendable {
    let number: Int
    let request: RequestedUser
    /// The digest of the values to write.
    let digest: [UInt8]
    /// The digests of the values after each request before the last one.
    let stages: [[UInt8]]
}

extension UserMove {
    /// Returns the digests of the values that a new user has between two requests.
    func stageDigests(of new: NewDirectoryUser) -> [[UInt8]] {
        (target.parts?.stages(new) ?? []).dropLast().map(digest)
    }

    /// Returns whether a user of the target is the half of one that interrupted requests of this run have left.
    func isHalf(_ there: DirectoryUser, of user: OpenUser) -> Bool {
        there.lastSignInAt == nil && user.stages.contains { has(there, $0) }
    }

    /// Deletes halves of users, so that the users can be created again.
    ///
    /// - Returns: The users whose halves the target does not delete.
    func remove(_ halves: [(number: Int, id: String)]) async throws(MigrationError) -> [Settlement] {
        var open = halves
        var settled: [Settlement] = []
        var patience = Patience(self)
        while !open.isEmpty {
            let outcomes = await target.directory.delete(open.map(\.id))
            var rest: [(number: Int, id: String)] = []
            var failure: AuthError?
            for (half, outcome) in zip(open, outcomes) {
                switch outcome {
                case .done: break
                case .refused(let error) where error.code == .userNotFound: break
                case .refused(let error):
                    settled.append(Settlement(half.number, .differs, error.code.rawValue, targetID: made(half.id)))
                case .unknown(let error), .notSent(let error):
                    rest.append(half)
                    failure = failure ?? error
                }
            }
            if let failure { try await patience.wait(after: failure, "the target did not delete the half of a user") }
            open = rest
        }
        return settled
    }
}
