internal import LockstepPrimitives

/// What a sign-up asks for.
struct NewAccount {
    var email = ""
    var phone = ""
    /// `nil` where nobody will know it.
    var password: String?
    var data: JSONObject = [:]
    var channel = ""
    var proof: ProofKey?

    var provider: String { phone.isEmpty ? "email" : "phone" }
}
