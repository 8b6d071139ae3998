internal import LockstepPrimitives

/// The place in which the sessions of browsers outlive the process.
///
/// A person stops and starts the server all day. Without such a place, each start would lock the open tabs out.
package struct KeptSessions: Sendable {
    /// The folder of the data; empty for data in memory.
    ///
    /// A session counts only for the same folder.
    let folder: String
    let read: @Sendable (_ port: UInt16) -> [UInt8]?
    let write: @Sendable (_ port: UInt16, _ bytes: [UInt8]) -> Void

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - folder: The folder of the data; empty for data in memory.
    ///   - read: A closure that returns the bytes for a port; `nil` if there are none.
    ///   - write: A closure that replaces the bytes for a port. They contain no cookie, only digests.
    package init(
        folder: String, read: @escaping @Sendable (_ port: UInt16) -> [UInt8]?,
        write: @escaping @Sendable (_ port: UInt16, _ bytes: [UInt8]) -> Void
    ) {
        (self.folder, self.read, self.write) = (folder, read, write)
    }
}

/// A browser's session without its cookie.
struct KeptSession: Sendable {
    /// SHA-256 of the cookie.
    let digest: [UInt8]
    let createdAt: Instant
    var usedAt: Instant

    static let longestLife = Duration.seconds(30 * 86_400)
    private static let longestPause = Duration.seconds(7 * 86_400)
    /// The use is written again only after this time.
    private static let precision = Duration.seconds(600)

    func counts(at now: Instant) -> Bool {
        // A clock that was set back makes no session younger.
        createdAt <= now && now - createdAt < Self.longestLife && now - usedAt < Self.longestPause
    }

    /// Notes a use.
    ///
    /// - Returns: Whether the place must be written.
    mutating func use(at now: Instant) -> Bool {
        guard now - usedAt >= Self.precision else { return false }
        usedAt = now
        return true
    }
}

extension KeptSessions {
    private static let version: JSON = 1

    /// Returns the sessions for a port that count; none if the bytes are damaged.
    func sessions(port: UInt16, at now: Instant) -> [KeptSession] {
        guard let bytes = read(port), let document = try? JSON.parse(bytes), document["version"] == Self.version,
            document["port"]?.int == Int64(port), document["folder"]?.string?.exact == folder.exact
        else { return [] }
        let sessions = (document["sessions"]?.array ?? []).compactMap { session -> KeptSession? in
            guard let digest = session["digest"]?.string.flatMap(Hex.decode), digest.count == 32,
                let created = session["created"]?.int, let used = session["used"]?.int
            else { return nil }
            return KeptSession(
                digest: digest, createdAt: Instant(milliseconds: created), usedAt: Instant(milliseconds: used))
        }
        return sessions.filter { $0.counts(at: now) }
    }

    func keep(_ sessions: [KeptSession], port: UInt16) {
        let document: JSON = [
            "version": Self.version, "port": .int(Int64(port)), "folder": .string(folder),
            "sessions": .array(
                sessions.map {
                    [
                        "digest": .string(Hex.encode($0.digest)), "created": .int($0.createdAt.milliseconds),
                        "used": .int($0.usedAt.milliseconds),
                    ]
                }),
        ]
        write(port, document.bytes())
    }
}
