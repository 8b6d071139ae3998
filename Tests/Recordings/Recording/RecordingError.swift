/// A recording that cannot be used: where, what is wrong, and what would be right.
public struct RecordingError: Error, CustomStringConvertible, Sendable, Equatable {
    /// The file, and the step where the fault is in one.
    public let place: String
    /// What is wrong.
    public let fault: String

    init(_ place: String, _ fault: String) {
        self.place = place
        self.fault = fault
    }

    /// Both, in one line.
    public var description: String { "\(place): \(fault)" }
}
