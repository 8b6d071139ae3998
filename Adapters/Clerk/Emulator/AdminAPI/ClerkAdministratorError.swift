/// A failed administrator's call.
public struct ClerkAdministratorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code that the API would have answered with: `resource_not_found`, `form_identifier_exists`.
    public let code: String

    /// A sentence with the code.
    public var description: String { "The Clerk emulator refuses the administrator's call with \(code)." }
}
