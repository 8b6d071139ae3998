/// What came of an deferredWork.
enum DeferredWorkResult: Sendable {
    case digest(String)
    case verdict(Bool)
    case done
}
