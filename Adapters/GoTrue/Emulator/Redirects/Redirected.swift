/// A refusal that a browser is sent on with; what was done before is undone.
struct Redirected: Error {
    var error: GoTrueError
    var location: String
    var status: Int
}
