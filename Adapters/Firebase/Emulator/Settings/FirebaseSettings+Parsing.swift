internal import LockstepEmulation
public import LockstepPrimitives

extension FirebaseSettings {
    /// Reads a configuration in JSON: an object of the names that `docs/firebase-emulator.md` lists, grouped or dotted
    /// (`{"limits": {"failedSignIns": 5}}` or `{"limits.failedSignIns": 5}`).
    ///
    /// - Throws: ``SettingsError`` that names the first setting that is unknown or has a wrong value.
    public init(json: JSON) throws(SettingsError) {
        guard let members = json.object else { throw SettingsError("The configuration must be a JSON object.") }
        try self.init(pairs: Self.flattened(members, under: ""))
    }

    /// Reads pairs `name=value`, one a line; empty lines and lines that begin with `#` are skipped.
    ///
    /// - Throws: ``SettingsError``.
    public init(lines: some Sequence<String>) throws(SettingsError) {
        var pairs: [(String, JSON)] = []
        for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            guard let mark = line.unicodeScalars.firstIndex(of: "=") else {
                throw SettingsError("Line \(index + 1) of the settings is not name=value.")
            }
            let value = String(line[line.unicodeScalars.index(after: mark)...])
            pairs.append((String(line[..<mark]), (try? JSON.parse(value)) ?? .string(value)))
        }
        try self.init(pairs: pairs)
    }

    private init(pairs: [(name: String, value: JSON)]) throws(SettingsError) {
        let mode = pairs.last { $0.name == "mode" }?.value
        if let mode, mode.string.flatMap(FirebaseMode.init) == nil {
            throw SettingsError("The setting mode must be “emulator” or “strict”.")
        }
        self.init(mode: mode?.string.flatMap(FirebaseMode.init) ?? .emulator)
        for (name, value) in pairs where name != "mode" {
            guard let key = Self.keys[name] else {
                let near = Self.keys.keys.filter { $0.lowercased().contains(name.lowercased()) }.sorted().first
                throw SettingsError("There is no setting “\(name)”" + (near.map { "; did you mean “\($0)”?" } ?? "."))
            }
            guard key.set(&self, value) else { throw SettingsError("The setting \(name) must be \(key.wants).") }
        }
    }

    private static func flattened(_ members: JSONObject, under prefix: String) -> [(name: String, value: JSON)] {
        members.flatMap { name, value -> [(name: String, value: JSON)] in
            let name = prefix + name
            // The values of some settings are objects themselves.
            if keys[name] == nil, let inner = value.object { return flattened(inner, under: name + ".") }
            return [(name, value)]
        }
    }
}

extension FirebaseSettings {
    static let keys: [String: SettingKey] = [
        "project": .text(\.project), "projectNumber": .text(\.projectNumber), "apiKey": .text(\.apiKey),
        "refusesOtherProjects": .flag(\.refusesOtherProjects),
        "signIn.password": .method(.password), "signIn.emailLink": .method(.emailLink), "signIn.anonymous": .method(.anonymous),
        "signIn.phone": .method(.phone), "signIn.identityProvider": .method(.identityProvider),
        "signIn.passkey": .method(.passkey),
        "allowsDuplicateEmails": .flag(\.allowsDuplicateEmails), "protectsEmails": .flag(\.protectsEmails),
        "asksForCaptcha": .flag(\.asksForCaptcha),
        "allowsTimeFactors": .flag(\.allowsTimeFactors), "recentSignIn": .seconds(\.recentSignIn),
        // A function that never answers keeps a request, and a thread, for that long.
        "functionDeadline": SettingKey(wants: "a number of seconds above 0 and up to 600") { settings, value in
            guard let seconds = value.double, seconds > 0, .seconds(seconds) <= FirebaseSettings.longestFunctionDeadline else {
                return false
            }
            settings.functionDeadline = .milliseconds(Int64(seconds * 1000))
            return true
        },
        "functionsEmulator": SettingKey(wants: "a plain http:// address on this machine without a path, or null") {
            settings, value in
            if value.isNull {
                settings.functionsEmulator = nil
                return true
            }
            guard let text = value.string, LoopbackClient.reaches(text) else { return false }
            let address = text.hasSuffix("/") ? String(text.dropLast()) : text
            guard !address.dropFirst("http://".count).contains(where: { "/?#".contains($0) }) else { return false }
            settings.functionsEmulator = address
            return true
        },
        "lifetimes.passwordReset": .seconds(\.lifetimes.passwordReset),
        "lifetimes.verification": .seconds(\.lifetimes.verification), "lifetimes.signInLink": .seconds(\.lifetimes.signInLink),
        "lifetimes.textMessage": .seconds(\.lifetimes.textMessage),
        "lifetimes.pendingFactor": .seconds(\.lifetimes.pendingFactor),
        "limits.failedSignIns": .count(\.limits.failedSignIns), "limits.signUpsPerHour": .count(\.limits.signUpsPerHour),
        "limits.mailInterval": .seconds(\.limits.mailInterval),
        "passwordPolicy.enforced": .flag(\.passwordPolicy.isEnforced),
        "passwordPolicy.enforcedAtSignIn": .flag(\.passwordPolicy.isEnforcedAtSignIn),
        "passwordPolicy.minimumLength": .whole(\.passwordPolicy.minimumLength, 6...30),
        "passwordPolicy.maximumLength": .whole(\.passwordPolicy.maximumLength, 30...4096),
        "passwordPolicy.needsLowercase": .flag(\.passwordPolicy.needsLowercase),
        "passwordPolicy.needsUppercase": .flag(\.passwordPolicy.needsUppercase),
        "passwordPolicy.needsDigit": .flag(\.passwordPolicy.needsDigit),
        "passwordPolicy.needsSymbol": .flag(\.passwordPolicy.needsSymbol),
        "hashing.rounds": .whole(\.hashing.rounds, 1...8), "hashing.memoryCost": .whole(\.hashing.memoryCost, 1...14),
        "hashing.saltSeparator": SettingKey(wants: "bytes in base 64") { settings, value in
            guard let text = value.string, Base64.decode(text) != nil else { return false }
            settings.hashing.saltSeparator = text
            return true
        },
        "hashing.signerKey": SettingKey(wants: "64 bytes in base 64") { settings, value in
            guard let text = value.string, Base64.decode(text)?.count == 64 else { return false }
            settings.hashing.signerKey = text
            return true
        },
        "authorizedDomains": .texts(\.authorizedDomains, "a list of host names"),
        "passkeys.relyingParty": .text(\.passkeys.relyingParty),
        "passkeys.origins": .texts(\.passkeys.origins, "a list of origins such as \"http://localhost:3000\""),
        "customTokenKeys": SettingKey(wants: "a JWK set") { settings, value in
            guard value["keys"]?.array != nil else { return false }
            settings.customTokenKeys = value
            return true
        },
        "identityProviders": SettingKey(
            wants: "an object of {\"apple.com\": {\"issuer\": …, \"audiences\": […], \"keys\": a JWK set, \"needsNonce\": true, "
                + "\"client\": {\"authorization\": …, \"token\": …, \"id\": …, \"secret\": …}}}, "
                + "with provider ids in lower case"
        ) { settings, value in
            guard let providers = value.object else { return false }
            for (provider, trust) in providers {
                guard provider == provider.lowercased(), let issuer = trust["issuer"]?.string,
                    let audiences = trust["audiences"]?.array?.compactMap(\.string),
                    let keys = trust["keys"], keys["keys"]?.array != nil
                else { return false }
                var trusted = TrustedIssuer(
                    issuer: issuer, audiences: audiences, keys: keys,
                    needsNonce: trust["needsNonce"]?.bool ?? (provider == ProviderID.apple))
                if let client = trust["client"] {
                    guard let authorization = client["authorization"]?.string, let token = client["token"]?.string,
                        let id = client["id"]?.string
                    else { return false }
                    trusted.client = ProviderClient(
                        authorization: authorization, token: token, id: id, secret: client["secret"]?.string ?? "")
                }
                settings.identityProviders[provider] = trusted
            }
            return true
        },
    ]
}

