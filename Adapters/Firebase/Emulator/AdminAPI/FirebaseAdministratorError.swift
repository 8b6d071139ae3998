/// The error of a failed administrator's call.
public struct FirebaseAdministratorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
