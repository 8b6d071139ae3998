internal import LockstepPrimitives

extension GoTrueRules {
    /// The rules that need the Management API.
    static let managed: [Rule] = [
        managed(
            "captcha", "A captcha protects the sign-up",
            "Bots can sign up, and emails to strangers damage the sender's reputation.",
            "Turn on captcha protection, or close the sign-up.", "/auth-captcha", "ProviderBehavior.captcha"
        ) { config in
            if config["disable_signup"]?.bool == true { return .info("The sign-up is closed.") }
            return config["security_captcha_enabled"]?.bool.map {
                $0 ? .info("A captcha protects the sign-up.") : .warn("Everyone can sign up, and no captcha stops bots.")
            }
        },
        managed(
            "token-life", "Lifetime of access tokens", "A stolen token works until it expires, even after a sign-out.",
            "Set the expiry of access tokens to an hour or less.", "/sessions", "ProviderBehavior.accessTokenAfterSignOut"
        ) { config in
            config["jwt_exp"]?.int.map { seconds in
                if seconds > 86_400 { return .fail("An access token is valid for \(seconds) seconds, which is more than a day.") }
                if seconds > 3600 { return .warn("An access token is valid for \(seconds) seconds, which is more than an hour.") }
                return .info("An access token is valid for \(seconds) seconds.")
            }
        },
        managed(
            "rotation", "Refresh tokens are used once", "A stolen refresh token is detected only if each token works once.",
            "Turn on the detection of compromised refresh tokens, with a reuse interval of 10 seconds.", "/sessions",
            "ProviderBehavior.sessionWithSpentToken"
        ) { config in
            guard let rotates = config["refresh_token_rotation_enabled"]?.bool else { return nil }
            guard rotates else { return .fail("A stolen refresh token can be used repeatedly.") }
            guard let interval = config["security_refresh_token_reuse_interval"]?.int else { return nil }
            return interval > 60
                ? .warn("A refresh token can be used again for \(interval) seconds.")
                : .info("Each refresh token works once. A repeated request can use it for \(interval) more seconds.")
        },
        managed(
            "session-end", "Sessions expire", "A session on a lost device stays open forever.",
            "Set a time limit or an inactivity timeout.", "/sessions", "ProviderBehavior.endedSession"
        ) { config in
            // No limit is 0 or null.
            guard let timebox = config["sessions_timebox"], let inactivity = config["sessions_inactivity_timeout"] else {
                return nil
            }
            let (limit, idle) = (timebox.number ?? 0, inactivity.number ?? 0)
            return limit == 0 && idle == 0
                ? .warn("A session never expires, even if nobody uses it.") : .info("Sessions expire automatically.")
        },
        managed(
            "password-length", "Password length", "Short passwords are easy to guess.", "Set the minimum length to 8 or more.",
            "/password-security", "AuthError.Code.weakPassword"
        ) { config in
            config["password_min_length"]?.int.map {
                $0 < 8
                    ? .warn("Passwords of \($0) characters are accepted.")
                    : .info("Passwords must have at least \($0) characters.")
            }
        },
        managed(
            "stolen-passwords", "Stolen passwords are rejected", "Attackers try lists of stolen passwords first.",
            "Turn on leaked password protection.", "/password-security", "AuthError.Code.weakPassword"
        ) { config in
            config["password_hibp_enabled"]?.bool.map {
                $0 ? .info("Passwords from known leaks are rejected.") : .warn("Passwords from known leaks are accepted.")
            }
        },
        managed(
            "redirects", "Addresses for redirects", "A link in your project's emails can send a session to another site.",
            "List full URLs under \"Redirect URLs\".", "/redirect-urls", "GoTrueAdapter(callback:)"
        ) { config, facts in
            guard let site = config["site_url"]?.string else { return nil }
            let list = (config["uri_allow_list"]?.string ?? "").split(separator: "," as Character).map { String($0.trimmed) }
            return Rule.redirects(([site] + list).filter { !$0.isEmpty }, facts)
        },
        managed(
            "mail-codes", "Codes and links by email", "A short code is easy to guess, and an old email still opens the account.",
            "Use at least 6 digits, and a lifetime of at most an hour. Set the same lifetime in the adapter.",
            "/auth-email-passwordless",
            "GoTrueConfiguration.emailProofLife"
        ) { config in
            guard let life = config["mailer_otp_exp"]?.int, let length = config["mailer_otp_length"]?.int else { return nil }
            if length < 6 { return .fail("A code by email has only \(length) digits.") }
            return life > 3600
                ? .warn("A code or link by email is valid for \(life) seconds, which is more than an hour.")
                : .info("A code by email has \(length) digits and is valid for \(life) seconds.")
        },
        managed(
            "sms-codes", "Codes by text message",
            "A short code is easy to guess, and a long lifetime gives an attacker more time.",
            "Use at least 6 digits, and a lifetime of at most ten minutes. Set the same lifetime in the adapter.", "/phone-login",
            "GoTrueConfiguration.smsProofLife"
        ) { config in
            guard let life = config["sms_otp_exp"]?.int, let length = config["sms_otp_length"]?.int else { return nil }
            if length < 6 { return .fail("A code by text message has only \(length) digits.") }
            return life > 600
                ? .warn("A code by text message is valid for \(life) seconds, which is more than ten minutes.")
                : .info("A code by text message has \(length) digits and is valid for \(life) seconds.")
        },
        managed(
            "mails-show-codes", "Emails contain the code",
            "If the app asks for a code, but the email contains no code, users are locked out.",
            "Set mailsShowCodes = false, or add {{ .Token }} to the templates.", "/auth-email-templates",
            "GoTrueConfiguration.mailsShowCodes"
        ) { config in
            // A function that sends the mails writes them, too.
            if config["hook_send_email_enabled"]?.bool == true { return nil }
            return config["mailer_templates_confirmation_content"]?.string.map {
                $0.contains(".Token ") || $0.contains(".Token}")
                    ? .info("The email for a new address contains the code.")
                    : .warn("The email for a new address contains a link, but no code.")
            }
        },
        managed(
            "mail-service", "Your own mail server",
            "The platform's mail server is for tests. It sends a few emails an hour, and only to the team.",
            "Set up your own SMTP server.", "/auth-smtp", "GoTrueConfiguration.resendInterval"
        ) { config in
            guard config["smtp_host"] != nil else { return nil }
            if config["hook_send_email_enabled"]?.bool == true { return .info("Your own function sends the emails.") }
            return config["smtp_host"]?.string?.isEmpty ?? true
                ? .warn(
                    "The platform sends the emails, but only \(config["rate_limit_email_sent"]?.int.map { "\($0)" } ?? "a few") an hour."
                )
                : .info("Your own mail server sends the emails.")
        },
        managed(
            "second-factor", "Second factors", "A password alone does not protect against phishing.",
            "Turn on authenticator apps (TOTP).", "/auth-mfa", "ProviderBehavior.authenticatorApps"
        ) { config in
            let kinds = ["mfa_totp_verify_enabled", "mfa_phone_verify_enabled", "mfa_web_authn_verify_enabled"]
            let known = kinds.compactMap { config[$0]?.bool }
            guard !known.isEmpty else { return nil }
            return known.contains(true) ? .info("Users can add a second factor.") : .warn("Users cannot add a second factor.")
        },
        managed(
            "password-change", "Password change on an old session", "Anyone who finds an unlocked device can steal the account.",
            "Turn on \"Secure password change\".", "/password-security", "ProviderBehavior.passwordChangeOnOldSession"
        ) { config in
            config["security_update_password_require_reauthentication"]?.bool.map {
                $0
                    ? .info("A password change on an old session asks for a code.")
                    : .warn("A password change works on a session of any age.")
            }
        },
        managed(
            "address-change", "Both addresses confirm a change",
            "Anyone with the session can move the account to another address.",
            "Turn on \"Secure email change\".", "/general-configuration", "ProviderBehavior.sessionAfterAddressChange"
        ) { config in
            config["mailer_secure_email_change_enabled"]?.bool.map {
                $0 ? .info("Both addresses confirm a change.") : .warn("Only the new address confirms a change.")
            }
        },
        managed(
            "test-numbers", "Test numbers", "Everyone who knows a test number and its code can sign in.",
            "Remove the test numbers.", "/phone-login", "Capability.phoneCode"
        ) { config in
            guard config["sms_test_otp"] != nil || config["sms_otp_exp"] != nil else { return nil }
            return config["sms_test_otp"]?.string?.isEmpty ?? true
                ? .info("There are no test numbers.") : .fail("There are test numbers with a fixed code.")
        },
        managed(
            "unverified-sign-in", "Sign-ins need a verified address", "Anyone can sign in with the address of another person.",
            "Turn off sign-ins with unverified email addresses.", "/general-configuration", "ProviderBehavior.signUpProof"
        ) { config in
            config["mailer_allow_unverified_email_sign_ins"]?.bool.map {
                $0
                    ? .fail("A user with an unverified address can sign in.")
                    : .info("A user with an unverified address cannot sign in.")
            }
        },
        managed(
            "rate-limits", "Limits for wrong codes", "Without a low limit, attackers can guess codes.",
            "Set the limits for token verifications and sent codes to 360 or less.", "/rate-limits",
            "AuthError.Code.tooManyRequests"
        ) { config in
            let names = ["rate_limit_verify", "rate_limit_otp"]
            let limits = names.compactMap { config[$0]?.int }
            guard limits.count == names.count, let highest = limits.max() else { return nil }
            return highest > 360
                ? .warn("One IP address may try \(highest) codes in a few minutes.")
                : .info("One IP address may try at most \(highest) codes in a few minutes.")
        },
        managed(
            "linking", "Users link identities",
            "Without manual linking, anonymous users who sign up through an identity provider lose their data.",
            "Turn on \"Manual linking\".", "/auth-identity-linking", "Capability.linking"
        ) { config in
            config["security_manual_linking_enabled"]?.bool.map {
                $0 ? .info("Users can link identities.") : .warn("Users cannot link identities.")
            }
        },
        .unreported(
            "gotrue.sms-regions", "Regions of text messages",
            "Fraudsters can make you send expensive messages to their own numbers.",
            "Allow only the regions of your users in the dashboard of the SMS provider.", docs + "/phone-login",
            "Capability.phoneCode"),
    ]

    private static func managed(
        _ name: String, _ subject: String, _ reason: String, _ remedy: String, _ page: String, _ touches: String,
        judge: @escaping @Sendable (JSON) -> Judgement?
    ) -> Rule {
        managed(name, subject, reason, remedy, page, touches) { config, _ in judge(config) }
    }

    private static func managed(
        _ name: String, _ subject: String, _ reason: String, _ remedy: String, _ page: String, _ touches: String,
        judge: @escaping @Sendable (JSON, Facts) -> Judgement?
    ) -> Rule {
        Rule(
            id: "gotrue.\(name)", subject: subject, source: .management, reason: reason, remedy: remedy, link: docs + page,
            touches: touches, judge: judge)
    }
}

extension JSON {
    /// The number, which may have a fraction.
    var number: Double? { double }
}

extension Substring {
    /// The text without spaces at both ends.
    var trimmed: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
