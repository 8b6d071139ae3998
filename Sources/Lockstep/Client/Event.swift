public import LockstepPrimitives

/// Something that happened in a client, without secrets, addresses or user ids: for logs, metrics and traces.
///
/// Related events have the same ``Field/callID``: a call's begin and end, its requests, and its changes.
/// docs/events.md has the table of all events, and ten-line bridges to the usual packages.
public struct Event: Sendable, Hashable {
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
