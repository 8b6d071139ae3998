internal import LockstepDirectory
internal import LockstepPrimitives

/// A directory with a fault.
///
/// The directory breaks one contract. A test shows that the check of this contract finds the fault.
public struct DirectoryMutant: Sendable {
    /// The id of the contract that this directory breaks.
    public let breaks: String
    /// A short description of the fault.
    public let summary: String
    /// The feature that a directory needs so that the fault has an effect; `nil` for any directory.
    public let needs: DirectoryFeature?
    /// The value that this directory does not store for a new user; `nil` if the directory has another fault.
    public private(set) var forgets: DirectoryFeature?
    let clock: @Sendable (any DeviceClock) -> any DeviceClock
    let directory: @Sendable (any UserDirectory) -> any UserDirectory

    /// Creates a fault in the clock of a directory.
    init(breaks: String, _ summary: String, clock: @escaping @Sendable (any DeviceClock) -> any DeviceClock) {
        self.breaks = breaks
        self.summary = summary
        needs = nil
        self.clock = clock
        directory = { $0 }
    }

    /// Creates a fault in the calls of a directory.
    init(
        breaks: String, _ summary: String, needs: DirectoryFeature? = nil,
        _ change: @escaping @Sendable (inout AlteredDirectory) -> Void
    ) {
        self.breaks = breaks
        self.summary = summary
        self.needs = needs
        clock = { $0 }
        directory = { honest in
            var altered = AlteredDirectory(honest)
            change(&altered)
            return altered
        }
    }
}

extension DirectoryMutant: CustomStringConvertible {
    /// The short description of the fault.
    public var description: String { summary }
}

extension DirectoryMutant {
    /// All faulty directories: one for each contract.
    public static let all: [DirectoryMutant] = changed + adopting

    private static let changed: [DirectoryMutant] = [
        DirectoryMutant(breaks: "directory.pages-once", "leaves out the first user of every later page") { directory in
            directory.onPage = { base, cursor, size throws(AuthError) in
                var page = try await base.page(after: cursor, size: size)
                if cursor != nil { page.users = Array(page.users.dropFirst()) }
                return page
            }
        },
        DirectoryMutant(breaks: "directory.created-signs-in", "creates users with another password") { directory in
            directory.onCreate = { base, user throws(AuthError) in
                var user = user
                if case .text = user.password { user.password = .text("Another-Horse-3") }
                return try await base.create(user)
            }
        },
        DirectoryMutant(breaks: "directory.hash-signs-in", "leaves out password hashes") { directory in
            directory.onCreate = { base, user throws(AuthError) in
                var user = user
                if case .hash = user.password { user.password = nil }
                return try await base.create(user)
            }
        },
        DirectoryMutant(breaks: "directory.disabled", "creates disabled users as enabled") { directory in
            directory.onUpdate = { base, id, changes throws(AuthError) in
                var changes = changes
                changes.isDisabled = nil
                return try await base.update(id, changes)
            }
        },
        DirectoryMutant(breaks: "directory.deleted", "reports the first user of a batch as deleted without a deletion") {
            directory in
            directory.onDeleteAll = { base, ids in
                [ids.first.map { DirectoryOutcome.done(id: $0) }].compactMap(\.self) + (await base.delete(Array(ids.dropFirst())))
            }
        },
        DirectoryMutant(breaks: "directory.nothing-dropped", "leaves out unsupported values") { directory in
            directory.onCreate = { base, user throws(AuthError) in
                let lost = user.requiredFeatures.subtracting(base.features)
                return try await base.create(lost.reduce(user) { $0.removing($1) })
            }
        },
        DirectoryMutant(breaks: "directory.refusal-names-user", "returns the error of another user") { directory in
            directory.onCreateAll = { base, users in
                let outcomes = await base.create(users)
                let isRefused = outcomes.contains { if case .refused = $0 { true } else { false } }
                return isRefused ? outcomes.reversed() : outcomes
            }
        },
        DirectoryMutant(
            breaks: "directory.limits-waited", "waits by a clock that runs a hundred times too fast", clock: { HastyClock($0) }),
        DirectoryMutant(breaks: "directory.batch-interrupted", "treats a lost response as a rejection") { directory in
            directory.onCreateAll = { base, users in
                await base.create(users).map { if case .unknown(let error) = $0 { .refused(error) } else { $0 } }
            }
        },
    ]
}

extension DirectoryMutant {
    /// Faulty directories that each lose one value of a new user.
    ///
    /// There is one directory for each value.
    public static let forgetful: [DirectoryMutant] = Set(GivenValue.all.map(\.feature.rawValue)).sorted().map { name in
        let feature = DirectoryFeature(rawValue: name)
        var mutant = DirectoryMutant(breaks: "directory.nothing-dropped", "leaves out \(feature)") { directory in
            directory.onCreate = { base, user throws(AuthError) in try await base.create(user.removing(feature)) }
        }
        mutant.forgets = feature
        return mutant
    }
}

/// A clock that runs a hundred times faster than its base.
private struct HastyClock: DeviceClock {
    let base: any DeviceClock

    init(_ base: any DeviceClock) { self.base = base }

    var now: Instant { base.now }
    var uptime: Duration { base.uptime * 100 }
    var bootID: String { base.bootID }

    func sleep(for duration: Duration) async throws { try await base.sleep(for: duration / 100) }
}
