internal import LockstepPrimitives

/// The data that a client sends from an identity provider: the parameters of `requestUri` and `postBody` put together.
struct Assertion {
    let provider: String
    let idToken: String?
    let accessToken: String?
    let nonce: String?
    let samlResponse: String?
    /// The name that Apple sends once only, beside the token.
    let user: String?

    init(_ request: AuthorizedRequest) throws(APIError) {
        let text = try request.require(request.body.given("requestUri"), .missingRequestURI)
        var address = try request.require(WebAddress(text), .invalidRequestURI)
        for (name, value) in Percent.decodeForm(request.body.text("postBody") ?? "") ?? [] { address.set(name, to: value) }
        for (name, value) in address.fragment.flatMap({ Percent.decodeForm($0) }) ?? [] { address.set(name, to: value) }
        address.fragment = nil
        func given(_ name: String) -> String? { address.value(name).flatMap { $0.isEmpty ? nil : $0 } }
        provider = try request.require(
            given("providerId")?.lowercased(), .invalidProvider, "Invalid IdP response/credential: \(address.text)")
        idToken = given("id_token")
        accessToken = given("access_token")
        nonce = given("nonce")
        samlResponse = given("SAMLResponse")
        user = given("user")
    }
}
