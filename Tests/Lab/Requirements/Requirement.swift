/// What every move of users must do, in each direction.
struct Requirement: Sendable, Identifiable, Hashable {
    /// `M` and two digits: `M04`.
    let id: String
    /// The situation, an arrow, and the expected result.
    let sentence: String

    init(_ id: String, _ sentence: String) {
        self.id = id
        self.sentence = sentence
    }
}

extension Requirement {
    /// Every requirement, in the order of the ids.
    static let all = [
        // Planning.
        Requirement(
            "M01",
            "A plan → writes on neither side, by the request log, and names for each user the outcome, the fields, the reason."),
        Requirement("M02", "The outcomes of a plan → their sum is the number of users read."),
        Requirement("M03", "A hash outside of the target's limits → found before the first write; lazy or refused, never sent."),
        Requirement(
            "M04",
            "A hash that is redacted, empty or encrypted → unreadable, with the missing permission or key; not \"no password\"."),
        Requirement("M05", "Both base 64 alphabets; a wrong alphabet or key → read; found by a known password before the run."),
        Requirement("M06", "Parameters of Firebase's scrypt beyond its ranges → refused."),
        Requirement(
            "M07",
            "Duplicates by case, composed letters or `+`, in the source and against the target → listed first, never merged."),
        Requirement("M08", "Metadata over a limit → refused by name, or in a side file by choice; never cut."),
        Requirement("M09", "Clerk's private metadata → in no token, and in no field that a user can read."),
        Requirement("M10", "CSV with tabs, NULL words, several values in a cell, line ends, `=` → survives both ways."),
        // Writing.
        Requirement(
            "M11", "Killed anywhere, or an answer lost → the intent was on the disk; no second user, and the first one is found."),
        Requirement("M12", "An import into Firebase → overwrites nobody; a double fails alone; `error[index]` maps to its user."),
        Requirement("M13", "Users with two hash configurations into Firebase → a call each; users of both sign in."),
        Requirement("M14", "A 500 of GoTrue → resolved by reading the id; a retry makes no second user."),
        Requirement(
            "M15", "429, 5xx, lost connections → retried with `Retry-After` and jitter, one budget; other 4xx are final."),
        Requirement("M16", "An unverified identifier → explicit at every target, and verified at none."),
        Requirement(
            "M17", "An attacker's unverified sign-up moves, its owner signs in by Google → the attacker's password opens nothing."
        ),
        Requirement(
            "M18", "Rows for GoTrue → pass the real schema: tokens empty, instance nil, identities, generated columns unwritten."),
        Requirement("M19", "An unverified number moves from GoTrue → signs nobody in."),
        Requirement("M20", "A user with only an identity provider → gains no usable password."),
        Requirement("M21", "An identity moved as a row, its address changed since → the next sign-in reaches the same user."),
        Requirement("M22", "An Apple identity under another team → flagged for a transfer; never matched by a relay address."),
        Requirement("M23", "A user without an address → gets no invented one."),
        Requirement("M24", "Triggers and webhooks → named by the plan; a trigger that fails stops the run after n failures."),
        Requirement("M25", "Disabled, banned, deleted users → cannot sign in at the target at any moment."),
        Requirement("M26", "A second factor that cannot move → its user is listed, and refused by default; never silent."),
        Requirement("M27", "Input, duplicates and journal → streamed, flat memory."),
        Requirement("M28", "A run continued or undone against another project → refused."),
        // Verification.
        Requirement("M29", "Verification → reads each user back and compares every field; one flipped byte is found."),
        Requirement(
            "M30", "Canaries for each hash, identifier and flag → sign in through the public API; then they are removed."),
        Requirement("M31", "Report, journal and logs → no hash, key or secret, and no address unless asked; files 0600."),
        Requirement(
            "M32", "The map of ids → a stored bijection; a collision stops the run; rewriting SQL is quoted and reversible."),
        // Follow, way back, undo.
        Requirement("M33", "Changed, deleted or created at the source during the run → a second pass makes both sides equal."),
        Requirement("M34", "Deleted on either side after the import → stays deleted, also lazily."),
        Requirement(
            "M35", "An undo → deletes only users whom this run made, unchanged and not signed in since; adopted ones never."),
        Requirement("M36", "An undo at GoTrue → shows first which rows go with the users."),
        Requirement(
            "M37", "Rolled back after a change at the target → the old side takes it or names the user; the old password fails."),
        Requirement("M38", "An overwrite at Firebase → sends the whole record or is refused; the sign-out is stated."),
        // Lazy, session, dual run.
        Requirement("M39", "Lazy: before the old side has confirmed the password → nothing is created."),
        Requirement("M40", "Unknown, not moved, wrong password → same answer, same time; attempts count once across both sides."),
        Requirement("M41", "Forgot password, magic link, social sign-in of a user who has not moved → work."),
        Requirement("M42", "A password that fails the new policy → leads to a change, not to \"wrong password\"."),
        Requirement("M43", "Two first sign-ins at the same time → one user, both succeed."),
        Requirement("M44", "After the end date → no password reaches the old side."),
        Requirement("M45", "An exchange repeated → the same session; replayed, from another device or disabled → refused."),
        Requirement("M46", "A Firebase token of another project → refused by the verifier and by the row rules."),
        Requirement("M47", "Tokens of both issuers → one id; unknown issuer, missing entry, pending session → refused."),
        Requirement("M48", "A token → goes to its own issuer's host only."),
        Requirement(
            "M49", "Links and codes of the old backend → finish while it lives; a switch moves a group within a token's life."),
        // Further.
        Requirement("M50", "Each user after the move → has a way in; none is refused unless allowed."),
        Requirement("M51", "What the target's settings would reject → counted first, with the setting to change."),
        Requirement(
            "M52", "Before a write → source, target and origin of the keys are printed; a yes or `--yes`; other keys refused."),
        Requirement("M53", "Half a user → each part is a state of its own; completed or named."),
        Requirement("M54", "A page that is short, repeated or cut, a count that lies → an error, never the end of the list."),
        Requirement(
            "M55", "Tenants, organizations, roles, single sign-on → counted, in files of their own; none dropped silently."),
        Requirement("M56", "A second factor that moved → signs in with a code of its secret."),
        Requirement("M57", "What slows the first sign-in → named first: codes on a new device, mail limits, unverified users."),
        Requirement("M58", "An archive → sealed with the operator's key; `purge` removes archive and journal."),
        Requirement("M59", "A rehearsal → writes nothing to the real source or target, by the request log."),
        Requirement("M60", "A session exchange → verifies no address, revives and enables nobody, raises no assurance."),
    ]
}
