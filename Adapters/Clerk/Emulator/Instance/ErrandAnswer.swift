/// What came of an errand.
enum ErrandAnswer: Sendable {
    case digest(String)
    case verdict(Bool)
    case done
}
