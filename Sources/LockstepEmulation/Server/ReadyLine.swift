public import LockstepPrimitives
internal import LockstepSystem

/// The line that a server prints when it is ready: one line of JSON with all addresses, and the names that clients need.
public struct ReadyLine: Sendable {
    /// The version of the document.
    ///
    /// It increases when a member changes its meaning or is removed.
    public static let version: Int64 = 1

    /// The release of the serving program; `nil` if it is unknown.
    public var release: String?
    /// The commit that it was built from, if it is known.
    public var commit: String?
    /// The provider.
    public var provider: String
    /// The address of the provider's own routes.
    public var base: String
    /// The token of the control routes.
    public var token: Secret
    /// The provider's names and keys.
    public var variables: JSONObject
    /// The environment variables that point the vendor's SDK at this server, by name.
    public var environment: JSONObject = [:]
    /// The settings that differ from the provider's defaults, by name; secrets are masked.
    public var settings: JSONObject = [:]
    /// Other servers that it works with, by name: an identity provider.
    public var bases: JSONObject = [:]
    /// A link to the dashboard, which works once; `nil` if there is no dashboard.
    public var dashboard: Secret?

    /// The line, without its end.
    ///
    /// It contains the control token, so it is only for the process that started the server.
    public var text: String { json.text() }

    /// The document.
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
