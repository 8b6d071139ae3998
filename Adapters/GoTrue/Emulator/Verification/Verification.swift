internal import LockstepPrimitives

/// What is to be verified.
struct Verification: Sendable {
    var type: String
    var token = ""
    var hash = ""
    var email = ""
    var phone = ""
}
