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
        /// Another process has stored a newer session, or another user's, which this client has taken over: `session`.
        public static let sessionAdopted = Name(rawValue: "session.adopted")
        /// The store holds a session of another backend, which is kept and never sent to this one: `provider`, `backend`.
        public static let backendChanged = Name(rawValue: "session.backend-changed")
        /// A stored value could not be understood and is kept aside: `slot`.
        public static let setAside = Name(rawValue: "store.set-aside")
        /// A session could not be written and is kept in memory: `code`.
        public static let persistenceFailed = Name(rawValue: "session.persistence-failed")
        /// What could not be written is written.
        public static let persistenceHealed = Name(rawValue: "session.persistence-healed")
    }

    /// Which event.
    public var name: Name
    /// When, by this device's clock.
    public var instant: Instant
    /// More about it, by stable names.
    public var fields: [String: String]
}
