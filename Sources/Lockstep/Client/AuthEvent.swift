public import LockstepPrimitives

/// An event of a client, for logs, metrics and traces.
///
/// An event contains no secrets, email addresses or user ids.
///
/// All events of one call have the same ``Field/callID``: the call's beginning and end, its requests and its changes.
/// docs/events.md lists all events, and shows how to send them to the usual packages for logs and metrics.
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
    /// The time according to the device's clock.
    public var instant: Instant
    /// The details of the event, by field name.
    ///
    /// ``Field`` defines the names. ``Name/fields`` lists the fields that an event may have.
    public var fields: [String: String]

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: The name of the event.
    ///   - instant: The time according to the device's clock.
    ///   - fields: The details, by field. Default: none.
    public init(_ name: Name, at instant: Instant, _ fields: [Field: String] = [:]) {
        self.name = name
        self.instant = instant
        self.fields = [:]
        for (field, value) in fields { self.fields[field.rawValue] = value }
    }

    /// Returns the value of a field.
    ///
    /// - Parameter field: The field.
    /// - Returns: The value; `nil` if the event does not have this field.
    public subscript(field: Field) -> String? {
        get { fields[field.rawValue] }
        set { fields[field.rawValue] = newValue }
    }

    /// The duration of the call or request, if the event reports its end.
    public var duration: Duration? { self[.milliseconds].flatMap { Int64($0) }.map { .milliseconds($0) } }

    /// The HTTP status of the response, if the event reports a response.
    public var status: Int? { self[.status].flatMap { Int($0) } }

    /// The reason for the sign-out, if the event contains a reason.
    public var reason: SignOutReason? { self[.reason].flatMap { SignOutReason(rawValue: $0) } }

    /// Whether the event reports an outcome other than `ok`.
    ///
    /// Use this property to choose the level of a log message.
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

        /// The app has called the client, or background work has begun.
        public static let callBegan = Name(rawValue: "call.began")
        /// A call of the app, or background work, has ended.
        public static let callEnded = Name(rawValue: "call.ended")
        /// A request is about to be sent.
        public static let requestBegan = Name(rawValue: "request.began")
        /// A response arrived, or the request failed.
        public static let requestEnded = Name(rawValue: "request.ended")
        /// The state changed.
        ///
        /// The field `reason` contains the reason why no user is signed in. The field `code` contains the reason why
        /// the store cannot be read.
        public static let stateChanged = Name(rawValue: "state.changed")
        /// A refresh has ended, and the session continues.
        ///
        /// The field `outcome` is `ok`, an error code, or `discarded` if the user signed out in the meantime.
        public static let sessionRefreshed = Name(rawValue: "session.refreshed")
        /// A session ended although the user did not sign out; the field `reason` contains the reason.
        public static let sessionEnded = Name(rawValue: "session.ended")
        /// The client now uses a session that another process stored: a newer session, or another user's session.
        public static let sessionAdopted = Name(rawValue: "session.adopted")
        /// The client rejected a response because it belongs to a different user than the request.
        ///
        /// The usual cause is a cache between the client and the backend.
        public static let userMismatch = Name(rawValue: "session.user-mismatch")
        /// The client found a session of another backend in the store for the first time.
        ///
        /// The client keeps that session until the user signs out, and never sends it to its own backend.
        public static let backendChanged = Name(rawValue: "session.backend-changed")
        /// The client found a session of a vendor's SDK.
        ///
        /// The field `outcome` is `ok` if the client has taken over the session, or the reason why not.
        public static let takenOver = Name(rawValue: "session.taken-over")
        /// The client could not decode a stored value, and the store has quarantined it.
        public static let quarantine = Name(rawValue: "store.quarantine")
        /// The store could not write a session, or the data of a flow or a sign-out.
        ///
        /// The client keeps the value in memory and tries the write again.
        public static let persistenceFailed = Name(rawValue: "session.persistence-failed")
        /// The store has written all pending values.
        public static let persistenceHealed = Name(rawValue: "session.persistence-healed")
        /// An anonymous user signed up, but the client could not set the display name.
        public static let profileUpdateFailed = Name(rawValue: "profile.update-failed")

        /// All names of events.
        public static let all: [Name] = [
            .callBegan, .callEnded, .requestBegan, .requestEnded, .stateChanged, .sessionRefreshed, .sessionEnded,
            .sessionAdopted, .userMismatch, .backendChanged, .takenOver, .quarantine, .persistenceFailed,
            .persistenceHealed, .profileUpdateFailed,
        ]

        /// The fields that an event of this name may have.
        ///
        /// An event of a call or a request always has ``Field/callID``. Other events have this field only if a call
        /// caused them.
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
            case .takenOver: [.provider, .outcome, .callID]
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
    /// The name of one detail of an event.
    ///
    /// The raw values never change.
    public struct Field: RawRepresentable, Hashable, Sendable {
        /// The stable name.
        public let rawValue: String

        /// Creates a field name.
        ///
        /// - Parameter rawValue: The stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the call, such as `signIn`, `accessToken` or `account.update`.
        ///
        /// docs/events.md lists all names.
        public static let call = Field(rawValue: "call")
        /// The name of the provider.
        ///
        /// It is the client's provider, or the provider of a stored session that belongs to another backend.
        public static let provider = Field(rawValue: "provider")
        /// The URL of the backend that a stored session belongs to.
        public static let backend = Field(rawValue: "backend")
        /// The method of the request, such as `POST`.
        public static let method = Field(rawValue: "method")
        /// The path of the request without its query.
        ///
        /// Each part of the path that may be an id is replaced by `*`.
        public static let route = Field(rawValue: "route")
        /// The new state: `restoring`, `signedOut`, `anonymous`, `unverified`, `signedIn`, `unavailable`.
        public static let state = Field(rawValue: "state")
        /// The outcome: `ok` or the stable code of an error.
        ///
        /// The outcome of a request is `ok` if a response arrived, whatever its status.
        public static let outcome = Field(rawValue: "outcome")
        /// The HTTP status of the response.
        public static let status = Field(rawValue: "status")
        /// The reason why no user is signed in: a ``SignOutReason``.
        public static let reason = Field(rawValue: "reason")
        /// The provider's own error code.
        ///
        /// If the provider returned no code, or a code that must not be logged, the value is the portable code
        /// (``AuthError/code``).
        public static let verdict = Field(rawValue: "verdict")
        /// The code of the failure, for example the error code of the store.
        public static let code = Field(rawValue: "code")
        /// The kind of stored value: a ``StoreKey/Slot``.
        public static let slot = Field(rawValue: "slot")
        /// A name for the session that does not identify the user.
        ///
        /// The name consists of eight hexadecimal digits, and stays the same as long as the session lasts.
        public static let session = Field(rawValue: "session")
        /// The duration of the call or request in milliseconds.
        public static let milliseconds = Field(rawValue: "milliseconds")
        /// The size of the response body in bytes.
        public static let bytes = Field(rawValue: "bytes")
        /// The name of a request: the call's id, a dot, and a number.
        public static let request = Field(rawValue: "request")
        /// The id of the call that the event belongs to: eight hexadecimal digits.
        public static let callID = Field(rawValue: "callID")

        /// All field names, in the order in which ``AuthEvent/description`` and ``AuthEvent/jsonLine`` list them.
        public static let all: [Field] = [
            .call, .provider, .backend, .method, .route, .state, .outcome, .status, .reason, .verdict, .code, .slot, .session,
            .milliseconds, .bytes, .request, .callID,
        ]

        /// Whether the value of this field is a whole number.
        ///
        /// If this property is `true`, ``AuthEvent/jsonLine`` contains the value as a number.
        public var isNumber: Bool { self == .status || self == .milliseconds || self == .bytes }
    }
}

