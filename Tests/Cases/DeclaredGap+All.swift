extension DeclaredGap {
    /// Every gap.
    public static let all: [DeclaredGap] = migration + parts + untried

    private static let migration: [DeclaredGap] = AttackCase.migration.map { one in
        begun.first { $0.id == one.id }
            ?? .untried(one.id, "Moving users is not built yet; its own work brings it with its trials.")
    }

    /// What directories keep of it already.
    private static let begun: [DeclaredGap] = [
        .partly(
            "J04",
            "A directory refuses a taken id or address and overwrites nothing; the verdict of a whole run is not built yet."),
        .partly(
            "J08",
            "A directory waits for limits and loses no user by it; reading back after a 5xx or a timeout is the run's, not built."
        ),
        .partly(
            "J09",
            "A directory tells the user of a lost answer as unknown, to be asked for; the journal of a run is not built yet."),
    ]

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
