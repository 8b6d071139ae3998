internal import LockstepCrypto
internal import LockstepPrimitives
internal import Synchronization

/// A store in which a client keeps its session.
///
/// A store keeps bytes with a revision under a key, and does not know their format. The client writes the same
/// versioned format to every store. The store contracts define the behavior of every store.
public protocol SessionStore: Sendable {
    /// Reads the bytes under a key.
    ///
    /// If the store cannot decode a value, such as a damaged file or a row in an unknown format, the store quarantines
    /// it and throws `corrupt` once. The next load returns `nil`, and the user can sign in again.
    ///
    /// - Parameter key: The key.
    /// - Returns: The bytes with their revision; `nil` if the key has no value. If the store is not sure, it must throw
    ///   `unreadable`.
    /// - Throws: `unreadable` if the store cannot be read, because a store must never return `nil` in this case.
    ///   `corrupt` if the store has just quarantined the value.
    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue?

    /// Replaces the bytes under a key if their revision has not changed.
    ///
    /// Even after a crash, the key has either all the old bytes or all the new bytes.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - bytes: The new bytes.
    ///   - revision: The expected revision; `nil` if the key must have no value.
    /// - Returns: The new revision.
    /// - Throws: `conflict` if the value has another revision; `full`, `unwritable`; `corrupt` as in ``load(_:)``.
    ///   After an error, the bytes have not been written.
    @discardableResult
    func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision

    /// Removes the value under a key, whatever its revision.
    ///
    /// If the key has no value, the call succeeds.
    ///
    /// - Parameter key: The key.
    /// - Throws: `unreadable`, `unwritable`.
    func remove(_ key: StoreKey) async throws(StoreError)

    /// Removes the value under a key if its revision has not changed.
    ///
    /// If another writer has replaced the value in the meantime, the new value stays.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: `conflict` if the value has another revision, or if the key has no value. After an error, nothing has
    ///   changed.
    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError)

    /// Quarantines the value under a key if its revision has not changed.
    ///
    /// The client calls this method for bytes that it cannot decode.
    ///
    /// Afterwards the key has no value. The store keeps the bytes separately, and never reads them again. For each key,
    /// it keeps the newest eight quarantined values.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: `conflict` if the value has another revision, or if the key has no value; `unreadable`, `unwritable`.
    ///   After an error, nothing has changed.
    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError)

    /// Returns the keys that have a value.
    ///
    /// - Returns: The keys.
    /// - Throws: `unreadable` if the store cannot be read.
    func keys() async throws(StoreError) -> [StoreKey]

    /// Runs a closure while the store holds the exclusive lock of a key.
    ///
    /// During that time, no other task of any process can hold the lock.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - lockTimeout: The maximum time to wait for the lock.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: `busy` if the lock is not free within `lockTimeout`. In that case the closure has not run.
    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result
}

/// The key of a value in a store: the provider, the backend and the slot.
///
/// ```swift
/// for key in try await store.keys() { print(key.provider, key.backend, key.slot) }
/// ```
public struct StoreKey: Sendable, Hashable, Codable {
    /// The kind of a stored value.
    public enum Slot: String, Sendable, Codable, CaseIterable {
        /// The session.
        case session
        /// The flow in progress.
        case flow
        /// The provider's notes about this device.
        case device
        /// The sign-outs that the client could not send to the backend yet.
        case revocations
        /// The reason why no user is signed in, which the next start of the app reads.
        case signOut
    }

    /// The adapter's name.
    public let provider: String
    /// The URL of the backend.
    public let backend: String
    /// The kind of the stored value.
    public let slot: Slot

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - provider: The adapter's name.
    ///   - backend: The URL of the backend.
    ///   - slot: The kind of the stored value.
    public init(provider: String, backend: String, slot: Slot) {
        self.provider = provider
        self.backend = backend
        self.slot = slot
    }

    /// Compares the bytes of the names, as files and databases do.
    public static func == (left: StoreKey, right: StoreKey) -> Bool {
        left.slot == right.slot && left.provider.exact == right.provider.exact && left.backend.exact == right.backend.exact
    }

    /// Hashes the bytes of the names.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(slot)
        hasher.combine(provider.exact)
        hasher.combine(backend.exact)
    }
}

/// The revision of a value in a store, which changes with every replacement.
public struct Revision: RawRepresentable, Sendable, Hashable {
    /// The store's own name for the revision.
    public let rawValue: String

    /// Creates a revision.
    ///
    /// - Parameter rawValue: The store's own name for the revision.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The bytes under a key of a store, with their revision.
public struct StoredValue: Sendable, Hashable {
    /// The bytes, exactly as they were stored.
    public let bytes: [UInt8]
    /// The revision of the bytes.
    public let revision: Revision

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - revision: The revision of the bytes.
    public init(bytes: [UInt8], revision: Revision) {
        self.bytes = bytes
        self.revision = revision
    }
}

/// An error of a session store.
///
/// ```swift
/// throw StoreError(.busy, "Another process is using the session. Try again.")
/// ```
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The stable name.
        public var description: String { rawValue }

