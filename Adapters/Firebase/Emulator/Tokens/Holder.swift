internal import LockstepPrimitives

/// The holder of an ID token.
struct Holder {
    var user: User
    /// Firebase's `sign_in_provider`.
    let provider: String
    let claims: JSONObject

    /// The second factor of that sign-in.
    var secondFactor: Grant.SecondFactor? {
        guard let firebase = claims["firebase"], let id = firebase["second_factor_identifier"]?.string,
            let kind = firebase["sign_in_second_factor"]?.string
        else { return nil }
        return Grant.SecondFactor(id: id, kind: kind)
    }
}
