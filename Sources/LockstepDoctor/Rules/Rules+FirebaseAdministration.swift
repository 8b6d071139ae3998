internal import LockstepPrimitives

extension FirebaseRules {
    /// The rules that need the rights of a service account.
    static let administration: [Rule] = [
        rule(
            "enumeration-protection", "Email enumeration protection", "An attacker can find out which addresses have an account.",
            "Turn on email enumeration protection.", platform + "/admin/email-enumeration-protection",
            "ProviderBehavior.unknownAddressAtReset"
        ) { config in
            guard let privacy = config["emailPrivacyConfig"]?.object else { return nil }
            return privacy["enableImprovedEmailPrivacy"]?.bool == true
                ? .info("Addresses cannot be found out.") : .warn("Anyone can find out which addresses have an account.")
        },
        rule(
            "duplicate-addresses", "One account for an address", "Two accounts with one address receive each other's mails.",
            "Turn off multiple accounts per address.", docs + "/users", "ProviderBehavior.takenAddressAtChange"
        ) { config in
            guard let signIn = config["signIn"]?.object else { return nil }
            return signIn["allowDuplicateEmails"]?.bool == true
                ? .fail("Several accounts can have the same address.") : .info("An address belongs to one account.")
        },
        rule(
            "guests", "Guests", "Guests that stay count as users, and cost quota.", "Turn on the automatic clean-up.",
            docs + "/web/anonymous-auth", "Capability.anonymous"
        ) { config in
            guard let guests = config["signIn"]?["anonymous"]?.object else { return nil }
            guard guests["enabled"]?.bool == true else { return .info("Guests cannot sign in.") }
            return config["autodeleteAnonymousUsers"]?.bool == true
                ? .info("Old guests are deleted.") : .warn("Guests can sign in, and stay until somebody deletes them.")
        },
        rule(
            "sms-regions", "Regions of text messages", "Fraudsters let you send expensive messages to numbers of their own.",
            "Allow only the regions of your users.", platform + "/sms-regions", "Capability.phone"
        ) { config in
            guard let phone = config["signIn"]?["phoneNumber"]?.object else { return nil }
            guard phone["enabled"]?.bool == true else { return .info("Users have no phone numbers.") }
            return config["smsRegionConfig"]?["allowlistOnly"] != nil
                ? .info("Text messages go to listed regions only.") : .warn("Text messages go to every region.")
        },
        rule(
            "test-numbers", "Test numbers", "Everyone who knows a test number and its code can sign in.",
            "Remove the test numbers.",
            docs + "/web/phone-auth", "Capability.phone"
        ) { config in
            guard let phone = config["signIn"]?["phoneNumber"]?.object else { return nil }
            return phone["testPhoneNumbers"]?.object?.isEmpty ?? true
                ? .info("There are no test numbers.") : .fail("There are test numbers with a fixed code.")
        },
        rule(
            "second-factor", "Second factors", "A password alone is lost by phishing.", "Turn on multi-factor authentication.",
            platform + "/web/mfa", "ProviderBehavior.authenticatorApps"
        ) { config in
            guard let mfa = config["mfa"]?.object else { return nil }
            let isOn = ["ENABLED", "MANDATORY"].contains(mfa["state"]?.string ?? "")
            return isOn ? .info("Users can add a second factor.") : .warn("Users cannot add a second factor.")
        },
        rule(
            "own-deletion", "Users delete their own accounts",
            "App stores demand it, and the client's deletion fails without it.",
            "Allow the deletion, or offer it by your server.", platform + "/concepts-admin-users", "Capability.accountDeletion"
        ) { config in
            guard let permissions = config["client"]?["permissions"]?.object else { return nil }
            return permissions["disabledUserDeletion"]?.bool == true
                ? .warn("Users cannot delete their own accounts.") : .info("Users can delete their own accounts.")
        },
        rule(
            "open-sign-up", "Sign-up", "A team that makes its users itself does not want others.",
            "Turn off the sign-up, if only your server makes users.", platform + "/concepts-admin-users", "Capability.signUp"
        ) { config in
            guard let permissions = config["client"]?["permissions"]?.object else { return nil }
            let limit = config["quota"]?["signUpQuotaConfig"]?["quota"]
            return permissions["disabledUserSignup"]?.bool == true
                ? .info("Only your server makes users.")
                : limit == nil
                    ? .warn("Everyone can sign up, and no quota limits it.") : .info("Everyone can sign up, within a quota.")
        },
        rule(
            "mail-service", "Own mail server", "The platform's mails have a limit for each day, and its sender's address.",
            "Set up an SMTP server of your own.", docs + "/email-custom-domain", "FirebaseConfiguration.resendInterval"
        ) { config in
            guard let mail = config["notification"]?["sendEmail"]?.object else { return nil }
            return mail["method"]?.string == "CUSTOM_SMTP"
                ? .info("A mail server of your own sends the mails.")
                : .warn("The platform sends the mails, with a limit for each day.")
        },
        Rule(
            id: "firebase.identity-providers", subject: "Identity providers have a client", source: .identityProviders,
            reason: "A sign-in through a provider without a client id fails on the first page.",
            remedy: "Enter the client id and secret of the provider.", link: docs + "/web/google-signin",
            touches: "Capability.oauth"
        ) { list, _ in
            let on = (list["defaultSupportedIdpConfigs"]?.array ?? []).filter { $0["enabled"]?.bool == true }
            let names = on.map { $0["name"]?.string?.split(separator: "/" as Character).last.map(String.init) ?? "" }
            if let index = on.firstIndex(where: { $0["clientId"]?.string?.isEmpty ?? true }) {
                return .warn("The identity provider \"\(names[index].visible)\" has no client id.")
            }
            return .info(on.isEmpty ? "No identity provider is on." : "On are \(names.joined(separator: ", ").visible).")
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
