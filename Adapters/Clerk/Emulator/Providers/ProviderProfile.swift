/// A user's profile at a provider: the claims of a verified ID token.
struct ProviderProfile: JSONColumn, Hashable {
    var provider: String
    var subject: String
    var email: String?
    var isEmailVerified = false
    var firstName: String?
    var lastName: String?
    var imageURL: String?
}
