/// A field of a user, as the table of fields names it.
public enum MoveField: String, Sendable, CaseIterable {
    case password, id, address, number, name, photo, claims
    case userData = "user data"
    case created
    case lastSignIn = "last sign-in"
    case identities
    case factors = "second factors"
    case passkeys
    case backupCodes = "backup codes"
    case disabled
    case banEnd = "end of a ban"
    case lock
    case tenant
    case singleSignOn = "single sign-on"
    case role
    case furtherAddresses = "more addresses"
    case username = "user name"
    case personNames = "first, last name"
    case privateData = "private data"
    case externalID = "external id"
}

/// The treatment of a user's field in a move.
public enum FieldTreatment: String, Sendable, CaseIterable {
    /// The target has the same value.
    case kept
    /// The target has the value in another form.
    case transformed
    /// The target does not have the value.
    case lost
    /// The value can only be read from the source, when the user next signs in.
    case lazy
    /// The value can only be written to the target in another way.
    case otherWay
}

/// A field of a user, and its treatment.
struct FieldVerdict: Sendable, Hashable {
    let field: MoveField
    let treatment: FieldTreatment
    let reason: FieldReason?
}

/// The reason why a field is not copied unchanged.
public enum FieldReason: String, Sendable, CaseIterable {
    case idIsMade, idIsAssigned, externalIDIsID, nameIsSplit, plusIsRemoved, claimsMove, tenantMoves, tenantClaim, reservedNames,
        numbersRounded, otherWay, noPlace,
        detailsStay, oneOfProvider, namesJoined
    case unverifiedSignsIn, addressUnclaimed, addressUnverified, linkedAgain
    case hashNotAccepted, hashIncomplete, hashNotReadable, hashNotPermitted, hashEncrypted, hashImported, hashNotInAPI,
        hashOutdated, hashNotExported
    case factorDropped, passwordDropped, passkeyIsBound, codesStay, providerNotAccepted, timeOutOfRange
    case overLimit

    /// The reason as a short text for a table column.
    public var sentence: String {
        switch self {
        case .idIsMade: "UUIDv5 of project and id; map.csv lists old and new ids"
        case .idIsAssigned: "the target makes it; the old id is the external id, and map.csv lists both"
        case .externalIDIsID: "the field holds the id of the source"
        case .nameIsSplit: "as a first and a last name"
        case .plusIsRemoved: "without the +"
        case .claimsMove: "moved to the user's server-side metadata"
        case .tenantMoves: "moved to the user's server-side metadata"
        case .tenantClaim: "a claim of this name is kept instead; \"largeData\": \"sideFile\" keeps the tenant in a file"
        case .reservedNames: "members with names that the target sets itself"
        case .numbersRounded: "numbers that are too large to be kept exactly"
        case .otherWay: "the target does not take it in this way of writing"
        case .unverifiedSignsIn: "unverified, and stays so; on the target, users sign in without verifying it"
        case .addressUnclaimed: "unverified and unclaimed: nobody signs in with it, and its owner can register it"
        case .linkedAgain: "linked again at the first sign-in with the same verified address"
        case .addressUnverified: "left out because of \"unverifiedAddresses\": \"withoutPassword\""
        case .detailsStay: "without the provider's data and the times"
        case .namesJoined: "joined into one name"
        case .oneOfProvider: "the target keeps one account at each provider (the first is kept)"
        case .noPlace: "the target cannot store it"
        case .hashNotAccepted: "the target does not accept hashes of this kind or cost, or would check them for too long"
        case .hashIncomplete: "no password matches: the hash or the signer key is cut"
        case .hashNotReadable: "the hash cannot be read"
        case .hashNotPermitted: "the administrator's key cannot read hashes"
        case .hashEncrypted: "the server has encrypted the hash with its own key"
        case .hashImported: "imported into the source, and not hashed again since"
        case .hashNotInAPI: "this API returns no hashes"
        case .hashOutdated: "changed after the export: export the users again"
        case .hashNotExported: "the export has no hash of this user: export the users again"
        case .factorDropped: "left out because of \"secondFactors\""
        case .passwordDropped: "left out because of \"secondFactors\": \"withoutPassword\""
        case .passkeyIsBound: "bound to the old site"
        case .codesStay: "no backend exports them"
        case .providerNotAccepted: "the target has no provider of this name"
        case .timeOutOfRange: "not in the years 1 to 9999"
        case .overLimit: "over the target's limit: in large-data.jsonl of the run"
        }
    }
}

/// The way in which a user first signs in on the target.
public enum WayIn: String, Sendable, CaseIterable {
    case password, passwordAfterProof, provider, phoneCode, newPassword, mailLink, disabled, none

    /// The way to sign in, as a part of a sentence.
    public var sentence: String {
        switch self {
        case .password: "password, immediately"
        case .passwordAfterProof: "password, after the address is verified"
        case .provider: "a provider's page"
        case .phoneCode: "a code by SMS"
        case .newPassword: "a new password by email; only the source can verify the old password"
        case .mailLink: "a link by email"
        case .disabled: "none: the user is still disabled"
        case .none: "no way to sign in"
        }
    }

    /// Whether the target sends each user an email first.
    var needsMail: Bool { [.passwordAfterProof, .newPassword, .mailLink].contains(self) }
}

/// The reason why a user is not created.
public enum UserReason: String, Sendable, CaseIterable {
    case anonymousUser, anonymousUserNotAccepted
    case noAddressOrNumber, addressNotAccepted, valueWithNUL, appFactor, appFactorNotAccepted, phoneFactor,
        otherFactor, noWayIn,
        valueMissing
    case dataTooLarge
    case addressTwice, numberTwice, identityTwice, usernameTwice, idTwice
    case addressTaken, numberTaken, identityTaken, usernameTaken, idTaken
    case serverError, databaseError

    /// The reason as a part of a sentence.
    public var sentence: String {
        switch self {
        case .anonymousUser: "anonymous users, because of \"anonymousUsers\""
        case .anonymousUserNotAccepted: "anonymous users, which the target does not take in this way of writing"
        case .noAddressOrNumber: "no address, no number, and no provider's account that the target takes in this way of writing"
        case .addressNotAccepted: "address in a format that the target does not accept"
        case .valueWithNUL: "a name or another value with a NUL character, which the target cannot store"
        case .appFactor: "authenticator app: the source does not return its secret"
        case .appFactorNotAccepted: "authenticator app: the target does not accept its secret"
        case .phoneFactor: "second factor by SMS, which the target does not accept for this user in this way of writing"
        case .otherFactor: "second factor of a type that the target does not support"
        case .noWayIn: "cannot sign in on the target; \"withoutWayIn\": \"create\" creates them"
        case .dataTooLarge: "a value over the target's limit; \"largeData\": \"sideFile\" keeps them in a file"
        case .valueMissing: "lacks a value that the target requires"
        case .addressTwice: "duplicate address, ignoring case and composed letters (the first is kept)"
        case .numberTwice: "duplicate number (the first is kept)"
        case .identityTwice: "duplicate identity at a provider (the first is kept)"
        case .usernameTwice: "duplicate user name (the first is kept)"
        case .idTwice: "duplicate id (the first is kept)"
        case .addressTaken: "address belongs to another user on the target"
        case .numberTaken: "number belongs to another user on the target"
        case .identityTaken: "identity at a provider belongs to another user on the target"
        case .usernameTaken: "user name belongs to another user on the target"
        case .idTaken: "id belongs to another user on the target"
        case .serverError: "the target always failed with a server error"
        case .databaseError: "a rule on the target's side, such as a trigger, rejects the user"
        }
    }
}
