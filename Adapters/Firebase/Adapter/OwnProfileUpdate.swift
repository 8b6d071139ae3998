internal import Lockstep
internal import LockstepPrimitives

/// Name and photo.
struct OwnProfileUpdate: ProfileUpdate {
    let api: FirebaseAPI

    var takesPhoto: Bool { true }

    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session {
        var body: JSONObject = [:]
        var removed: [JSON] = []
        // Firebase stores an empty name and puts it into tokens, so removing a name is another request.
        switch changes.displayName {
        case ""?: removed.append("DISPLAY_NAME")
        case let name?: body["displayName"] = .string(name)
        case nil: break
        }
        switch changes.photoURL {
        case ""?: removed.append("PHOTO_URL")
        case let url?: body["photoUrl"] = .string(url)
        case nil: break
        }
        if !removed.isEmpty { body["deleteAttribute"] = .array(removed) }
        return try await api.renewed(try await api.update(body, of: session))
    }
}
