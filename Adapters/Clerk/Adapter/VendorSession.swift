package import Lockstep
internal import LockstepPrimitives
package import LockstepWire

/// Reads what clerk-ios has stored in the Keychain: the token of the device, and the last client object as JSON.
extension ClerkAdapter: VendorSessionReading {
    /// The accounts of the token and of the client object.
    package var vendorAccounts: [String] { ["clerkDeviceToken", "cachedClient"] }

    /// Returns the active session of the client object.
    package func session(in entries: [VendorEntry], of project: String?) throws(VendorRefusal) -> Session {
        let (token, cached) = (bytes(of: vendorAccounts[0], in: entries), bytes(of: vendorAccounts[1], in: entries))
        guard let token, let cached else { throw .incomplete }
        guard let device = String(validating: token, as: UTF8.self)?.trimmed, let client = (try? JSON.parse(cached))?.object
        else { throw .damaged }
        guard !device.isEmpty, let sessions = client["sessions"]?.array else { throw .incomplete }
        let last = client["last_active_session_id"]?.filled
        guard let listed = sessions.first(where: { $0["id"]?.filled?.exact == last?.exact }) ?? sessions.first,
            let id = listed["id"]?.filled, BackendPath.isSegment(id), let fields = listed["user"]?.object
        else { throw .incomplete }
        guard listed["status"]?.string == "active" else { throw .ended }
        if let end = listed["expire_at"]?.int, Instant(milliseconds: end) <= api.clock.now { throw .ended }
        let access = listed["last_active_token"]?["jwt"]?.filled ?? ""
        let claims = CompactToken.unverifiedClaims(of: access) ?? [:]
        // The issuer of the session's token is the front-end API of its instance.
        let instance = project.flatMap { try? ClerkConfiguration(key: $0).instance }
        let issuer = claims["iss"]?.filled
        guard
            instance?.exact == api.configuration.instance.exact || issuer?.exact == "https://\(api.configuration.instance)".exact
        else { throw .otherProject }
        let user: User
        do { user = try User(clerk: fields) } catch { throw .incomplete }
        return Session(
            id: id, provider: name, user: user, accessToken: Secret(access), refreshToken: Secret(device),
            lifetime: TokenLifetime(life: .zero, clock: api.clock),
            assurance: (claims["fva"]?[1]?.int ?? -1) >= 0 ? .twoFactors : .oneFactor, claims: claims)
    }

    private func bytes(of account: String, in entries: [VendorEntry]) -> [UInt8]? {
        entries.first { $0.account.exact == account.exact }?.bytes
    }
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
