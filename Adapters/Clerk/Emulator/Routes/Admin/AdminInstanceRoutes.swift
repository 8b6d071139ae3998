import LockstepEmulation
import LockstepPrimitives

/// `/v1/instance` and its parts: the settings of the running instance, until the emulator is reset.
struct AdminInstanceRoutes {
    let context: RequestContext

    private var fields: Fields { context.fields }

    /// The members of ``update()``.
    static let updateBody: BodySchema = [
        "test_mode": .flag, "hibp": .flag, "support_email": .anything, "clerk_js_version": .anything,
        "development_origin": .anything, "allowed_origins": .anything, "cookieless_dev": .anything,
        "url_based_session_syncing": .anything, "preferred_sign_in_strategy_when_password_required": .anything,
    ]

    /// The members of ``updateRestrictions()``.
    static let updateRestrictionsBody: BodySchema = [
        "allowlist": .flag, "blocklist": .flag, "allowlist_blocklist_disabled_on_sign_in": .flag,
        "block_email_subaddresses": .flag, "block_disposable_email_domains": .flag,
    ]

    /// The members of ``updateOrganizations()``.
    static let updateOrganizationsBody: BodySchema = [
        "enabled": .anything, "max_allowed_memberships": .whole, "admin_delete_enabled": .anything, "domains_enabled": .anything,
        "slug_disabled": .flag, "domains_enrollment_modes": .anything, "creator_role_id": .anything,
        "domains_default_role_id": .anything,
    ]

    /// The members of ``updateAuthConfig()``.
    static let updateAuthConfigBody: BodySchema = [
        "restricted_to_allowlist": .flag, "from_email_address": .text, "progressive_sign_up": .flag, "test_mode": .flag,
    ]

    func get() throws -> Answer {
        .resource([
            "object": "instance", "id": "ins_lockstep", "environment_type": "development", "allowed_origins": nil,
            "workspace_id": nil,
        ])
    }

    /// Changes the values for which the emulator has a setting; accepts and ignores the rest.
    func update() throws -> Answer {
        let isTestMode = try fields.flag("test_mode")
        let refusesKnownLeaks = try fields.flag("hibp")
        change { settings in
            if let isTestMode { settings.isTestMode = isTestMode }
            if let refusesKnownLeaks { settings.passwordPolicy.refusesKnownLeaks = refusesKnownLeaks }
        }
        return .nothing
    }

    /// `PATCH /v1/beta_features/instance_settings`.
    func updateAuthConfig() throws -> Answer {
        let isRestricted = try fields.flag("restricted_to_allowlist")
        let isTestMode = try fields.flag("test_mode")
        _ = try fields.flag("progressive_sign_up")
        let sender = try fields.text("from_email_address")
        let settings = change { settings in
            if let isRestricted { settings.restrictions.hasAllowlist = isRestricted }
            if let isTestMode { settings.isTestMode = isTestMode }
        }
        return .resource([
            "object": "instance_settings", "id": "ins_lockstep",
            "restricted_to_allowlist": .bool(settings.restrictions.hasAllowlist),
            "from_email_address": .string(sender ?? "noreply"), "progressive_sign_up": true,
            "enhanced_email_deliverability": false,
        ])
    }

    func updateRestrictions() throws -> Answer {
        let settings = try change([
            ("allowlist", \.restrictions.hasAllowlist), ("blocklist", \.restrictions.hasBlocklist),
            ("allowlist_blocklist_disabled_on_sign_in", \.restrictions.ignoresListsAtSignIn),
            ("block_email_subaddresses", \.restrictions.refusesSubaddresses),
            ("block_disposable_email_domains", \.restrictions.refusesDisposableDomains),
        ])
        let rules = settings.restrictions
        return .resource([
            "object": "instance_restrictions", "allowlist": .bool(rules.hasAllowlist), "blocklist": .bool(rules.hasBlocklist),
            "allowlist_blocklist_disabled_on_sign_in": .bool(rules.ignoresListsAtSignIn),
            "block_email_subaddresses": .bool(rules.refusesSubaddresses),
            "block_disposable_email_domains": .bool(rules.refusesDisposableDomains),
        ])
    }

    func protect() throws -> Answer { .resource(protectJSON(context.settings)) }

    /// Stores the switches; the emulator has no rules that depend on them.
    func updateProtect() throws -> Answer {
        return .resource(
            protectJSON(
                try change([
                    ("rules_enabled", \.restrictions.hasProtectRules), ("specter_enabled", \.restrictions.hasSpecter),
                ])))
    }

