import LockstepPrimitives

/// Users and their parts, in the JSON of both APIs; keys and their order are those of the recordings.
struct UserJSON {
    let context: RequestContext

    /// The user.
    ///
    /// `isPrivate` adds the values that only the Backend API shows.
    func user(_ user: UserRecord, isPrivate: Bool = false) throws -> JSON {
        let rows = try context.users.identifications(of: user)
        let accounts = try context.users.externalAccounts(of: user)
        let factors = try context.secondFactors.of(user, rows)
        let lock = context.lockout
        let passkeys = context.passkeys
        var json: JSONObject = [
            "id": .string(user.id), "object": "user", "username": .text(user.username),
            "first_name": .text(user.firstName),
            "last_name": .text(user.lastName), "locale": .text(user.locale), "image_url": .string(imageURL(user)),
            "has_image": .bool(user.imageURL != nil), "primary_email_address_id": .text(user.primaryEmailID),
            "primary_phone_number_id": .text(user.primaryPhoneID), "primary_web3_wallet_id": nil,
            "password_enabled": .bool(user.passwordDigest != nil), "two_factor_enabled": .bool(factors.isEnabled),
            "totp_enabled": .bool(user.isTOTPVerified), "backup_code_enabled": .bool(factors.hasBackupCodes),
            "email_addresses": .array(try rows.filter { $0.kind == .email }.map { try identification($0, accounts) }),
            "phone_numbers": .array(try rows.filter { $0.kind == .phone }.map { try identification($0, accounts) }),
            "web3_wallets": [],
            "passkeys": .array(try passkeys.of(user.id).map { passkeys.json($0, isPrivate: isPrivate) }),
            "external_accounts": .array(accounts.map(externalAccount)), "saml_accounts": [],
        ]
        for (name, value) in try context.extensions.members(of: user) { json[name] = value }
        json["password_last_updated_at"] = .time(user.passwordUpdatedAt)
        json["public_metadata"] = .object(user.publicMetadata)
        if isPrivate { json["private_metadata"] = .object(user.privateMetadata) }
        let rest: JSONObject = [
            "unsafe_metadata": .object(user.unsafeMetadata), "external_id": .text(user.externalID),
            "last_sign_in_at": .time(user.lastSignInAt), "banned": .bool(user.isBanned), "locked": .bool(lock.isLocked(user)),
            "lockout_expires_in_seconds": lock.secondsLeft(user).map { .int($0) } ?? .null,
            "verification_attempts_remaining": lock.attemptsLeft(user).map { .int(Int64($0)) } ?? .null,
            "created_at": .time(user.createdAt), "updated_at": .time(user.updatedAt),
            "delete_self_enabled": .bool(user.canDeleteSelf ?? context.settings.allowsDeletingSelf),
            "bypass_client_trust": .bool(user.bypassesClientTrust),
            "create_organization_enabled": .bool(user.canCreateOrganizations),
        ]
        for (name, value) in rest { json[name] = value }
        if let limit = user.organizationsLimit { json["create_organizations_limit"] = .int(Int64(limit)) }
        json["last_active_at"] = .time(user.lastActiveAt)
        json["mfa_enabled_at"] = .time(user.mfaEnabledAt)
        json["mfa_disabled_at"] = .time(user.mfaDisabledAt)
        json["legal_accepted_at"] = .time(user.legalAcceptedAt)
        json["deprovisioned"] = false
        json["profile_image_url"] = .string(imageURL(user))
        if !isPrivate {
            let memberships = try context.organizations.memberships(of: user.id)
            json["organization_memberships"] = .array(
                try memberships.map { try context.organizationJSON.membership($0) })
        }
        return .object(json)
    }

    /// Returns the values of a user that others may see, inside a session.
    func publicData(_ user: UserRecord) throws -> JSON {
        let primary = user.primaryEmailID ?? user.primaryPhoneID
        let row = try primary.flatMap { try context.db.find(IdentificationRecord.self, "id = \($0)") }
        return [
            "first_name": .text(user.firstName), "last_name": .text(user.lastName), "image_url": .string(imageURL(user)),
            "has_image": .bool(user.imageURL != nil), "identifier": .text(row?.value ?? user.username),
            "username": .text(user.username), "profile_image_url": .string(imageURL(user)),
        ]
    }

    /// Returns the values of a user that members of an organization may see.
    func member(_ user: UserRecord) throws -> JSON {
        var json = try publicData(user).object ?? [:]
        json["user_id"] = .string(user.id)
        json["identifier"] = .string(json["identifier"]?.string ?? "")
        json["banned"] = .bool(user.isBanned)
        return .object(json)
    }

    /// Returns the values of an inviting user that the invited person may see.
    func inviter(_ user: UserRecord) throws -> JSON {
        let known = try member(user).object ?? [:]
        let names: Set<String> = ["user_id", "first_name", "last_name", "image_url", "has_image", "identifier"]
        return .object(JSONObject(known.filter { names.contains($0.name) }.map { ($0.name, $0.value) }))
    }

    func identification(_ row: IdentificationRecord, _ accounts: [ExternalAccountRecord]) throws -> JSON {
        var json: JSONObject = [
            "id": .string(row.id), "object": .string(row.kind.rawValue), row.kind.rawValue: .string(row.value),
        ]
        if row.kind == .phone {
            json["reserved_for_second_factor"] = .bool(row.isSecondFactor)
            json["default_second_factor"] = .bool(row.isDefaultSecondFactor)
        }
        json["reserved"] = .bool(row.isReserved)
        json["verification"] = row.verification?.json(at: context.now) ?? .null
        json["linked_to"] = .array(
            accounts.filter { $0.linkedEmailID?.exact == row.id.exact }.map {
                ["id": .string($0.identificationID), "type": .string("oauth_\($0.provider)")]
            })
        switch row.kind {
        case .email:
            json["matches_sso_connection"] = .bool(try context.extensions.reserve(row.value))
        case .phone: json["backup_codes"] = nil as JSON
        }
        json["created_at"] = .time(row.createdAt)
        json["updated_at"] = .time(row.updatedAt)
        return .object(json)
    }

    func externalAccount(_ account: ExternalAccountRecord) -> JSON {
        [
            "object": "external_account", "id": .string(account.id), "identification_id": .string(account.identificationID),
            "provider": .string("oauth_\(account.provider)"), "provider_user_id": .string(account.subject ?? ""),
            "email_address": .string(account.email ?? ""), "approved_scopes": .string(account.scopes),
            "first_name": .string(account.firstName ?? ""), "last_name": .string(account.lastName ?? ""),
            "avatar_url": .string(account.imageURL ?? ""), "image_url": .string(account.imageURL ?? ""), "username": nil,
            "phone_number": nil, "public_metadata": [:], "label": nil, "created_at": .time(account.createdAt),
            "updated_at": .time(account.updatedAt), "verification": account.verification?.json(at: context.now) ?? .null,
        ]
    }

    private func imageURL(_ user: UserRecord) -> String {
        user.imageURL ?? "\(context.state.base)/images/\(user.id)"
    }
}

extension JSON {
    /// A list of texts.
    static func strings(_ texts: some Sequence<String>) -> JSON { .array(texts.map { .string($0) }) }

    /// Milliseconds since 1970, or `null`.
    static func time(_ instant: Instant?) -> JSON { instant.map { .int($0.milliseconds) } ?? .null }
}
