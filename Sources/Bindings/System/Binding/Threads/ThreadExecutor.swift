internal import CLockstepSystem

/// A thread that runs jobs one after the other.
///
/// A job may block the thread.
///
/// You can use the executor for tasks: `withTaskExecutorPreference(executor) { … }`. You can also use the executor as the
/// `unownedExecutor` of an actor. Then all code of the actor runs on the thread. The thread ends when its jobs are finished
/// and the last reference to the executor is released.
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

    /// Adds a job to those that wait for the thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        unsafe queue.append(
            JobQueue.Entry(job: UnownedJob(job), actor: asUnownedSerialExecutor(), task: asUnownedTaskExecutor()))
    }

    /// This executor, for an actor that runs on the thread.
    ///
    /// The actor has the property `nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }`. The actor
    /// must also keep a reference to this executor; with this reference, the use of ``unowned`` is safe.
    @safe public var unowned: UnownedSerialExecutor { unsafe asUnownedSerialExecutor() }

    /// Returns this executor for an actor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    /// Returns this executor for a task.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }
}
