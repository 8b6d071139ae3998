internal import LockstepPrimitives

/// A project, or one tenant of it: what users, codes and sessions belong to.
struct Space: Sendable {
    let id: Int64
    let project: String
    /// `nil` for the project itself.
    let tenant: String?
    /// The settings as administrators read and write them.
    var config: JSONObject
    /// What the settings mean.
    var rules: Rules
}
