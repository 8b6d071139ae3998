internal import Lockstep

/// The page docs/moving.md: all possible texts of a move's report, and all recommended calls, which a test compiles.
package enum MovingPage {
    /// The page; a test compares it with the file, and writes it on request.
    package static var markdown: String {
        """
        # What a move can change

        This page lists all sentences that `lockstep compare --from A --to B` can print. A test writes the page from the command's own tables. [moving-app.md](moving-app.md) lists the steps of a move.

        Each row has a weight:

        \(Cost.weights.map { "- `\($0.name)`: \($0.meaning)" }.joined(separator: "\n"))

        ## What is declared

        Each adapter declares these statements (`ProviderBehavior`, by variant) and has these capabilities. Contracts check both.

        | what | value | weight | your app | do |
        |---|---|---|---|---|
        \(declared.map(\.markdown).joined(separator: "\n"))

        ## What journeys see

        | journey | what | weight | your app | do |
        |---|---|---|---|---|
        \(seen.map(\.markdown).joined(separator: "\n"))

        ## The calls

        A report suggests these statements. They use the product `Lockstep`. On a server, they use `LockstepVerifier`, which contains the module `LockstepTokens`. `auth` is the app's client, `error` is a thrown `AuthError`, and `step` is
        the result of a call. `challenge` belongs to the current step, and `screen` is the app's screen. `rules` and `verifier` check tokens on a server.

        ```swift
        \(calls.joined(separator: "\n"))
        ```

        """
    }

    private struct Line {
        let what: [String]
        let effect: Effect

        var markdown: String {
            let cells = what.map(\.escapedForMarkdown) + [effect.cost.weight]
            return "| "
                + (cells + [effect.consequence.withCodeInMarkdown, effect.action.withCodeInMarkdown]).joined(separator: " | ")
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
