public import LockstepPrimitives
internal import LockstepSystem

/// The line of JSON that a server prints when it is ready.
///
/// The line contains all URLs, and the names and keys that clients need.
public struct ReadyLine: Sendable {
    /// The version of the line's format.
    ///
    /// The version increases when a member is removed or changes its meaning.
    public static let version: Int64 = 1

    /// The release of the program; `nil` if unknown.
    public var release: String?
    /// The commit from which the program was built; `nil` if unknown.
    public var commit: String?
    /// The name of the provider.
    public var provider: String
    /// The URL of the provider's API on this server.
    public var base: String
    /// The token for the control routes.
    public var token: Secret
    /// The names and keys that clients need.
    public var variables: JSONObject
    /// The environment variables with which the provider's own SDK connects to this server, by name.
    public var environment: JSONObject = [:]
    /// The settings that differ from the provider's defaults, by name.
    ///
    /// Secrets are masked.
    public var settings: JSONObject = [:]
    /// The URLs of other servers that this server works with, by name, such as an identity provider.
    public var bases: JSONObject = [:]
    /// A link that opens the dashboard once; `nil` if there is no dashboard.
    public var dashboard: Secret?

    /// The text of the line, without the line break.
    ///
    /// The line contains the token for the control routes. So show the line only to the process that started the server.
    public var text: String { json.text() }

    /// The line as a JSON value.
    public var json: JSON {
        let control = base + ControlRoutes.prefix
        var document: JSONObject = [
            "version": .int(Self.version), "provider": .string(provider), "pid": .int(Int64(CurrentProcess.id)),
            "base": .string(base), "inbox": .string(control + "/inbox"),
            "sms": .string(control + "/sms"),
            "advance": .string(control + "/clock?seconds={s}"), "reset": .string(control + "/reset"),
            "faults": .string(control + "/faults"), "transcript": .string(control + "/transcript"),
            "control": ["Authorization": .string("Bearer " + token.reveal())], "vars": .object(variables),
        ]
        document["dashboard"] = dashboard.map { .string($0.reveal()) }
        document["release"] = release.map { .string($0) }
        document["commit"] = commit.map { .string($0) }
        if !environment.isEmpty { document["environment"] = .object(environment) }
        if !settings.isEmpty { document["settings"] = .object(settings) }
        if !bases.isEmpty { document["bases"] = .object(bases) }
        return .object(document)
    }
}
