public import LockstepPrimitives

/// An event in a client, without secrets, email addresses or user ids.
///
/// Use it for logs, metrics and traces.
///
/// Related events have the same ``Field/callID``: the begin and end of a call, its requests, and its changes.
/// docs/events.md lists all events and has ten-line bridges to the usual packages.
///
/// ```swift
/// let sink = AuthEventSink { event in
///     if event.isTrouble { print(event) }
/// }
/// let auth = AuthClient(adapter: adapter, store: store, effects: .live(events: sink))
/// ```
public struct AuthEvent: Sendable, Hashable {
    /// The name of the event.
    public var name: Name
    /// The time by the device's clock.
    public var instant: Instant
    /// The details, by the names of ``Field``.
    ///
    /// ``Name/fields`` lists the possible fields of an event.
    public var fields: [String: String]

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: The name of the event.
    ///   - instant: The time by the device's clock.
    ///   - fields: The details. Default: none.
    public init(_ name: Name, at instant: Instant, _ fields: [Field: String] = [:]) {
        self.name = name
        self.instant = instant
        self.fields = [:]
        for (field, value) in fields { self.fields[field.rawValue] = value }
    }

    /// The value of a field; `nil` if the event does not have it.
    public subscript(field: Field) -> String? {
        get { fields[field.rawValue] }
        set { fields[field.rawValue] = newValue }
    }

    /// The duration, if the event reports an end.
    public var duration: Duration? { self[.milliseconds].flatMap { Int64($0) }.map { .milliseconds($0) } }

    /// The HTTP status, if the event reports a response.
    public var status: Int? { self[.status].flatMap { Int($0) } }

    /// The reason for the sign-out, if the event has one.
    public var reason: SignOutReason? { self[.reason].flatMap { SignOutReason(rawValue: $0) } }

    /// Whether the event reports an outcome other than `ok`.
    ///
    /// Use it to choose a log level.
    public var isTrouble: Bool {
        switch name {
        case .sessionEnded, .userMismatch, .persistenceFailed, .quarantine, .backendChanged, .profileUpdateFailed: true
        case .requestEnded: status.map { $0 >= 400 } ?? true
        default: self[.outcome].map { $0 != "ok" } ?? false
        }
    }
}

extension AuthEvent {
    /// The name of an event.
    ///
    /// The raw values never change.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// Creates a name.
        ///
        /// - Parameter rawValue: The stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A call of the app or background work began.
        public static let callBegan = Name(rawValue: "call.began")
        /// A call of the app or background work ended.
        public static let callEnded = Name(rawValue: "call.ended")
        /// A request is about to be sent.
        public static let requestBegan = Name(rawValue: "request.began")
        /// A response arrived, or the request failed.
        public static let requestEnded = Name(rawValue: "request.ended")
        /// The state changed.
        ///
        /// `reason` says why no user is signed in; `code` says why the store cannot be read.
        public static let stateChanged = Name(rawValue: "state.changed")
        /// A refresh finished and the session stays.
        ///
        /// `outcome` is `ok`, `discarded` (the user signed out in the meantime), or an error code.
        public static let sessionRefreshed = Name(rawValue: "session.refreshed")
        /// A session ended without a sign-out, with the reason.
        public static let sessionEnded = Name(rawValue: "session.ended")
        /// The client took over a newer session, or another user's session, that another process stored.
        public static let sessionAdopted = Name(rawValue: "session.adopted")
        /// A response was for a user other than the request's, and was rejected.
        ///
        /// Suspect a cache before the backend.
        public static let userMismatch = Name(rawValue: "session.user-mismatch")
        /// The store has a session of another backend.
        ///
        /// It is kept and never sent to this one.
        public static let backendChanged = Name(rawValue: "session.backend-changed")
        /// A stored value could not be decoded and is quarantined.
        public static let quarantine = Name(rawValue: "store.quarantine")
        /// A session, or the data of a flow or a sign-out, could not be written.
        ///
        /// It stays in memory, and the write is retried.
        public static let persistenceFailed = Name(rawValue: "session.persistence-failed")
        /// The pending writes succeeded.
        public static let persistenceHealed = Name(rawValue: "session.persistence-healed")
        /// An anonymous user signed up, and the name given with the sign-up could not be set.
        public static let profileUpdateFailed = Name(rawValue: "profile.update-failed")

        /// All names.
        public static let all: [Name] = [
            .callBegan, .callEnded, .requestBegan, .requestEnded, .stateChanged, .sessionRefreshed, .sessionEnded,
            .sessionAdopted, .userMismatch, .backendChanged, .quarantine, .persistenceFailed, .persistenceHealed,
            .profileUpdateFailed,
        ]

