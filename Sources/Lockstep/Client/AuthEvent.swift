public import LockstepPrimitives

/// Something that happened in a client, without secrets, addresses or user ids: for logs, metrics and traces.
///
/// Related events have the same ``Field/callID``: a call's begin and end, its requests, and its changes.
/// docs/events.md has the table of all events, and ten-line bridges to the usual packages.
public struct AuthEvent: Sendable, Hashable {
    /// Which event.
    public var name: Name
    /// When, by this device's clock.
    public var instant: Instant
    /// Details, by the names of ``Field``; ``Name/fields`` lists which an event may have.
    public var fields: [String: String]

    /// An event.
    public init(_ name: Name, at instant: Instant, _ fields: [Field: String] = [:]) {
        self.name = name
        self.instant = instant
        self.fields = [:]
        for (field, value) in fields { self.fields[field.rawValue] = value }
    }

    /// The value of a field; `nil` where the event has none.
    public subscript(field: Field) -> String? {
        get { fields[field.rawValue] }
        set { fields[field.rawValue] = newValue }
    }

    /// How long it took, where something ended.
    public var duration: Duration? { self[.milliseconds].flatMap { Int64($0) }.map { .milliseconds($0) } }

    /// The status of the answer to a request.
    public var status: Int? { self[.status].flatMap { Int($0) } }

    /// Why the user was signed out.
    public var reason: SignOutReason? { self[.reason].flatMap { SignOutReason(rawValue: $0) } }

    /// Whether it reports an end that is not `ok`: for the level of a log.
    public var isTrouble: Bool {
        switch name {
        case .sessionEnded, .userMismatch, .persistenceFailed, .quarantine, .backendChanged, .profileUpdateFailed: true
        case .requestEnded: status.map { $0 >= 400 } ?? true
        default: self[.outcome].map { $0 != "ok" } ?? false
        }
    }
}

extension AuthEvent {
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
        public static let quarantine = Name(rawValue: "store.quarantine")
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

extension AuthEvent {
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

extension AuthEvent: CustomStringConvertible {
    /// One line: the name, then `field=value`, in the order of ``Field/all``.
    ///
    /// A value that holds anything but letters, digits and the signs of paths and numbers is quoted as in JSON, so that no
    /// value can begin a line or a field.
    public var description: String {
        said.reduce(into: name.rawValue) { line, field in
            line += " \(field.name.rawValue)="
            let isPlain = field.value.utf8.allSatisfy(\.isPlain) && !field.value.isEmpty
            line += isPlain ? field.value : JSON.string(field.value).text(.visible)
        }
    }

    /// One line of JSON without its end: `v` (1), `at` (milliseconds since 1970), `event`, and the fields by their names.
    ///
    /// The meaning of existing events and fields does not change as long as `v` is 1; new ones may be added.
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
