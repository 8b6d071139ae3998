public import LockstepEmulation
internal import LockstepPrimitives

extension FirebaseSettings: EmulatorSettings {
    /// The default settings of the mode.
    public var standard: FirebaseSettings { FirebaseSettings(mode: mode) }

    /// Does nothing, because these settings cannot contradict each other.
    public mutating func settle() {}

    private typealias Section = SettingTable<FirebaseSettings>.Section
    private typealias Setting = LockstepEmulation.Setting<FirebaseSettings>

    /// All settings with their names in a settings file, in the order in which the emulator reads them.
    public static let table = SettingTable([
        Section("Project") {
            // This setting is constant while a server runs, and comes first.
            Setting(
                "mode", wants: "“emulator” or “strict”", read: { $1.string == $0.mode.rawValue },
                write: { .string($0.mode.rawValue) }
            ).fixed
            Setting("project", \.project, .plainText).fixed
            Setting("projectNumber", \.projectNumber, .plainText)
            Setting("apiKey", \.apiKey, .plainText)
            Setting("refusesOtherProjects", \.refusesOtherProjects, .flag)
            Setting("authorizedDomains", \.authorizedDomains, .texts("a list of host names"))
        },
        Section("Sign-in") {
            Setting.method("password", .password)
            Setting.method("emailLink", .emailLink)
            Setting.method("anonymous", .anonymous)
            Setting.method("phone", .phone)
            Setting.method("identityProvider", .identityProvider)
            Setting.method("passkey", .passkey)
            Setting("allowsDuplicateEmails", \.allowsDuplicateEmails, .flag)
            Setting("protectsEmails", \.protectsEmails, .flag)
            Setting("asksForCaptcha", \.asksForCaptcha, .flag)
            Setting("allowsTimeFactors", \.allowsTimeFactors, .flag)
            Setting("recentSignIn", \.recentSignIn, .life)
            Setting("passkeys.relyingParty", \.passkeys.relyingParty, .plainText)
            Setting(
                "passkeys.origins", \.passkeys.origins, .texts("a list of origins such as \"http://localhost:3000\""))
        },
        Section("Functions") {
            // A function without a response keeps a request, and a thread, for that long.
            Setting(
                "functionDeadline", \.functionDeadline,
                SettingKind.duration("a number of seconds above 0 and up to 600") { $0 <= longestFunctionDeadline })
            Setting("functionsEmulator", \.functionsEmulator, .optional(.emulatorAddress))
        },
        Section("Lifetimes") {
            Setting("lifetimes.passwordReset", \.lifetimes.passwordReset, .life)
            Setting("lifetimes.verification", \.lifetimes.verification, .life)
            Setting("lifetimes.signInLink", \.lifetimes.signInLink, .life)
            Setting("lifetimes.textMessage", \.lifetimes.textMessage, .life)
            Setting("lifetimes.pendingFactor", \.lifetimes.pendingFactor, .life)
        },
        Section("Limits") {
            Setting("limits.failedSignIns", \.limits.failedSignIns, .limit)
            Setting("limits.signUpsPerHour", \.limits.signUpsPerHour, .limit)
            Setting("limits.mailInterval", \.limits.mailInterval, .life)
        },
        Section("Passwords") {
            Setting("passwordPolicy.enforced", \.passwordPolicy.isEnforced, .flag)
            Setting("passwordPolicy.enforcedAtSignIn", \.passwordPolicy.isEnforcedAtSignIn, .flag)
            Setting("passwordPolicy.minimumLength", \.passwordPolicy.minimumLength, .number(6...30))
            Setting("passwordPolicy.maximumLength", \.passwordPolicy.maximumLength, .number(30...4096))
            Setting("passwordPolicy.needsLowercase", \.passwordPolicy.needsLowercase, .flag)
            Setting("passwordPolicy.needsUppercase", \.passwordPolicy.needsUppercase, .flag)
            Setting("passwordPolicy.needsDigit", \.passwordPolicy.needsDigit, .flag)
            Setting("passwordPolicy.needsSymbol", \.passwordPolicy.needsSymbol, .flag)
            Setting("hashing.rounds", \.hashing.rounds, .number(1...8)).fixed
            Setting("hashing.memoryCost", \.hashing.memoryCost, .number(1...14)).fixed
            Setting(
                "hashing.saltSeparator", \.hashing.saltSeparator,
                SettingKind<String>.plainText.when("bytes in base 64") { Base64.decode($0) != nil }
            ).fixed
            Setting("hashing.signerKey", \.hashing.signerKey, .optional(.signerKey)).fixed
        },
        Section("Tokens of others") {
            Setting("customTokenKeys", \.customTokenKeys, .optional(.keySet))
            Setting.identityProviders
        },
    ])
}

