internal import LockstepPrimitives

extension FirebaseSettings {
    static let keys: [String: SettingKey] = [
        "project": .text(\.project), "projectNumber": .text(\.projectNumber), "apiKey": .text(\.apiKey),
        "signIn.password": .method(.password), "signIn.emailLink": .method(.emailLink), "signIn.anonymous": .method(.anonymous),
        "signIn.phone": .method(.phone), "signIn.identityProvider": .method(.identityProvider),
        "allowsDuplicateEmails": .flag(\.allowsDuplicateEmails), "protectsEmails": .flag(\.protectsEmails),
        "allowsTimeFactors": .flag(\.allowsTimeFactors), "recentSignIn": .seconds(\.recentSignIn),
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
        "authorizedDomains": SettingKey(wants: "a list of host names") { settings, value in
            guard let domains = value.array?.map(\.string), domains.allSatisfy({ $0 != nil }) else { return false }
            settings.authorizedDomains = domains.compactMap(\.self)
            return true
        },
        "customTokenKeys": SettingKey(wants: "a JWK set") { settings, value in
            guard value["keys"]?.array != nil else { return false }
            settings.customTokenKeys = value
            return true
        },
        "identityProviders": SettingKey(
            wants: "an object of {\"apple.com\": {\"issuer\": …, \"audiences\": […], \"keys\": a JWK set, \"needsNonce\": true}}"
        ) { settings, value in
            guard let providers = value.object else { return false }
            for (provider, trust) in providers {
                guard let issuer = trust["issuer"]?.string, let audiences = trust["audiences"]?.array?.compactMap(\.string),
                    let keys = trust["keys"], keys["keys"]?.array != nil
                else { return false }
                settings.identityProviders[provider] = TrustedIssuer(
                    issuer: issuer, audiences: audiences, keys: keys,
                    needsNonce: trust["needsNonce"]?.bool ?? (provider == ProviderID.apple))
            }
            return true
        },
    ]
}
