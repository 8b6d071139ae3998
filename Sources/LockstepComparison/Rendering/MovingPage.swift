internal import Lockstep

/// What a move can do to the safety of users, and all recommended calls.
package enum MovingPage {
    /// The tables of docs/coming-from.md; a test compares them with the page, and writes them on request.
    package static var tables: String {
        """
        Each adapter declares these statements (`ProviderBehavior`, by variant) and has these capabilities. Contracts check both.

        | what | value | your app | do |
        |---|---|---|---|
        \(declared.filter(\.isAboutSafety).map(\.markdown).joined(separator: "\n"))

        The journeys of `lockstep compare` see these differences:

        | journey | what | your app | do |
        |---|---|---|---|
        \(seen.filter(\.isAboutSafety).map(\.markdown).joined(separator: "\n"))

        """
    }

    /// Tests/Fixtures/MoveCalls.md, which a test compiles.
    package static var statements: String {
        """
        # The calls of a move

        A report of `lockstep compare` suggests these statements. They use the product `Lockstep`. On a server, they use `LockstepVerifier`. `auth` is the app's client, `error` is a thrown `AuthError`, and `step` is the result of a call. `challenge` belongs to the current step, and `screen` is the app's screen. `verifier` checks tokens on a server, and `newVerifier` those of the new backend.

        ```swift
        \(calls.joined(separator: "\n"))
        ```

        """
    }

    private struct Line {
        let what: [String]
        let effect: Effect

        var isAboutSafety: Bool { effect.cost.weight == "safety" }

        var markdown: String {
            "| "
                + (what.map(\.escapedForMarkdown) + [effect.consequence.withCodeInMarkdown, effect.action.withCodeInMarkdown])
                .joined(separator: " | ")
                + " |"
        }
    }

    private static var declared: [Line] {
        (Meaning.table + Capability.all.map { Meaning.of(capability: $0.rawValue) }).flatMap { meaning in
            meaning.values.map { Line(what: [meaning.title, $0.words], effect: $0.effect) }
        }
    }

    private static var seen: [Line] {
        Consequence.table.map { Line(what: [$0.journey, $0.observation], effect: $0.effect) }
    }

    /// Each call once, in the order of the tables.
    private static var calls: [String] {
        let others = [Consequence.handling(["refused: invalidPhone"]), Consequence.handling(["linkInvalid", "linkExpired"])]
        let all = (Move.effects + (declared + seen).map(\.effect)).compactMap(\.call) + others
        return all.enumerated().filter { all.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }
}
