internal import CLockstepSystem

/// One thread of its own that runs jobs one after another, and may be blocked by them.
///
/// As a `TaskExecutor`: `withTaskExecutorPreference(executor) { … }`. As an actor's `unownedExecutor`: everything in that
/// actor runs on the thread. The thread ends when the executor is no longer held and its jobs are done.
public final class ThreadExecutor: TaskExecutor, SerialExecutor {
    private let queue: JobQueue

    /// Starts the thread.
    public init() throws(SystemError) {
        let queue = JobQueue()
        self.queue = queue
        try BlockingThread.start { queue.run() }
    }

    deinit {
        queue.end()
    }

    /// Puts a job last.
    public func enqueue(_ job: consuming ExecutorJob) {
        unsafe queue.append(
            JobQueue.Entry(job: UnownedJob(job), actor: asUnownedSerialExecutor(), task: asUnownedTaskExecutor()))
    }

    /// For an actor that runs on this thread: `nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }`.
    ///
    /// The actor must hold the executor in a property, as it must with any executor; that is what makes this safe.
    @safe public var unowned: UnownedSerialExecutor { unsafe asUnownedSerialExecutor() }

    /// This executor, as an actor names it.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    /// This executor, as a task names it.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }
}
