extension Event {
    /// What an event can say; the raw values never change.
    public struct Field: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// A field.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Which call: `signIn`, `accessToken`, `account.update` and the others of the list in docs/events.md.
        public static let call = Field(rawValue: "call")
        /// The provider: of the client, or of the session that is not this backend's.
        public static let provider = Field(rawValue: "provider")
        /// The backend that the stored session belongs to.
        public static let backend = Field(rawValue: "backend")
        /// The request's method, such as `POST`.
        public static let method = Field(rawValue: "method")
        /// The request's path without query; every part that may be an id is `*`.
        public static let route = Field(rawValue: "route")
        /// The new state: `restoring`, `signedOut`, `anonymous`, `unverified`, `signedIn`, `unavailable`.
        public static let state = Field(rawValue: "state")
        /// How it ended: `ok`, or a stable code; an answered request is `ok` at any status.
        public static let outcome = Field(rawValue: "outcome")
        /// The answer's status.
        public static let status = Field(rawValue: "status")
        /// Why no user is signed in: a ``SignOutReason``.
        public static let reason = Field(rawValue: "reason")
        /// The provider's own code, or the portable one where the provider gave none that can be shown.
        public static let verdict = Field(rawValue: "verdict")
        /// The code of a store's failure, or of another failed part.
        public static let code = Field(rawValue: "code")
        /// Which stored value: a ``StoreKey/Slot``.
        public static let slot = Field(rawValue: "slot")
        /// Which session: eight hexadecimal digits, the same as long as it lasts, that do not identify the user.
        public static let session = Field(rawValue: "session")
        /// How long it took, in milliseconds.
        public static let milliseconds = Field(rawValue: "milliseconds")
        /// The size of the answer's body, in bytes.
        public static let bytes = Field(rawValue: "bytes")
        /// Names a request: the call's id, a dot, and a number.
        public static let request = Field(rawValue: "request")
        /// Names the call that the event belongs to: eight hexadecimal digits.
        public static let callID = Field(rawValue: "callID")

        /// All of them, in the order in which texts and lines have them.
        public static let all: [Field] = [
            .call, .provider, .backend, .method, .route, .state, .outcome, .status, .reason, .verdict, .code, .slot, .session,
            .milliseconds, .bytes, .request, .callID,
        ]

        /// Whether its value is a whole number, which JSON has as one.
        public var isNumber: Bool { self == .status || self == .milliseconds || self == .bytes }
    }
}
