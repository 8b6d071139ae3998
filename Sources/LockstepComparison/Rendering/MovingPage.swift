internal import Lockstep

/// The page docs/moving.md: everything that a report of a move may say, and every call that it may advise, for a test to compile.
package enum MovingPage {
    /// The page; a test compares it with the file, and writes it where it is asked to.
    package static var markdown: String {
        """
        # Moving to another provider

        `lockstep compare --from firebase --to gotrue` starts emulators of both on this machine, walks the same journeys through the same client, tries the switch itself with one store, and
        prints what changes for the app, first what costs it most. This page is written by that command's own tables. It lists what a report may say, with its weight: `safety` (a user is at risk
        or locked out of data), `flow` (a screen leads elsewhere), `screen` (words or fields), `notice` (to know).

        ## What is declared

        Each adapter declares these statements (`ProviderBehavior`, by variant) and has these capabilities; promises of the contract suite check both.

        | what | value | weight | your app | do |
        |---|---|---|---|---|
        \(declared.map(\.markdown).joined(separator: "\n"))

        ## What journeys see

        | journey | what | weight | your app | do |
        |---|---|---|---|---|
        \(seen.map(\.markdown).joined(separator: "\n"))

        ## The calls

        The statements that a report advises, with the products `Lockstep` and, on a server, `LockstepTokens`. `auth` is the app's client, `error` an `AuthError` that a call has thrown, `step`
        what a call has led to, `challenge` that of the step in progress, `screen` what the app shows, `rules` and `verifier` what a server checks tokens by.

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
