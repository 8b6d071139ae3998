internal import LockstepPrimitives

/// The rules that follow from a project's or a tenant's settings.
struct Rules: Sendable, Equatable {
    /// Whether the tenant is disabled and refuses every call.
    var isDisabled = false
    var methods: SignInMethods = .all
    var allowsDuplicateEmails = false
    /// Whether addresses are protected against enumeration.
    var hidesEmails = false
    var asksForTextFactors = true
    var asksForTimeFactors = false
    var passwordPolicy = PasswordPolicy()
    var authorizedDomains: [String] = []
    /// The addresses of blocking functions, by event.
    var blockingFunctions: [String: String] = [:]
}

extension Rules {
    /// The rules of a project by its `AdminV2Config`.
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
        for (event, trigger) in config["blockingFunctions"]?["triggers"]?.object ?? [:] {
            blockingFunctions[event] = trigger["functionUri"]?.string
        }
    }

    /// The rules of a tenant by its `AdminV2Tenant`; missing values are its project's.
    init(tenant config: JSONObject, of project: Rules) {
        self = project
        isDisabled = config["disableAuth"]?.bool ?? false
        if config["allowPasswordSignup"]?.bool != true { methods.remove(.password) }
        if config["enableEmailLinkSignin"]?.bool != true { methods.remove(.emailLink) }
        if config["enableAnonymousUser"]?.bool != true { methods.remove(.anonymous) }
        if let factors = config["mfaConfig"] { setFactors(factors) }
        if let policy = config["passwordPolicyConfig"]?.object { passwordPolicy = project.passwordPolicy.changed(by: policy) }
    }

    private mutating func setFactors(_ config: JSON) {
        let isOn = ["ENABLED", "MANDATORY"].contains(config["state"]?.string)
        asksForTextFactors = isOn && (config["enabledProviders"]?.array ?? []).contains("PHONE_SMS")
        asksForTimeFactors = (config["providerConfigs"]?.array ?? []).contains { provider in
            provider["totpProviderConfig"] != nil && ["ENABLED", "MANDATORY"].contains(provider["state"]?.string)
        }
    }
}
