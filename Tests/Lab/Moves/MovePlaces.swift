import LockstepCurl
import LockstepDirectory
import LockstepFirebaseDirectory
import LockstepGoTrueDatabase
import LockstepGoTrueDirectory
import LockstepMigration
import LockstepPrimitives

/// The two ends of a move in the lab, as arguments from which another process can create them.
struct MovePlaces: Sendable {
    /// How the target is written.
    enum Target: Sendable {
        /// Through its API, at an address, with the key of an administrator.
        case api(base: String, key: Secret)
        /// In its database, by a connection string.
        case rows(Secret)
    }

    /// The address of the source.
    let source: String
    let project: String
    let target: Target

    init(source: String, project: String, target: Target) {
        self.source = source
        self.project = project
        self.target = target
    }

    init?(_ words: [String]) {
        guard words.count >= 4 else { return nil }
        (source, project) = (words[0], words[1])
        switch (words[2], words.count) {
        case ("api", 5): target = .api(base: words[3], key: Secret(words[4]))
        case ("rows", 4): target = .rows(Secret(words[3]))
        default: return nil
        }
    }

    /// The arguments for another process.
    var words: [String] {
        let end =
            switch target {
            case .api(let base, let key): ["api", base, key.reveal()]
            case .rows(let address): ["rows", address.reveal()]
            }
        return [source, project] + end
    }

    /// The users of the target.
    func targetDirectory() throws -> any UserDirectory {
        switch target {
        case .api(let base, let key):
            try GoTrueDirectory(
                url: base, adminKey: key, transport: CurlTransport(), limiter: RequestLimiter(growingFrom: 8, to: 8))
        case .rows(let address): try GoTrueDatabase(address)
        }
    }

    /// The users of the source, with hashes.
    func sourceDirectory() async throws -> FirebaseDirectory {
        try await FirebaseDirectory(url: source, project: project, transport: CurlTransport()).readingHashes()
    }

    /// Returns a run between the ends.
    ///
    /// - Parameters:
    ///   - batchSize: The largest batch; the target's own by default.
    /// - Throws: An error of the source or the target.
    func move(_ folder: RunFolder, batchSize: Int? = nil) async throws -> UserMove {
        let directory = try targetDirectory()
        var target = MoveTarget(directory, project: "lab", ids: .uuids) { $0.goTrueText }
        target.ownUserData = ["display_name", "avatar_url", "email", "email_verified", "phone_verified", "sub"]
        target.ownClaims = ["provider", "providers"]
        if case .rows = self.target {
            target.access = .database
            target.batchSize = GoTrueDatabase.Settings().usersInTransaction
            target.returnsHashes = true
            target.needsAddressOrNumber = false
        }
        return UserMove(
            from: MoveSource(try await sourceDirectory(), project: project), to: target, MoveChoices(), key: folder.key,
            journal: folder.journal, batchSize: batchSize)
    }
}