    private func protectJSON(_ settings: ClerkSettings) -> JSON {
        [
            "object": "instance_protect", "rules_enabled": .bool(settings.restrictions.hasProtectRules),
            "specter_enabled": .bool(settings.restrictions.hasSpecter), "checks_bypassed": true,
        ]
    }

    func communication() throws -> Answer { .resource(communicationJSON(context.settings)) }

    func updateCommunication() throws -> Answer {
        let codes = try fields.texts("blocked_country_codes")
        for code in codes ?? [] where code.utf8.count != 2 || !code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
            throw ClerkError.invalidValue("blocked_country_codes", String(code.prefix(20)))
        }
        return .resource(
            communicationJSON(change { settings in if let codes { settings.restrictions.blockedCountries = codes } }))
    }

    func organizations() throws -> Answer { .resource(try organizationsJSON(context.settings)) }

    func updateOrganizations() throws -> Answer {
        let roles = context.roles
        func role(_ parameter: String) throws -> RoleRecord? {
            guard let id = try fields.text(parameter), !id.isEmpty else { return nil }
            guard let role = try roles.roles("id = \(id) OR key = \(id)").first else {
                throw ClerkError.resourceMissing(parameter)
            }
            return role
        }
        let limit = try fields.number("max_allowed_memberships", 0...1_000_000)
        let hidesSlugs = try fields.flag("slug_disabled")
        let creator = try role("creator_role_id")
        if let creator, !creator.isCreatorEligible {
            throw ClerkError.creatorPermissions(SystemPermission.ofCreators.map(\.rawValue))
        }
        let member = try role("domains_default_role_id")
        var offered = context.settings.organizations
        if let modes = try fields.texts("domains_enrollment_modes") { try offered.offer(modes) }
        _ = try change([
            ("enabled", \.organizations.isEnabled), ("admin_delete_enabled", \.organizations.allowsAdminDelete),
            ("domains_enabled", \.organizations.hasDomains),
        ])
        let settings = change { settings in
            if let limit { settings.organizations.membershipLimit = Int(limit) }
            if let hidesSlugs { settings.organizations.hasSlugs = !hidesSlugs }
            settings.organizations.enrollmentModes = offered.enrollmentModes
        }
        try choose(creator: creator, member: member)
        return .resource(try organizationsJSON(settings))
    }

    /// Both roles must belong to the initial role set, which stores them.
    private func choose(creator: RoleRecord?, member: RoleRecord?) throws {
        guard creator != nil || member != nil else { return }
        var set = try context.roles.initialSet()
        set.creatorRole = creator?.key ?? set.creatorRole
        set.defaultRole = member?.key ?? set.defaultRole
        set.roles += [creator, member].compactMap { $0?.key }.filter { !set.roles.contains($0) }
        set.updatedAt = context.now
        try context.db.save(set)
    }

    /// Rejects a request that only a production instance supports.
    func productionOnly() throws -> Answer { throw ClerkError.productionOnly }

    private func communicationJSON(_ settings: ClerkSettings) -> JSON {
        ["object": "instance_communication", "blocked_country_codes": .strings(settings.restrictions.blockedCountries)]
    }

    private func organizationsJSON(_ settings: ClerkSettings) throws -> JSON {
        let rules = settings.organizations
        let set = try context.roles.initialSet()
        return [
            "object": "organization_settings", "enabled": .bool(rules.isEnabled),
            "max_allowed_memberships": .int(Int64(rules.membershipLimit)), "max_allowed_roles": 10, "max_role_sets_allowed": 10,
            "max_allowed_domains": .int(Int64(OrganizationRules.domainLimit)), "max_allowed_permissions": 50,
            "creator_role": .text(set.creatorRole), "admin_delete_enabled": .bool(rules.allowsAdminDelete),
            "domains_enabled": .bool(rules.hasDomains), "slug_disabled": .bool(!rules.hasSlugs),
            "domains_enrollment_modes": .strings(rules.offeredModes),
            "domains_default_role": .text(set.defaultRole), "initial_role_set_key": .string(set.key),
        ]
    }

    /// Changes the flags in the request, each in its property of the settings.
    private func change(_ flags: [(String, WritableKeyPath<ClerkSettings, Bool>)]) throws -> ClerkSettings {
        let values = try flags.map { (path: $0.1, value: try fields.flag($0.0)) }
        return change { settings in for (path, value) in values { if let value { settings[keyPath: path] = value } } }
    }

    @discardableResult
    private func change(_ body: (inout ClerkSettings) -> Void) -> ClerkSettings {
        context.state.change(body)
        return context.state.settings
    }
}
