extension AttackCase {
    /// The transport, and hostile servers.
    public static let transport = [
        AttackCase("F01", "Refused, no such host, TLS failure, no network → a retryable error, and the session stays."),
        AttackCase("F02", "A byte a second in headers or body → the deadline ends it, the socket is closed."),
        AttackCase("F03", "A body cut short, a wrong length, an early end, bad chunks → retryable, nothing stored."),
        AttackCase(
            "F04", "200 with HTML, nothing, another type, a BOM, duplicate keys → `invalidResponse`, and the session stays."),
        AttackCase(
            "F05", "429 with `Retry-After` in seconds, as a date, absurd, negative, missing → a bounded wait within the budget."),
        AttackCase(
            "F06", "5xx for ninety minutes → growing waits with jitter, a bounded number of requests, it heals by itself."),
        AttackCase("F07", "A gigabyte, a compression bomb, ten thousand headers → ended at the limit, bounded memory."),
        AttackCase(
            "F08", "Redirects to another host, scheme or port, 307 and 308 with a body, a loop → not followed, no token sent on."),
        AttackCase("F09", "CR/LF in the key, the redirect, the user agent; odd encodings → refused before it is sent."),
        AttackCase("F10", "A base URL with `//`, `..`, user info, a query; `%2f` in a segment → the secret stays at its origin."),
        AttackCase("F11", "Ids like `../admin`, `?x=`, NUL, ten thousand characters in an administrator's call → refused here."),
        AttackCase("F12", "A proxy answers 407, or refuses CONNECT → a typed error."),
        AttackCase(
            "F13", "A kept connection closes between requests → at most one retry, of what may be repeated; never two sign-ups."),
        AttackCase("F14", "An answer to another request, or of another user → not adopted."),
        AttackCase("F15", "The certificate changes while a session lives → a TLS error, and the session stays."),
        AttackCase("F16", "The server's clock is hours off → a token serves until it really expires, no loop."),
    ]

    /// Stores, files and processes.
    public static let storage = [
        AttackCase("G01", "kill -9 at every system call of a write → the old or the new session, readable."),
        AttackCase(
            "G02",
            "Disk full, quota, read-only, EIO, no descriptors → an event, the session in memory works, nothing is cut short."),
        AttackCase("G03", "0600 and 0700 whatever the umask; an open file, a link, a FIFO in the way → tightened or refused."),
        AttackCase("G04", "A corrupt, empty, huge, later or foreign file → kept aside, signed out with the reason, no crash."),
        AttackCase("G05", "The holder of a lock dies → the next goes on in bounded time; an old lock file does no harm."),
        AttackCase("G06", "The file is deleted while the app runs → written again, no sign-out."),
        AttackCase("G07", "The keychain is locked at launch and unlocked later → restored, nothing deleted."),
        AttackCase("G08", "A duplicate item, another access group, no entitlement → a typed error that says what to do."),
        AttackCase("G09", "An older version of the app, then the newer again → the session survives."),
        AttackCase("G10", "Two accounts, adapters or environments in one store → their keys never meet."),
        AttackCase(
            "G11", "A child process → no token in its environment or arguments; no secret in temporary files or a core dump."),
        AttackCase("G12", "Moving to another store is interrupted → one readable copy."),
    ]

    /// Logs, privacy and output.
    public static let privacy = [
        AttackCase("H01", "A canary password, token, code and hash, every log at its finest, every adapter → nowhere."),
        AttackCase("H02", "The canary in error texts, descriptions, dumps, mirrors, encodings and traps → nowhere."),
        AttackCase(
            "H03",
            "The canary in a command's output, JSON, verbose form, files and arguments → only in files that are documented as secret (0600)."
        ),
        AttackCase("H04", "Addresses in logs → masked unless asked for."),
        AttackCase("H05", "Attributes of metrics and traces → no ids beyond a salted hash."),
        AttackCase("H06", "URL caches, cookies, HSTS files → no answer of a backend is kept on disk."),
        AttackCase("H07", "A server's helper writes a session without `no-store` → it refuses."),
        AttackCase("H08", "New lines, ANSI and direction marks in names → escaped in logs, on the terminal and in Markdown."),
    ]

