internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives

/// Users of the source who were read and mapped, for a batch.
struct SourcePage: Sendable {
    /// The users to create.
    var users: [MovingUser] = []
    /// The users who were changed after the plan, so that they cannot be created.
    var aside: [Settlement] = []
    /// The number of users that are not in the plan.
    var unplanned = 0
}

/// A user on the way to the target.
struct MovingUser: Sendable {
    let number: Int
    let new: NewDirectoryUser
    let digest: [UInt8]
    /// The digests of the values between two requests.
    let stages: [[UInt8]]
    let carried: CarriedUser
    /// The number of failed requests for the user.
    var attempts = 0

    var intent: Intent {
        Intent(number: number, digest: digest, stages: stages, signedIn: new.lastSignInAt?.milliseconds, carried: carried)
    }
}

/// Reads the source page by page, and maps its users.
actor SourceReader {
    private let move: UserMove
    private let demands: DirectoryDemands
    private let pages: PageReader
    private var largeData: PassFile?
    /// The ids of the only users to create; `nil` for all.
    private let only: Set<ExactString>?

    /// Creates a reader at the start of the list.
    ///
    /// - Parameters:
    ///   - move: The run.
    ///   - demands: The requirements of the target.
    ///   - only: The ids of the only users to create; `nil` for all.
    init(_ move: UserMove, _ demands: DirectoryDemands, only: Set<ExactString>? = nil) {
        self.move = move
        self.only = only
        self.demands = demands
        largeData = PassFile.largeData(move)
        pages = PageReader(move, of: move.source.directory, "the users of the source cannot be read")
    }

    /// Returns the next page; `nil` at the end of the list.
    func page() async -> Result<SourcePage?, MigrationError> {
        do throws(MigrationError) {
            guard let users = try await pages.page().get() else { return .success(nil) }
            return .success(try await map(users))
        } catch {
            return .failure(error)
        }
    }

    /// Moves the side file to its path, after all users were read.
    func finish() async throws(MigrationError) { try await largeData?.finish() }

    /// Removes the incomplete side file.
    func discard() { largeData?.discard() }

    private func appendToSideFile(_ users: [(user: DirectoryUser, mapped: MappedUser)]) async throws(MigrationError) {
        guard !users.isEmpty, var file = largeData else { return }
        // Nobody else reads a page at the same time.
        largeData = nil
        try await file.append(users)
        largeData = file
    }

    private func map(_ users: [DirectoryUser]) async throws(MigrationError) -> SourcePage {
        let known = Dictionary(
            try await move.journal.users(sourceIDs: users.map(\.id)).map { ($0.sourceID.exact, $0) },
            uniquingKeysWith: { first, _ in first })
        var page = SourcePage()
        var leftOut: [(user: DirectoryUser, mapped: MappedUser)] = []
        for user in users {
            guard let row = known[user.id.exact] else {
                page.unplanned += 1
                continue
            }
            let isOpen = row.state == .planned
            guard isOpen || largeData != nil else { continue }
            let mapped = move.mapping.map(user, demands: demands)
            if !mapped.leftOut.isEmpty { leftOut.append((user, mapped)) }
            guard isOpen, only?.contains(user.id.exact) ?? true else { continue }
            let moving = MovingUser(
                number: row.number, new: mapped.new, digest: move.digest(of: mapped.new),
                stages: move.stageDigests(of: mapped.new), carried: move.carried(mapped.new))
            switch mapped.outcome {
            case .create: page.users.append(moving)
            // The user has changed since the plan.
            case .skip(let reason): page.aside.append(Settlement(row.number, .skipped, reason.rawValue))
            case .refuse(let reason): page.aside.append(Settlement(row.number, .refused, reason.rawValue))
            }
        }
        try await appendToSideFile(leftOut)
        return page
    }
}
