/// How one recording was had again.
public enum Outcome: Sendable, Equatable {
    /// Every answer was as recorded.
    case matched
    /// Some were not.
    case differs([Difference])
    /// Some were not, on purpose.
    case declined(String, [Difference])
    /// All were, though they are declared to be otherwise on purpose.
    case matchedThoughDeclined(String)
    /// It could not be had: the recording, or its configuration, cannot be used.
    case unusable(String)

    /// Whether nothing is wrong.
    public var isFine: Bool {
        switch self {
        case .matched, .declined: true
        case .differs, .matchedThoughDeclined, .unusable: false
        }
    }
}
