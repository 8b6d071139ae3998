@_exported public import LockstepHTTP
@_exported public import LockstepPrimitives
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// A transport that sends HTTP requests with Foundation's URLSession, for Apple systems.
///
/// Each transport has its own session, which stores no cookies, responses or credentials. The transport does not meet
/// all contracts in `TransportContract`. ``unkeptPromises`` lists the unmet contracts.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.send(HTTPRequest(.get, "https://api.example.com/health"))
/// ```
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let receiver: ExchangeReceiver
    private let clock: any DeviceClock

    /// Creates a transport with its own session.
    ///
    /// - Parameter clock: The clock that measures deadlines.
    public init(clock: any DeviceClock = SystemClock()) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 64
        receiver = ExchangeReceiver()
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
        self.clock = clock
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// Sends a request, and waits for the complete response.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: The response.
    /// - Throws: ``LockstepHTTP/HTTPFailure``, if there is no complete response.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        try request.validate()
        guard let native = URLRequest(request) else {
            throw HTTPFailure(.invalidRequest, .neverSent, "Nothing was sent: the address is not a URL.")
        }
        let task = session.dataTask(with: native)
        let exchange = Exchange(request)
        receiver.add(exchange, for: task.taskIdentifier)
        let watchdog = Task { [clock] in
            // This ends early when the exchange ends, which cancels it.
            guard (try? await clock.sleep(for: request.deadline)) != nil else { return }
            exchange.refuse(.timedOut)
            task.cancel()
        }
        defer { watchdog.cancel() }
        let result = await withTaskCancellationHandler {
            await exchange.result { task.resume() }
        } onCancel: {
            exchange.refuse(.cancelled)
            task.cancel()
        }
        return try result.get()
    }
}

extension HTTPTransport where Self == URLSessionTransport {
    /// A new transport that uses URLSession, with its own connections.
    public static var urlSession: URLSessionTransport { URLSessionTransport() }
}

extension URLRequest {
    /// Creates the request for Foundation; `nil` if Foundation cannot read the URL.
    fileprivate init?(_ request: HTTPRequest) {
        guard let url = URL(string: request.url) else { return nil }
        self.init(url: url, timeoutInterval: request.deadline / .seconds(1) + 1)
        httpMethod = request.method.rawValue
        for field in request.fields { addValue(field.value, forHTTPHeaderField: field.name) }
        if !request.body.bytes.isEmpty { httpBody = Data(request.body.bytes) }
    }
}
