/// A part of a user, as the field table names it.
public enum MoveField: String, Sendable, CaseIterable {
    case password, id, address, number, name, photo, claims
    case userData = "user data"
    case created
    case lastSignIn = "last sign-in"
    case identities
    case factors = "second factors"
    case passkeys, disabled, tenant
}

/// What becomes of a part of a user.
public enum FieldTreatment: String, Sendable, CaseIterable {
    /// It is at the target as it was.
    case kept
    /// It is at the target in another form.
    case transformed
    /// It is not at the target.
    case lost
    /// It can be had by asking the source at the user's next sign-in only.
    case lazy
    /// It can be written into the target's database only.
    case needsRows
}

/// A part of a user with what becomes of it.
struct FieldVerdict: Sendable, Hashable {
    let field: MoveField
    let treatment: FieldTreatment
    let reason: FieldReason?
}

/// The reason for which a part of a user does not stay as it is.
public enum FieldReason: String, Sendable, CaseIterable {
    case idIsMade, plusIsRemoved, claimsMove, tenantMoves, reservedNames, needsRows, noPlace, hashNotAccepted, hashNotReadable
    case hashNotPermitted, hashEncrypted, hashImported, hashNotInAPI, factorDropped, passkeyIsBound

    /// The reason in words, for the column of a table.
    public var sentence: String {
        switch self {
        case .idIsMade: "UUIDv5 of project and id; the journal has the way back"
        case .plusIsRemoved: "without the +"
        case .claimsMove: "into the server's data of the user"
        case .tenantMoves: "into the server's data of the user"
        case .reservedNames: "members with names that the target sets itself"
        case .needsRows: "only by the target's database"
        case .noPlace: "the target has no place for it"
        case .hashNotAccepted: "the target does not accept hashes of this kind or cost"
        case .hashNotReadable: "the hash cannot be read"
        case .hashNotPermitted: "the administrator's key may not read hashes"
        case .hashEncrypted: "the server has encrypted the hash with its own key"
        case .hashImported: "imported at the source, and not hashed again since"
        case .hashNotInAPI: "this API gives out no hashes"
        case .passkeyIsBound: "bound to the old site"
        case .factorDropped: "left out, by \"factors\": \"drop\""
        }
    }
}

/// A way by which a user signs in at the target for the first time.
public enum WayIn: String, Sendable, CaseIterable {
    case password, passwordAfterProof, provider, phoneCode, newPassword, mailLink, disabled

    /// The way in words.
    public var sentence: String {
        switch self {
        case .password: "password, immediately"
        case .passwordAfterProof: "password, after the address is verified"
        case .provider: "a provider's page"
        case .phoneCode: "a code by SMS"
        case .newPassword: "a new password by mail; the old one is known to the source only"
        case .mailLink: "a link by mail"
        case .disabled: "none: the user is disabled, as before"
        }
    }
}

/// The reason for which a user is not created.
public enum UserReason: String, Sendable, CaseIterable {
    case guest, noAddressOrNumber, addressNotAccepted, appFactor, phoneFactor, otherFactor
    case addressTwice, numberTwice, idTwice, addressTaken, numberTaken, idTaken
    case serverError

    /// The reason in words.
    public var sentence: String {
        switch self {
        case .guest: "guests, by \"guests\""
        case .noAddressOrNumber: "neither address nor number: only the target's database can hold them"
        case .addressNotAccepted: "address of a form that the target does not accept"
        case .appFactor: "second factor by an app, whose secret the source does not give out"
        case .phoneFactor: "second factor by SMS, which only the target's database can get"
        case .otherFactor: "second factor of a kind that the target does not have"
        case .addressTwice: "address twice, apart from case and composed letters (the first is kept)"
        case .numberTwice: "number twice (the first is kept)"
        case .idTwice: "id twice (the first is kept)"
        case .addressTaken: "address is another user's at the target"
        case .numberTaken: "number is another user's at the target"
        case .idTaken: "id is another user's at the target"
        case .serverError: "the target failed each time with an error of its own"
        }
    }
}
