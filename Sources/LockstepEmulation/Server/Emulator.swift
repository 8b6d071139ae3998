public import LockstepPrimitives

/// A local server that speaks one provider's wire.
public protocol Emulator: Sendable {
    /// The provider's name in lower case, as the command line and the ready line have it: `gotrue`.
    static var provider: String { get }

    /// The routes. Asked for once, when the server starts.
    var router: Router { get }

    /// Longest body in bytes; longer ones are refused with ``Refusal/bodyTooLarge``.
    var bodyLimit: Int { get }

    /// What clients need to know beside the address: keys, project names. Part of the ready line as `vars`.
    var variables: JSONObject { get }

    /// Other servers that it works with, by name. Part of the ready line as `bases`.
    var bases: JSONObject { get }

    /// Forgets all users, sessions, codes and changed settings. The shared parts (clock, outbox, faults, transcript) are reset by
    /// the server.
    func reset() throws

    /// Removes rows that no answer depends on any more, because what they stand for ended before `end`.
    ///
    /// Called now and then, on the server's thread; `end` is ``Sweeper/grace`` before now.
    func removeExpired(before end: Instant) throws
}

extension Emulator {
    /// One mebibyte.
    public var bodyLimit: Int { 1 << 20 }

    /// Nothing.
    public var variables: JSONObject { [:] }

    /// None.
    public var bases: JSONObject { [:] }

    /// Nothing expires.
    public func removeExpired(before end: Instant) throws {}
}
