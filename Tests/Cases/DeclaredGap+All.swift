extension DeclaredGap {
    /// Every gap.
    public static let all: [DeclaredGap] = migration + parts + untried

    private static let migration: [DeclaredGap] = AttackCase.migration.map {
        .untried($0.id, "Moving users is not built yet; its own work brings it with its trials.")
    }

    private static let parts: [DeclaredGap] = [
        .partly(
            "C03",
            "The second use is refused, also at once with the first; neither GoTrue nor Clerk ends the first session for it, so their "
                + "emulators do not either: it waits for a server of our own, which the server's helper brings.")
    ]

    private static let untried: [DeclaredGap] = [
        .untried(
            "H07",
            "Nothing here writes a session into an HTTP answer of a server: neither the client, nor an adapter, nor `authorized` has "
                + "an answer of the app's own to write to. The helper for servers is work of its own and brings the refusal with it."
        )
    ]
}
