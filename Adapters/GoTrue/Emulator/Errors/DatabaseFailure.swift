internal import LockstepEmulation
internal import LockstepSQLite

extension GoTrueError {
    /// Returns the real server's response if its database cannot read or write a row.
    ///
    /// A row that its reader rejects, such as one with `NULL` in a column of tokens, is such a failure, too.
    ///
    /// - Parameters:
    ///   - error: The error that a handler has thrown.
    /// - Returns: The response; `nil` for any other error.
    static func ofDatabase(_ error: any Error, _ request: EmulatorRequest) -> GoTrueError? {
        switch error {
        case let error as RowMirrorError where error.isOfWriting: failure(sentenceOfWriting(request))
        case is RowMirrorError: failure(sentenceOfReading(request))
        case let error as SQLiteError where error.code == .mismatch: failure(sentenceOfReading(request))
        default: nil
        }
    }

    private static func sentenceOfReading(_ request: EmulatorRequest) -> String {
        if request.path.hasPrefix("/token") { return "Database error querying schema" }
        if request.path.hasPrefix("/admin/users/") { return "Database error loading user" }
        if request.path.hasPrefix("/admin/users"), request.method == "GET" { return "Database error finding users" }
        return "Database error finding user"
    }

    private static func sentenceOfWriting(_ request: EmulatorRequest) -> String {
        switch (request.method, request.path) {
        case ("DELETE", _): "Database error deleting user"
        case ("POST", "/admin/users"): "Database error creating new user"
        case ("POST", "/signup"), ("POST", "/otp"), ("POST", "/magiclink"), ("POST", "/token"), ("POST", "/invite"):
            "Database error saving new user"
        default: "Database error updating user"
        }
    }
}
