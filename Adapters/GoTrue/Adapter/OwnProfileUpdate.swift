internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// Name and photo, which GoTrue keeps in the user's metadata, and the rest of that.
///
/// The server merges members, and removes those that are `null` (reference: `PUT /user`).
struct OwnProfileUpdate: ProfileUpdate {
    let api: GoTrueAPI

    var takesPhoto: Bool { true }
    var takesMetadata: Bool { true }

    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session {
        var data = changes.metadata ?? [:]
        if let name = changes.displayName { data["display_name"] = name.isEmpty ? .null : .string(name) }
        if let photo = changes.photoURL { data["avatar_url"] = photo.isEmpty ? .null : .string(photo) }
        let response = try await api.call(.put, "/user", body: ["data": .object(data)], as: session.accessToken)
        var copy = session
        copy.user = try User(goTrue: response.object)
        return copy
    }
}
