package import Lockstep
internal import LockstepCrypto
internal import LockstepPrimitives
package import LockstepWire

/// Reads what clerk-ios has stored in the Keychain: the token of the device, and the last client object as JSON.
///
/// The forms are those of <https://github.com/clerk/clerk-ios>, the newest first:
///
/// - one record with the instance, the token and the client (Sources/ClerkKit/Identity/ClerkIdentityStore.swift)
/// - the record of apps that share sessions, since 1.5 (`SharedSessionLocalIdentityStore`)
/// - two entries (Sources/ClerkKit/Storage/Keychain/ClerkKeychainKey.swift); early versions had other names for them
///   (Sources/API/Utils/ClerkKeychain.swift)
///
/// A record without a client object is not used, because a session cannot be made from a token without a request.
extension ClerkAdapter: VendorSessionReading {
    private static let (record, shared) = ("clerkIdentity", "clerkSharedSessionLocalIdentityV2")
    private static let (token, client) = (["clerkDeviceToken", "deviceToken"], ["cachedClient", "client"])
    /// The marks of an app whose own record is the truth, and of a sign-out that has not ended.
    private static let (moved, leaving) = ("clerkSharedSessionSyncAdoptedV2", "clerkSharedSessionOwnerSlotClearIntentV1")

    /// Returns the accounts of all forms.
    package func vendorAccounts(of setup: VendorSetup) -> [VendorAccount] {
        let name = fingerprint(of: setup.project)
        let (own, bundle) = ("\(setup.bundleIdentifier).clerk.identity.v2.\(name)", setup.bundleIdentifier)
        var accounts = [VendorAccount(Self.leaving, in: "\(bundle).clerk.shared-session-clear-recovery.v1")]
        for service in [nil, "\(bundle).clerk.local-identity.\(Self.digest(setup.service))"] {
            accounts.append(VendorAccount("\(Self.record)V4.\(name)", in: service))
        }
        accounts.append(VendorAccount("\(Self.record)V3"))
        accounts += [Self.shared, Self.moved].map { VendorAccount($0, in: own) }
        // Under the bundle identifier, the short names may be the app's own.
        let isEarly = setup.service.hasPrefix("clerk.") || ["clerk", "com.clerk"].contains { $0.exact == setup.service.exact }
        return accounts + [Self.token[isEarly ? 1 : 0], Self.client[isEarly ? 1 : 0]].map { VendorAccount($0) }
    }

    /// Returns the active session of the client object.
    package func session(in entries: [VendorEntry], of setup: VendorSetup) throws(VendorRefusal) -> Session {
        let instance = setup.project.map { (try? ClerkConfiguration(key: $0).instance) ?? "" }
        guard instance == nil || instance?.exact == api.configuration.instance.exact else { throw .otherProject }
        let identity = try identity(in: entries, of: setup)
        // clerk-ios shows no user without a last active session.
        guard let last = identity.client["last_active_session_id"]?.filled,
            let listed = identity.client["sessions"]?.array?.first(where: { $0["id"]?.filled?.exact == last.exact }),
            let id = listed["id"]?.filled, BackendPath.isSegment(id), let fields = listed["user"]?.object
        else { throw .incomplete }
        guard listed["status"]?.string == "active" else { throw .ended }
        if let end = listed["expire_at"]?.double, end <= Double(api.clock.now.milliseconds) { throw .ended }
        let access = listed["last_active_token"]?["jwt"]?.filled ?? ""
        let claims = CompactToken.unverifiedClaims(of: access) ?? [:]
        // The issuer of the session's token is the front-end API of its instance.
        guard
            identity.isNamed || instance != nil
                || claims["iss"]?.filled?.exact == "https://\(api.configuration.instance)".exact
        else { throw .otherProject }
        let user: User
        do { user = try User(clerk: fields) } catch { throw .incomplete }
        return Session(
            id: id, provider: name, user: user, accessToken: Secret(access), refreshToken: Secret(identity.token),
            lifetime: TokenLifetime(life: .zero, clock: api.clock),
            assurance: (claims["fva"]?[1]?.int ?? -1) >= 0 ? .twoFactors : .oneFactor, claims: claims)
    }

    /// A token with its client, and whether the entry names the adapter's instance.
    private typealias Identity = (token: String, client: JSONObject, isNamed: Bool)

    /// Returns the newest identity.
    ///
    /// An older entry never replaces a newer one that says that nobody is signed in.
    private func identity(in entries: [VendorEntry], of setup: VendorSetup) throws(VendorRefusal) -> Identity {
        func entry(_ names: [String]) -> VendorEntry? {
            entries.first { entry in names.contains { $0.exact == entry.account.exact } }
        }
        guard entry([Self.leaving]) == nil else { throw .ended }
        if let entry = entries.first(where: { $0.account.hasPrefix(Self.record) }) ?? entry([Self.shared]) {
            return try identity(inRecord: entry, fingerprint(of: setup.project))
        }
        guard entry([Self.moved]) == nil else { throw .ended }
        guard let stored = entry(Self.token), let cached = entry(Self.client) else { throw .incomplete }
        guard let token = String(validating: stored.bytes, as: UTF8.self)?.trimmed,
            let client = (try? JSON.parse(cached.bytes))?.object
        else { throw .damaged }
        guard !token.isEmpty else { throw .incomplete }
        guard let inner = client["client"]?.object else { return (token, client, false) }
        // Newer versions store the client with a copy of the token to which it belongs.
        guard client["device_token"]?.filled?.exact == token.exact else { throw .incomplete }
        return (token, inner, false)
    }

    private func identity(inRecord entry: VendorEntry, _ fingerprint: String) throws(VendorRefusal) -> Identity {
        guard let record = (try? JSON.parse(entry.bytes))?.object else { throw .damaged }
        guard (record["schema_version"]?.int ?? 1) <= 2 else { throw .laterForm }
        // The record of apps that share sessions names its instance in its service.
        guard entry.account.exact == Self.shared.exact || record["instance_fingerprint"]?.filled?.exact == fingerprint.exact
        else { throw .otherProject }
        guard let identity = (record["identity"] ?? record["accepted_identity"])?.object ?? record["state"].map({ _ in record })
        else { throw .incomplete }
        let token = identity["device_token"]?.filled
        let pending = record["pending_publication"]?.object
        guard pending == nil || pending?["device_token"]?.filled?.exact == token?.exact, let token else { throw .ended }
        guard identity["state"]?.string == "present", let client = identity["client"]?.object else { throw .incomplete }
        return (token, client, true)
    }

    /// The name of an instance in the SDK's entries.
    private func fingerprint(of project: String?) -> String {
        let key = (project ?? api.configuration.key).trimmed
        return Self.digest("clerk.shared-session-sync.v2\u{1F}https://\(api.configuration.instance)\u{1F}\(key)")
    }

    private static func digest(_ text: String) -> String { Hex.encode(HashFunction.sha256.digest(text)) }
}

extension String {
    /// The text without spaces and line ends around it, as clerk-ios reads it.
    fileprivate var trimmed: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = utf8.firstIndex(where: { !isSpace($0) }), let last = utf8.lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
