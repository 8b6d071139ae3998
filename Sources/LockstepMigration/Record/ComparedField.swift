internal import LockstepDirectory
internal import LockstepPrimitives
internal import LockstepUserFields

/// A row of the list of fields whose value a record contains.
struct ComparedField: Sendable {
    /// The name in reports.
    let name: String
    private let row: UserField<UserFields>

    /// The fields that are compared at some target.
    static let all = UserFields.fields.filter { $0.use.contains(.compared) }.map { row in
        ComparedField(name: names[row.name] ?? row.name, row: row)
    }

    private static let names = [
        "email": "address", "emailConfirmed": "address verified", "emailIdentity": "address signs in",
        "phone": "number", "phoneConfirmed": "number verified", "phoneIdentity": "number signs in",
        "otherEmails": "more addresses", "otherPhones": "more numbers", "displayName": "name", "photoURL": "photo",
        "username": "user name", "firstName": "first name", "lastName": "last name", "userMetadata": "user data",
        "appMetadata": "claims", "privateMetadata": "private data", "externalID": "external id", "createdAt": "created",
        "bannedUntil": "end of a ban", "singleSignOn": "single sign-on",
    ]

    /// Returns whether the directory of a target returns the value.
    func isReturned(by target: MoveTarget) -> Bool { row.feature.map(target.comparable.contains) ?? true }

    /// Returns the value; for a flag also `false`, and for data also none.
    func json(_ values: UserFields) -> JSON? {
        if let json = row.json(values) { return json }
        return switch row.kind {
        case .flag: false
        case .object: [:]
        case .text, .time, .whole, .texts, .list: nil
        }
    }
}

extension UserRecord {
    /// Returns the names of the values that are compared at a target, and of those that its directory does not return.
    static func names(at target: MoveTarget) -> (compared: [String], others: [String]) {
        let parts = [
            ("identities", target.comparable.contains(.identities)),
            ("second factors", !target.comparable.isDisjoint(with: DirectoryFeature.ofFactors)),
            ("password", target.returnsHashes), ("irregular values", target.access == .database),
        ]
        // A hash also says that there is a password.
        let flags = target.returnsHashes ? [] : [("has password", target.returnsHasPassword)]
        // A name that is split is compared in two parts.
        let fields = ComparedField.all.filter { target.splitName == nil || $0.name != "name" }
        let all = fields.map { ($0.name, $0.isReturned(by: target)) } + parts + flags
        return (all.filter(\.1).map(\.0), all.filter { !$0.1 }.map(\.0))
    }
}

extension DirectoryFeature {
    /// The features of second factors.
    static let ofFactors: Set<DirectoryFeature> = [.factors, .appFactors, .phoneFactors]
}

extension NewDirectoryUser {
    /// The values in the form in which two spellings of one value are equal.
    func comparableValues(at target: MoveTarget) -> UserFields {
        func kept(_ data: JSONObject) -> JSONObject {
            JSON.object(data).rounded(beyond: target.largestNumber).object ?? [:]
        }
        var values = values
        values.email = values.email?.lowercased()
        values.phone = values.phone?.comparableNumber
        values.username = values.username?.lowercased()
        if target.splitName != nil { values.displayName = nil }
        values.userMetadata = kept(values.userMetadata.without(target.ownUserData))
        values.appMetadata = kept(values.appMetadata.without(target.ownClaims))
        values.otherEmails = values.otherEmails.comparable { $0.lowercased() }
        // The numbers of second factors are among the factors.
        values.otherPhones = values.otherPhones.filter { !$0.isSecondFactor }.comparable(\.comparableNumber)
        // Without identities, a target has no other way to tell them apart.
        let isOpen = values.email != nil && values.hasEmailIdentity ?? true
        values.hasEmailIdentity = target.directory.features.contains(.identities) ? signsInWithEmail : isOpen
        values.hasPhoneIdentity = signsInWithPhone
        return values
    }
}

extension [DirectoryAddress] {
    /// Addresses or numbers with their states, in an order that does not depend on the backend.
    fileprivate func comparable(_ form: (String) -> String) -> [DirectoryAddress] {
        map { DirectoryAddress(form($0.value), isConfirmed: $0.isConfirmed) }
            .sorted { $0.value.utf8.lexicographicallyPrecedes($1.value.utf8) }
    }
}
