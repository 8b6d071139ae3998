internal import LockstepPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One slot of the store as a value that a client reads, changes and writes.
///
/// Bytes that cannot be decoded are quarantined. A value from a newer version of the app stays unchanged. The accesses
/// of one process take turns, from the read to the write.
struct StoredSlot<Value: Codable & Sendable>: Sendable {
    /// The content that was found in the slot.
    struct Content: Sendable {
        var value: Value?
        var revision: Revision?
        /// Whether the bytes could not be decoded; they are quarantined, and the slot is empty now.
        var isDamaged = false
    }

    /// A change to the slot.
    enum Change: Sendable {
        case keep
        case write(Value)
        case remove
    }

    let key: StoreKey
    let store: any SessionStore
    let locks: ExclusiveLocks
    let lockTimeout: Duration
    /// A function that is called with the slot of a quarantined value.
    let quarantined: @Sendable (StoreKey.Slot) -> Void
    /// Returns whether this client may have written a decoded value.
    var isSound: @Sendable (Value) -> Bool = { _ in true }

    /// Loads the value; bytes that cannot be decoded are quarantined and reported.
    ///
    /// - `acceptsNewerForm`: Whether a value of a newer version of the app counts as no value.
    ///
    /// Throws the errors of the store; `unreadable` for the format of a newer version of the app.
    func load(acceptsNewerForm: Bool = false) async throws(StoreError) -> Content {
        var found = Content()
        do throws(StoreError) {
            guard let stored = try await store.load(key) else { return found }
            found.revision = stored.revision
            let value = try Envelope<Value>.value(of: stored.bytes)
            guard isSound(value) else { throw StoreError(.corrupt, "The stored value is inconsistent.") }
            found.value = value
        } catch {
            if error.code == .newerForm {
                guard acceptsNewerForm else { throw StoreError(.unreadable, error.message) }
                return found
            }
            guard error.code == .corrupt else { throw error }
            if let revision = found.revision { try await store.quarantine(key, unlessChangedSince: revision) }
            found.revision = nil
            found.isDamaged = true
            quarantined(key.slot)
        }
        return found
    }

    /// Writes a value if the slot still has the revision that was read.
    ///
    /// - Throws: The errors of the store; `conflict` if another write came between.
    @discardableResult
    func write(_ value: Value, over revision: Revision?) async throws(StoreError) -> Revision {
        try await store.replace(key, with: Envelope(value).bytes(), unlessChangedSince: revision)
    }

    /// Removes the value if it has a revision; without a revision, removes any value.
    ///
    /// - Throws: The errors of the store; `conflict` if another write came between.
    func remove(_ revision: Revision?) async throws(StoreError) {
        if let revision {
            try await store.remove(key, unlessChangedSince: revision)
        } else {
            try await store.remove(key)
        }
    }

    /// Changes the value: reads it, calls `change`, and writes the result.
    ///
    /// If the stored value has changed in the meantime, the update starts again. `change` reads memory at the moment of
    /// the call. `stored` writes the stored value to memory before the next update begins. So an earlier write never
    /// reverses a later one.
    ///
    /// - `stored`: Gets the result of the last `change` after it is stored.
    ///
    /// Throws the errors of the store; `conflict` if others keep writing; `unreadable` if the slot has the format of a
    /// newer version of the app. After an error, nothing has changed.
    func update<Result: Sendable>(
        _ change: @Sendable (Content) -> (Change, Result), stored: @Sendable (Result) -> Void = { _ in }
    ) async throws(StoreError) {
        try await locks.enter(key, lockTimeout: lockTimeout)
        defer { locks.leave(key) }
        for _ in 0..<32 {
            do throws(StoreError) {
                let found = try await load()
                let (action, result) = change(found)
                switch (action, found.revision) {
                case (.keep, _), (.remove, nil): break
                case (.write(let value), let revision): try await write(value, over: revision)
                case (.remove, let revision?): try await remove(revision)
                }
                return stored(result)
            } catch  where error.code == .conflict {}
        }
        throw .changed
    }
}
/// All slots of one client.
struct StoredSlots: Sendable {
    let session: StoredSlot<StoredSession>
    let flows: StoredSlot<StoredFlows>
    let device: StoredSlot<[String: Secret]>
    let revocations: StoredSlot<[Revocation]>
    /// The reason as text, so that a later version's reason is not damage.
    let signOut: StoredSlot<String>

