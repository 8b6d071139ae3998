@_exported public import LockstepHTTP

/// A transport that sends HTTP requests with libcurl.
///
/// Each transport has its own connections, so create one transport and use it everywhere. The transport also has its
/// own thread, which ends when the last reference to the transport is released. Tasks can run on that thread
/// (``executor``).
///
/// ```swift
/// let transport = CurlTransport()
/// let response = try await transport.send(HTTPRequest(.get, "https://api.example.com/health"))
/// ```
public final class CurlTransport: HTTPTransport, TaskExecutor {
    private let loop: CurlLoop
    private let isRunning: Bool

    /// Creates a transport and starts its thread.
    ///
    /// The transport opens a connection only when a request needs one.
    ///
    /// - Parameter configuration: The settings of the transport.
    public init(_ configuration: CurlConfiguration = CurlConfiguration()) {
        loop = CurlLoop(configuration)
        isRunning = loop.start()
    }

    deinit {
        loop.end()
    }

    /// The transport itself, as an executor whose thread can run tasks; `nil` if the system could not start a thread.
    public var executor: (any TaskExecutor)? { isRunning ? self : nil }

    /// Sends a request, and waits for the complete response.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: The response.
    /// - Throws: ``LockstepHTTP/HTTPFailure``, if there is no complete response.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        try request.validate()
        guard isRunning else {
            throw HTTPFailure(
                .other, .neverSent,
                "Nothing was sent: when this transport was created, the system had no free file descriptor or thread, or libcurl could not be set up. Close files, or raise the limit (ulimit -n), and create a new transport."
            )
        }
        let exchange = CurlExchange(request)
        let result = await withTaskCancellationHandler {
            // The loop resumes each exchange exactly once: when it ends, when it is cancelled, or when the loop cannot run.
            await unsafe withUnsafeContinuation { continuation in
                unsafe exchange.continuation = continuation
                loop.begin(exchange)
            }
        } onCancel: {
            loop.cancel(exchange)
        }
        return try result.get()
    }

    /// Runs a job on the thread of the transport.
    ///
    /// - Parameter job: The job to run.
    public func enqueue(_ job: consuming ExecutorJob) {
        unsafe loop.enqueue(UnownedJob(job), for: asUnownedTaskExecutor())
    }

    /// Returns the transport as an executor for tasks.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }
}

extension HTTPTransport where Self == CurlTransport {
    /// A new transport that uses libcurl.
    ///
    /// Each use of `.curl` makes another transport with its own connections. To share connections, keep one transport.
    public static var curl: CurlTransport { CurlTransport() }

    /// Creates a transport that uses libcurl with the given settings.
    ///
    /// - Parameter configuration: The settings of the transport.
    /// - Returns: The transport.
    public static func curl(_ configuration: CurlConfiguration) -> CurlTransport { CurlTransport(configuration) }
}
