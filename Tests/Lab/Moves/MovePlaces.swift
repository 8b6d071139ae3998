import LockstepClerkDirectory
import LockstepCurl
import LockstepDirectory
import LockstepFirebaseDirectory
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepMigration
import LockstepMoveTargets
import LockstepPrimitives

/// The two ends of a move in the lab, as arguments from which another process can create them.
struct MovePlaces: Sendable {
    /// A backend, and how its users are read and written.
    enum Kind: String, Sendable, CaseIterable {
        case firebase, gotrue, clerk
        /// GoTrue's users in its database.
        case rows
    }

    struct End: Sendable {
        let kind: Kind
        /// The address of the API; of rows, a connection string.
        let address: String
        /// The key of an administrator; of Firebase, the project.
        let key: String

        /// The users of the backend.
        func directory() throws -> any UserDirectory {
            switch kind {
            case .firebase: try firebase()
            case .gotrue: try goTrue()
            case .rows: try rows()
            case .clerk: try clerk()
            }
        }

        private func firebase() throws -> FirebaseDirectory {
            try FirebaseDirectory(url: address, project: key, transport: CurlTransport())
        }

        private func goTrue() throws -> GoTrueDirectory {
            try GoTrueDirectory(
                url: address, adminKey: Secret(key), transport: CurlTransport(), limiter: RequestLimiter(growingFrom: 8, to: 8))
        }

        private func rows() throws -> GoTrueDatabase { try GoTrueDatabase(Secret(address)) }

        private func clerk() throws -> ClerkDirectory {
            try ClerkDirectory(secretKey: Secret(key), url: address, transport: CurlTransport(), limiter: RequestLimiter())
        }

        /// The backend as a source, with hashes if it returns them.
        func source() async throws -> MoveSource {
            var source: MoveSource
            switch kind {
            case .firebase: return MoveSource(try await firebase().readingHashes(), project: "lab")
            case .clerk: return MoveSource(try clerk(), project: "lab")
            case .gotrue: source = MoveSource(try goTrue().readingIdentities(), project: "lab")
            case .rows:
                source = MoveSource(try rows(), project: "lab")
                source.access = .database
            }
            source.ownClaims = ["provider", "providers"]
            return source
        }

        func target() throws -> MoveTarget {
            switch kind {
            case .firebase: return .firebase(try firebase(), project: "lab")
            case .gotrue: return .goTrue(try goTrue(), rows: nil, project: "lab")
            case .rows:
                let rows = try rows()
                return .goTrue(rows, rows: rows, project: "lab")
            case .clerk:
                let clerk = try clerk()
                return .clerk(clerk, api: clerk, project: "lab")
            }
        }
    }

    let source: End
    let target: End

    init(from source: End, to target: End) { (self.source, self.target) = (source, target) }

    init?(_ words: [String]) {
        guard words.count == 6, let source = Kind(rawValue: words[0]), let target = Kind(rawValue: words[3]) else { return nil }
        self.init(
            from: End(kind: source, address: words[1], key: words[2]), to: End(kind: target, address: words[4], key: words[5]))
    }

    /// The arguments for another process.
    var words: [String] { [source, target].flatMap { [$0.kind.rawValue, $0.address, $0.key] } }

    /// Returns a run between the ends.
    ///
    /// - Parameters:
    ///   - batchSize: The largest batch; the target's own by default.
    /// - Throws: An error of the source or the target.
    func move(_ folder: RunFolder, batchSize: Int? = nil) async throws -> UserMove {
        UserMove(
            from: try await source.source(), to: try target.target(), MoveChoices(), key: folder.key, journal: folder.journal,
            batchSize: batchSize)
    }
}
