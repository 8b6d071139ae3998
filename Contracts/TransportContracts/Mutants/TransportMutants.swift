internal import LockstepContracts
import LockstepHTTP

extension Mutant<TransportWorld> {
    init(
        breaks: String, _ summary: String, sender: @escaping @Sendable ([String]?) -> [String]? = { $0 },
        settings: @escaping @Sendable (TransportSettings) -> TransportSettings = { $0 },
        _ make: @escaping @Sendable (@escaping @Sendable () throws -> any HTTPTransport) throws -> any HTTPTransport
    ) {
        self.init(breaks, summary) { honest in
            TransportHarness(
                "\(honest.name), which \(summary)", cannotPromise: honest.cannotPromise, sender: sender(honest.sender)
            ) { given in
                try make { try honest.make(settings(given)) }
            }
        }
    }
}

/// A transport with a fault.
public typealias TransportMutant = Mutant<TransportWorld>

/// The faults of transports: one for each contract.
public enum TransportMutants {
    /// All faulty transports.
    public static let all: [TransportMutant] = [
        joinsHeaders, followsRedirects, hasNoLimit, letsItRun, connectsEachTime, readsOn, returnsTheRest, saysNeverSent,
        sendsAnyway, cutsTheAddress, takesAnyCertificate, trustsOldFriends, goesAround, keepsResponses, writesKeys, mixesUp,
        triesAgain, believesTheName,
    ]

    /// Creates a fault that changes each call of a transport.
    static func around(
        breaks: String, _ summary: String,
        _ send: @escaping @Sendable (HTTPRequest, any HTTPTransport) async throws(HTTPFailure) -> HTTPResponse
    ) -> TransportMutant {
        TransportMutant(breaks: breaks, summary) { honest in
            let base = try honest()
            return FunctionTransport { request throws(HTTPFailure) in try await send(request, base) }
        }
    }
}
