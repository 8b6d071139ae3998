/// The error of a request that got no complete response.
///
/// ```swift
/// do throws(HTTPFailure) {
///     _ = try await transport.send(request)
/// } catch {
///     if error.phase == .neverSent { print("The request can be sent again: \(error)") }
/// }
/// ```
public struct HTTPFailure: Error, Sendable, Hashable {
    /// The reason of the failure.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the code, which never changes.
        public let rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The name of the code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The request is invalid; see ``HTTPRequest/validate()``.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// A setting of the transport is invalid, or its library does not support it.
        ///
        /// Nothing is sent.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The host name has no address.
        public static let nameNotResolved = Code(rawValue: "nameNotResolved")
        /// No server listens at this address, or the network is down.
        public static let cannotConnect = Code(rawValue: "cannotConnect")
        /// The server's certificate is not valid, or TLS failed in another way.
        public static let tls = Code(rawValue: "tls")
        /// The deadline of the request passed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The calling task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The connection ended before a response began.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The response ended too early.
        public static let truncated = Code(rawValue: "truncated")
        /// The response is longer than the request's limit, or its headers are too long.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The response is not HTTP.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The host is not on this machine, and the transport sends requests to this machine only.
        public static let notLoopback = Code(rawValue: "notLoopback")
        /// The transport was shut down.
        public static let closed = Code(rawValue: "closed")
        /// Any other failure; see the message.
        public static let other = Code(rawValue: "other")
    }

    /// The phase that the request reached before the failure.
    ///
    /// A caller must know the phase before it sends the request again.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// No byte of the request was sent.
        ///
        /// So the server cannot have acted on the request.
        case neverSent
        /// A part of the request or all of it was sent, and no response arrived.
        ///
        /// So the server may have acted on the request.
        case mayHaveReachedServer
        /// The server began to respond.
        ///
        /// So the server has acted on the request, or has rejected it.
        case answered
    }

    /// The reason of the failure.
    public let code: Code
    /// The phase that the request reached before the failure.
    public let phase: Phase
    /// One sentence that describes the failure.
    ///
    /// It contains no secrets.
    public let message: String

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - code: The reason of the failure.
    ///   - phase: The phase that the request reached before the failure.
    ///   - message: One sentence that describes the failure. It contains no secrets.
    public init(_ code: Code, _ phase: Phase, _ message: String) {
        self.code = code
        self.phase = phase
        self.message = message
    }
}

extension HTTPFailure: CustomStringConvertible {
    /// The code, the phase and the message.
    public var description: String { "\(code.rawValue) (\(phase.rawValue)): \(message)" }
}
