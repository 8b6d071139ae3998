@_exported public import LockstepHTTP

/// HTTP by libcurl, on one thread of its own, which is also a task executor.
///
/// Each transport has its own connections; keep one and pass it around. Its thread ends with the last reference to it.
public final class CurlTransport: HTTPTransport, TaskExecutor {
    private let loop: CurlLoop
    private let isRunning: Bool

    /// Starts the thread; no connection is made until a request asks for one.
    public init(_ configuration: CurlConfiguration = CurlConfiguration()) {
        loop = CurlLoop(configuration)
        isRunning = loop.start()
    }

    deinit {
        loop.end()
    }

    /// The transport itself, unless the system has granted it no thread: tasks that prefer it run on its thread.
    public var executor: (any TaskExecutor)? { isRunning ? self : nil }

    /// Sends the request.
    ///
    /// - Throws: ``LockstepHTTP/HTTPFailure``
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

    /// Puts a job on the thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        unsafe loop.enqueue(UnownedJob(job), for: asUnownedTaskExecutor())
    }

    /// The transport, as a task names it.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }
}

extension HTTPTransport where Self == CurlTransport {
    /// A new transport by libcurl.
    ///
    /// Each use of `.curl` makes another one, with connections of its own: nothing is shared implicitly.
    public static var curl: CurlTransport { CurlTransport() }

    /// A new transport by libcurl, with settings of its own.
    public static func curl(_ configuration: CurlConfiguration) -> CurlTransport { CurlTransport(configuration) }
}
