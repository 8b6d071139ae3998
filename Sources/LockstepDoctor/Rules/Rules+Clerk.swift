internal import LockstepPrimitives

/// The rules for an instance of Clerk.
enum ClerkRules {
    static let docs = "https://clerk.com/docs"
    static let administratorKey = Rule.administratorKey(
        "clerk", "CLERK_PUBLISHABLE_KEY", docs + "/guides/development/clerk-environment-variables")
    static let rejectedKey = Rule.rejectedKey(
        "clerk", "CLERK_SECRET_KEY", docs + "/guides/development/clerk-environment-variables")

    static let all: [Rule] = environment + backend

    private static let environment: [Rule] = [
        rule(
            "sign-up-proof", "Addresses are verified at sign-up", "Anyone can sign up with another person's address.",
            "Turn on \"Verify at sign-up\".", "/guides/configure/auth-strategies/sign-up-sign-in-options",
            "ProviderBehavior.signUpProof"
        ) { settings in
            guard let email = settings["user_settings"]?["attributes"]?["email_address"], let isOn = email["enabled"]?.bool else {
                return nil
            }
            guard isOn else { return .info("Users have no email addresses.") }
            return email["verify_at_sign_up"]?.bool.map {
                $0
                    ? .info("The address is verified before a session exists.")
                    : .fail("A sign-up creates a session although the address is not verified.")
            }
        },
        rule(
            "unknown-addresses", "A failed sign-in does not show who has an account",
            "An attacker who learns which addresses have an account knows whom to attack.", "Turn on enumeration protection.",
            "/guides/secure/user-enumeration-protection", "ProviderBehavior.unknownAddressAtSignIn"
        ) { settings in
            settings["user_settings"]?["attack_protection"]?["enumeration_protection"]?["enabled"]?.bool.map {
                $0
                    ? .info("A sign-in with an unknown address fails in the same way as a sign-in with a wrong password.")
                    : .warn("The sign-in error shows that an address is unknown.")
            }
        },
        rule(
            "password-length", "Password length", "Short passwords are easy to guess.", "Set the minimum length to 8 or more.",
            "/guides/secure/password-protection-and-rules", "AuthError.Code.weakPassword"
        ) { settings in
            settings["user_settings"]?["password_settings"]?["min_length"]?.int.map {
                $0 < 8 && $0 > 0
                    ? .warn("Passwords of \($0) characters are accepted.")
                    : .info("Passwords must have at least \($0 == 0 ? 8 : $0) characters.")
            }
        },
        rule(
            "stolen-passwords", "Stolen passwords are rejected", "Attackers try lists of stolen passwords first.",
            "Turn on the rejection of compromised passwords.", "/guides/secure/password-protection-and-rules",
            "AuthError.Code.weakPassword"
        ) { settings in
            settings["user_settings"]?["password_settings"]?["disable_hibp"]?.bool.map {
                $0 ? .warn("Passwords from known leaks are accepted.") : .info("Passwords from known leaks are rejected.")
            }
        },
        rule(
            "captcha", "A captcha protects the sign-up", "Bots can sign up.",
            "Turn on bot sign-up protection, or close the sign-up.",
            "/guides/secure/bot-protection", "ProviderBehavior.captcha"
        ) { settings in
            guard let signUp = settings["user_settings"]?["sign_up"], let mode = signUp["mode"]?.string else { return nil }
            guard mode == "public" else { return .info("The sign-up is closed (\(mode.visible)).") }
            return signUp["captcha_enabled"]?.bool.map {
                $0 ? .info("A captcha protects the sign-up.") : .warn("Everyone can sign up, and no captcha stops bots.")
            }
        },
        rule(
            "lockout", "Lockout after wrong passwords", "Without a limit, attackers can guess passwords.",
            "Turn on the user lockout.",
            "/guides/secure/user-lockout", "AuthError.Code.tooManyRequests"
        ) { settings in
            settings["user_settings"]?["attack_protection"]?["user_lockout"]?["enabled"]?.bool.map {
                $0 ? .info("An account is locked after wrong passwords.") : .fail("Wrong passwords do not lock an account.")
            }
        },
        rule(
            "second-factor", "Second factors", "A password alone does not protect against phishing.",
            "Turn on authenticator apps.",
            "/guides/configure/auth-strategies/sign-up-sign-in-options", "ProviderBehavior.authenticatorApps"
        ) { settings in
            guard let attributes = settings["user_settings"]?["attributes"]?.object else { return nil }
            return attributes.contains { $0.value["used_for_second_factor"]?.bool == true }
                ? .info("Users can add a second factor.") : .warn("Users cannot add a second factor.")
        },
        rule(
            "test-mode", "Test mode", "In test mode, the code 424242 opens every account with a test address.",
            "Turn off test mode in production.", "/guides/development/testing/test-emails-and-phones",
            "ClerkAdapter(publishableKey:)"
        ) { settings in
            guard let isOn = settings["auth_config"]?["test_mode"]?.bool else { return nil }
            guard isOn else { return .info("There are no test addresses.") }
            return settings["display_config"]?["instance_environment_type"]?.string == "production"
                ? .fail("Test mode is on in production.") : .warn("Test mode is on, as in every development instance.")
        },
        rule(
            "development-instance", "Kind of instance",
            "A development instance has at most 100 users, and uses shared credentials.",
            "In a released app, use the key of the production instance.", "/guides/development/deployment/production",
            "ClerkAdapter(publishableKey:)"
        ) { settings in
            settings["display_config"]?["instance_environment_type"]?.string.map {
                $0 == "production" ? .info("This is a production instance.") : .warn("This is a \($0.visible) instance.")
            }
        },
        rule(
            "password-change", "Password change on an old session", "Anyone who finds an unlocked device can steal the account.",
            "Turn on reverification.", "/guides/secure/reverification", "ProviderBehavior.passwordChangeOnOldSession"
        ) { settings in
            settings["auth_config"]?["reverification"]?.bool.map {
                $0
                    ? .info("A password change on an old session requires a new verification.")
                    : .warn("A password change works on a session of any age.")
            }
        },
        rule(
            "links-on-other-devices", "Links work only on the device that requested them",
            "If a user opens a link that an attacker requested, the attacker is signed in.",
            "Require the same device for email links.",
            "/guides/configure/auth-strategies/sign-up-sign-in-options", "ProviderBehavior.callbackOfAnotherFlow"
        ) { settings in
            settings["user_settings"]?["attack_protection"]?["email_link"]?["require_same_client"]?.bool.map {
                $0 ? .info("A link works only on the device that requested it.") : .warn("A link works on every device.")
            }
        },
        rule(
            "verification-links", "Codes or links for new addresses",
            "If the app asks for a code, but the emails contain no code, users are locked out.",
            "Set confirmsByLink: true, or turn on the code.", "/guides/configure/auth-strategies/sign-up-sign-in-options",
            "ClerkAdapter(confirmsByLink:)"
        ) { settings in
            guard
                let ways = settings["user_settings"]?["attributes"]?["email_address"]?["verifications"]?.array?.compactMap(
                    \.string)
            else {
                return nil
            }
            return ways == ["email_link"]
                ? .warn("New addresses are verified with a link only.") : .info("New addresses are verified with a code.")
        },
        Rule(
            id: "clerk.signing-keys", subject: "Signing keys", source: .publishedKeys,
            reason: "A server cannot verify tokens without the keys.", remedy: "Check the address of the front-end API.",
            link: docs + "/guides/sessions/manual-jwt-verification", touches: "SessionVerifier.clerk(url:)"
        ) { set, _ in
            guard let keys = set["keys"]?.array else { return nil }
            return keys.isEmpty
                ? .fail("The instance publishes no keys.") : .info("The instance publishes \(Rule.count(keys, "key")).")
        },
        .clock("clerk", docs + "/guides/sessions/manual-jwt-verification"),
        .unreported(
            "clerk.session-end", "Sessions end", "A session on a lost device stays open for a long time.",
            "Set the maximum lifetime and the inactivity timeout under Sessions.",
            docs + "/guides/secure/session-options", "ProviderBehavior.endedSession"),
        .unreported(
            "clerk.codes", "Codes and links by email and text message",
            "If a code or link is valid for a long time, attackers have more time to guess or steal it.",
            "Look at the email and SMS settings.", docs + "/guides/configure/auth-strategies/sign-up-sign-in-options",
            "ProviderBehavior.olderProofAfterResend"),
    ]

