internal import CLockstepSystem

/// Jobs in order, and the thread that waits for them.
///
/// It is `@unchecked Sendable` because `entries` and `hasEnded` are only used while `mutex` is held, and the two pointers never
/// change between `init` and `deinit`. It is `@safe` because no pointer leaves it.
@safe
final class JobQueue: @unchecked Sendable {
    /// A job and the executor that runs it.
    ///
    /// The runtime keeps the executor alive as long as it has jobs.
    @unsafe struct Entry {
        let job: UnownedJob
        let actor: UnownedSerialExecutor
        let task: UnownedTaskExecutor
    }

    private var entries: [Entry]
    private var hasEnded = false
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        // One object each, initialized before the first use, at an address that does not change.
        unsafe entries = []
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        // The thread and the executor both keep the queue alive. When it is freed, no thread waits on these objects.
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    func append(_ entry: Entry) {
        unsafe pthread_mutex_lock(mutex)
        unsafe entries.append(entry)
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    func end() {
        unsafe pthread_mutex_lock(mutex)
        hasEnded = true
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Runs jobs until the end.
    ///
    /// The thread runs this function.
    func run() {
        while let batch = unsafe next() {
            unsafe batch.forEach { entry in
                unsafe entry.job.runSynchronously(isolatedTo: entry.actor, taskExecutor: entry.task)
            }
        }
    }

    private func next() -> [Entry]? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while unsafe entries.isEmpty {
            if hasEnded { return nil }
            unsafe pthread_cond_wait(condition, mutex)
        }
        let batch = unsafe entries
        unsafe entries.removeAll()
        return unsafe batch
    }
}
