package import Lockstep
internal import LockstepPrimitives
package import LockstepWire

/// Reads the session that supabase-swift has stored: JSON, in the Keychain or in the app's own storage.
///
/// Since version 2, SupabaseClient names the account after the first label of the project's host. Before that, the account
/// was `supabase.auth.token`, or `supabase.session` with the session in a member.
extension GoTrueAdapter: VendorSessionReading {
    /// The accounts under which supabase-swift stores sessions.
    package func vendorAccounts(of setup: VendorSetup) -> [VendorAccount] {
        setup.project.map { [VendorAccount($0)] }
            ?? [currentAccount, "supabase.auth.token", "supabase.session"].map { VendorAccount($0) }
    }

    /// Returns the session in an entry of supabase-swift.
    package func session(in entries: [VendorEntry], of setup: VendorSetup) throws(VendorRefusal) -> Session {
        guard let entry = entries.first else { throw .incomplete }
        guard let object = (try? JSON.parse(entry.bytes))?.object else { throw .damaged }
        let members = object["session"]?.object ?? object
        guard let access = members["access_token"]?.filled, let refresh = members["refresh_token"]?.filled,
            let fields = members["user"]?.object
        else { throw .incomplete }
        let claims = CompactToken.unverifiedClaims(of: access) ?? [:]
        // The app or the account names the project. Otherwise only the issuer of the token does.
        guard
            setup.project != nil || entry.account.exact == currentAccount.exact
                || label(of: claims["iss"]?.filled)?.exact == projectLabel.exact
        else { throw .otherProject }
        let user: User
        do { user = try User(goTrue: fields) } catch { throw .incomplete }
        return Session(
            id: claims["session_id"]?.filled, provider: name, user: user, accessToken: Secret(access),
            refreshToken: Secret(refresh), lifetime: TokenLifetime(life: .zero, clock: api.clock),
            assurance: claims["aal"]?.string == "aal2" ? .twoFactors : .oneFactor, claims: claims)
    }

    private var currentAccount: String { "sb-\(projectLabel)-auth-token" }
    private var projectLabel: String { label(of: api.configuration.url) ?? "" }

    /// Returns the first label of a URL's host, by which Supabase names a project.
    private func label(of url: String?) -> String? {
        guard let host = url?.pieces(at: "/").dropFirst().first else { return nil }
        return host.pieces(at: ":").first?.pieces(at: ".").first.map { String($0) }
    }
}
