internal import LockstepEmulation
import LockstepPrimitives

/// One setting by name: how its text is read, and where it goes.
struct SettingName: Sendable {
    let name: String
    /// The values that it takes, for the error message.
    let takes: String
    /// Puts the value into the settings; `false` where the text is not such a value.
    let apply: @Sendable (inout ClerkSettings, String) -> Bool
}

extension SettingName {
    static func text(_ name: String, _ path: any WritableKeyPath<ClerkSettings, String> & Sendable) -> SettingName {
        SettingName(name: name, takes: "a text") { settings, text in
            guard !text.isEmpty else { return false }
            settings[keyPath: path] = text
            return true
        }
    }

    static func flag(_ name: String, _ path: any WritableKeyPath<ClerkSettings, Bool> & Sendable) -> SettingName {
        SettingName(name: name, takes: "true or false") { settings, text in
            switch text.lowercased() {
            case "true", "on", "yes", "1": settings[keyPath: path] = true
            case "false", "off", "no", "0": settings[keyPath: path] = false
            default: return false
            }
            return true
        }
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ path: any WritableKeyPath<ClerkSettings, Choice> & Sendable
    ) -> SettingName {
        SettingName(name: name, takes: "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))") { settings, text in
            guard let choice = Choice(rawValue: text) else { return false }
            settings[keyPath: path] = choice
            return true
        }
    }

    static func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable & SendableMetatype>(
        _ name: String, _ path: any WritableKeyPath<ClerkSettings, Set<Choice>> & Sendable
    ) -> SettingName {
        SettingName(name: name, takes: "none, or some of \(Choice.allCases.map(\.rawValue).joined(separator: ","))") {
            settings, text in
            guard text != "none" else {
                settings[keyPath: path] = []
                return true
            }
            let choices = text.pieces(at: ",").map { Choice(rawValue: String($0).trimmed) }
            guard !choices.isEmpty, choices.allSatisfy({ $0 != nil }) else { return false }
            settings[keyPath: path] = Set(choices.compactMap(\.self))
            return true
        }
    }

    static func number(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<ClerkSettings, Int> & Sendable
    ) -> SettingName {
        SettingName(name: name, takes: "a whole number from \(range.lowerBound) to \(range.upperBound)") { settings, text in
            guard let number = Int(text), range.contains(number) else { return false }
            settings[keyPath: path] = number
            return true
        }
    }

    static func seconds(_ name: String, _ path: any WritableKeyPath<ClerkSettings, Duration> & Sendable) -> SettingName {
        SettingName(name: name, takes: "a number of seconds, 1 or more") { settings, text in
            guard let seconds = Int64(text), (1...31_536_000_000).contains(seconds) else { return false }
            settings[keyPath: path] = .seconds(seconds)
            return true
        }
    }
}

