extension DeclaredGap {
    /// Every gap.
    public static let all: [DeclaredGap] = migration + moves + parts + untried

    private static let migration: [DeclaredGap] = AttackCase.migration.filter { !built.contains($0.id) }.map { one in
        begun.first { $0.id == one.id }
            ?? .untried(one.id, "Moving users is not built in all its parts yet; the part brings its trials with it.")
    }

    /// Cases that a run withstands, in each direction that it supports.
    private static let built: Set = [
        "J01", "J02", "J03", "J04", "J05", "J06", "J07", "J08", "J09", "J10", "J11", "J12", "J16", "J20", "J21", "J22", "J23",
    ]

    /// Cases that a run and the directories already withstand in part.
    private static let begun: [DeclaredGap] = [
        .partly(
            "J13", "Made-up users of each hash sign in, from Firebase to GoTrue; the other five directions are not built yet.")
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
