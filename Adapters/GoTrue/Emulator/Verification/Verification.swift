internal import LockstepPrimitives

/// The proof to verify.
struct Verification: Sendable {
    var type: String
    var token = ""
    var hash = ""
    var email = ""
    var phone = ""
}
