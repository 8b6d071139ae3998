extension AttackCase {
    /// Requirements for every move of users, in each direction.
    public static let moves = [
        // Planning.
        AttackCase(
            "M01",
            "A plan → writes on neither side, by the request log, and names for each user the outcome, the fields, the reason."),
        AttackCase("M02", "The outcomes of a plan → their sum is the number of users read."),
        AttackCase("M03", "A hash outside of the target's limits → found before the first write; lazy or refused, never sent."),
        AttackCase(
            "M04",
            "A hash that is redacted, empty or encrypted → unreadable, with the missing permission or key; not \"no password\"."),
        AttackCase("M05", "Both base 64 alphabets; a wrong alphabet or key → read; found by a known password before the run."),
        AttackCase("M06", "Parameters of Firebase's scrypt beyond its ranges → refused."),
        AttackCase(
            "M07",
            "Duplicates by case, composed letters or `+`, in the source and against the target → listed first, never merged."),
        AttackCase("M08", "Metadata over a limit → refused by name, or in a side file by choice; never cut."),
        AttackCase("M09", "Clerk's private metadata → in no token, and in no field that a user can read."),
        AttackCase("M10", "CSV with tabs, NULL words, several values in a cell, line ends, `=` → survives both ways."),
        // Writing.
        AttackCase(
            "M11", "Killed anywhere, or an answer lost → the intent was on the disk; no second user, and the first one is found."),
        AttackCase("M12", "An import into Firebase → overwrites nobody; a double fails alone; `error[index]` maps to its user."),
        AttackCase("M13", "Users with two hash configurations into Firebase → a call each; users of both sign in."),
        AttackCase("M14", "A 500 of GoTrue → resolved by reading the id; a retry makes no second user."),
        AttackCase("M15", "429, 5xx, lost connections → retried with `Retry-After` and jitter, one budget; other 4xx are final."),
        AttackCase("M16", "An unverified identifier → explicit at every target, and verified at none."),
        AttackCase(
            "M17", "An attacker's unverified sign-up moves, its owner signs in by Google → the attacker's password opens nothing."
        ),
        AttackCase(
            "M18", "Rows for GoTrue → pass the real schema: tokens empty, instance nil, identities, generated columns unwritten."),
        AttackCase("M19", "An unverified number moves from GoTrue → signs nobody in."),
        AttackCase("M20", "A user with only an identity provider → gains no usable password."),
        AttackCase("M21", "An identity moved as a row, its address changed since → the next sign-in reaches the same user."),
        AttackCase("M22", "An Apple identity under another team → flagged for a transfer; never matched by a relay address."),
        AttackCase("M23", "A user without an address → gets no invented one."),
        AttackCase("M24", "Triggers and webhooks → named by the plan; a trigger that fails stops the run after n failures."),
        AttackCase("M25", "Disabled, banned, deleted users → cannot sign in at the target at any moment."),
        AttackCase("M26", "A second factor that cannot move → its user is listed, and refused by default; never silent."),
        AttackCase("M27", "Input, duplicates and journal → streamed, flat memory."),
        AttackCase("M28", "A run continued or undone against another project → refused."),
        // Verification.
        AttackCase("M29", "Verification → reads each user back and compares every field; one flipped byte is found."),
        AttackCase("M30", "Canaries for each hash, identifier and flag → sign in through the public API; then they are removed."),
        AttackCase("M31", "Report, journal and logs → no hash, key or secret, and no address unless asked; files 0600."),
        AttackCase(
            "M32", "The map of ids → a stored bijection; a collision stops the run; rewriting SQL is quoted and reversible."),
        // Follow, way back, undo.
        AttackCase("M33", "Changed, deleted or created at the source during the run → a second pass makes both sides equal."),
        AttackCase("M34", "Deleted on either side after the import → stays deleted, also lazily."),
        AttackCase(
            "M35", "An undo → deletes only users whom this run made, unchanged and not signed in since; adopted ones never."),
        AttackCase("M36", "An undo at GoTrue → shows first which rows go with the users."),
        AttackCase(
            "M37", "Rolled back after a change at the target → the old side takes it or names the user; the old password fails."),
        AttackCase("M38", "An overwrite at Firebase → sends the whole record or is refused; the sign-out is stated."),
        // Lazy, session, dual run.
        AttackCase("M39", "Lazy: before the old side has confirmed the password → nothing is created."),
        AttackCase("M40", "Unknown, not moved, wrong password → same answer, same time; attempts count once across both sides."),
        AttackCase("M41", "Forgot password, magic link, social sign-in of a user who has not moved → work."),
        AttackCase("M42", "A password that fails the new policy → leads to a change, not to \"wrong password\"."),
        AttackCase("M43", "Two first sign-ins at the same time → one user, both succeed."),
        AttackCase("M44", "After the end date → no password reaches the old side."),
        AttackCase("M45", "An exchange repeated → the same session; replayed, from another device or disabled → refused."),
        AttackCase("M46", "A Firebase token of another project → refused by the verifier and by the row rules."),
        AttackCase("M47", "Tokens of both issuers → one id; unknown issuer, missing entry, pending session → refused."),
        AttackCase("M48", "A token → goes to its own issuer's host only."),
        AttackCase(
            "M49", "Links and codes of the old backend → finish while it lives; a switch moves a group within a token's life."),
        // Further.
        AttackCase("M50", "Each user after the move → has a way in; none is refused unless allowed."),
        AttackCase("M51", "What the target's settings would reject → counted first, with the setting to change."),
        AttackCase(
            "M52", "Before a write → source, target and origin of the keys are printed; a yes or `--yes`; other keys refused."),
        AttackCase("M53", "Half a user → each part is a state of its own; completed or named."),
        AttackCase("M54", "A page that is short, repeated or cut, a count that lies → an error, never the end of the list."),
        AttackCase(
            "M55", "Tenants, organizations, roles, single sign-on → counted, in files of their own; none dropped silently."),
        AttackCase("M56", "A second factor that moved → signs in with a code of its secret."),
        AttackCase("M57", "What slows the first sign-in → named first: codes on a new device, mail limits, unverified users."),
        AttackCase("M58", "An archive → sealed with the operator's key; `purge` removes archive and journal."),
        AttackCase("M59", "A rehearsal → writes nothing to the real source or target, by the request log."),
        AttackCase("M60", "A session exchange → verifies no address, revives and enables nobody, raises no assurance."),
    ]
}
