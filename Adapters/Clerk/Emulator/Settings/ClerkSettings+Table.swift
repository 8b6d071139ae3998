public import LockstepEmulation
import LockstepPasswords
import LockstepPrimitives

extension ClerkSettings: EmulatorSettings {
    /// The emulator's default settings.
    public var standard: ClerkSettings { ClerkSettings() }

    /// Checks that settings do not contradict each other.
    ///
    /// - Throws: ``ClerkSettingsError`` if they do.
    public mutating func settle() throws { try check() }

    /// All settings by their names in a file, in the order in which the emulator reads them.
    ///
    /// A name may begin with `CLERK_`, and may be in upper or lower case.
    public static let table = SettingTable<ClerkSettings>(
        sections + [ProviderSetting.section] + Extension.all.compactMap(\.settings),
        others: { name in
            ProviderSetting.find(name) ?? Extension.all.lazy.compactMap { $0.setting(name) }.first
        },
        spelling: { written in
            let upper = written.uppercased()
            return [upper.hasPrefix("CLERK_") ? String(upper.dropFirst(6)) : upper]
        })

    private typealias Setting = LockstepEmulation.Setting<ClerkSettings>
    private typealias Section = SettingTable<ClerkSettings>.Section

    private static let sections = [
        Section("Users") {
            Setting("APPLICATION_NAME", \.applicationName, .text)
            Setting("EMAIL_ADDRESS", \.emailAddress, .choice)
            Setting("PHONE_NUMBER", \.phoneNumber, .choice)
            Setting("USERNAME", \.username, .choice)
            Setting("FIRST_NAME", \.firstName, .choice)
            Setting("LAST_NAME", \.lastName, .choice)
            Setting("PASSWORD", \.password, .choice)
        },
        Section("Sign-in and sign-up") {
            Setting("EMAIL_VERIFICATION", \.emailVerification, .choices())
            Setting("EMAIL_SIGN_IN", \.emailSignIn, .choices())
            Setting("VERIFY_EMAIL_AT_SIGN_UP", \.verifiesEmailAtSignUp, .flag)
            Setting("VERIFY_PHONE_AT_SIGN_UP", \.verifiesPhoneAtSignUp, .flag)
            Setting("PHONE_CODE_SIGN_IN", \.signsInByPhoneCode, .flag)
            Setting("PASSWORD_SIGN_IN", \.signsInByPassword, .flag)
            Setting("SECOND_FACTORS", \.secondFactors, .choices())
            Setting("SIGN_UP_MODE", \.signUpMode, .choice)
            Setting("CAPTCHA", \.asksForCaptcha, .flag)
            Setting("LEGAL_CONSENT", \.requiresLegalConsent, .flag)
        },
        Section("Instance") {
            Setting("SINGLE_SESSION", \.isSingleSession, .flag)
            Setting("NATIVE_API", \.allowsNativeAPI, .flag)
            Setting("TEST_MODE", \.isTestMode, .flag)
            Setting("CLIENT_TRUST", \.asksNewClients, .flag)
            Setting("REVERIFICATION", \.asksAgain, .flag)
            Setting("DELETE_SELF", \.allowsDeletingSelf, .flag)
            Setting("ENUMERATION_PROTECTION", \.hidesAccounts, .flag)
            Setting("EMAIL_LINK_SAME_CLIENT", \.bindsLinksToClient, .flag)
            Setting("PII_PROTECTION", \.hidesPersonalData, .flag)
            Setting("SECOND_FACTOR_AFTER_TICKET", \.asksSecondFactorAfterTicket, .flag)
        },
        Section("Passwords and user names") {
            Setting("PASSWORD_MIN_LENGTH", \.passwordPolicy.minimumLength, .number(4...72))
            Setting("PASSWORD_MAX_LENGTH", \.passwordPolicy.maximumLength, .number(8...72))
            Setting("PASSWORD_REQUIRE_SPECIAL_CHAR", \.passwordPolicy.requiresSign, .flag)
            Setting("PASSWORD_REQUIRE_NUMBERS", \.passwordPolicy.requiresDigit, .flag)
            Setting("PASSWORD_REQUIRE_UPPERCASE", \.passwordPolicy.requiresUpperCase, .flag)
            Setting("PASSWORD_REQUIRE_LOWERCASE", \.passwordPolicy.requiresLowerCase, .flag)
            Setting("PASSWORD_HIBP", \.passwordPolicy.refusesKnownLeaks, .flag)
            Setting("PASSWORD_COST", \.passwordCost, .choice)
            Setting("USERNAME_MIN_LENGTH", \.usernameRules.minimumLength, .number(1...64))
            Setting("USERNAME_MAX_LENGTH", \.usernameRules.maximumLength, .number(1...64))
            Setting("USERNAME_EXTENDED_CHARACTERS", \.usernameRules.allowsSigns, .flag)
        },
        Section("Limits") {
            Setting("ATTEMPTS_PER_VERIFICATION", \.attemptsPerVerification, .number(1...1000))
            Setting(
                "LOCKOUT_ATTEMPTS", \.lockoutAttempts,
                .optional(.number(5...1_000_000), none: "off"))
            Setting("LOCKOUT_SECONDS", \.lockoutDuration, .seconds(1...31_536_000))
            Setting("RESEND_SECONDS", \.resendInterval, .optional(.seconds(1...86400), none: "off"))
            Setting("RATE_LIMITS", \.limitsRates, .flag)
            Setting("BACKEND_RATE_LIMIT", \.backendRateLimit, .number(1...1_000_000))
            Setting("USER_LIMIT", \.userLimit, .optional(.number(1...Int.max), none: "off"))
        },
        Section("Keys and webhook") {
            Setting(
                "WEBHOOK_URL", \.webhookURL,
                .optional(.text.when("a plain http:// address on this machine", LoopbackClient.reaches), none: "off")
            )
            Setting("SECRET_KEY", \.secretKey, .optional(.secretKey)).fixed
            Setting("WEBHOOK_SECRET", \.webhookSecret, .optional(.webhookSecret))
        },
        Section("Restrictions") {
            Setting("ALLOWLIST", \.restrictions.hasAllowlist, .flag)
            Setting("BLOCKLIST", \.restrictions.hasBlocklist, .flag)
            Setting("LISTS_OFF_AT_SIGN_IN", \.restrictions.ignoresListsAtSignIn, .flag)
            Setting("BLOCK_EMAIL_SUBADDRESSES", \.restrictions.refusesSubaddresses, .flag)
        },
        Section("Passkeys") {
            Setting("PASSKEYS", \.passkeys.isEnabled, .flag)
            Setting("PASSKEY_RP_ID", \.passkeys.relyingParty, .text)
            Setting("PASSKEY_ORIGINS", \.passkeys.origins, .origins)
        },
        Section("Organizations") {
            Setting("ORGANIZATIONS", \.organizations.isEnabled, .flag)
            Setting("ORGANIZATION_MEMBERS", \.organizations.membershipLimit, .number(0...1_000_000))
            Setting("ORGANIZATION_ADMIN_DELETE", \.organizations.allowsAdminDelete, .flag)
            Setting("ORGANIZATION_SLUGS", \.organizations.hasSlugs, .flag)
            Setting("ORGANIZATION_DOMAINS", \.organizations.hasDomains, .flag)
            Setting("ORGANIZATION_ENROLLMENT", \.organizations.enrollmentModes, .choices())
            Setting("ORGANIZATION_SELECTION", \.organizations.isSelectionForced, .flag)
        },
        Section("Lifetimes") {
            Setting("CODE_SECONDS", \.codeLifetime, .longSeconds)
            Setting("LINK_SECONDS", \.linkLifetime, .longSeconds)
            Setting("ATTEMPT_SECONDS", \.attemptLifetime, .longSeconds)
            Setting("SESSION_SECONDS", \.sessionLifetime, .longSeconds)
            Setting("SESSION_INACTIVITY_SECONDS", \.sessionInactivity, .longSeconds)
            Setting("TOKEN_SECONDS", \.tokenLifetime, .longSeconds)
            Setting("CLIENT_TOKEN_GRACE_SECONDS", \.clientTokenGrace, .longSeconds)
        },
    ]
}

