internal import LockstepPrimitives
internal import LockstepSQLite

extension User {
    /// Reads a row of the columns in their order.
    init(_ row: borrowing SQLiteRow, of scope: ProjectScope) throws(SQLiteError) {
        self.init(localID: try row[0])
        email = try row[1]
        emailVerified = try row[2]
        displayName = try row[3]
        photoURL = try row[4]
        phoneNumber = try row[5]
        isDisabled = try row[6]
        if let hash: String = try row[7] { password = StoredPassword(hash: hash, salt: try row[8], scheme: try row[9]) }
        passwordUpdatedAt = try row[10]
        validSince = try row[11]
        lastLoginAt = try row[12]
        createdAt = try row[13]
        lastRefreshAt = try row[14]
        isCustomAuth = try row[15]
        customAttributes = try row[16]
        signsInByLink = try row[17]
        initialEmail = try row[18]
        screenName = try row[19]
        identities = Self.list(try row[20]) { Identity($0) }
        factors = Self.list(try row[21]) { body in
            body.text("id").map { id in
                Factor(
                    id: id, displayName: body.text("name"), enrolledAt: body.text("at"), phone: body.text("phone"),
                    secret: body.text("secret"))
            }
        }
        passkeys = Self.list(try row[22]) { body in
            body.text("credentialId").map { Passkey(credentialID: $0, name: body.text("name") ?? "") }
        }
        tenantID = scope.tenant
    }

    /// The values of the columns in their order.
    var values: [SQLiteValue] {
        [
            localID.sqliteValue, email.sqliteValue, emailVerified.sqliteValue, displayName.sqliteValue, photoURL.sqliteValue,
            phoneNumber.sqliteValue, isDisabled.sqliteValue, (password?.hash).sqliteValue, (password?.salt).sqliteValue,
            (password?.scheme).sqliteValue, passwordUpdatedAt.sqliteValue, validSince.sqliteValue, lastLoginAt.sqliteValue,
            createdAt.sqliteValue, lastRefreshAt.sqliteValue, isCustomAuth.sqliteValue, customAttributes.sqliteValue,
            signsInByLink.sqliteValue, initialEmail.sqliteValue, screenName.sqliteValue,
            Self.text(identities?.map(\.json)).sqliteValue, Self.text(factors?.map(\.stored)).sqliteValue,
            Self.text(passkeys?.map(\.json)).sqliteValue,
        ]
    }

    private static func text(_ list: [JSON]?) -> String? { list.map { JSON.array($0).text() } }

    private static func list<Element>(_ text: String?, _ element: (Body) -> Element?) -> [Element]? {
        guard let text, let list = try? JSON.parse(text).array else { return nil }
        return list.compactMap { $0.object.map(Body.init).flatMap(element) }
    }
}

extension Factor {
    /// Its form in the row of its user.
    fileprivate var stored: JSON {
        var members: JSONObject = ["id": .string(id)]
        members["name"] = displayName.map(JSON.string)
        members["at"] = enrolledAt.map(JSON.string)
        members["phone"] = phone.map(JSON.string)
        members["secret"] = secret.map(JSON.string)
        return .object(members)
    }
}
