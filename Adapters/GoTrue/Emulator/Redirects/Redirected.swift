/// A refusal that redirects a browser; the transaction is rolled back.
struct Redirected: Error {
    var error: GoTrueError
    var location: String
    var status: Int
}
