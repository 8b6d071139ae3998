internal import LockstepCrypto
internal import LockstepPrimitives
internal import Synchronization

/// A store of sessions.
///
/// A store keeps bytes with a revision under a key. It knows nothing about sessions: the client writes one versioned
/// format for all stores. The store contracts define what every store must do.
public protocol SessionStore: Sendable {
    /// Reads the bytes under a key.
    ///
    /// If the store cannot decode a value (a damaged file, a row in an unknown format), it quarantines it and reports it
    /// once as `corrupt`. The next load returns `nil`, and the user can sign in again.
    ///
    /// - Parameter key: The key.
    /// - Returns: The bytes with their revision; `nil` if the key has no value. Throw `unreadable` if unsure.
    /// - Throws: `unreadable` if the store cannot be read, which must never look like "no value"; `corrupt` as described
    ///   above.
    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue?

    /// Replaces the bytes under a key if their revision is still the given one.
    ///
    /// Afterwards the key has either the old or the new bytes, complete, even after a crash.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - bytes: The new bytes.
    ///   - revision: The expected revision; `nil` if the key must have no value.
    /// - Returns: The new revision.
    /// - Throws: `conflict` if the revision is another one; `full`, `unwritable`; `corrupt` as in ``load(_:)``. Then the
    ///   bytes have not been written.
    @discardableResult
    func replace(_ key: StoreKey, with bytes: [UInt8], unlessChangedSince revision: Revision?) async throws(StoreError)
        -> Revision

    /// Removes the value under a key, at any revision.
    ///
    /// The key may have no value.
    ///
    /// - Parameter key: The key.
    /// - Throws: `unreadable`, `unwritable`.
    func remove(_ key: StoreKey) async throws(StoreError)

    /// Removes the value under a key if its revision is still the given one.
    ///
    /// A session that another writer has stored in the meantime stays.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: `conflict` if the revision is another one, or if the key has no value. Then nothing has changed.
    func remove(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError)

    /// Quarantines the value under a key if its revision is still the given one.
    ///
    /// The client calls it for bytes that it cannot decode.
    ///
    /// Afterwards the key has no value. The bytes are kept with the store's damaged values and are never read again
    /// automatically. The newest eight of a key are kept.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - revision: The expected revision.
    /// - Throws: `conflict` if the revision is another one, or if the key has no value; `unreadable`, `unwritable`. Then
    ///   nothing has changed.
    func quarantine(_ key: StoreKey, unlessChangedSince revision: Revision) async throws(StoreError)

    /// Returns the keys that have a value.
    ///
    /// - Returns: The keys.
    /// - Throws: `unreadable` if the store cannot be read.
    func keys() async throws(StoreError) -> [StoreKey]

    /// Runs a closure while it holds the exclusive lock of a key.
    ///
    /// No other task holds it meanwhile, in this process or another.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - lockTimeout: The maximum time to wait for the lock.
    ///   - body: The closure.
    /// - Returns: The result of the closure.
    /// - Throws: `busy` if the lock is not free in this time. Then the closure has not run.
    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result
}

/// Identifies a value in a store: provider, backend and slot.
public struct StoreKey: Sendable, Hashable, Codable {
    /// The kind of value.
    public enum Slot: String, Sendable, Codable, CaseIterable {
        /// The session.
        case session
        /// The flow in progress.
        case flow
        /// The provider's notes that identify this device.
        case device
        /// Revocations that could not be sent yet.
        case revocations
        /// The reason why no user is signed in, for the next start.
        case signOut
    }

    /// The adapter's name.
    public let provider: String
    /// The URL of the backend.
    public let backend: String
    /// The kind of value.
    public let slot: Slot

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - provider: The adapter's name.
    ///   - backend: The URL of the backend.
    ///   - slot: The kind of value.
    public init(provider: String, backend: String, slot: Slot) {
        self.provider = provider
        self.backend = backend
        self.slot = slot
    }
}