    /// The slots of a backend in a store.
    init(
        provider: String, backend: String, in store: any SessionStore, locks: ExclusiveLocks, lockTimeout: Duration,
        quarantined: @escaping @Sendable (StoreKey.Slot) -> Void
    ) {
        func slot<Value>(_ slot: StoreKey.Slot) -> StoredSlot<Value> {
            StoredSlot(
                key: StoreKey(provider: provider, backend: backend, slot: slot), store: store, locks: locks,
                lockTimeout: lockTimeout, quarantined: quarantined)
        }
        var session: StoredSlot<StoredSession> = slot(.session)
        // Rejects a session with the token of one user and the data of another, and a session whose tokens no request can carry.
        session.isSound = { $0.session.isStorable }
        self.session = session
        flows = slot(.flow)
        device = slot(.device)
        revocations = slot(.revocations)
        signOut = slot(.signOut)
    }
}

/// The format of all stored values, the same for all stores: a version, then the value.
struct Envelope<Value: Codable & Sendable>: Codable, Sendable {
    var version = Self.current
    var value: Value

    /// The version that this client writes.
    ///
    /// It reads all earlier versions, too.
    static var current: Int { 1 }

    init(_ value: Value) { self.value = value }

    /// Returns the bytes to store, with secrets in plain text.
    func bytes() throws(StoreError) -> [UInt8] {
        let encoder = JSONEncoder.ofStoredValues
        encoder.outputFormatting = .sortedKeys
        do {
            return Array(try encoder.encode(self))
        } catch {
            throw StoreError(.unwritable, "The value cannot be written as JSON: \(type(of: error)).")
        }
    }

    /// Decodes the value in some bytes.
    ///
    /// - Throws: `corrupt` if the bytes cannot be decoded; the client then quarantines them. `newerForm` if a newer
    ///   version of the app wrote them; the client leaves them unchanged.
    static func value(of bytes: [UInt8]) throws(StoreError) -> Value {
        do {
            return try JSONDecoder.ofStoredValues.decode(Envelope.self, from: Data(bytes)).value
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.corrupt, "The stored value cannot be read (\(type(of: error))).")
        }
    }

    /// Reads the version first, because the value of a newer version may have any format.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        version = try members.decode(Int.self, forKey: .version)
        guard version <= Self.current else {
            throw StoreError(
                .newerForm,
                "The stored value has format \(version) of a newer version of this app. It is left unchanged."
            )
        }
        value = try members.decode(Value.self, forKey: .value)
    }
}

extension Session {
    /// Whether a client keeps the session if it finds it in its store.
    package var isStorable: Bool { isOfOneUser && hasSendableTokens }

    /// Returns the bytes as which a client stores the session.
    package func storedBytes() throws(StoreError) -> [UInt8] { try Envelope(StoredSession(self)).bytes() }
}

extension JSONEncoder {
    /// Writes secrets in plain text.
    static var ofStoredValues: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.userInfo[.revealsSecrets] = true
        return encoder
    }
}

extension JSONDecoder {
    /// Reads values that ``Foundation/JSONEncoder/ofStoredValues`` has written.
    static var ofStoredValues: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[.tellsTextsApart] = true
        return decoder
    }
}

extension StoreError.Code {
    /// A newer version of the app wrote the value; callers get `unreadable`.
    static let newerForm = StoreError.Code(rawValue: "newerForm")
}
