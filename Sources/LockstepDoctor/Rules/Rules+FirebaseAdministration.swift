internal import LockstepPrimitives

extension FirebaseRules {
    /// The rules that need the rights of a service account.
    static let administration: [Rule] = [
        rule(
            "enumeration-protection", "Email enumeration protection",
            "An attacker who knows which addresses have an account can attack those users.",
            "Turn on email enumeration protection.", platform + "/admin/email-enumeration-protection",
            "ProviderBehavior.unknownAddressAtReset"
        ) { config in
            guard let privacy = config["emailPrivacyConfig"]?.object else { return nil }
            return privacy["enableImprovedEmailPrivacy"]?.bool == true
                ? .info("An attacker cannot find out which addresses have an account.")
                : .warn("Anyone can find out which addresses have an account.")
        },
        rule(
            "duplicate-addresses", "One account per address", "Two accounts with one address receive each other's emails.",
            "Turn off multiple accounts per address.", docs + "/users", "ProviderBehavior.takenAddressAtChange"
        ) { config in
            guard let signIn = config["signIn"]?.object else { return nil }
            return signIn["allowDuplicateEmails"]?.bool == true
                ? .fail("Several accounts can have the same address.") : .info("Each address belongs to only one account.")
        },
        rule(
            "anonymous-users", "Anonymous users",
            "Old anonymous users use up the user quota until they are deleted.",
            "Turn on the automatic clean-up.",
            docs + "/web/anonymous-auth", "Capability.anonymous"
        ) { config in
            guard let guests = config["signIn"]?["anonymous"]?.object else { return nil }
            guard guests["enabled"]?.bool == true else { return .info("Anonymous users cannot sign in.") }
            return config["autodeleteAnonymousUsers"]?.bool == true
                ? .info("Old anonymous users are deleted.")
                : .warn("Anonymous users can sign in, and stay until somebody deletes them.")
        },
        rule(
            "sms-regions", "Regions of text messages", "Fraudsters can make you send expensive messages to their own numbers.",
            "Allow only the regions of your users.", platform + "/sms-regions", "Capability.phoneCode"
        ) { config in
            guard let phone = config["signIn"]?["phoneNumber"]?.object else { return nil }
            guard phone["enabled"]?.bool == true else { return .info("Sign-in by phone is off.") }
            return config["smsRegionConfig"]?["allowlistOnly"] != nil
                ? .info("Text messages go to listed regions only.") : .warn("Text messages go to every region.")
        },
        rule(
            "test-numbers", "Test numbers", "Everyone who knows a test number and its code can sign in.",
            "Remove the test numbers.",
            docs + "/web/phone-auth", "Capability.phoneCode"
        ) { config in
            guard let phone = config["signIn"]?["phoneNumber"]?.object else { return nil }
            return phone["testPhoneNumbers"]?.object?.isEmpty ?? true
                ? .info("There are no test numbers.") : .fail("There are test numbers with a fixed code.")
        },
        rule(
            "second-factor", "Second factors", "A password alone does not protect against phishing.",
            "Turn on multi-factor authentication.",
            platform + "/web/mfa", "ProviderBehavior.authenticatorApps"
        ) { config in
            guard let mfa = config["mfa"]?.object else { return nil }
            let isOn = ["ENABLED", "MANDATORY"].contains(mfa["state"]?.string ?? "")
            return isOn ? .info("Users can add a second factor.") : .warn("Users cannot add a second factor.")
        },
        rule(
            "own-deletion", "Users delete their own accounts",
            "App stores require account deletion. If it is off, the client's call fails.",
            "Allow the deletion, or offer it through your server.", platform + "/concepts-admin-users",
            "Capability.accountDeletion"
        ) { config in
            guard let permissions = config["client"]?["permissions"]?.object else { return nil }
            return permissions["disabledUserDeletion"]?.bool == true
                ? .warn("Users cannot delete their own accounts.") : .info("Users can delete their own accounts.")
        },
        rule(
            "open-sign-up", "Sign-up", "If only your server creates users, nobody else should be able to sign up.",
            "Turn off the sign-up if only your server creates users.", platform + "/concepts-admin-users", "Capability.password"
        ) { config in
            guard let permissions = config["client"]?["permissions"]?.object else { return nil }
            let limit = config["quota"]?["signUpQuotaConfig"]?["quota"]
            return permissions["disabledUserSignup"]?.bool == true
                ? .info("Only your server creates users.")
                : limit == nil
                    ? .warn("Everyone can sign up, and no quota limits the sign-ups.")
                    : .info("Everyone can sign up, within a quota.")
        },
        rule(
            "mail-service", "Your own mail server",
            "The platform limits the number of emails per day, and uses its own sender address.",
            "Set up your own SMTP server.", docs + "/email-custom-domain", "FirebaseConfiguration.resendInterval"
        ) { config in
            guard let mail = config["notification"]?["sendEmail"]?.object else { return nil }
            return mail["method"]?.string == "CUSTOM_SMTP"
                ? .info("Your own mail server sends the emails.")
                : .warn("The platform sends the emails, with a daily limit.")
        },
        rule(
            "sms-fraud", "A captcha protects text messages", "Bots can request text messages that you pay for.",
            "Enforce reCAPTCHA for phone sign-ins, with SMS fraud protection.", platform + "/recaptcha-tfp",
            "Capability.phoneCode"
        ) { config in
            guard let phone = config["signIn"]?["phoneNumber"]?.object else { return nil }
            guard phone["enabled"]?.bool == true else { return .info("Sign-in by phone is off.") }
            let captcha = config["recaptchaConfig"]
            let isOn =
                captcha?["phoneEnforcementState"]?.string == "ENFORCE" || captcha?["useSmsTollFraudProtection"]?.bool == true
            return isOn ? .info("A captcha protects text messages.") : .warn("No captcha protects text messages.")
        },
        rule(
            "old-passwords", "Old passwords meet the policy", "Users keep a weak password for years.",
            "Turn on \"Force upgrade on sign-in\".", docs + "/web/password-auth", "AuthError.Code.weakPassword"
        ) { config in
            guard let policy = config["passwordPolicyConfig"]?.object else { return nil }
            return policy["forceUpgradeOnSignin"]?.bool == true
                ? .info("A user with a weak password must choose a new password at the next sign-in.")
                : .warn("A user with a weak password can keep it.")
        },
        rule(
            "blocking-functions", "Functions that decide about users", "A sign-in fails if the function fails or is slow.",
            "Monitor the function's errors and response times, or remove the function.", platform + "/blocking-functions",
            "AuthError.Code.providerRefused"
        ) { config in
            guard let functions = config["blockingFunctions"]?.object else { return nil }
            let names = (functions["triggers"]?.object ?? [:]).map(\.name)
            return names.isEmpty
                ? .info("No blocking function is set.")
                : .warn("These functions run before an operation continues: \(names.joined(separator: ", ").visible).")
        },
        rule(
            "request-log", "Requests are logged", "Without a log, you cannot find out who attacked which account.",
            "Turn on the logging of requests.", platform + "/activity-logging", "FirebaseAdapter"
        ) { config in
            guard let monitoring = config["monitoring"]?.object else { return nil }
            return monitoring["requestLogging"]?["enabled"]?.bool == true
                ? .info("Requests are logged.") : .warn("Requests are not logged.")
        },
        Rule(
            id: "firebase.openid-providers", subject: "OpenID providers use TLS", source: .openIDProviders,
            reason: "Without TLS, anyone on the network can sign in as your users.",
            remedy: "Use the issuer's https address.", link: platform + "/web/oidc", touches: "Capability.oauth"
        ) { list, _ in
            let on = (list["oauthIdpConfigs"]?.array ?? []).filter { $0["enabled"]?.bool == true }
            let plain = on.compactMap { $0["issuer"]?.string }.first { !$0.hasPrefix("https://") }
            if let plain { return .fail("The issuer \"\(plain.visible)\" has no TLS.") }
            return .info("OpenID providers that are turned on: \(on.count).")
        },
        Rule(
            id: "firebase.saml-providers", subject: "SAML providers have a certificate", source: .samlProviders,
            reason: "A sign-in through a provider without a certificate fails.",
            remedy: "Enter the certificate of the provider.", link: platform + "/web/saml", touches: "Capability.oauth"
        ) { list, _ in
            let on = (list["inboundSamlConfigs"]?.array ?? []).filter { $0["enabled"]?.bool == true }
            let bare = on.first { $0["idpConfig"]?["idpCertificates"]?.array?.isEmpty ?? true }
            if let bare {
                let name = bare["name"]?.string?.split(separator: "/" as Character).last.map(String.init) ?? ""
                return .warn("The SAML provider \"\(name.visible)\" has no certificate.")
            }
            return .info("SAML providers that are turned on: \(on.count).")
        },
        Rule(
            id: "firebase.identity-providers", subject: "Identity providers have a client id", source: .identityProviders,
            reason: "Without a client id, a sign-in with a provider fails on the first page.",
            remedy: "Enter the client id and secret of the provider.", link: docs + "/web/google-signin",
            touches: "Capability.oauth"
        ) { list, _ in
            let on = (list["defaultSupportedIdpConfigs"]?.array ?? []).filter { $0["enabled"]?.bool == true }
            let names = on.map { $0["name"]?.string?.split(separator: "/" as Character).last.map(String.init) ?? "" }
            if let index = on.firstIndex(where: { $0["clientId"]?.string?.isEmpty ?? true }) {
                return .warn("The identity provider \"\(names[index].visible)\" has no client id.")
            }
            return .info(
                on.isEmpty
                    ? "No identity provider is turned on."
                    : "Providers that are turned on: \(names.joined(separator: ", ").visible).")
        },
    ]

    private static func rule(
        _ name: String, _ subject: String, _ reason: String, _ remedy: String, _ link: String, _ touches: String,
        judge: @escaping @Sendable (JSON) -> Judgement?
    ) -> Rule {
        Rule(
            id: "firebase.\(name)", subject: subject, source: .administration, reason: reason, remedy: remedy, link: link,
            touches: touches
        ) { config, _ in judge(config) }
    }
}
