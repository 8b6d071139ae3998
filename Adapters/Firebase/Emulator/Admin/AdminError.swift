/// Why an administrator's call was not done.
public struct AdminError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
