internal import Lockstep
public import LockstepContracts
internal import LockstepPrimitives

/// A fault in one call of the clients during a check.
///
/// A test can apply each of these faults to every call of every check. The test then shows whether the check notices the fault.
public struct CallMutant: Sendable {
    /// The fault in the call.
    public enum Way: String, CaseIterable, Sendable {
        /// The call fails, and the client does not make the real call.
        case refused
        /// The call fails because it requires a new sign-in. The client does not make the real call.
        case tooOld
        /// The call returns a value that the client already has. The client does not make the real call.
        case stale
        /// The client makes the real call.
        ///
        /// The call succeeds, but the caller gets an error.
        case answerLost
        /// The caller gets a success, but the client does not make the real call.
        case skipped
        /// The client makes the real call.
        ///
        /// The call fails, but the caller gets a success.
        case letIn
        /// The client makes the real call twice.
        case repeated
        /// The client sends one more request before the real call.
        case wasted
        /// The call returns a step that the adapter does not know.
        case otherStep
        /// The call returns another user. The backend never accepts the token of this user.
        case otherUser
        /// The call returns a challenge of another flow and for another recipient.
        ///
        /// It accepts no response.
        case otherChallenge
        /// The call returns a challenge without times.
        case timeless
        /// The call returns a challenge whose times are long past.
        case late
        /// The error of the call contains only its code.
        case bareError
        /// The error of the call contains no remedy, and says that the client can try again soon.
        case hastyError
        /// After the call, an event reports a sign-in.
        case echoed
        /// After the call, the user is signed out.
        case signedOut
    }

    /// The position of the call among all calls of the clients in a check, counted from 1.
    public let number: Int
    /// The fault in the call.
    public let way: Way

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - number: The position of the call among all calls of the clients in a check, counted from 1.
    ///   - way: The fault in the call.
    public init(number: Int, way: Way) {
        self.number = number
        self.way = way
    }

    /// The change that causes the fault in the clients.
    public var mutation: Mutation {
        Mutation(client: { client, context in
            Self.counting(client) { context.notebook.count(Self.note) == number ? AlteredCall(way, context) : nil }
        })
    }

    /// Returns a change that only counts the calls of the clients.
    ///
    /// - Parameter count: A closure that receives the position of each call.
    /// - Returns: The change.
    public static func counting(_ count: @escaping @Sendable (Int) -> Void) -> Mutation {
        Mutation(client: { client, context in
            counting(client) {
                count(context.notebook.count(note))
                return nil
            }
        })
    }

    private static let note = "calls"

    /// Returns a client that asks `alteration` before each call whether to change the call.
    private static func counting(
        _ client: any PortableClient, _ alteration: @escaping @Sendable () -> AlteredCall?
    ) -> any PortableClient {
        var faulty = FaultyClient(client)
        faulty.onRestore = { base in
            guard let altered = alteration() else { return await base.restore() }
            return await altered.restore(base)
        }
        faulty.onHandle = { base, url in
            guard let altered = alteration() else { return await base.handle(url) }
            return await altered.handle(base, url)
        }
        faulty.onAuthorized = { base, request, send in
            guard let altered = alteration() else { return try await base.authorized(request, by: send) }
            return try await altered.authorized(base, request, send)
        }
        faulty.alterSteps(alteration)
        faulty.alterSessions(alteration)
        faulty.alterAccount(alteration)
        faulty.alterLists(alteration)
        return faulty
    }
}
