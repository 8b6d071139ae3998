/// One place where a response differs from the recording.
public struct Difference: Sendable, Equatable, CustomStringConvertible {
    /// The step, and the request if there was one: `3 POST /token`.
    public let step: String
    /// The place in the response: `json.user.email`, `header location`.
    public let path: String
    /// The value in the recording, with its references filled in.
    public let expected: String
    /// The received value.
    public let got: String

    /// The whole difference in one line.
    public var description: String { "step \(step) \(path): expected \(expected), got \(got)" }
}
