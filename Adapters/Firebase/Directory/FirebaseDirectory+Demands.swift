internal import Lockstep
internal import LockstepDirectory
internal import LockstepPrimitives
internal import LockstepWire

extension FirebaseDirectory {
    /// Returns the requirements that the project or the tenant has for new users.
    ///
    /// - Returns: The requirements.
    /// - Throws: `invalidKey` if the service account has no permission to read the configuration.
    public func demands() async throws(AuthError) -> DirectoryDemands {
        var demands = DirectoryDemands()
        // Firebase cannot store these values.
        (demands.username, demands.firstName, demands.lastName) = (.off, .off, .off)
        demands.requiresVerifiedEmail = false
        demands.requiresVerifiedPhone = true
        let config = try await api.config(of: project)
        demands.allowsSharedEmails = config["signIn"]?["allowDuplicateEmails"]?.bool ?? false
        if let tenant {
            demands.read(tenant: try await api.tenantConfig(tenant, of: project))
        } else {
            demands.read(project: config)
        }
        demands.providers = try await providers()
        return demands
    }

    /// Returns the enabled providers; `nil` if the service account may not list them.
    private func providers() async throws(AuthError) -> Set<IdentityProvider>? {
        var found: Set<IdentityProvider> = []
        do throws(AuthError) {
            for (list, isWhole) in [
                ("defaultSupportedIdpConfigs", true), ("oauthIdpConfigs", false), ("inboundSamlConfigs", false),
            ] {
                let configs = try await api.providerConfigs(list, of: project, tenant)[list]?.array ?? []
                // Google omits a Boolean value that is false.
                for config in configs where config["enabled"]?.bool == true {
                    guard let name = config["name"]?.string?.pieces(at: "/").last.map(String.init) else { continue }
                    found.insert(isWhole ? Self.provider(named: name) : IdentityProvider(rawValue: name))
                }
            }
            return found
        } catch  where error.code == .invalidKey || error.provider?.status == 404 {
            return nil
        }
    }
}

extension DirectoryDemands {
    /// Reads the configuration of a project.
    ///
    /// Google omits false values, so a setting can be off only if its member exists.
    fileprivate mutating func read(project config: JSONObject) {
        let signIn = config["signIn"]
        email = (signIn?["email"]?.object).map { $0["enabled"]?.bool == true ? .optional : .off }
        password = email
        phone = (signIn?["phoneNumber"]?.object).map { $0["enabled"]?.bool == true ? .optional : .off }
        allowsAnonymousUsers = (signIn?["anonymous"]?.object).map { $0["enabled"]?.bool == true }
        isSignUpOpen = (config["client"]?["permissions"]?.object).map { $0["disabledUserSignup"]?.bool != true }
        secondFactors = (config["mfa"]?.object).map(Self.factors)
    }

    fileprivate mutating func read(tenant config: JSONObject) {
        let isPasswordOn = config["allowPasswordSignup"]?.bool == true
        email = isPasswordOn || config["enableEmailLinkSignin"]?.bool == true ? .optional : .off
        password = isPasswordOn ? .optional : .off
        allowsAnonymousUsers = config["enableAnonymousUser"]?.bool == true
        isSignUpOpen = config["disableAuth"]?.bool == true ? false : nil
        secondFactors = (config["mfaConfig"]?.object).map(Self.factors)
    }

    private static func factors(_ config: JSONObject) -> Set<SecondFactor> {
        guard ["ENABLED", "MANDATORY"].contains(config["state"]?.string ?? "") else { return [] }
        var factors: Set<SecondFactor> = []
        if config["enabledProviders"]?.array?.contains("PHONE_SMS") == true { factors.insert(.phone) }
        for provider in config["providerConfigs"]?.array ?? [] where provider["totpProviderConfig"] != nil {
            if ["ENABLED", "MANDATORY"].contains(provider["state"]?.string ?? "") { factors.insert(.authenticatorApp) }
        }
        return factors
    }
}
