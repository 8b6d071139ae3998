internal import LockstepPrimitives
internal import LockstepTokens
internal import Synchronization

/// The public keys of identity providers, which are cached for an hour.
public final class IssuerKeys: Sendable {
    private struct Entry: Sendable {
        var keys: [VerificationKey]
        var end: Instant
    }

    /// The maximum number of issuers, so that names from requests do not fill the memory.
    private static let limit = 100

    private let entries = Mutex<[ExactString: Entry]>([:])

    /// Creates an empty cache.
    public init() {}

    /// Removes all keys from the cache.
    public func reset() { entries.withLock { $0 = [:] } }

    func keys(of issuer: String, at now: Instant) -> [VerificationKey]? {
        entries.withLock { entries in
            guard let entry = entries[issuer.exact], now < entry.end else { return nil }
            return entry.keys
        }
    }

    func keep(_ keys: [VerificationKey], of issuer: String, at now: Instant) {
        entries.withLock { entries in
            if entries.count >= Self.limit, entries[issuer.exact] == nil { entries = [:] }
            entries[issuer.exact] = Entry(keys: keys, end: now + .seconds(3600))
        }
    }
}
