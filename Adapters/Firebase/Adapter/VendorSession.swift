package import Lockstep
internal import LockstepPrimitives
package import LockstepWire

/// Reads the user that firebase-ios-sdk has stored: a keyed archive in the Keychain.
///
/// The names of the members are those of `User`, `SecureTokenService` and `UserInfoImpl` in FirebaseAuth.
extension FirebaseAdapter: VendorSessionReading {
    /// Returns the account of the default app's user.
    package func vendorAccounts(of setup: VendorSetup) -> [VendorAccount] {
        [VendorAccount("firebase_auth_1___FIRAPP_DEFAULT_firebase_user")]
    }

    /// Returns the session of the archived user.
    package func session(in entries: [VendorEntry], of setup: VendorSetup) throws(VendorRefusal) -> Session {
        guard let entry = entries.first else { throw .incomplete }
        let archive = try KeyedArchive(entry.bytes)
        let stored = archive.root
        guard let id = archive.text("userID", of: stored), let tokens = archive.object("tokenService", of: stored),
            let access = archive.text("accessToken", of: tokens), let refresh = archive.text("refreshToken", of: tokens),
            !id.isEmpty, !access.isEmpty, !refresh.isEmpty
        else { throw .incomplete }
        let key = archive.text("APIKey", of: stored) ?? archive.text("APIKey", of: tokens) ?? setup.project
        guard let key, key.exact == api.configuration.key.exact || key.exact == setup.project?.exact,
            archive.text("tenantID", of: stored)?.exact == api.configuration.tenant?.exact
        else { throw .otherProject }
        let claims = CompactToken.unverifiedClaims(of: access) ?? [:]
        var user: User
        do { user = try User(firebase: fields(of: stored, id, in: archive), claims: claims) } catch { throw .incomplete }
        user.isAnonymous = archive.flag("anonymous", of: stored) ?? user.isAnonymous
        return Session(
            provider: name, user: user, accessToken: Secret(access), refreshToken: Secret(refresh),
            lifetime: TokenLifetime(life: .zero, clock: api.clock),
            assurance: claims["firebase"]?["sign_in_second_factor"]?.filled == nil ? .oneFactor : .twoFactors, claims: claims)
    }

    /// Returns the archived user in the form of `accounts:lookup`.
    private func fields(of stored: KeyedArchive.Node, _ id: String, in archive: KeyedArchive) -> JSONObject {
        var fields: JSONObject = ["localId": .string(id)]
        for name in ["email", "displayName", "phoneNumber"] {
            fields[name] = archive.text(name, of: stored).map { .string($0) }
        }
        fields["photoUrl"] = archive.object("photoURL", of: stored).flatMap { archive.text("NS.relative", of: $0) }.map {
            .string($0)
        }
        fields["emailVerified"] = archive.flag("emailVerified", of: stored).map { .bool($0) }
        fields["providerUserInfo"] = .array(
            archive.elements("providerData", of: stored).compactMap { identity in
                guard let provider = archive.text("providerID", of: identity) else { return nil }
                var member: JSONObject = ["providerId": .string(provider)]
                member["rawId"] = archive.text("userID", of: identity).map { .string($0) }
                member["email"] = archive.text("email", of: identity).map { .string($0) }
                return .object(member)
            })
        return fields
    }
}
