/// The result of one repeated recording.
public enum Outcome: Sendable, Equatable {
    /// Every response matched the recording.
    case matched
    /// Some responses differed.
    case differs([Difference])
    /// Some responses differed intentionally.
    case declined(String, [Difference])
    /// All responses matched, although they are declared to differ.
    case matchedThoughDeclined(String)
    /// The recording, or its configuration, cannot be used.
    case unusable(String)

    /// Whether the result is as expected.
    public var isFine: Bool {
        switch self {
        case .matched, .declined: true
        case .differs, .matchedThoughDeclined, .unusable: false
        }
    }
}
