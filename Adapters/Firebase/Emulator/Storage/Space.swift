internal import LockstepPrimitives

/// A project, or one tenant of it: the owner of users, codes and sessions.
struct Space: Sendable {
    let id: Int64
    let project: String
    /// `nil` for the project itself.
    let tenant: String?
    /// The settings as administrators read and write them.
    var config: JSONObject
    /// The rules of the settings.
    var rules: Rules
}