    /// The emulators as servers.
    public static let servers = [
        AttackCase("I01", "SQL and its like in address, name, token, filter, sort, page → taken literally."),
        AttackCase("I02", "Loopback only unless asked; 0.0.0.0 by an explicit option with a warning; a foreign Host → refused."),
        AttackCase("I03", "A web page calls the control routes → needs the control token; no CORS with credentials."),
        AttackCase("I04", "IPv6 spellings, other addresses of one /64, a forged X-Forwarded-For → one caller to the rate limit."),
        AttackCase("I05", "`//`, `/./`, case, a trailing dot, an encoded slash → the same checks, or 404."),
        AttackCase("I06", "Another user's id in the body → the token alone decides."),
        AttackCase("I07", "Oversized, slow and garbage requests, thousands of idle connections → bounded, and it still serves."),
        AttackCase("I08", "A restart with kept data → revoked and rotated tokens stay dead, codes keep their attempts."),
        AttackCase("I09", "Codes and tokens → from secure randomness, evenly spread; repeatable only with a seed for tests."),
        AttackCase(
            "I10",
            "Passwords of 71, 72, 73 bytes and with NUL → none equals another by truncation, or declared as the original's."),
        AttackCase("I11", "Hostile hash parameters at an import → refused, no CPU or memory is spent."),
        AttackCase("I12", "Codes, tokens and hashes → compared in constant time; an unknown user costs the same work."),
        AttackCase("I13", "A hundred sign-ups with one address at once → one account."),
        AttackCase(
            "I14",
            "An account made before its owner, then the owner signs in by Google → the attacker's password and session are gone."),
    ]

    /// Moves of users from one provider to another.
    public static let migration = [
        AttackCase("J01", "Cut-off or oddly encoded JSON and CSV, 10 GB → the line is named, memory is bounded."),
        AttackCase(
            "J02", "Unknown columns, wrong hash parameters, a wrong signer key → refused in the dry run, nothing written."),
        AttackCase("J03", "Duplicates by case, Unicode, phone or id → told before writing, with an explicit policy."),
        AttackCase("J04", "The user exists in the target with other data → a conflict, never overwritten."),
        AttackCase(
            "J05", "Users without an address, disabled, with factors, with several addresses → mapped, or listed with the reason."
        ),
        AttackCase("J06", "Killed at random points, resumed → every user once."),
        AttackCase("J07", "Resumed with parallel workers → no gap, no double."),
        AttackCase("J08", "429, 5xx and timeouts on the way → slower, no user lost, read back before a retry."),
        AttackCase("J09", "A creation whose answer is lost → found again, not doubled."),
        AttackCase("J10", "Undo → only what this run made and what is unchanged since."),
        AttackCase("J11", "The wrong target → refused without an explicit confirmation; the source is never written."),
        AttackCase("J12", "The source changes during the run → the second pass finds it all."),
        AttackCase("J13", "Six directions, four kinds of hash → the old password signs in, or the user is listed."),
        AttackCase("J14", "A to B and back → the same ids by the map, no hash lost."),
        AttackCase("J15", "Formulas and SQL in exported files → escaped."),
        AttackCase("J16", "Path traversal and links in archives → refused."),
        AttackCase("J17", "Lazy: a wrong password, a dead source, two first sign-ins at once → not made, retryable, one user."),
        AttackCase("J18", "Lazy and bulk together → no double."),
        AttackCase("J19", "A forged, expired, revoked or foreign old session → refused; a valid one → one new session."),
        AttackCase("J20", "A password changes on one side of two → noticed and reported."),
        AttackCase("J21", "One flipped byte in the target → found; a sample states its confidence."),
        AttackCase("J22", "The report → no secrets; archives encrypted or 0600; they can be purged."),
        AttackCase("J23", "A million users → flat memory, progress shown, checkpoints every second."),
    ]

    /// The command and the suite.
    public static let command = [
        AttackCase("K01", "`--json` → valid JSON at success, failure and SIGINT; errors apart."),
        AttackCase("K02", "NO_COLOR, no terminal, TERM=dumb → no escape codes."),
        AttackCase("K03", "Exit statuses → as documented, for every ending."),
        AttackCase("K04", "SIGPIPE, a closed stdout, a full disk under the report → a clean error."),
        AttackCase("K05", "An adapter broken on purpose, once a rule → every rule catches one at least."),
        AttackCase("K06", "The suite at a project that is in use → it refuses to destroy anything."),
        AttackCase("K07", "A capability claimed that is not there, or the reverse → the suite fails."),
        AttackCase("K08", "The suite a hundred times in random order, its seed printed → no dependence on the order."),
    ]
}
