internal import LockstepPrimitives

/// One entry of `providerUserInfo`.
struct Identity: Sendable, Equatable {
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

    /// Reads what ``json`` wrote, or what a request gave; `nil` without provider or subject.
    init?(_ body: Body) {
        guard let provider = body.given("providerId"), let raw = body.given("rawId") else { return nil }
        self.init(
            providerID: provider, rawID: raw, federatedID: body.text("federatedId"), email: body.text("email"),
            displayName: body.text("displayName"), photoURL: body.text("photoUrl"), phoneNumber: body.text("phoneNumber"),
            screenName: body.text("screenName"))
    }

    var json: JSON {
        var members: JSONObject = ["providerId": .string(providerID)]
        members["email"] = email.map(JSON.string)
        members["federatedId"] = federatedID.map(JSON.string)
        members["rawId"] = .string(rawID)
        members["displayName"] = displayName.map(JSON.string)
        members["photoUrl"] = photoURL.map(JSON.string)
        members["phoneNumber"] = phoneNumber.map(JSON.string)
        members["screenName"] = screenName.map(JSON.string)
        return .object(members)
    }
}
