internal import LockstepPrimitives
internal import LockstepTokens
internal import Synchronization

/// The keys of issuers, kept for an hour.
final class IssuerKeys: Sendable {
    private struct Entry: Sendable {
        var keys: [VerificationKey]
        var end: Instant
    }

    private let entries = Mutex<[String: Entry]>([:])

    func keys(of issuer: String, at now: Instant) -> [VerificationKey]? {
        entries.withLock { entries in
            guard let entry = entries[issuer], now < entry.end else { return nil }
            return entry.keys
        }
    }

    func keep(_ keys: [VerificationKey], of issuer: String, at now: Instant) {
        entries.withLock { entries in
            if entries.count > 100 { entries = [:] }
            entries[issuer] = Entry(keys: keys, end: now + .seconds(3600))
        }
    }

    func reset() { entries.withLock { $0 = [:] } }
}
