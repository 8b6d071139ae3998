/// The reverification of a session before a sensitive call.
struct Reverification: JSONColumn {
    enum Level: String, Codable {
        case firstFactor = "first_factor"
        case secondFactor = "second_factor"
        case multiFactor = "multi_factor"
    }

    enum Status: String, Codable {
        case needsFirstFactor = "needs_first_factor"
        case needsSecondFactor = "needs_second_factor"
        case complete
    }

    /// The required factors; a user without a second factor needs the first only.
    let level: Level
    var status: Status
    var first: Verification?
    var second: Verification?
}
