internal import Lockstep
public import LockstepContracts
internal import LockstepPrimitives

/// A fake for the clients of a check, of which one call ends in another way.
///
/// Every call of every check can be altered so, by its number and in each way: what a statement of a check would see if this one
/// call were wrong.
public struct CallMutant: Sendable {
    /// How the call ends.
    public enum Way: String, CaseIterable, Sendable {
        /// It is rejected, and not made.
        case refused
        /// It is rejected as one that wants a new sign-in, and not made.
        case tooOld
        /// It is not made, and gives what the client knows already.
        case stale
        /// It is made, and told as refused.
        case answerLost
        /// It is told as done, and not made.
        case skipped
        /// Its refusal is told as done.
        case letIn
        /// It is made twice.
        case repeated
        /// Another request is sent before it.
        case wasted
        /// It leads to a step that its adapter does not know.
        case otherStep
        /// It gives another user, whose token nothing takes.
        case otherUser
        /// It gives a challenge of another flow, to another recipient, that takes nothing.
        case otherChallenge
        /// It gives a challenge without its times.
        case timeless
        /// It gives a challenge whose times are long past.
        case late
        /// Its error says nothing but its code.
        case bareError
        /// Its error names no way on, and says that it can be repeated in a moment.
        case hastyError
        /// An event after it tells of a sign-in.
        case echoed
        /// The user is signed out after it.
        case signedOut
    }

    /// The call's place among all calls of the clients of a check, from 1.
    public let number: Int
    /// How it ends.
    public let way: Way

    /// A mutant.
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

    /// A mutation that changes nothing, and tells `count` the number of each call.
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