        /// The fields that events of this name may have.
        ///
        /// Only events of calls and requests always have ``Field/callID``.
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

extension AuthEvent {
    /// The name of a detail of an event.
    ///
    /// The raw values never change.
    public struct Field: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// Creates a field name.
        ///
        /// - Parameter rawValue: The stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The call: `signIn`, `accessToken`, `account.update` and the others in docs/events.md.
        public static let call = Field(rawValue: "call")
        /// The provider of the client, or of a session that belongs to another backend.
        public static let provider = Field(rawValue: "provider")
        /// The backend of the stored session.
        public static let backend = Field(rawValue: "backend")
        /// The method of the request, such as `POST`.
        public static let method = Field(rawValue: "method")
        /// The path of the request without query.
        ///
        /// Every part that may be an id is `*`.
        public static let route = Field(rawValue: "route")
        /// The new state: `restoring`, `signedOut`, `anonymous`, `unverified`, `signedIn`, `unavailable`.
        public static let state = Field(rawValue: "state")
        /// The outcome: `ok` or a stable code.
        ///
        /// A request with a response is `ok` at any status.
        public static let outcome = Field(rawValue: "outcome")
        /// The status of the response.
        public static let status = Field(rawValue: "status")
        /// The reason why no user is signed in: a ``SignOutReason``.
        public static let reason = Field(rawValue: "reason")
        /// The provider's own code.
        ///
        /// If there is none that can be shown, the portable code.
        public static let verdict = Field(rawValue: "verdict")
        /// The code of a store's failure or of another failed part.
        public static let code = Field(rawValue: "code")
        /// The stored value: a ``StoreKey/Slot``.
        public static let slot = Field(rawValue: "slot")
        /// Identifies the session, but not the user: eight hexadecimal digits that stay the same while the session lasts.
        public static let session = Field(rawValue: "session")
        /// The duration in milliseconds.
        public static let milliseconds = Field(rawValue: "milliseconds")
        /// The size of the response body in bytes.
        public static let bytes = Field(rawValue: "bytes")
        /// Identifies a request: the call's id, a dot, and a number.
        public static let request = Field(rawValue: "request")
        /// Identifies the call that the event belongs to: eight hexadecimal digits.
        public static let callID = Field(rawValue: "callID")

        /// All field names, in the order of texts and lines.
        public static let all: [Field] = [
            .call, .provider, .backend, .method, .route, .state, .outcome, .status, .reason, .verdict, .code, .slot, .session,
            .milliseconds, .bytes, .request, .callID,
        ]

        /// Whether the value is a whole number.
        ///
        /// In JSON, it is a number, too.
        public var isNumber: Bool { self == .status || self == .milliseconds || self == .bytes }
    }
}

extension AuthEvent: CustomStringConvertible {
    /// The event on one line: the name, then `field=value` in the order of ``Field/all``.
    ///
    /// A value is quoted as in JSON if it contains anything except letters, digits, and the characters of paths and
    /// numbers. So no value can begin a new line or field.
    public var description: String {
        said.reduce(into: name.rawValue) { line, field in
            line += " \(field.name.rawValue)="
            let isPlain = field.value.utf8.allSatisfy(\.isPlain) && !field.value.isEmpty
            line += isPlain ? field.value : JSON.string(field.value).text(.visible)
        }
    }

    /// The event as one line of JSON without the line end: `v` (1), `at` (milliseconds since 1970), `event`, and the
    /// fields by name.
    ///
    /// The meaning of existing events and fields does not change while `v` is 1. New ones may be added.
    public var jsonLine: String {
        var object: JSONObject = ["v": 1, "at": .int(instant.milliseconds), "event": .string(name.rawValue)]
        for field in said {
            let number = field.name.isNumber ? Int64(field.value) : nil
            object[field.name.rawValue] = number.map { .int($0) } ?? .string(field.value)
        }
        return JSON.object(object).text(.visible)
    }

    /// The fields in order; unknown ones come last.
    private var said: [(name: Field, value: String)] {
        let known = Field.all.compactMap { field in self[field].map { (name: field, value: $0) } }
        if known.count == fields.count { return known }
        let others = Set(fields.keys).subtracting(Field.all.map(\.rawValue)).sorted().map { Field(rawValue: $0) }
        return known + others.compactMap { field in self[field].map { (field, $0) } }
    }
}

extension UInt8 {
    fileprivate var isPlain: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._-:/*+".utf8.contains(self)
        }
    }
}
