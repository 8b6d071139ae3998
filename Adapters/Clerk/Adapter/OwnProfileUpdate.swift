internal import Lockstep
internal import LockstepHTTP
internal import LockstepPrimitives
internal import LockstepWire

/// First and last name, and the user's own metadata (`unsafe_metadata`); a photo is an upload at Clerk and not an address.
struct OwnProfileUpdate: ProfileUpdate {
    let api: ClerkAPI

    var takesPhoto: Bool { false }
    var takesMetadata: Bool { true }

    func update(_ changes: ProfileChanges, of session: Session) async throws(AuthError) -> Session {
        var session = session
        if let name = changes.displayName { session = try await rename(name, session) }
        if let metadata = changes.metadata { session = try await merge(metadata, session) }
        return session
    }

    private func rename(_ name: String, _ session: Session) async throws(AuthError) -> Session {
        do {
            return try api.session(session, with: try await api.about(session, .patch, "/me", PersonName(name).form))
        } catch  where error.provider?.code == "form_param_unknown" {
            return try await patch(["display_name": .string(name)], session)
        }
    }

    /// Clerk merges nested objects too; members that a replaced object does not name must be removed.
    private func merge(_ metadata: JSONObject, _ session: Session) async throws(AuthError) -> Session {
        guard metadata.contains(where: { $0.value.object != nil }) else { return try await patch(metadata, session) }
        let current = try User(clerk: try await api.about(session, .get, "/me").resource()).metadata ?? [:]
        let changes = JSONObject(metadata.map { ($0.name, $0.value.replacing(current[$0.name])) })
        return try await patch(changes, session)
    }

    private func patch(_ metadata: JSONObject, _ session: Session) async throws(AuthError) -> Session {
        let form = [(name: "unsafe_metadata", value: JSON.object(metadata).text())]
        return try api.session(session, with: try await api.about(session, .patch, "/me/metadata", form))
    }
}

extension JSON {
    /// The patch that turns `old` into this value: members that this value lacks are `null`.
    fileprivate func replacing(_ old: JSON?) -> JSON {
        guard let new = object, let old = old?.object else { return self }
        let removed = old.filter { new[$0.name] == nil }.map { ($0.name, JSON.null) }
        return .object(JSONObject(removed + new.map { ($0.name, $0.value.replacing(old[$0.name])) }))
    }
}