extension Setting<FirebaseSettings> {
    fileprivate static func method(_ name: String, _ method: SignInMethods) -> Setting {
        Setting("signIn." + name, \.methods[bits: method.rawValue], .flag)
    }

    fileprivate static var identityProviders: Setting {
        Setting(
            "identityProviders",
            wants: "an object of {\"apple.com\": {\"issuer\": …, \"audiences\": […], \"keys\": a JWK set, \"needsNonce\": true, "
                + "\"client\": {\"authorization\": …, \"token\": …, \"id\": …, \"secret\": …}}}, with provider ids in lower case",
            read: { settings, value in
                guard let providers = value.object else { return false }
                for (provider, document) in providers {
                    guard provider == provider.lowercased(), let trusted = TrustedIssuer(document, of: provider) else {
                        return false
                    }
                    settings.identityProviders[provider] = trusted
                }
                return true
            }, write: { .array($0.identityProviders.keys.sorted().map(JSON.string)) })
    }
}

extension SignInMethods {
    fileprivate subscript(bits bits: Int) -> Bool {
        get { contains(SignInMethods(rawValue: bits)) }
        set { if newValue { insert(SignInMethods(rawValue: bits)) } else { remove(SignInMethods(rawValue: bits)) } }
    }
}

extension TrustedIssuer {
    fileprivate init?(_ document: JSON, of provider: String) {
        guard let issuer = document["issuer"]?.string, let audiences = document["audiences"]?.array?.compactMap(\.string),
            let keys = document["keys"], keys["keys"]?.array != nil
        else { return nil }
        self.init(
            issuer: issuer, audiences: audiences, keys: keys,
            needsNonce: document["needsNonce"]?.bool ?? (provider == ProviderID.apple))
        guard let client = document["client"] else { return }
        guard let authorization = client["authorization"]?.string, let token = client["token"]?.string,
            let id = client["id"]?.string
        else { return nil }
        self.client = ProviderClient(
            authorization: authorization, token: token, id: id, secret: client["secret"]?.string ?? "")
    }
}

extension SettingKind<Bool> {
    fileprivate static var flag: SettingKind { .flag((yes: [], no: [])) }
}

extension SettingKind<String> {
    /// A text that is not empty; a number is also accepted.
    fileprivate static var plainText: SettingKind {
        SettingKind(
            text.wants, read: { ($0.string ?? $0.int.map { String($0) }).flatMap { $0.isEmpty ? nil : $0 } },
            write: { .string($0) })
    }

    fileprivate static var signerKey: SettingKind {
        var kind = plainText.when("64 bytes in base 64") { Base64.decode($0)?.count == 64 }
        kind.isSecret = true
        return kind
    }

    fileprivate static var emulatorAddress: SettingKind {
        plainText.adjusted("a plain http:// address on this machine without a path, or null") { text in
            guard LoopbackClient.reaches(text) else { return nil }
            let address = text.hasSuffix("/") ? String(text.dropLast()) : text
            return address.dropFirst("http://".count).contains { "/?#".contains($0) } ? nil : address
        }
    }
}

extension SettingKind<[String]> {
    fileprivate static func texts(_ wants: String) -> SettingKind {
        SettingKind(wants, read: { $0.array == nil ? nil : list().read($0) }, write: { .array($0.map(JSON.string)) })
    }
}

extension SettingKind<JSON> {
    fileprivate static var keySet: SettingKind {
        SettingKind("a JWK set", read: { $0["keys"]?.array == nil ? nil : $0 }, write: { $0 })
    }
}

extension SettingKind<Int?> {
    fileprivate static var limit: SettingKind {
        .optional(SettingKind<Int>.number.when("a whole number above 0, or null for no limit") { $0 > 0 })
    }
}

extension SettingKind<Duration> {
    fileprivate static func duration(_ wants: String, _ isAllowed: @escaping @Sendable (Duration) -> Bool) -> SettingKind {
        SettingKind(
            wants,
            read: { value in
                guard let seconds = value.double, seconds > 0, seconds < 1e12 else { return nil }
                let duration = Duration.milliseconds(Int64(seconds * 1000))
                return isAllowed(duration) ? duration : nil
            },
            write: { duration in
                let milliseconds = duration.milliseconds
                return milliseconds % 1000 == 0 ? .int(milliseconds / 1000) : .double(Double(milliseconds) / 1000)
            })
    }
}

extension SettingKind<Duration?> {
    fileprivate static var life: SettingKind {
        .optional(.duration("a number of seconds above 0, or null for no limit") { _ in true })
    }
}