    private static let backend: [Rule] = [
        Rule(
            id: "clerk.key-pair", subject: "Both keys belong to one instance", source: .instanceKeys,
            reason: "A server with the key of another instance rejects every token.",
            remedy: "Copy both keys from the same instance.",
            link: docs + "/guides/development/clerk-environment-variables", touches: "ClerkDirectory(secretKey:)"
        ) { set, facts in
            guard let own = set["keys"]?.array?.compactMap({ $0["kid"]?.string }),
                let published = facts.documents[.publishedKeys]?["keys"]?.array?.compactMap({ $0["kid"]?.string })
            else { return nil }
            return Set(own).isDisjoint(with: published)
                ? .fail("The secret key and the publishable key belong to different instances.")
                : .info("Both keys belong to one instance.")
        },
        Rule(
            id: "clerk.redirects", subject: "Addresses for redirects", source: .redirectURLs,
            reason: "A redirect can send a session to another site.", remedy: "List only addresses of your own apps.",
            link: docs + "/reference/backend-api", touches: "ClerkAdapter(callback:)"
        ) { list, facts in
            guard let urls = (list.array ?? list["data"]?.array)?.compactMap({ $0["url"]?.string }) else { return nil }
            return urls.isEmpty ? .info("No addresses are listed for native apps.") : Rule.redirects(urls, facts)
        },
        Rule(
            id: "clerk.domain", subject: "The front-end API belongs to the instance", source: .domains,
            reason: "Tokens name the front-end API as their issuer.", remedy: "Use the publishable key of this instance.",
            link: docs + "/guides/development/deployment/production", touches: "SessionVerifier.clerk(url:)"
        ) { domains, facts in
            guard let all = domains["data"]?.array?.compactMap({ $0["frontend_api_url"]?.string }) else { return nil }
            return all.contains(facts.address)
                ? .info("The key and the instance have the same front-end API.")
                : .warn("The key and the instance have different front-end APIs.")
        },
        Rule(
            id: "clerk.origins", subject: "Origins of apps", source: .instance,
            reason: "A page of a listed origin can act for a signed-in user.",
            remedy: "List only origins of your own apps.", link: docs + "/reference/backend-api",
            touches: "ClerkAdapter(publishableKey:)"
        ) { instance, _ in
            guard let kind = instance["environment_type"]?.string else { return nil }
            let origins = instance["allowed_origins"]?.array?.compactMap(\.string) ?? []
            let isProduction = kind == "production"
            if let plain = origins.first(where: { $0.hasPrefix("http://") }), isProduction {
                return .fail("A page without TLS may act for users, because \"\(plain.visible)\" is allowed.")
            }
            if let wild = origins.first(where: { $0.contains("*") }) {
                return .fail("Pages of any host that matches \"\(wild.visible)\" may act for users.")
            }
            return .info("Listed origins: \(origins.count).")
        },
        Rule(
            id: "clerk.sms-regions", subject: "Regions of text messages", source: .communication,
            reason: "Fraudsters can make you send expensive messages to their own numbers.",
            remedy: "Block the countries in which you have no users.", link: docs + "/reference/backend-api",
            touches: "Capability.phoneCode"
        ) { settings, facts in
            guard let blocked = settings["blocked_country_codes"]?.array else { return nil }
            let phone = facts.documents[.environment]?["user_settings"]?["attributes"]?["phone_number"]
            if phone?["enabled"]?.bool == false { return .info("Sign-in by phone is off.") }
            return blocked.isEmpty
                ? .warn("Text messages go to every country.")
                : .info("Countries without text messages: \(blocked.count).")
        },
        Rule(
            id: "clerk.organizations", subject: "Deletion of organizations", source: .organizationSettings,
            reason: "One administrator of an organization can delete the data of all its members.",
            remedy: "Do not allow administrators to delete organizations.", link: docs + "/guides/organizations/configure",
            touches: "Capability.organizations"
        ) { settings, _ in
            guard let isOn = settings["enabled"]?.bool else { return nil }
            guard isOn else { return .info("Organizations are off.") }
            return settings["admin_delete_enabled"]?.bool.map {
                $0
                    ? .warn("Each administrator can delete an organization.")
                    : .info("Administrators cannot delete an organization.")
            }
        },
    ]

    private static func rule(
        _ name: String, _ subject: String, _ reason: String, _ remedy: String, _ page: String, _ touches: String,
        judge: @escaping @Sendable (JSON) -> Judgement?
    ) -> Rule {
        Rule(
            id: "clerk.\(name)", subject: subject, source: .environment, reason: reason, remedy: remedy, link: docs + page,
            touches: touches
        ) { settings, _ in judge(settings) }
    }
}
