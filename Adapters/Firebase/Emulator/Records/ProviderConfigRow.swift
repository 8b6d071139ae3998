internal import LockstepEmulation
internal import LockstepPrimitives

/// The configuration of an identity provider.
struct ProviderConfigRow: Record {
    var space: Int64 = 0
    var kind = ProviderConfig.standard
    var id = ""
    var config: JSONObject = [:]

    static let table = Table<ProviderConfigRow>(
        "provider_configs",
        [
            Column("space", \.space, .belongs(to: "spaces (id)")), Column("kind", \.kind), Column("id", \.id),
            Column("config", \.config),
        ], key: ["space", "kind", "id"], isKeyed: true)
}
