internal import CLockstepSystem

/// Threads for code that blocks.
///
/// The cooperative thread pool of Swift has one thread per core. Code in that pool must never block.
public enum BlockingThread {
    /// Runs a closure on a new thread, so the closure may block for any time.
    ///
    /// - Throws: ``SystemError`` if the thread cannot be started.
    public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        final class Start: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        // The new thread owns the one reference that is retained here; if no thread was started, it is released here.
        let start = unsafe Unmanaged.passRetained(Start(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(
            &thread, nil,
            { start in
                #if canImport(Darwin)
                unsafe Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
                #else
                if let start = unsafe start { unsafe Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body() }
                #endif
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            unsafe start.release()
            throw SystemError(code, "start a thread")
        }
        #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
    }

    /// Runs a closure on a new thread, and waits for its result without blocking.
    ///
    /// If the task is cancelled, the closure still runs to its end. To stop the closure earlier, close the socket or other
    /// resource that the closure waits for.
    ///
    /// - Throws: The error that `body` throws.
    public static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            do throws(SystemError) {
                try start { continuation.resume(with: Result(catching: body)) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
