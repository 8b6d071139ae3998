/// The result of deferred work.
enum DeferredWorkResult: Sendable {
    case digest(String)
    case verdict(Bool)
    case done
}