/// The state of a value in a store.
///
/// It changes with every replacement.
public struct Revision: RawRepresentable, Sendable, Hashable {
    /// The store's own name of the state.
    public let rawValue: String

    /// Creates a revision.
    ///
    /// - Parameter rawValue: The store's own name of the state.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Bytes from a store.
public struct StoredValue: Sendable, Hashable {
    /// The bytes, unchanged.
    public let bytes: [UInt8]
    /// The revision of the bytes.
    public let revision: Revision

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - revision: Their revision.
    public init(bytes: [UInt8], revision: Revision) {
        self.bytes = bytes
        self.revision = revision
    }
}

/// The failure of a session store.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failures.
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
        /// The stored value cannot be decoded.
        ///
        /// It is quarantined.
        public static let corrupt = Code(rawValue: "corrupt")
        /// Another task or process holds the exclusive lock.
        public static let busy = Code(rawValue: "busy")
    }

    /// The kind of failure.
    public var code: Code
    /// The failure, and what to do about it.
    public var message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The failure, and what to do about it.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// A conditional change failed because the value has another revision.
    public static let changed = StoreError(.conflict, "The value has changed since it was read. Read it again.")

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

/// A user of a server, whose values a store of many users keeps apart from the others'.
package struct StoreOwner: Sendable, Hashable {
    /// The text as it was given; two texts are one owner where their bytes are the same.
    package let name: String

    /// An owner.
    ///
    /// - Throws: `unwritable` where the text is empty, longer than 1,000 bytes or holds NUL.
    package init(_ name: String) throws(StoreError) {
        guard 1...1000 ~= name.utf8.count, !name.utf8.contains(0) else {
            throw StoreError(.unwritable, "The owner of a session has 1 to 1,000 bytes without NUL, not \(name.utf8.count).")
        }
        self.name = name
    }
}

extension StoreKey {
    /// Names the value of an owner under this key: texts of any length and content become 32 bytes.
    package func digest(owner: String) -> [UInt8] {
        HashFunction.sha256.digest(Self.joined([owner, provider, backend, slot.rawValue]))
    }

    /// Each text after its length, so that no two lists look the same.
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
/// A change that took too long may still complete: the next change under its key waits for it, so that an older one never undoes
/// a newer.
final class PunctualStore: SessionStore {
    private let base: any SessionStore
    private let clock: any DeviceClock
    private let limit: Duration
    private let unfinished = Mutex<[StoreKey: Task<Void, Never>]>([:])

    /// How long the store gets where the call's own time is over: enough for one that works.
    private static let grace = Duration.seconds(1)

    init(_ base: any SessionStore, limit: Duration, clock: any DeviceClock) {
        self.base = base
        self.clock = clock
        self.limit = limit
    }

    func load(_ key: StoreKey) async throws(StoreError) -> StoredValue? {
        try await inTime { [base] () async throws(StoreError) in try await base.load(key) }
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
        try await inTime { [base] () async throws(StoreError) in try await base.keys() }
    }

    /// `lockTimeout` limits the wait for it; what runs inside has its own limits.
    func exclusively<Result: Sendable>(
        _ key: StoreKey, lockTimeout: Duration, _ body: @Sendable () async -> Result
    ) async throws(StoreError) -> Result {
        try await base.exclusively(key, lockTimeout: lockTimeout, body)
    }

    private func change<Value: Sendable>(
        _ key: StoreKey, _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let older = unfinished.withLock { $0[key] }
        return try await inTime(unfinishedUnder: key) { () async throws(StoreError) in
            await older?.value
            return try await body()
        }
    }

    private func inTime<Value: Sendable>(
        unfinishedUnder key: StoreKey? = nil, _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        // A change cancelled half way would leave it unknown what is stored: the work goes on, its caller waits.
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
            .busy, "The store has not answered within \(limit.inWholeSeconds). What was asked of it may still be done.")
    }
}
