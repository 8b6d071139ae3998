internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// The addresses of an OpenID provider, laid out as Keycloak's are.
struct ProviderEndpoints {
    let issuer: String

    init(_ provider: ProviderSettings) {
        let text = provider.issuer ?? ""
        issuer = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    var authorization: String { issuer + "/protocol/openid-connect/auth" }
    var token: String { issuer + "/protocol/openid-connect/token" }
    var userInfo: String { issuer + "/protocol/openid-connect/userinfo" }
}
