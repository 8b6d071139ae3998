internal import LockstepEmulation
internal import LockstepPrimitives

/// One entry of `providerUserInfo`.
struct Identity: Sendable, Equatable, DocumentValue {
    var providerID: String
    var rawID: String
    var federatedID: String?
    var email: String?
    var displayName: String?
    var photoURL: String?
    var phoneNumber: String?
    var screenName: String?

    init(
        providerID: String, rawID: String, federatedID: String? = nil, email: String? = nil, displayName: String? = nil,
        photoURL: String? = nil, phoneNumber: String? = nil, screenName: String? = nil
    ) {
        self.providerID = providerID
        self.rawID = rawID
        self.federatedID = federatedID
        self.email = email
        self.displayName = displayName
        self.photoURL = photoURL
        self.phoneNumber = phoneNumber
        self.screenName = screenName
    }

    /// Reads a value that ``json`` has written or a request contains; `nil` without a provider or subject.
    init?(_ body: Body) {
        guard let provider = body.given("providerId"), let raw = body.given("rawId") else { return nil }
        self.init(
            providerID: provider, rawID: raw, federatedID: body.text("federatedId"), email: body.text("email"),
            displayName: body.text("displayName"), photoURL: body.text("photoUrl"), phoneNumber: body.text("phoneNumber"),
            screenName: body.text("screenName"))
    }

    var json: JSON {
        JSONObject(given: [
            "providerId": providerID, "email": email, "federatedId": federatedID, "rawId": rawID, "displayName": displayName,
            "photoUrl": photoURL, "phoneNumber": phoneNumber, "screenName": screenName,
        ]).json
    }
}

/// The name of a way to sign in, as in tokens and `providerUserInfo`.
enum ProviderID {
    static let password = "password"
    static let phone = "phone"
    static let anonymous = "anonymous"
    static let custom = "custom"
    static let passkey = "passkey"
    static let gameCenter = "gc.apple.com"
    static let google = "google.com"
    static let apple = "apple.com"
}

/// The user of an identity: an identity belongs to one user only.
struct IdentityEntry: Record {
    var space: Int64 = 0
    var provider = ""
    var rawID = ""
    var localID = ""
    var email: String?

    static let table = Table<IdentityEntry>(
        "identities",
        [
            Column("space", \.space), Column("provider", \.provider), Column("raw_id", \.rawID), Column("local_id", \.localID),
            Column("email", \.email),
        ], key: ["space", "provider", "raw_id"],
        rules: ["FOREIGN KEY (space, local_id) REFERENCES users (space, local_id) ON DELETE CASCADE"],
        indexes: [
            Index("identities_by_user", on: "space, local_id"),
            Index("identities_by_email", on: "space, email", where: "email IS NOT NULL"),
        ], isKeyed: true)
}
