import LockstepEmulation
import LockstepPrimitives
import LockstepTokens

/// Routes about the instance itself: documents below `/.well-known`, the portal, the health of a proxy.
struct InstanceRoutes {
    let context: RequestContext

    private var base: String { context.state.base }

    /// Returns the public part of the signing key, which both APIs publish.
    func keys() throws -> Answer {
        .bare(JSONWebKeySet(publishing: [try context.value(of: context.state.signingKey)]).json)
    }

    /// No Android app is registered with the emulator.
    func assetLinks() throws -> Answer { .bare([]) }

    /// Lists the associated Apple apps; always empty.
    func appleAssociation() throws -> Answer { .bare(["webcredentials": ["apps": []]]) }

    /// Returns the origins of the pages that may use passkeys of this host.
    func webAuthn() throws -> Answer { .bare(["origins": [.string(base)]]) }

    /// Returns the URLs of the keys and the endpoints for other programs; the emulator has only the keys.
    func openIDConfiguration() throws -> Answer {
        var json = server
        json["introspection_endpoint"] = .string(base + "/oauth/token_info")
        json["userinfo_endpoint"] = .string(base + "/oauth/userinfo")
        json["response_modes_supported"] = ["form_post", "query"]
        json["backchannel_logout_supported"] = false
        json["frontchannel_logout_supported"] = false
        return .bare(.object(json))
    }

    func authorizationServer() throws -> Answer { .bare(.object(server)) }

    private var server: JSONObject {
        [
            "issuer": .string(base), "authorization_endpoint": .string(base + "/oauth/authorize"),
            "token_endpoint": .string(base + "/oauth/token"), "revocation_endpoint": .string(base + "/oauth/token/revoke"),
            "jwks_uri": .string(base + "/.well-known/jwks.json"),
            "scopes_supported": ["openid", "profile", "email", "public_metadata", "private_metadata", "offline_access"],
            "response_types_supported": ["code"], "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "claims_supported": [
                "aud", "email", "email_verified", "exp", "family_name", "given_name", "iat", "iss", "name", "sub",
            ],
            "code_challenge_methods_supported": ["S256"],
        ]
    }

    /// The portal is off, because the emulator has no pages for signing in.
    func accountPortal() throws -> Answer {
        .bare([
            "object": "account_portal", "allowed": true, "enabled": false, "internal_linking": false, "after_sign_in_url": "",
            "after_sign_up_url": "", "after_join_waitlist_url": "", "after_create_organization_url": "",
            "after_leave_organization_url": "", "logo_link_url": "",
            "customization": [
                "appearance": nil, "background_color_dark": nil, "background_color_light": nil, "primary_color_dark": nil,
                "primary_color_light": nil,
            ],
        ])
    }

    /// Returns whether a request came through a proxy that names the instance.
    func proxyHealth() throws -> Answer {
        _ = try context.query.required("domain_id")
        let address = context.request.headers["x-forwarded-for"] ?? ""
        guard !address.isEmpty else {
            return .bare(["status": "unhealthy", "message": "The proxy sends no X-Forwarded-For header."])
        }
        return .bare(["status": "healthy", "x_forwarded_for": .string(address)])
    }

    /// Redirects the browser to a URL that is checked like every redirect.
    func redirect() throws -> Answer {
        let target = context.query.text("redirect_url") ?? base
        try context.redirects.check(target)
        context.redirect = target
        context.call.redirectStatus = 307
        return .page("Go on.")
    }

    /// Makes the browser delete all data of this host.
    func clearSiteData() throws -> Answer {
        context.headers.append(("Clear-Site-Data", "\"cache\", \"cookies\", \"storage\""))
        return .bare([:])
    }

    /// Returns the page that an app in development loads to get its browser's identity.
    func devBrowserInit() throws -> Answer {
        if let origin = context.query.text("origin") { try context.redirects.check(origin, parameter: "origin") }
        return .page("<!doctype html><title>Development browser</title>")
    }

    /// Sets the client as a cookie, for a browser that can store cookies.
    func setFirstPartyCookie() throws -> Answer {
        if let client = context.client { context.call.cookies.append(Cookies.client(client.token, lifetime: 315_360_000)) }
        return .bare([:])
    }
}
