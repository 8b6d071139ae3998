/// What a provider says about a user: the claims of a checked ID token.
struct ProviderProfile: JSONColumn, Hashable {
    var provider: String
    var subject: String
    var email: String?
    var isEmailVerified = false
    var firstName: String?
    var lastName: String?
    var imageURL: String?
}
