internal import LockstepEmulation
internal import LockstepPrimitives
internal import LockstepSQLite

/// Sessions as both APIs show them.
struct SessionJSON {
    let context: RequestContext

    /// Returns a session with its user and a new token, as the Frontend API shows it.
    func session(_ session: SessionRecord, audience: TokenAudience) throws -> JSON {
        var json = common(session)
        let user = try context.users.find(session.userID)
        let users = context.userJSON
        var rest: JSONObject = [
            "user": try user.map { try users.user($0) } ?? .null,
            "public_user_data": try user.map { try users.publicData($0) } ?? .null,
            "factor_verification_age": age(session), "created_at": .time(session.createdAt),
            "updated_at": .time(session.updatedAt),
            "last_active_token": nil,
        ]
        if session.isLive, let user {
            rest["last_active_token"] = [
                "object": "token",
                "jwt": .string(try context.sessionTokens.token(of: session, user: user, audience: audience)),
            ]
        }
        if session.status == .pending { rest["tasks"] = .array(session.tasks.map { ["key": .string($0)] }) }
        for (name, value) in rest { json[name] = value }
        return .object(json)
    }

    /// Returns a session in the list of devices.
    func device(_ session: SessionRecord, audience: TokenAudience) throws -> JSON {
        guard case .object(var json) = try self.session(session, audience: audience) else { return .null }
        json["latest_activity"] = activity(session)
        return .object(json)
    }

    /// Returns a session as the Backend API shows it: with ids instead of the user.
    func bare(_ session: SessionRecord) -> JSON {
        var json = common(session)
        json["client_id"] = .string(session.clientID ?? "")
        json["user_id"] = .string(session.userID)
        json["latest_activity"] = activity(session)
        json["tasks"] = session.status == .pending ? .array(session.tasks.map { ["key": .string($0)] }) : .null
        json["created_at"] = .time(session.createdAt)
        json["updated_at"] = .time(session.updatedAt)
        return .object(json)
    }

    /// Returns the minutes since the first and the second factor were verified; -1 for never.
    func age(_ session: SessionRecord) -> JSON {
        let minutes = [session.firstFactorAt, session.secondFactorAt].map { proven in
            proven.map { max(0, (context.now - $0).milliseconds / 60000) } ?? -1
        }
        return .array(minutes.map { .int($0) })
    }

    private func common(_ session: SessionRecord) -> JSONObject {
        [
            "object": "session", "id": .string(session.id), "status": .string(session.status.rawValue),
            "expire_at": .time(session.expireAt), "abandon_at": .time(session.abandonAt),
            "last_active_at": .time(session.lastActiveAt), "last_active_organization_id": .text(session.organizationID),
            "actor": session.actor ?? .null,
        ]
    }

    private func activity(_ session: SessionRecord) -> JSON {
        [
            "object": "session_activity", "id": .string("sess_activity_" + session.id.dropFirst(5)),
            "device_type": .string(session.userAgent.isEmpty ? "unknown" : String(session.userAgent.prefix(60))),
            "is_mobile": false, "ip_address": "127.0.0.1",
        ]
    }
}
