internal import LockstepContracts
public import LockstepDirectory
internal import LockstepPrimitives

/// A directory with a fault.
public typealias DirectoryMutant = Mutant<DirectoryWorld>

/// A fault in a directory, or in its clock.
public struct DirectoryMutation: Sendable {
    /// The feature that a directory needs so that the fault has an effect; `nil` for any directory.
    public var needs: DirectoryFeature?
    /// The value that this directory does not store for a new user; `nil` if the directory has another fault.
    public var forgets: DirectoryFeature?
    var clock: @Sendable (any DeviceClock) -> any DeviceClock = { $0 }
    var directory: @Sendable (any UserDirectory) -> any UserDirectory = { $0 }

    static let none = DirectoryMutation()
}

extension Mutant<DirectoryWorld> {
    /// Creates a fault in the clock of a directory.
    init(breaks: String, _ summary: String, clock: @escaping @Sendable (any DeviceClock) -> any DeviceClock) {
        self.init(breaks, summary, DirectoryMutation(clock: clock))
    }

    /// Creates a fault in the calls of a directory.
    init(
        breaks: String, _ summary: String, needs: DirectoryFeature? = nil, forgets: DirectoryFeature? = nil,
        _ change: @escaping @Sendable (inout AlteredDirectory) -> Void
    ) {
        self.init(
            breaks, summary,
            DirectoryMutation(
                needs: needs, forgets: forgets,
                directory: { honest in
                    var altered = AlteredDirectory(honest)
                    change(&altered)
                    return altered
                }))
    }
}

/// The faults of directories.
public enum DirectoryMutants {
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
            breaks: "directory.names-are-bytes", "leaves out a user whose id it takes for that of the user before",
            needs: .identities
        ) { directory in
            directory.onUsers = { base, requests throws(AuthError) in
                let names = requests.map { if case .identity(_, let subject) = $0 { subject } else { "" } }
                return zip(try await base.users(requests), names.indices).map { user, index in
                    let isTaken = index > 0 && names[index].exact != names[index - 1].exact && names[index] == names[index - 1]
                    return isTaken ? nil : user
                }
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

extension DirectoryMutants {
    /// Faulty directories that each lose one value of a new user.
    ///
    /// There is one directory for each value.
    public static let forgetful: [DirectoryMutant] = Set(GivenValue.all.map(\.feature.rawValue)).sorted().map { name in
        let feature = DirectoryFeature(rawValue: name)
        return DirectoryMutant(breaks: "directory.nothing-dropped", "leaves out \(feature)", forgets: feature) { directory in
            directory.onCreate = { base, user throws(AuthError) in try await base.create(user.removing(feature)) }
        }
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