extension AuthEvent: CustomStringConvertible {
    /// The event as one line of text: the name, then each field as `field=value`, in the order of ``Field/all``.
    ///
    /// A value is quoted as in JSON unless it consists of letters, digits, and the characters of paths and numbers.
    /// Therefore no value can begin a new line or a new field.
    public var description: String {
        said.reduce(into: name.rawValue) { line, field in
            line += " \(field.name.rawValue)="
            let isPlain = field.value.utf8.allSatisfy(\.isPlain) && !field.value.isEmpty
            line += isPlain ? field.value : JSON.string(field.value).text(.visible)
        }
    }

    /// The event as one line of JSON, without the line break.
    ///
    /// The members are `v` (always 1), `at` (milliseconds since 1970), `event` (the name), and the fields by name.
    /// While `v` is 1, the meaning of existing events and fields does not change, but new ones may be added.
    ///
    /// ```swift
    /// let sink = AuthEventSink { event in print(event.jsonLine) }
    /// let auth = AuthClient(adapter: adapter, store: store, effects: .live(events: sink))
    /// ```
    public var jsonLine: String {
        var object: JSONObject = ["v": 1, "at": .int(instant.milliseconds), "event": .string(name.rawValue)]
        for field in said {
            let number = field.name.isNumber ? Int64(field.value) : nil
            object[field.name.rawValue] = number.map { .int($0) } ?? .string(field.value)
        }
        return JSON.object(object).text(.visible)
    }

    /// The fields in order; unknown fields come last.
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
