@_exported public import LockstepHTTP

/// HTTP with libcurl.
///
/// It has its own thread, which is also a task executor.
///
/// Each transport has its own connections, so keep one and pass it around. Its thread ends with the last reference to it.
///
/// ```swift
/// let transport = CurlTransport()
/// let response = try await transport.send(HTTPRequest(.get, "https://api.example.com/health"))
/// ```
public final class CurlTransport: HTTPTransport, TaskExecutor {
    private let loop: CurlLoop
    private let isRunning: Bool

    /// Starts the thread.
    ///
    /// A connection is opened when a request needs one.
    ///
    /// - Parameter configuration: The settings.
    public init(_ configuration: CurlConfiguration = CurlConfiguration()) {
        loop = CurlLoop(configuration)
        isRunning = loop.start()
    }

    deinit {
        loop.end()
    }

    /// The transport itself, so that tasks can run on its thread; `nil` if the system could not start a thread.
    public var executor: (any TaskExecutor)? { isRunning ? self : nil }

    /// Sends a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``LockstepHTTP/HTTPFailure``, if there is no complete response.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        try request.validate()
        guard isRunning else {
            throw HTTPFailure(
                .other, .neverSent,
                "Nothing was sent: when this transport was made, the system granted it no file descriptor or no thread, or libcurl could not be set up. Close files, or raise the limit (ulimit -n), and make a new transport."
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

    /// Runs a job on the transport's thread.
    ///
    /// - Parameter job: The job.
    public func enqueue(_ job: consuming ExecutorJob) {
        unsafe loop.enqueue(UnownedJob(job), for: asUnownedTaskExecutor())
    }

    /// Returns the transport as an unowned executor.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }
}

extension HTTPTransport where Self == CurlTransport {
    /// A new transport with libcurl.
    ///
    /// Each use of `.curl` creates another one with its own connections. Nothing is shared implicitly.
    public static var curl: CurlTransport { CurlTransport() }

    /// Creates a transport with libcurl and custom settings.
    ///
    /// - Parameter configuration: The settings.
    /// - Returns: The transport.
    public static func curl(_ configuration: CurlConfiguration) -> CurlTransport { CurlTransport(configuration) }
}
