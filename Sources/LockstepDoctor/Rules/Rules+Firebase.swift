internal import LockstepPrimitives

/// The rules for a project of Firebase Authentication.
enum FirebaseRules {
    static let docs = "https://firebase.google.com/docs/auth"
    static let platform = "https://cloud.google.com/identity-platform/docs"
    static let administratorKey = Rule.administratorKey(
        "firebase", "FIREBASE_API_KEY", "https://firebase.google.com/docs/projects/api-keys")
    static let rejectedKey = Rule.rejectedKey(
        "firebase", "GOOGLE_APPLICATION_CREDENTIALS or FIREBASE_ACCESS_TOKEN", "https://firebase.google.com/docs/admin/setup")

    static let all: [Rule] =
        [
            Rule(
                id: "firebase.authorized-domains", subject: "Domains that may start a sign-in", source: .project,
                reason: "A page on a listed domain can start a sign-in and receive its result.",
                remedy: "Remove localhost and domains that are not your own from the authorized domains.",
                link: docs + "/web/redirect-best-practices", touches: "FirebaseAdapter(callback:)"
            ) { project, facts in
                guard let domains = project["authorizedDomains"]?.array?.compactMap(\.string) else { return nil }
                if let local = domains.first(where: { ["localhost", "127.0.0.1"].contains($0) }), !facts.isOnThisMachine {
                    return .warn("The domain \"\(local)\" may start a sign-in.")
                }
                return .info("Domains that may start a sign-in: \(domains.count).")
            },
            Rule(
                id: "firebase.public-anonymous-users", subject: "Anonymous users in the public configuration",
                source: .legacyConfig,
                reason: "Each visit by a bot creates a user.", remedy: "Turn off anonymous user sign-in, or turn on App Check.",
                link: docs + "/web/anonymous-auth", touches: "Capability.anonymous"
            ) { config, _ in
                guard config["projectId"] != nil else { return nil }
                return config["enableAnonymousUser"]?.bool == true
                    ? .warn("Everyone can sign in as an anonymous user.")
                    : .info("The public configuration does not report whether anonymous users can sign in.")
            },
            Rule(
                id: "firebase.password-policy", subject: "Password policy", source: .passwordPolicy,
                reason: "Without a policy, a password needs only 6 characters. Firebase has no list of stolen passwords.",
                remedy: "Enforce a policy that requires at least 8 characters.", link: docs + "/web/password-auth",
                touches: "AuthError.Code.weakPassword"
            ) { policy, _ in
                guard let length = policy["customStrengthOptions"]?["minPasswordLength"]?.int else { return nil }
                guard policy["enforcementState"]?.string == "ENFORCE" else { return .warn("The project has no password policy.") }
                return length < 8
                    ? .warn("The password policy accepts \(length) characters.")
                    : .info("The password policy requires \(length) characters.")
            },
            Rule(
                id: "firebase.captcha", subject: "A captcha protects sign-up and sign-in", source: .recaptcha,
                reason: "Bots can sign up and try stolen passwords.", remedy: "Enforce reCAPTCHA Enterprise for passwords.",
                link: platform + "/recaptcha-enterprise", touches: "ProviderBehavior.captcha"
            ) { config, _ in
                guard let states = config["recaptchaEnforcementState"]?.array else { return .warn("No captcha is set up.") }
                let password = states.first { $0["provider"]?.string == "EMAIL_PASSWORD_PROVIDER" }
                return password?["enforcementState"]?.string == "ENFORCE"
                    ? .info("A captcha is enforced for passwords.") : .warn("No captcha is enforced for passwords.")
            },
            Rule(
                id: "firebase.token-keys", subject: "Signing keys", source: .tokenKeys,
                reason: "A server cannot verify tokens without the keys.", remedy: "Check the network of the server.",
                link: docs + "/admin/verify-id-tokens", touches: "SessionVerifier.firebase(project:)"
            ) { set, _ in
                guard let keys = set["keys"]?.array else { return nil }
                return keys.isEmpty ? .fail("No key is published.") : .info("Google publishes \(Rule.count(keys, "key")).")
            },
            .clock("firebase", docs + "/admin/verify-id-tokens"),
            Rule(
                id: "firebase.unknown-addresses", subject: "A failed sign-in does not show who has an account",
                source: .signInProbe,
                reason: "An attacker who learns which addresses have an account knows whom to attack.",
                remedy: "Turn on email enumeration protection.", link: platform + "/admin/email-enumeration-protection",
                touches: "ProviderBehavior.unknownAddressAtSignIn"
            ) { answer, _ in
                let code = answer["error"]?["message"]?.string?.prefix { $0 != " " } ?? ""
                switch code {
                case "EMAIL_NOT_FOUND": return .warn("The sign-in error shows that an address is unknown.")
                case "INVALID_LOGIN_CREDENTIALS", "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED":
                    return .info("A sign-in with an unknown address fails in the same way as a sign-in with a wrong password.")
                default: return nil
                }
            },
            Rule(
                id: "firebase.passwords", subject: "Password sign-in is on", source: .signInProbe,
                reason: "If password sign-in is off, a screen with a password field does not work.",
                remedy: "Turn on Email/Password, or hide the field.", link: docs + "/web/password-auth",
                touches: "Capability.password"
            ) { answer, _ in
                let code = answer["error"]?["message"]?.string?.prefix { $0 != " " } ?? ""
                switch code {
                case "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED": return .warn("Users cannot sign in with a password.")
                case "EMAIL_NOT_FOUND", "INVALID_LOGIN_CREDENTIALS": return .info("Users can sign in with a password.")
                default: return nil
                }
            },
            Rule(
                id: "firebase.sign-in-methods", subject: "A user's sign-in methods are not public", source: .authURIProbe,
                reason: "The response shows whether an address has an account, and how its user signs in.",
                remedy: "Turn on email enumeration protection.", link: platform + "/admin/email-enumeration-protection",
                touches: "ProviderBehavior.unknownAddressAtLink"
            ) { answer, _ in
                guard answer["error"] == nil, answer["sessionId"] != nil || answer["kind"] != nil else { return nil }
                return answer["registered"] != nil
                    ? .warn("Anyone can ask whether an address has an account.")
                    : .info("The project does not show whether an address has an account.")
            },
        ] + administration
}
