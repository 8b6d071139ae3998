public import LockstepPrimitives

/// A conversation with a real server: requests and responses.
///
/// One JSON file contains one. docs/emulator-internals.md describes the format.
public struct Recording: Sendable {
    /// Its name, which begins with its topic.
    public let id: String
    /// The provider of the server, in lower case.
    public let provider: String
    /// The configuration of the server.
    public let variant: String
    /// The steps, in order.
    public let steps: [RecordedStep]
    /// Headers that are compared in every response.
    public let checked: [String]
    /// Names of lists in any order.
    public let unordered: Set<String>

    /// The topic: the first word of its name.
    public var area: String { String(id.prefix { $0 != "-" }) }

    /// Reads a recording.
    ///
    /// - `place`: the name of its file in errors.
    ///
    /// Throws ``RecordingError`` for every member that is missing or of the wrong type.
    public init(_ document: JSON, from place: String) throws(RecordingError) {
        guard let members = document.object else { throw RecordingError(place, "a recording is a JSON object") }
        func text(_ name: String) throws(RecordingError) -> String {
            guard let text = members[name]?.string, !text.isEmpty else {
                throw RecordingError(place, "\"\(name)\" must be a text that is not empty")
            }
            return text
        }
        func texts(_ name: String) throws(RecordingError) -> [String] {
            guard let value = members[name] else { return [] }
            return try RecordedStep.texts(value, "\"\(name)\"", place)
        }
        id = try text("id")
        provider = try text("provider")
        variant = try text("variant")
        checked = try texts("checked").map { $0.lowercased() }
        unordered = Set(try texts("unordered"))
        guard let steps = members["steps"]?.array, !steps.isEmpty else {
            throw RecordingError(place, "\"steps\" must be a list with at least one step")
        }
        var read: [RecordedStep] = []
        for (number, step) in steps.enumerated() { read.append(try RecordedStep(step, "\(place), step \(number)")) }
        self.steps = read
    }
}
