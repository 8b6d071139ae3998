/// An unusable recording: the place, the error and the correct form.
public struct RecordingError: Error, CustomStringConvertible, Sendable, Equatable {
    /// The file, and the step of the error if it is in one.
    public let place: String
    /// The error.
    public let fault: String

    init(_ place: String, _ fault: String) {
        self.place = place
        self.fault = fault
    }

    /// Both, in one line.
    public var description: String { "\(place): \(fault)" }
}
