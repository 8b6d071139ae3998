public import LockstepPrimitives

/// Something that happened in a client, without secrets, addresses or user ids.
public struct Event: Sendable, Hashable {
    /// Which events there are; the raw values never change.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// A name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A call of the app ended: `call`, `outcome`, `milliseconds`.
        public static let callEnded = Name(rawValue: "call.ended")
        /// The state is another one: `state`, and `reason` where nobody is signed in.
        public static let stateChanged = Name(rawValue: "state.changed")
        /// A refresh ended: `outcome` is `renewed`, `adopted`, `discarded`, or a code.
        public static let sessionRefreshed = Name(rawValue: "session.refreshed")
        /// A session ended without being asked for: `reason`, `verdict` (the provider's code).
        public static let sessionEnded = Name(rawValue: "session.ended")
        /// A session could not be written and is kept in memory: `code`.
        public static let persistenceFailed = Name(rawValue: "session.persistence-failed")
    }

    /// Which event.
    public var name: Name
    /// When, by this device's clock.
    public var instant: Instant
    /// More about it, by stable names.
    public var fields: [String: String]
}
