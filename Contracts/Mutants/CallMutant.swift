internal import Lockstep
public import LockstepContracts
internal import LockstepPrimitives

/// A fake of the clients in a check, in which one call has a different outcome.
///
/// Every call of every check can be altered in each way, by its number. It shows whether the check notices that this call is
/// wrong.
public struct CallMutant: Sendable {
    /// The outcome of the call.
    public enum Way: String, CaseIterable, Sendable {
        /// The call is rejected, and not made.
        case refused
        /// The call is rejected because it requires a new sign-in, and not made.
        case tooOld
        /// The call is not made, and returns what the client already knows.
        case stale
        /// The call is made, and reported as rejected.
        case answerLost
        /// The call is not made, and reported as done.
        case skipped
        /// The call is rejected, and reported as done.
        case letIn
        /// The call is made twice.
        case repeated
        /// Another request is sent before the call.
        case wasted
        /// The call returns a step that its adapter does not know.
        case otherStep
        /// The call returns another user, with a token that is never accepted.
        case otherUser
        /// The call returns a challenge of another flow, with another recipient, that accepts nothing.
        case otherChallenge
        /// The call returns a challenge without times.
        case timeless
        /// The call returns a challenge with times that are long past.
        case late
        /// The error contains only its code.
        case bareError
        /// The error names no remedy, and says that the call can be retried soon.
        case hastyError
        /// An event after the call reports a sign-in.
        case echoed
        /// The user is signed out after the call.
        case signedOut
    }

    /// The number of the call among all client calls of a check, starting at 1.
    public let number: Int
    /// The outcome of the call.
    public let way: Way

    /// Creates a mutant.
    public init(number: Int, way: Way) {
        self.number = number
        self.way = way
    }

    /// The fakes.
    public var mutation: Mutation {
        Mutation(client: { client, context in
            Self.counting(client) { context.notebook.count(Self.note) == number ? AlteredCall(way, context) : nil }
        })
    }

    /// Returns a mutation that changes nothing, and passes the number of each call to `count`.
    public static func counting(_ count: @escaping @Sendable (Int) -> Void) -> Mutation {
        Mutation(client: { client, context in
            counting(client) {
                count(context.notebook.count(note))
                return nil
            }
        })
    }

    private static let note = "calls"

    /// The client, which asks for each call whether it is an altered one.
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