/// Every setting that `lockstep serve clerk` takes from a file.
extension SettingName {
    static let all: [SettingName] = [
        .text("APPLICATION_NAME", \.applicationName),
        .choice("EMAIL_ADDRESS", \.emailAddress),
        .choice("PHONE_NUMBER", \.phoneNumber),
        .choice("USERNAME", \.username),
        .choice("FIRST_NAME", \.firstName),
        .choice("LAST_NAME", \.lastName),
        .choice("PASSWORD", \.password),
        .choices("EMAIL_VERIFICATION", \.emailVerification),
        .choices("EMAIL_SIGN_IN", \.emailSignIn),
        .flag("VERIFY_EMAIL_AT_SIGN_UP", \.verifiesEmailAtSignUp),
        .flag("VERIFY_PHONE_AT_SIGN_UP", \.verifiesPhoneAtSignUp),
        .flag("PHONE_CODE_SIGN_IN", \.signsInByPhoneCode),
        .flag("PASSWORD_SIGN_IN", \.signsInByPassword),
        .choices("SECOND_FACTORS", \.secondFactors),
        .choice("SIGN_UP_MODE", \.signUpMode),
        .flag("CAPTCHA", \.asksForCaptcha),
        .flag("LEGAL_CONSENT", \.requiresLegalConsent),
        .flag("SINGLE_SESSION", \.isSingleSession),
        .flag("NATIVE_API", \.allowsNativeAPI),
        .flag("TEST_MODE", \.isTestMode),
        .flag("CLIENT_TRUST", \.asksNewClients),
        .flag("REVERIFICATION", \.asksAgain),
        .flag("DELETE_SELF", \.allowsDeletingSelf),
        .flag("ENUMERATION_PROTECTION", \.hidesAccounts),
        .flag("EMAIL_LINK_SAME_CLIENT", \.bindsLinksToClient),
        .flag("PII_PROTECTION", \.hidesPersonalData),
        .flag("SECOND_FACTOR_AFTER_TICKET", \.asksSecondFactorAfterTicket),
        .number("PASSWORD_MIN_LENGTH", 4...72, \.passwordPolicy.minimumLength),
        .number("PASSWORD_MAX_LENGTH", 8...72, \.passwordPolicy.maximumLength),
        .flag("PASSWORD_REQUIRE_SPECIAL_CHAR", \.passwordPolicy.requiresSign),
        .flag("PASSWORD_REQUIRE_NUMBERS", \.passwordPolicy.requiresDigit),
        .flag("PASSWORD_REQUIRE_UPPERCASE", \.passwordPolicy.requiresUpperCase),
        .flag("PASSWORD_REQUIRE_LOWERCASE", \.passwordPolicy.requiresLowerCase),
        .flag("PASSWORD_HIBP", \.passwordPolicy.refusesKnownLeaks),
        SettingName(name: "PASSWORD_COST", takes: "real or least") { settings, text in
            guard ["real", "least"].contains(text) else { return false }
            settings.usesCheapHashes = text == "least"
            return true
        },
        .number("USERNAME_MIN_LENGTH", 1...64, \.usernameRules.minimumLength),
        .number("USERNAME_MAX_LENGTH", 1...64, \.usernameRules.maximumLength),
        .flag("USERNAME_EXTENDED_CHARACTERS", \.usernameRules.allowsSigns),
        .number("ATTEMPTS_PER_VERIFICATION", 1...1000, \.attemptsPerVerification),
        SettingName(name: "LOCKOUT_ATTEMPTS", takes: "off, or a whole number from 5 on") { settings, text in
            if text == "off" {
                settings.lockout = nil
                return true
            }
            guard let attempts = Int(text), (5...1_000_000).contains(attempts) else { return false }
            settings.lockout = LockoutRule(attempts: attempts, duration: settings.lockout?.duration ?? .seconds(3600))
            return true
        },
        SettingName(name: "LOCKOUT_SECONDS", takes: "a number of seconds, 1 or more") { settings, text in
            guard let seconds = Int64(text), (1...31_536_000).contains(seconds) else { return false }
            settings.lockout = LockoutRule(attempts: settings.lockout?.attempts ?? 100, duration: .seconds(seconds))
            return true
        },
        SettingName(name: "RESEND_SECONDS", takes: "off, or a number of seconds") { settings, text in
            guard text != "off" else {
                settings.resendInterval = nil
                return true
            }
            guard let seconds = Int64(text), (1...86400).contains(seconds) else { return false }
            settings.resendInterval = .seconds(seconds)
            return true
        },
        .flag("RATE_LIMITS", \.limitsRates),
        SettingName(name: "USER_LIMIT", takes: "off, or a whole number from 1 on") { settings, text in
            guard text != "off" else {
                settings.userLimit = nil
                return true
            }
            guard let limit = Int(text), limit > 0 else { return false }
            settings.userLimit = limit
            return true
        },
        SettingName(name: "WEBHOOK_URL", takes: "off, or a plain http:// address on this machine") { settings, text in
            guard text != "off" else {
                settings.webhookURL = nil
                return true
            }
            guard LoopbackClient.reaches(text) else { return false }
            settings.webhookURL = text
            return true
        },
        SettingName(name: "SECRET_KEY", takes: "sk_test_ and at least 16 letters or digits") { settings, text in
            let letters = text.utf8.dropFirst(8)
            guard text.hasPrefix("sk_test_"), letters.count >= 16, letters.allSatisfy(\.isASCIILetterOrDigit) else {
                return false
            }
            settings.secretKey = Secret(text)
            return true
        },
        SettingName(name: "WEBHOOK_SECRET", takes: "whsec_ and base 64") { settings, text in
            guard text.hasPrefix("whsec_"), Base64.decode(text.dropFirst(6)) != nil else { return false }
            settings.webhookSecret = Secret(text)
            return true
        },
        .flag("ALLOWLIST", \.restrictions.hasAllowlist),
        .flag("BLOCKLIST", \.restrictions.hasBlocklist),
        .flag("LISTS_OFF_AT_SIGN_IN", \.restrictions.ignoresListsAtSignIn),
        .flag("BLOCK_EMAIL_SUBADDRESSES", \.restrictions.refusesSubaddresses),
        .flag("PASSKEYS", \.passkeys.isEnabled),
        .text("PASSKEY_RP_ID", \.passkeys.relyingParty),
        SettingName(name: "PASSKEY_ORIGINS", takes: "origins of pages, separated by commas") { settings, text in
            let origins = text.pieces(at: ",").map { String($0).trimmed }
            guard !origins.isEmpty, origins.allSatisfy({ $0.contains("://") }) else { return false }
            settings.passkeys.origins = origins
            return true
        },
        .flag("ORGANIZATIONS", \.organizations.isEnabled),
        .number("ORGANIZATION_MEMBERS", 0...1_000_000, \.organizations.membershipLimit),
        .flag("ORGANIZATION_ADMIN_DELETE", \.organizations.allowsAdminDelete),
        .flag("ORGANIZATION_SLUGS", \.organizations.hasSlugs),
        .flag("ORGANIZATION_DOMAINS", \.organizations.hasDomains),
        .choices("ORGANIZATION_ENROLLMENT", \.organizations.enrollmentModes),
        .flag("ORGANIZATION_SELECTION", \.organizations.isSelectionForced),
        .flag("ENTERPRISE_SELF_SERVE", \.enterprise.isSelfServed),
        .seconds("CODE_SECONDS", \.codeLifetime),
        .seconds("LINK_SECONDS", \.linkLifetime),
        .seconds("ATTEMPT_SECONDS", \.attemptLifetime),
        .seconds("SESSION_SECONDS", \.sessionLifetime),
        .seconds("SESSION_INACTIVITY_SECONDS", \.sessionInactivity),
        .seconds("TOKEN_SECONDS", \.tokenLifetime),
        .seconds("CLIENT_TOKEN_GRACE_SECONDS", \.clientTokenGrace),
    ]
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}