/// Settings that a file divides differently from the properties.
extension ClerkSettings {
    fileprivate var passwordCost: PasswordCost {
        get { usesCheapHashes ? .least : .real }
        set { usesCheapHashes = newValue == .least }
    }

    fileprivate var lockoutAttempts: Int? {
        get { lockout?.attempts }
        set { lockout = newValue.map { LockoutRule(attempts: $0, duration: lockoutDuration) } }
    }

    fileprivate var lockoutDuration: Duration {
        get { lockout?.duration ?? LockoutRule().duration }
        set { lockout = LockoutRule(attempts: lockout?.attempts ?? LockoutRule().attempts, duration: newValue) }
    }
}

extension SettingKind<Bool> {
    static var flag: SettingKind {
        SettingKind(
            "true or false",
            read: { value in
                switch value.settingText?.lowercased() {
                case "true", "on", "yes", "1": true
                case "false", "off", "no", "0": false
                default: nil
                }
            }, write: { .bool($0) })
    }
}

extension SettingKind<Duration> {
    /// Returns the kind for a number of seconds, up to a thousand years.
    fileprivate static var longSeconds: SettingKind { seconds(1...31_536_000_000) }
}

extension SettingKind<Secret> {
    fileprivate static var secretKey: SettingKind {
        secret.when("sk_test_ and at least 16 letters or digits") { secret in
            let letters = secret.reveal().utf8.dropFirst(8)
            return secret.reveal().hasPrefix("sk_test_") && letters.count >= 16 && letters.allSatisfy(\.isLetterOrDigit)
        }
    }

    fileprivate static var webhookSecret: SettingKind {
        secret.when("whsec_ and base 64") { secret in
            secret.reveal().hasPrefix("whsec_") && Base64.decode(secret.reveal().dropFirst(6)) != nil
        }
    }
}

extension SettingKind<[String]> {
    fileprivate static var origins: SettingKind {
        list().when("origins of pages, separated by commas") { $0.allSatisfy { $0.contains(bytesOf: "://") } && !$0.isEmpty }
    }
}

extension SettingKind {
    /// Returns the kind for some words of a set, or `none`.
    fileprivate static func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable & SendableMetatype>()
        -> SettingKind
    where Value == Set<Choice> {
        let words = SettingKind<[String]>.list()
        return SettingKind(
            "none, or some of \(Choice.allCases.map(\.rawValue).joined(separator: ","))",
            read: { value in
                if value.string == "none" { return [] }
                guard let texts = words.read(value), !texts.isEmpty else { return nil }
                let choices = texts.compactMap { Choice(rawValue: $0) }
                return choices.count == texts.count ? Set(choices) : nil
            }, write: { .string($0.isEmpty ? "none" : $0.map(\.rawValue).sorted().joined(separator: ",")) })
    }
}
