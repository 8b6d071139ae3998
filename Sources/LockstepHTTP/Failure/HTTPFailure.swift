/// Why there is no whole answer.
public struct HTTPFailure: Error, Sendable, Hashable {
    /// What went wrong.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name.
        public let rawValue: String

        /// A code of that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The request may not be sent as it is; see ``HTTPRequest/validate()``.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// A setting of the transport may not be used, or its library does not take it; nothing is sent without it.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The host has no address.
        public static let nameNotResolved = Code(rawValue: "nameNotResolved")
        /// No server listens there, or the network is down.
        public static let cannotConnect = Code(rawValue: "cannotConnect")
        /// The server could not prove who it is, or TLS failed otherwise.
        public static let tls = Code(rawValue: "tls")
        /// A deadline passed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The calling task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The connection ended before an answer began.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The answer ended before its promised end.
        public static let truncated = Code(rawValue: "truncated")
        /// The answer is longer than the request's limit, or its header is longer than any should be.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The answer is not HTTP.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The host is not on this machine, and the transport may not leave it.
        public static let notLoopback = Code(rawValue: "notLoopback")
        /// The transport was shut down.
        public static let closed = Code(rawValue: "closed")
        /// Any other failure; the sentence says more.
        public static let other = Code(rawValue: "other")
    }

    /// How far the request came: what a caller must know before it retries.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// No byte of the request has left; the server cannot have acted on it.
        case neverSent
        /// Some of it has left, and there was no answer: the server may have acted on it.
        case mayHaveReachedServer
        /// The server began to answer, so it has acted on it, or refused to.
        case answered
    }

    /// What went wrong.
    public let code: Code
    /// How far the request came.
    public let phase: Phase
    /// What went wrong, in a sentence without secrets.
    public let message: String

    /// A failure.
    public init(_ code: Code, _ phase: Phase, _ message: String) {
        self.code = code
        self.phase = phase
        self.message = message
    }
}

extension HTTPFailure: CustomStringConvertible {
    /// Code, phase and sentence.
    public var description: String { "\(code.rawValue) (\(phase.rawValue)): \(message)" }
}
