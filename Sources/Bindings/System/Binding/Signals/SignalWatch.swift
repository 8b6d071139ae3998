internal import CLockstepSystem

/// Reports signals to this process as events, and keeps them from ending the process.
///
/// A process has only one set of signal handlers. So there can be only one watch at a time.
public struct SignalWatch: Sendable {
    /// A signal that this process has received, with its source.
    public struct Delivery: Sendable, Hashable {
        /// The signal that this process has received.
        public let signal: Signal
        /// Whether the signal came from the terminal, for example after Ctrl-C.
        ///
        /// If so, every program in the foreground has received it.
        public let isFromTerminal: Bool
    }

    /// The signals, in the order in which they arrive.
    ///
    /// ``stop()`` ends the stream.
    public let signals: AsyncStream<Signal>
    /// The signals, with their sources.
    public let deliveries: AsyncStream<Delivery>
    private let watched: [Signal]
    private let writing: Descriptor
    private let continuation: AsyncStream<Signal>.Continuation

    /// Starts to watch signals.
    ///
    /// If the process ignores ``Signal/hangUp``, as after `nohup`, it continues to ignore the signal.
    ///
    /// - Parameter watched: The signals. Default: all signals that ask a process to end.
    /// - Throws: ``SystemError``: `EBUSY` if there is another watch; `EINVAL` for ``Signal/kill``.
    public init(_ watched: [Signal] = [.interrupt, .terminate, .hangUp]) throws(SystemError) {
        let operation = "watch signals"
        guard !watched.contains(.kill) else { throw SystemError(EINVAL, operation) }
        let (reading, writing) = try Descriptor.pipe()
        try writing.use(operation) { number throws(SystemError) in
            guard lockstep_claim_signal_pipe(number) != 0 else { throw SystemError(EBUSY, operation) }
        }
        let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
        let (deliveries, deliveryContinuation) = AsyncStream.makeStream(of: Delivery.self)
        try BlockingThread.start {
            while let byte = try? reading.read(1, operation).first, byte != 0 {
                guard let signal = watched.first(where: { $0.number == Int32(byte & 0x7f) }) else { continue }
                continuation.yield(signal)
                deliveryContinuation.yield(Delivery(signal: signal, isFromTerminal: byte & 0x80 != 0))
            }
            continuation.finish()
            deliveryContinuation.finish()
        }
        for signal in watched { lockstep_catch_signal(signal.number) }
        self.signals = signals
        self.deliveries = deliveries
        self.watched = watched
        self.writing = writing
        self.continuation = continuation
    }

    /// Stops the watch.
    ///
    /// The signals then have their usual effect again, and ``signals`` ends.
    public func stop() {
        for signal in watched { lockstep_restore_signal(signal.number) }
        lockstep_release_signal_pipe()
        // Zero is not a signal: it makes the thread end.
        try? writing.write([0], "stop watching signals")
        writing.close()
    }
}
