internal import LockstepPrimitives

/// The values of a sign-up.
struct NewAccount {
    var email = ""
    var phone = ""
    /// `nil` for a random password that no user knows.
    var password: String?
    var data: JSONObject = [:]
    var channel = ""
    var proof: ProofKey?

    var provider: String { phone.isEmpty ? "email" : "phone" }
}
