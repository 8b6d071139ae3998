/// Work for the thread of the loop.
///
/// It is `@safe` although it contains an unowned executor, because the runtime keeps an executor alive as long as it has jobs.
@safe
enum CurlWork {
    /// Runs a job of the Swift runtime.
    case job(UnownedJob, UnownedTaskExecutor)
    /// Starts sending an exchange.
    case begin(CurlExchange)
    /// Ends an exchange before its time.
    case cancel(CurlExchange)
}
