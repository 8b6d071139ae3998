/// One place where an answer is not as recorded.
public struct Difference: Sendable, Equatable, CustomStringConvertible {
    /// The step, and the request where there was one: `3 POST /token`.
    public let step: String
    /// The place in the answer: `json.user.email`, `header location`.
    public let path: String
    /// What the recording has, with its references filled in.
    public let expected: String
    /// What came.
    public let got: String

    /// All of it, in one line.
    public var description: String { "step \(step) \(path): expected \(expected), got \(got)" }
}