        /// The value has another revision.
        public static let conflict = Code(rawValue: "conflict")
        /// The store cannot be read now.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The store cannot be written now.
        public static let unwritable = Code(rawValue: "unwritable")
        /// The disk is full.
        public static let full = Code(rawValue: "full")
        /// The store could not decode the value, and has quarantined it.
        public static let corrupt = Code(rawValue: "corrupt")
        /// Another task or process holds the exclusive lock.
        public static let busy = Code(rawValue: "busy")
    }

    /// The kind of failure.
    public var code: Code
    /// A message for developers that says what failed and what to do.
    public var message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: A message for developers that says what failed and what to do.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error that a conditional change throws if the value has another revision.
    public static let changed = StoreError(.conflict, "The value has changed since it was read. Read it again.")

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

/// A user of a server.
///
/// A store for many users separates their values.
package struct StoreOwner: Sendable, Hashable {
    /// The text as it was passed.
    ///
    /// Two texts are the same owner if their bytes are the same.
    package let name: String

    /// Creates an owner.
    ///
    /// - Throws: `unwritable` if the text is empty, is longer than 1,000 bytes or contains NUL.
    package init(_ name: String) throws(StoreError) {
        guard 1...1000 ~= name.utf8.count, !name.utf8.contains(0) else {
            throw StoreError(
                .unwritable, "Invalid session owner with \(name.utf8.count) bytes: expected 1 to 1,000 bytes without NUL.")
        }
        self.name = name
    }
}

extension StoreKey {
    /// Returns a name for the value of an owner under this key.
    ///
    /// Texts of any length and content become 32 bytes.
    package func digest(owner: String) -> [UInt8] {
        HashFunction.sha256.digest(Self.joined([owner, provider, backend, slot.rawValue]))
    }

    /// Joins texts, each with its length before it, so that two different lists never give the same bytes.
    package static func joined(_ texts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count + 8 })
        for text in texts {
            bytes += String(text.utf8.count).utf8
            bytes.append(UInt8(ascii: ":"))
            bytes += text.utf8
        }
        return bytes
    }
}

/// A store with a time limit for every read and write, because a store that hangs must not block a call.
///
/// If a change takes too long, it may still complete later. The next change under its key waits for it, so an older
/// change never reverses a newer one.
final class TimeLimitedStore: SessionStore {
    private let base: any SessionStore
    private let clock: any DeviceClock
    private let limit: Duration
    private let unfinished = Mutex<[StoreKey: Task<Void, Never>]>([:])

    /// The time that the store gets if the call's own time is over.
    ///
    /// It is sufficient for a working store.
    private static let grace = Duration.seconds(1)

    init(_ base: any SessionStore, limit: Duration, clock: any DeviceClock) {
        self.base = base
        self.clock = clock
        self.limit = limit
    }

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try await withDeadline { [base] () async throws(StoreError) in try await base.load(key) }
    }

    func replace(
        _ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?
    ) async throws(StoreError) -> Revision {
        try await change(key) { [base] () async throws(StoreError) in
            try await base.replace(key, with: bytes, unlessChangedSince: revision)
        }
    }

    func remove(_ key: StoreKey) async throws(StoreError) {
        try await change(key) { [base] () async throws(StoreError) in try await base.remove(key) }
    }

    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await change(key) { [base] () async throws(StoreError) in
            try await base.remove(key, unlessChangedSince: revision)
        }
    }

    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError) {
        try await change(key) { [base] () async throws(StoreError) in
            try await base.quarantine(key, unlessChangedSince: revision)
        }
    }

    func keys() async throws(StoreError) -> [StoreKey] {
        try await withDeadline { [base] () async throws(StoreError) in try await base.keys() }
    }

    /// `lockTimeout` limits the wait for the lock; `body` has its own limits.
    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }

    private func change<Value: Sendable>(
        _ key: StoreKey, _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let older = unfinished.withLock { $0[key] }
        return try await withDeadline(unfinishedUnder: key) { () async throws(StoreError) in
            await older?.value
            return try await body()
        }
    }

    private func withDeadline<Value: Sendable>(
        unfinishedUnder key: StoreKey? = nil, _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        // A change that is cancelled halfway would leave the store's content unknown. So the work continues, and its
        // caller waits.
        let work = Task { () async -> Result<Value, StoreError> in
            do throws(StoreError) { return .success(try await body()) } catch { return .failure(error) }
        }
        let limit = CallDeadline.left(of: limit, atLeast: min(limit, Self.grace), on: clock)
        if case .value(let result) = await clock.wait(atMost: limit, isShielded: true, for: { await work.value }) {
            return try result.get()
        }
        if let key {
            unfinished.withLock { $0[key] = Task { _ = await work.value } }
        } else {
            work.cancel()
        }
        throw StoreError(
            .busy, "The store did not respond within \(limit.inWholeSeconds). It may still complete the operation.")
    }
}
