internal import LockstepPrimitives

/// The rules that result from a project's or a tenant's settings.
struct Rules: Sendable, Equatable {
    /// Whether the tenant is disabled and rejects every call.
    var isDisabled = false
    var methods: SignInMethods = .all
    var allowsDuplicateEmails = false
    /// Whether addresses are protected against enumeration.
    var hidesEmails = false
    /// Whether users with a second factor must complete it, whatever kinds can be enrolled.
    var asksForFactors = true
    var asksForTextFactors = true
    var asksForTimeFactors = false
    /// The number of periods before and after the current one whose codes of authenticator apps are accepted, too; 5 by
    /// default.
    var adjacentIntervals = Self.usualIntervals
    var passwordPolicy = PasswordPolicy()
    var authorizedDomains: [String] = []
    var functions = FunctionSettings()

    static let usualIntervals: Int64 = 5
}

extension Rules {
    /// Reads the rules of a project from its `AdminV2Config`.
    init(project config: JSONObject, settings: FirebaseSettings) {
        let signIn = config["signIn"]
        methods = settings.methods
        if signIn?["email"]?["enabled"]?.bool == false { methods.subtract([.password, .emailLink]) }
        if signIn?["email"]?["passwordRequired"]?.bool == true { methods.remove(.emailLink) }
        if signIn?["anonymous"]?["enabled"]?.bool == false { methods.remove(.anonymous) }
        if signIn?["phoneNumber"]?["enabled"]?.bool == false { methods.remove(.phone) }
        allowsDuplicateEmails = signIn?["allowDuplicateEmails"]?.bool ?? false
        hidesEmails = config["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"]?.bool ?? false
        if let factors = config["mfa"] { setFactors(factors) } else { asksForTimeFactors = settings.allowsTimeFactors }
        passwordPolicy = config["passwordPolicyConfig"]?.object.map(settings.passwordPolicy.changed) ?? settings.passwordPolicy
        authorizedDomains =
            config["authorizedDomains"]?.array?.compactMap(\.string) ?? settings.authorizedDomains
        functions = FunctionSettings(config["blockingFunctions"])
    }

    /// Reads the rules of a tenant from its `AdminV2Tenant`; missing values come from its project.
    init(tenant config: JSONObject, of project: Rules) {
        self = project
        isDisabled = config["disableAuth"]?.bool ?? false
        if config["allowPasswordSignup"]?.bool != true { methods.remove(.password) }
        if config["enableEmailLinkSignin"]?.bool != true { methods.remove(.emailLink) }
        if config["enableAnonymousUser"]?.bool != true { methods.remove(.anonymous) }
        if let factors = config["mfaConfig"] { setFactors(factors) }
        if let policy = config["passwordPolicyConfig"]?.object { passwordPolicy = project.passwordPolicy.changed(by: policy) }
    }

    /// Rejects a page of a domain that the project does not authorize.
    func requireAuthorized(_ page: WebAddress) throws(APIError) {
        guard !page.hasBackslash, authorizedDomains.contains(where: page.isHost(in:)) else {
            throw .refused(.unauthorizedDomain, "Domain not allowlisted by project")
        }
    }

    private mutating func setFactors(_ config: JSON) {
        let isOn = ["ENABLED", "MANDATORY"].contains(config["state"]?.string)
        asksForTextFactors = isOn && (config["enabledProviders"]?.array ?? []).contains("PHONE_SMS")
        let byTime = (config["providerConfigs"]?.array ?? []).first { provider in
            provider["totpProviderConfig"] != nil && ["ENABLED", "MANDATORY"].contains(provider["state"]?.string)
        }
        asksForTimeFactors = byTime != nil
        let intervals = byTime?["totpProviderConfig"]?["adjacentIntervals"]?.int ?? Self.usualIntervals
        // The range that the Admin SDK for Node accepts (firebase-admin-node, `src/auth/auth-config.ts`).
        adjacentIntervals = min(max(intervals, 0), 10)
        asksForFactors = isOn || asksForTimeFactors
    }
}
