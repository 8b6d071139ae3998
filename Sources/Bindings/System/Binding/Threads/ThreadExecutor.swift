internal import CLockstepSystem

/// A thread that runs jobs one after another.
///
/// Jobs may block it.
///
/// As a `TaskExecutor`: `withTaskExecutorPreference(executor) { … }`. As an actor's `unownedExecutor`: all code of the
/// actor runs on the thread. The thread ends when the executor is released and its jobs are finished.
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

    /// Appends a job.
    ///
    /// - Parameter job: The job.
    public func enqueue(_ job: consuming ExecutorJob) {
        unsafe queue.append(
            JobQueue.Entry(job: UnownedJob(job), actor: asUnownedSerialExecutor(), task: asUnownedTaskExecutor()))
    }

    /// The executor for an actor on this thread:
    /// `nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }`.
    ///
    /// The actor must have a reference to the executor, as with any executor. That makes this safe.
    @safe public var unowned: UnownedSerialExecutor { unsafe asUnownedSerialExecutor() }

    /// Returns this executor for an actor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    /// Returns this executor for a task.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }
}
