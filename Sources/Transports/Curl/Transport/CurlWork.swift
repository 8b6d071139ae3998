/// Something to be done on the loop's thread.
///
/// It is `@safe` although it holds an unowned executor, because the runtime keeps an executor alive as long as it has jobs.
@safe
enum CurlWork {
    /// Runs a job of the Swift runtime.
    case job(UnownedJob, UnownedTaskExecutor)
    /// Sends an exchange on its way.
    case begin(CurlExchange)
    /// Ends an exchange before its time.
    case cancel(CurlExchange)
}
