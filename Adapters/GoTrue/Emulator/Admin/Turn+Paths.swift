internal import LockstepEmulation
internal import LockstepSQLite

extension Turn {
    /// An id of the path; one that is no UUID is not found.
    func id(_ name: String) throws -> String {
        guard let id = UUIDText.normal(request[placeholder: name]) else {
            throw GoTrueError.notFound(.validationFailed, "\(name) must be an UUID")
        }
        return id
    }

    /// The user that an administrator's path names.
    func userOfPath(_ db: inout SQLiteConnection) throws -> User {
        guard let user = try db.user(id: try id("user_id")) else { throw GoTrueError.notFound(.userNotFound, "User not found") }
        return user
    }

    /// The factor that a path names, one of this user's.
    func factorOfPath(_ user: User) throws -> Factor {
        let id = try id("factor_id")
        guard let factor = user.factors.first(where: { $0.id == id }) else {
            throw GoTrueError.notFound(.factorNotFound, "Factor not found")
        }
        return factor
    }
}