/// The parsing of one setting.
struct SettingKey: Sendable {
    /// The expected value, for the error.
    let wants: String
    /// Sets it; false where the value is wrong.
    let set: @Sendable (inout FirebaseSettings, JSON) -> Bool

    static func flag(_ path: any WritableKeyPath<FirebaseSettings, Bool> & Sendable) -> SettingKey {
        SettingKey(wants: "true or false") { settings, value in
            guard let flag = value.bool else { return false }
            settings[keyPath: path] = flag
            return true
        }
    }

    static func method(_ method: SignInMethods) -> SettingKey {
        SettingKey(wants: "true or false") { settings, value in
            guard let flag = value.bool else { return false }
            if flag { settings.methods.insert(method) } else { settings.methods.remove(method) }
            return true
        }
    }

    static func text(_ path: any WritableKeyPath<FirebaseSettings, String> & Sendable) -> SettingKey {
        SettingKey(wants: "a text that is not empty") { settings, value in
            let text = value.string ?? value.int.map { String($0) }
            guard let text, !text.isEmpty else { return false }
            settings[keyPath: path] = text
            return true
        }
    }

    static func texts(_ path: any WritableKeyPath<FirebaseSettings, [String]> & Sendable, _ wants: String) -> SettingKey {
        SettingKey(wants: wants) { settings, value in
            guard let texts = value.array?.map(\.string), texts.allSatisfy({ $0 != nil }) else { return false }
            settings[keyPath: path] = texts.compactMap(\.self)
            return true
        }
    }

    static func whole(_ path: any WritableKeyPath<FirebaseSettings, Int> & Sendable, _ range: ClosedRange<Int>) -> SettingKey {
        SettingKey(wants: "a whole number from \(range.lowerBound) to \(range.upperBound)") { settings, value in
            guard let number = value.int.flatMap({ Int(exactly: $0) }), range.contains(number) else { return false }
            settings[keyPath: path] = number
            return true
        }
    }

    static func count(_ path: any WritableKeyPath<FirebaseSettings, Int?> & Sendable) -> SettingKey {
        SettingKey(wants: "a whole number above 0, or null for no limit") { settings, value in
            if value.isNull {
                settings[keyPath: path] = nil
                return true
            }
            guard let number = value.int.flatMap({ Int(exactly: $0) }), number > 0 else { return false }
            settings[keyPath: path] = number
            return true
        }
    }

    static func seconds(_ path: any WritableKeyPath<FirebaseSettings, Duration?> & Sendable) -> SettingKey {
        SettingKey(wants: "a number of seconds above 0, or null for no limit") { settings, value in
            if value.isNull {
                settings[keyPath: path] = nil
                return true
            }
            guard let seconds = value.double, seconds > 0, seconds < 1e12 else { return false }
            settings[keyPath: path] = .milliseconds(Int64(seconds * 1000))
            return true
        }
    }
}

/// An invalid configuration.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence with the error and its remedy.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
