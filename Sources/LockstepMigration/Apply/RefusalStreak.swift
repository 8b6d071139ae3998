internal import Lockstep

/// Consecutive rejections for the same reason, which is not in the users: a trigger of the target, or a failing server.
struct RefusalStreak: Sendable {
    private var cause: [String] = []
    /// The numbers of the users who were rejected.
    private(set) var users: [Int] = []
    /// The target's error.
    private(set) var error: AuthError?

    /// The number of consecutive rejections after which the run stops.
    static let limit = 5

    var isAtLimit: Bool { users.count >= Self.limit }

    /// Adds a rejection; a rejection because of a user's own value ends the streak.
    mutating func add(_ number: Int, _ error: AuthError) {
        guard error.isOfDatabase else { return end() }
        let cause = [error.code.rawValue, error.provider?.code ?? "", error.provider?.message ?? error.message]
        if cause != self.cause { end() }
        self.cause = cause
        self.error = error
        users.append(number)
    }

    /// Ends the streak, because a user was created.
    mutating func end() { (cause, users, error) = ([], [], nil) }
}

extension AuthError {
    /// Whether a trigger or constraint of the target's own tables rejects a user, or the server fails.
    var isOfDatabase: Bool {
        if let status = provider?.status { return status >= 500 }
        switch code {
        case .unknown, .invalidResponse: return true
        // Without a code of the backend's the value was rejected before it was sent.
        case .invalidInput: return provider?.code != nil
        default: return false
        }
    }
}
