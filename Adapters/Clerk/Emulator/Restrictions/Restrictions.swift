import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// An identifier, or the host of one behind `@`, that may or may not sign up.
struct RestrictionRecord: StoredRecord {
    enum List: String {
        case allow
        case block
    }

    let id: String
    let list: List
    /// An address, a number, or `*@` and a host.
    let identifier: String
    /// The invitation that was mailed for it.
    let invitationID: String?
    let createdAt: Instant

    static let table = "restrictions"
    static let columns = ["id", "list", "identifier", "invitation_id", "created_at"]
}

extension RestrictionRecord {
    init(row: borrowing SQLiteRow) throws(SQLiteError) {
        id = try row["id"]
        list = List(rawValue: try row["list"] as String) ?? .block
        identifier = try row["identifier"]
        invitationID = try row["invitation_id"]
        createdAt = try row["created_at"]
    }

    var stored: [any SQLiteConvertible] { [id, list.rawValue, identifier, invitationID, createdAt] }
}

/// Who may use the instance, by the lists of its identifiers.
struct Restrictions {
    let context: RequestContext

    private var rules: RestrictionRules { context.settings.restrictions }

    /// Refuses an identifier at sign-up.
    ///
    /// - Parameter isInvited: whether an invitation admits it, so that the list of allowed ones does not matter.
    func checkSignUp(_ identifiers: [String?], isInvited: Bool = false) throws {
        for identifier in identifiers.compactMap(\.self) {
            if rules.refusesSubaddresses, let sign = identifier.lastIndex(of: "@"), identifier[..<sign].contains("+") {
                throw ClerkError.notAllowed(identifier)
            }
            if rules.hasBlocklist, try has(.block, identifier) { throw ClerkError.notAllowed(identifier) }
            if rules.hasAllowlist, !isInvited, try !has(.allow, identifier) { throw ClerkError.notAllowed(identifier) }
        }
    }

    /// Refuses a blocked identifier at sign-in, unless the lists are switched off there.
    func checkSignIn(_ identifier: String) throws {
        guard rules.hasBlocklist, !rules.ignoresListsAtSignIn, try has(.block, identifier) else { return }
        throw ClerkError.notAllowed(identifier)
    }

    private func has(_ list: RestrictionRecord.List, _ identifier: String) throws -> Bool {
        let host = identifier.split(separator: "@").last.map { "*@" + $0 } ?? identifier
        return try context.db.count(
            RestrictionRecord.self, "list = \(list.rawValue) AND identifier IN (\(identifier), \(host))") > 0
    }
}
