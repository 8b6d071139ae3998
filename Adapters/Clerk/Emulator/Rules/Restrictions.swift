import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// The rules about who may use the instance (https://clerk.com/docs/guides/secure/restricting-access).
struct Restrictions {
    let context: RequestContext

    private var rules: RestrictionRules { context.settings.restrictions }

    /// Checks the identifiers of a sign-up, or those that a user adds to an account.
    ///
    /// - Parameters:
    ///   - identifiers: Addresses and numbers; `nil` is skipped.
    ///   - isInvited: Whether the person has an invitation, so that the allowlist has no effect.
    /// - Throws: `not_allowed_access` for the first identifier that may not be used.
    func checkNew(_ identifiers: [String?], isInvited: Bool = false) throws {
        for text in identifiers.compactMap(\.self) {
            let identifier = RestrictedIdentifier(text)
            if rules.refusesSubaddresses, try isSubaddress(identifier) { throw ClerkError.notAllowed(text) }
            if rules.hasAllowlist {
                // If the allowlist admits an identifier, the blocklist is not searched.
                if try has(.allow, identifier.patterns) { continue }
                if !isInvited { throw ClerkError.notAllowed(text) }
            }
            if rules.hasBlocklist, try has(.block, identifier.blockingPatterns) { throw ClerkError.notAllowed(text) }
        }
    }

    /// Checks an identifier at sign-in.
    ///
    /// - Throws: `not_allowed_access` if the blocklist contains the identifier and the allowlist does not.
    func checkSignIn(_ text: String) throws {
        guard rules.hasBlocklist, !rules.ignoresListsAtSignIn else { return }
        let identifier = RestrictedIdentifier(text)
        if rules.hasAllowlist, try has(.allow, identifier.patterns) { return }
        if try has(.block, identifier.blockingPatterns) { throw ClerkError.notAllowed(text) }
    }

    /// Whether the address is another spelling of a mailbox: it has a subaddress, or it has dots that Gmail ignores and
    /// a user has the address without them.
    private func isSubaddress(_ identifier: RestrictedIdentifier) throws -> Bool {
        if identifier.hasSubaddress { return true }
        guard let bare = identifier.withoutGmailDots else { return false }
        return try context.users.claimed(.email, bare) != nil
    }

    private func has(_ list: RestrictionRecord.List, _ patterns: [String]) throws -> Bool {
        try context.db.count(
            RestrictionRecord.self, "list = \(list.rawValue) AND identifier IN (\(list: patterns))") > 0
    }
}
