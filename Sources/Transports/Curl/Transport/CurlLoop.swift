internal import CLockstepCurl
internal import LockstepHTTP
internal import LockstepSystem
internal import Synchronization

/// The thread on which libcurl runs, with everything that only this thread may use.
///
/// It is `@unchecked Sendable`: other threads use only `inbox`, which is behind a mutex, and `wakePipe`, which never changes.
/// After the start, only the thread of the loop uses everything else. It is `@safe` because no pointer leaves it.
@safe
final class CurlLoop: @unchecked Sendable {
    fileprivate struct Inbox {
        var work: [CurlWork] = []
        /// Whether the thread waits or is about to wait, and no other thread has woken it yet.
        var isAsleep = false
        var hasEnded = false
    }

    let configuration: CurlConfiguration
    private let inbox = Mutex(Inbox())
    private let thread = Atomic<Int>(0)
    let multi: UnsafeMutableRawPointer?
    /// Whether libcurl is ready.
    private(set) var isSetUp = false
    private let wakePipe: Int32
    /// The sockets that libcurl waits for.
    ///
    /// Its callbacks change them.
    var sockets: CurlSockets?
    private var events: [CurlSockets.Event] = []
    private var rounds = 0

    /// The jobs that were added on the thread itself.
    private var jobs: [CurlWork] = []
    /// The jobs that are running.
    ///
    /// Two lists take turns, so that neither is allocated again.
    private var batch: [CurlWork] = []
    private var incoming: [CurlWork] = []
    var idle: [CurlHandle] = []
    /// The handles that are transferring, each with its position in this list.
    var active: [CurlHandle] = []

    /// The number of handles that are kept for later.
    ///
    /// If more are needed at the same time, new ones are made.
    static let idleLimit = 128

    /// Whether libcurl could be set up in this process.
    ///
    /// It is done once, which is safe from any thread since 7.84. It is never undone, because other parts of the app may use
    /// libcurl.
    private static let isLibrarySetUp = lockstep_curl_set_up() == CURLE_OK

    init(_ configuration: CurlConfiguration) {
        self.configuration = configuration
        // This comes first: otherwise libcurl would set itself up, with a file for keys.
        let isLibrarySetUp = Self.isLibrarySetUp
        unsafe multi = curl_multi_init()
        sockets = CurlSockets()
        wakePipe = sockets?.wakePipe ?? -1
        // The context is this object, which keeps the handle alive. Callbacks run only inside calls from the thread of the
        // loop.
        guard isLibrarySetUp, unsafe multi != nil else { return }
        let results = [
            unsafe lockstep_curl_set_multi_callbacks(multi, Unmanaged.passUnretained(self).toOpaque(), watch, setTimer),
            unsafe lockstep_curl_set_multi_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost),
            unsafe lockstep_curl_set_multi_number(multi, CURLMOPT_MAXCONNECTS, max(configuration.connectionsPerHost * 2, 16)),
        ]
        isSetUp = results.allSatisfy { $0 == CURLM_OK }
    }

    /// Starts the thread, and returns `false` if the system provides no thread or no pipe, or if libcurl cannot be set up.
    ///
    /// The loop lives as long as the thread runs.
    func start() -> Bool {
        guard isSetUp, sockets != nil else { return false }
        return (try? BlockingThread.start { self.run() }) != nil
    }
}

// MARK: From any thread

extension CurlLoop {
    /// Adds a job of the Swift runtime at the end.
    func enqueue(_ job: UnownedJob, for executor: UnownedTaskExecutor) {
        let work = unsafe CurlWork.job(job, executor)
        if isOnThread { jobs.append(work) } else { post(work) }
    }

    /// Starts the exchange.
    func begin(_ exchange: CurlExchange) {
        if isOnThread { start(exchange) } else { post(.begin(exchange)) }
    }

    /// Ends the exchange, if it has not ended yet.
    func cancel(_ exchange: CurlExchange) {
        if isOnThread { abandon(exchange) } else { post(.cancel(exchange)) }
    }

    /// Lets the thread end as soon as it has nothing left to do.
    func end() {
        inbox.withLock { inbox in
            inbox.hasEnded = true
            // This call is inside the lock, because the thread closes the wake pipe as soon as it has noticed the end.
            if inbox.wake() { lockstep_curl_wake(wakePipe) }
        }
    }

    private var isOnThread: Bool { thread.load(ordering: .relaxed) == lockstep_curl_current_thread() }

    private func post(_ work: CurlWork) {
        let mustWake = inbox.withLock { inbox in
            inbox.work.append(work)
            return inbox.wake()
        }
        if mustWake { lockstep_curl_wake(wakePipe) }
    }
}

extension CurlLoop.Inbox {
    /// Returns whether the caller must wake the thread.
    ///
    /// It is true for only one caller.
    fileprivate mutating func wake() -> Bool {
        defer { isAsleep = false }
        return isAsleep
    }
}

// MARK: On the thread

extension CurlLoop {
    /// Runs until the end.
    ///
    /// The thread runs this function.
    func run() {
        lockstep_curl_block_signals()
        thread.store(lockstep_curl_current_thread(), ordering: .relaxed)
        repeat {
            takeIncoming()
            runJobs()
            if sockets?.takeDue() == true { transfer(on: CURL_SOCKET_TIMEOUT, 0) }
        } while wait()
        idle.removeAll()
        unsafe curl_multi_cleanup(multi)
        sockets?.close()
    }

    private func takeIncoming() {
        inbox.withLock { inbox in
            inbox.isAsleep = false
            swap(&inbox.work, &incoming)
        }
        for work in incoming { perform(work) }
        incoming.removeAll(keepingCapacity: true)
    }

    /// Runs the waiting jobs.
    ///
    /// Jobs that they add run after the transfers.
    private func runJobs() {
        swap(&jobs, &batch)
        for work in batch { perform(work) }
        batch.removeAll(keepingCapacity: true)
    }

    private func perform(_ work: CurlWork) {
        switch work {
        case .job(let job, let executor): unsafe job.runSynchronously(on: executor)
        case .begin(let exchange): start(exchange)
        case .cancel(let exchange): abandon(exchange)
        }
    }

    /// Waits until something happens, and lets libcurl handle it.
    ///
    /// It returns `false` if nothing more can happen.
    private func wait() -> Bool {
        // Jobs that add more jobs must not keep the sockets waiting forever.
        rounds += 1
        if !jobs.isEmpty, rounds % 16 != 0 { return true }
        let verdict: Bool? = inbox.withLock { inbox in
            guard inbox.work.isEmpty else { return true }
            if inbox.hasEnded, active.isEmpty, jobs.isEmpty { return false }
            inbox.isAsleep = jobs.isEmpty
            return nil
        }
        if verdict == false { return false }
        // Work that is posted from now on must wake the thread.
        sockets?.wait(isBusy: verdict == true || !jobs.isEmpty, into: &events)
        for event in events { transfer(on: event.socket, event.kinds) }
        return true
    }
}
