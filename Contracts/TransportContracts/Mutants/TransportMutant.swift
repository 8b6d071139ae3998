import LockstepHTTP

/// A transport with a fault.
///
/// The transport breaks one contract. A test shows that the check of this contract finds the fault.
public struct TransportMutant: Sendable {
    /// The id of the contract that this transport breaks.
    public let breaks: String
    /// A short description of the fault.
    public let summary: String
    private let sender: @Sendable ([String]?) -> [String]?
    private let settings: @Sendable (TransportSettings) -> TransportSettings
    private let make: @Sendable (@escaping @Sendable () throws -> any HTTPTransport) throws -> any HTTPTransport

    init(
        breaks: String, _ summary: String, sender: @escaping @Sendable ([String]?) -> [String]? = { $0 },
        settings: @escaping @Sendable (TransportSettings) -> TransportSettings = { $0 },
        _ make: @escaping @Sendable (@escaping @Sendable () throws -> any HTTPTransport) throws -> any HTTPTransport
    ) {
        self.sender = sender
        self.settings = settings
        self.breaks = breaks
        self.summary = summary
        self.make = make
    }

    /// Returns a harness whose transports have this fault.
    ///
    /// - Parameter honest: The harness of the transport without a fault.
    /// - Returns: The harness.
    public func harness(_ honest: TransportHarness) -> TransportHarness {
        TransportHarness(
            "\(honest.name), which \(summary)", cannotPromise: honest.cannotPromise, sender: sender(honest.sender)
        ) { given in
            try make { try honest.make(settings(given)) }
        }
    }
}

extension TransportMutant {
    /// All faulty transports: one for each contract.
    public static let all: [TransportMutant] = [
        .joinsHeaders, .followsRedirects, .hasNoLimit, .letsItRun, .connectsEachTime, .readsOn, .returnsTheRest, .saysNeverSent,
        .sendsAnyway,
        .cutsTheAddress, .takesAnyCertificate, .trustsOldFriends, .goesAround, .keepsResponses, .writesKeys, .mixesUp,
        .triesAgain,
        .believesTheName,
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

extension TransportMutant: CustomStringConvertible {
    /// The short description of the fault.
    public var description: String { summary }
}
