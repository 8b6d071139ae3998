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

    /// Returns the tenants of the project, with the numbers of their users.
    ///
    /// The lists of this directory do not contain these users. Create a directory for each tenant to read them.
    ///
    /// - Returns: The tenants; none if this is the directory of a tenant, or if the project cannot have tenants.
    /// - Throws: `invalidKey` if the service account has no permission to list the tenants.
    public func tenants() async throws(AuthError) -> [FirebaseTenant] {
        guard tenant == nil else { return [] }
        var tenants: [FirebaseTenant] = []
        var token: String?
        repeat {
            let page: JSONObject
            do throws(AuthError) {
                page = try await api.tenants(of: project, after: token)
            } catch  where token == nil && (400..<500).contains(error.provider?.status ?? 0) && error.code != .tooManyRequests {
                // Google rejects the list if tenants are not turned on.
                guard try await api.config(of: project)["multiTenant"]?["allowTenants"]?.bool != true else { throw error }
                return []
            }
            for entry in page["tenants"]?.array ?? [] {
                guard let id = entry["name"]?.string?.pieces(at: "/").last.map(String.init), !id.isEmpty else {
                    throw DirectoryErrors.incomplete("the name of a tenant")
                }
                let users = try await count(at: "/tenants/\(given: id)/accounts:query")
                tenants.append(FirebaseTenant(id: id, users: users))
            }
            let next = page["tenants"]?.array?.isEmpty == false ? page["nextPageToken"]?.filled : nil
            guard next == nil || next != token else { throw DirectoryErrors.incomplete("the next page of tenants") }
            token = next
        } while token != nil
        return tenants
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

/// A tenant of a Firebase project, which has users of its own.
public struct FirebaseTenant: Sendable, Hashable {
    /// The tenant's id.
    public let id: String
    /// The number of users.
    public let users: Int
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
