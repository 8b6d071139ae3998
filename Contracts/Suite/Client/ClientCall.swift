public import Lockstep

/// A call of a client that may wait for the backend, with its input.
///
/// The value describes the call completely. So the code that watches, replaces, changes, tries and repeats calls is written once,
/// for all calls.
public protocol ClientCall: Sendable {
    /// The result of a successful call.
    associatedtype Output: Sendable

    /// The name of the call in the client's events.
    static var name: String { get }
    /// Whether the call is about the signed-in user and lets the backend decide about its token.
    static var isAboutUser: Bool { get }
    /// The error codes that are allowed when the app makes the call again, and the first call has already done the work.
    static var refusalsIfDone: Set<AuthError.Code> { get }
    /// The capability that the call needs with this input; `nil` if it needs none.
    var capability: Capability? { get }
    /// The effect of the call on the session.
    var effect: CallEffect { get }
    /// The secrets in the input.
    var secrets: [CallSecret] { get }

    /// Makes the call on a real client.
    ///
    /// - Returns: The result.
    /// - Throws: The error of the client.
    func perform(on client: AuthClient) async throws(AuthError) -> Output

    /// Makes the call as a faulty client makes it.
    ///
    /// - Returns: The result; `nil` if the faulty client does not replace the call.
    /// - Throws: The error of the replacement.
    func replaced(by faulty: FaultyClient) async throws(AuthError) -> Output?

    /// Returns the same call, in which a closure sees each value that the app gets before the call ends.
    func observed(by look: @escaping @Sendable (CallResult) async -> Void) -> Self

    /// Prepares a valid call.
    ///
    /// - Parameters:
    ///   - client: An unused client.
    ///   - world: The components of the check.
    /// - Returns: The call; `nil` if it would send no request to this backend.
    /// - Throws: An error that ends the check.
    static func sample(on client: any PortableClient, in world: World) async throws -> Self?

    /// Returns the result of a successful call as a value that does not depend on the type of the call.
    static func result(_ output: Output) -> CallResult

    /// Returns the result of a call from the value that ``result(_:)`` returns for it.
    ///
    /// - Returns: The result; `nil` if this call has no such result.
    static func output(_ result: CallResult) -> Output?
}

extension ClientCall {
    static var isAboutUser: Bool { false }
    static var refusalsIfDone: Set<AuthError.Code> { [] }
    var capability: Capability? { nil }
    var effect: CallEffect { .none }
    var secrets: [CallSecret] { [] }
    func observed(by look: @escaping @Sendable (CallResult) async -> Void) -> Self { self }
    static func sample(on client: any PortableClient, in world: World) async throws -> Self? { nil }

    /// Makes the call on any client.
    func result(on client: any PortableClient) async -> CallResult {
        do throws(AuthError) { return Self.result(try await client.perform(self)) } catch { return .refusal(error) }
    }
}

/// A call of the signed-in user.
protocol UserCall: ClientCall {
    /// Returns a valid call.
    ///
    /// - Parameters:
    ///   - person: The signed-in user.
    ///   - other: A person without an account, whose password and address the user can take.
    static func sample(of person: Person, and other: Person) -> Self
}

extension UserCall {
    static var isAboutUser: Bool { true }

    static func sample(on client: any PortableClient, in world: World) async throws -> Self? {
        try await sampleOfAMember(on: client, in: world)
    }

    /// Signs a member in, and returns a valid call of that user; `nil` if the adapter does not have the capability that it needs.
    static func sampleOfAMember(on client: any PortableClient, in world: World) async throws -> Self? {
        if let needed = sample(of: .nobody, and: .nobody).capability, !world.can(needed) { return nil }
        let (person, other) = (try await world.member(), world.stranger())
        try await world.enter(client, person)
        return sample(of: person, and: other)
    }
}

/// The effect of a call on the session of the client.
public enum CallEffect: Sendable {
    /// No effect.
    case none
    /// The call may sign in another user, with this address if there is one.
    case enters(String?)
    /// The call may end sessions.
    case ends
}

/// A secret in the input of a call.
public enum CallSecret: Sendable {
    /// A value, with a name for findings.
    case value(Secret, String)
    /// A link, and its values.
    case link(String)
}

/// All calls of a client, by theme.
package enum ClientCalls {
    package static let all: [any ClientCall.Type] = flows + session + ofAUser.map { $0 }

    /// If several calls need the same capability, the first of them shows whether the adapter has it.
    static let ofAUser: [any UserCall.Type] = account + factors + passkeys + organizations
}
