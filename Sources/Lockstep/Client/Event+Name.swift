extension Event {
    /// Which events there are; the raw values never change.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// A name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A call of the app began, or background work.
        public static let callBegan = Name(rawValue: "call.began")
        /// It ended.
        public static let callEnded = Name(rawValue: "call.ended")
        /// A request is about to be sent.
        public static let requestBegan = Name(rawValue: "request.began")
        /// It was answered, or failed.
        public static let requestEnded = Name(rawValue: "request.ended")
        /// The state has changed: `reason` where no user is signed in, `code` where the store cannot be read.
        public static let stateChanged = Name(rawValue: "state.changed")
        /// A refresh was answered and the session stays: `outcome` is `ok`, `discarded` (the user has left), or an error's code.
        public static let sessionRefreshed = Name(rawValue: "session.refreshed")
        /// A session ended without being asked for, with the reason.
        public static let sessionEnded = Name(rawValue: "session.ended")
        /// Another process has stored a newer session, or another user's, which this client has taken over.
        public static let sessionAdopted = Name(rawValue: "session.adopted")
        /// An answer was about another user than the request, and was rejected: suspect a cache before the backend.
        public static let userMismatch = Name(rawValue: "session.user-mismatch")
        /// The store holds a session of another backend, which is kept and never sent to this one.
        public static let backendChanged = Name(rawValue: "session.backend-changed")
        /// A stored value could not be decoded and is quarantined.
        public static let quarantine = Name(rawValue: "store.set-aside")
        /// A session, or what belongs to a flow or a sign-out, could not be written; it is kept in memory and retried.
        public static let persistenceFailed = Name(rawValue: "session.persistence-failed")
        /// The pending writes have succeeded.
        public static let persistenceHealed = Name(rawValue: "session.persistence-healed")
        /// A guest has become a user, and the name given with the sign-up could not be set.
        public static let profileUpdateFailed = Name(rawValue: "profile.update-failed")

        /// All of them.
        public static let all: [Name] = [
            .callBegan, .callEnded, .requestBegan, .requestEnded, .stateChanged, .sessionRefreshed, .sessionEnded,
            .sessionAdopted, .userMismatch, .backendChanged, .quarantine, .persistenceFailed, .persistenceHealed,
            .profileUpdateFailed,
        ]

        /// The fields that events of this name may have; all but those of calls and requests may lack ``Field/callID``.
        public var fields: [Field] {
            switch self {
            case .callBegan: [.call, .provider, .callID]
            case .callEnded: [.call, .provider, .outcome, .milliseconds, .callID]
            case .requestBegan: [.method, .route, .request, .callID]
            case .requestEnded: [.method, .route, .outcome, .status, .milliseconds, .bytes, .request, .callID]
            case .stateChanged: [.state, .reason, .code, .callID]
            case .sessionRefreshed: [.outcome, .milliseconds, .session, .callID]
            case .sessionEnded: [.reason, .verdict, .session, .callID]
            case .sessionAdopted, .userMismatch: [.session, .callID]
            case .backendChanged: [.provider, .backend, .callID]
            case .quarantine: [.slot, .callID]
            case .persistenceFailed: [.code, .slot, .callID]
            case .persistenceHealed: [.slot, .callID]
            case .profileUpdateFailed: [.code, .callID]
            default: []
            }
        }
    }
}
