internal import LockstepPrimitives

/// The rules for a project of Supabase Auth (GoTrue) that everyone can read.
enum GoTrueRules {
    static let docs = "https://supabase.com/docs/guides/auth"
    static let administratorKey = Rule.administratorKey(
        "gotrue", "SUPABASE_PUBLISHABLE_KEY", "https://supabase.com/docs/guides/api/api-keys")
    static let rejectedKey = Rule.rejectedKey(
        "gotrue", "SUPABASE_ACCESS_TOKEN", "https://supabase.com/docs/reference/api/introduction")

    /// The release of the emulator's recordings.
    static let recorded = [2, 196, 0]

    static let all: [Rule] = open + GoTrueRules.managed

    static let open: [Rule] = [
        Rule(
            id: "gotrue.sign-up-proof", subject: "Addresses are verified at sign-up", source: .settings,
            reason: "Anyone can sign up with another person's address, and use the app as that person.",
            remedy: "Turn on \"Confirm email\" (GOTRUE_MAILER_AUTOCONFIRM=false).", link: docs + "/general-configuration",
            touches: "ProviderBehavior.signUpProof"
        ) { settings, _ in
            settings["mailer_autoconfirm"]?.bool.map {
                $0
                    ? .fail("A sign-up creates a session although the address is not verified.")
                    : .info("A user signs in only after the address is verified.")
            }
        },
        Rule(
            id: "gotrue.phone-proof", subject: "Numbers are verified at sign-up", source: .settings,
            reason: "Anyone can sign up with another person's number.",
            remedy: "Turn on \"Enable phone confirmations\" (GOTRUE_SMS_AUTOCONFIRM=false).", link: docs + "/phone-login",
            touches: "ProviderBehavior.signUpProof"
        ) { settings, _ in
            guard let isOn = settings["external"]?["phone"]?.bool, let confirms = settings["phone_autoconfirm"]?.bool else {
                return nil
            }
            guard isOn else { return .info("Sign-in by phone is off.") }
            return confirms
                ? .fail("A sign-up creates a session although the number is not verified.")
                : .info("A user signs in only after the number is verified.")
        },
        Rule(
            id: "gotrue.known-addresses", subject: "A sign-up does not show who has an account", source: .settings,
            reason: "An attacker who learns which addresses have an account knows whom to attack.",
            remedy: "Turn on \"Confirm email\". A sign-up with a known address then looks like any other sign-up.",
            link: docs + "/general-configuration", touches: "ProviderBehavior.knownAddressAtSignUp"
        ) { settings, _ in
            settings["mailer_autoconfirm"]?.bool.map {
                $0
                    ? .warn("A sign-up with a known address is rejected, so anyone can find out who has an account.")
                    : .info("A sign-up with a known address looks like any other sign-up.")
            }
        },
        Rule(
            id: "gotrue.anonymous-users", subject: "Guests", source: .settings,
            reason: "Anonymous users are never deleted automatically, and each visit by a bot creates a new user.",
            remedy: "Turn on a captcha, and delete old anonymous users with a scheduled job.", link: docs + "/auth-anonymous",
            touches: "Capability.anonymous"
        ) { settings, _ in
            settings["external"]?["anonymous_users"]?.bool.map {
                $0
                    ? .warn("Anonymous users can sign in, and stay until somebody deletes them.")
                    : .info("Anonymous users cannot sign in.")
            }
        },
        Rule(
            id: "gotrue.signing-keys", subject: "Signing keys", source: .publishedKeys,
            reason: "Each server that verifies tokens with a shared secret can also create tokens.",
            remedy: "Migrate the project to asymmetric signing keys.", link: docs + "/signing-keys",
            touches: "SessionVerifier.goTrue(signedBy:)"
        ) { set, _ in
            guard let keys = set["keys"]?.array else { return nil }
            return keys.isEmpty
                ? .warn("The project publishes no keys, because it signs tokens with a shared secret (HS256).")
                : .info("The project publishes \(Rule.count(keys, "key")), so servers can verify its tokens.")
        },
        Rule(
            id: "gotrue.issuer", subject: "Issuer of the tokens", source: .discovery,
            reason: "A server that expects another issuer rejects every token.",
            remedy: "Configure the verifier with the project's issuer.", link: docs + "/jwts",
            touches: "SessionVerifier.goTrue(issuer:)"
        ) { discovery, facts in
            guard let issuer = discovery["issuer"]?.string else { return nil }
            if issuer == facts.address { return .info("The tokens name the project's address as their issuer.") }
            // A server without a gateway has no path, and so has its issuer.
            if facts.isEmulator, issuer + "/auth/v1" == facts.address {
                return .info("The tokens name the emulator's address as their issuer.")
            }
            return .warn("The tokens name \"\(issuer.visible)\" as their issuer, not the project's address.")
        },
        Rule(
            id: "gotrue.version", subject: "Release of the server", source: .health,
            reason: "Lockstep is tested against recordings of GoTrue 2.196.0. An older server may respond differently.",
            remedy: "Update the server.", link: "https://github.com/supabase/auth/releases", touches: "GoTrueAdapter"
        ) { health, _ in
            guard let text = health["version"]?.string else { return nil }
            let numbers = text.drop { $0 == "v" }.prefix { $0.isNumber || $0 == "." }.split(separator: "." as Character)
                .compactMap { Int($0) }
            guard numbers.count >= 2 else { return nil }
            return numbers.lexicographicallyPrecedes(recorded)
                ? .warn("The server is GoTrue \(text.visible), which is older than 2.196.0.")
                : .info("The server is GoTrue \(text.visible).")
        },
        .clock("gotrue", docs + "/jwts"),
        Rule(
            id: "gotrue.service-key", subject: "The service role key belongs to the project", source: .users,
            reason: "A server with the key of another project reads and changes the wrong users.",
            remedy: "Copy the key of this project.", link: "https://supabase.com/docs/guides/api/api-keys",
            touches: "GoTrueDirectory(adminKey:)"
        ) { answer, _ in
            answer["users"] != nil
                ? .info("The project accepts the service role key.") : .fail("The project rejects the service role key.")
        },
    ]
}
