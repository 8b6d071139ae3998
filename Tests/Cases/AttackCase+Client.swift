extension AttackCase {
    /// Deep links and callback addresses.
    public static let callbacks = [
        AttackCase("A01", "A callback of another scheme, host or path → not ours, and the state stays."),
        AttackCase("A02", "`?code=` of a stranger on another path of our own host → ignored, and the session stays."),
        AttackCase(
            "A03",
            "A redirect to another host, by `//`, `\\`, user info, a longer host or a look-alike → the emulator refuses, the client never opens it."
        ),
        AttackCase(
            "A04", "An allowed `/*` address with `/..%2f`, mixed case, a trailing dot, another port → only what really matches."),
        AttackCase("A05", "An error callback while signed in → a typed error, and the session stays."),
        AttackCase("A06", "One callback delivered twice → one exchange, and the second delivery gets the same result."),
        AttackCase("A07", "A callback that no flow waits for → `flowStartedElsewhere`, without a request."),
        AttackCase("A08", "`#_=_`, a `%23` behind, `myapp:?code=` without slashes → read correctly."),
        AttackCase(
            "A09", "A broken URL, a megabyte, NUL, bad percent signs, duplicate parameters → a typed error, no hang, no crash."),
        AttackCase("A10", "A million random URLs at every reader → no crash, no effect."),
        AttackCase("A11", "Another app takes our scheme and the code → without the verifier its exchange fails."),
        AttackCase("A12", "Tokens in the fragment where PKCE is configured → refused, no silent step down."),
    ]

    /// Links and codes in mails.
    public static let mails = [
        AttackCase("B01", "A link opened again after it succeeded → `linkUsed`, no session; a session that is there stays."),
        AttackCase("B02", "A link one second after its life → `linkExpired`; one second before its end it works."),
        AttackCase("B03", "A scanner sends HEAD and GETs, follows scripts, before the user → the user still succeeds once."),
        AttackCase("B04", "An older link after a newer one was asked for → as declared, on every adapter."),
        AttackCase("B05", "A link opened on another device → a typed refusal; its code works there only with the flow's handle."),
        AttackCase(
            "B06", "Wrong codes → the challenge is locked after ten at most, then refuses the right one; others are not touched."),
        AttackCase("B07", "Codes guessed over parallel connections → attempts are counted together, the limit holds."),
        AttackCase("B08", "A's code for B, or for another purpose → refused."),
        AttackCase("B09", "A flood of resends → limited, with a typed time; what becomes of the old code is declared."),
        AttackCase("B10", "Two addresses in one, by comma, semicolon or angle brackets → refused, no mail at all."),
        AttackCase(
            "B11", "CR/LF, header lines and HTML in address, name and redirect → refused or escaped; one recipient in the inbox."),
        AttackCase(
            "B12",
            "U+212A, dotless i, full-width @, NFC and NFD, zero width, direction marks → never another account; mail only to the stored address."
        ),
        AttackCase(
            "B13",
            "A Unicode domain and its punycode → one account; a look-alike in another script → another account, or refused."),
        AttackCase("B14", "Forged Host and X-Forwarded headers → links keep the configured address."),
        AttackCase(
            "B15",
            "Known and unknown addresses at sign-in, reset, sign-up → the same status and shape, and no telling difference in time."
        ),
        AttackCase("B16", "A change of the address → the old one is told, the new one must confirm, the old one's links die."),
        AttackCase("B17", "A password reset while sessions live → the others end as declared; the link works once."),
        AttackCase("B18", "Case, white space and `+` in an address → one documented form, the same on every adapter."),
    ]

    /// OAuth, PKCE and the devices' own sign-in.
    public static let federated = [
        AttackCase("C01", "State missing or another → aborted, no exchange."),
        AttackCase("C02", "Another flow's verifier → refused; verifiers have 43 to 128 characters; S256 only."),
        AttackCase("C03", "A code used twice → the second is refused, and the tokens of the first are revoked."),
        AttackCase("C04", "An answer of issuer B to a flow begun at A → aborted."),
        AttackCase("C05", "The attacker's callback delivered to the victim → refused."),
        AttackCase(
            "C06",
            "A token answer of another type, without fields, with a negative, huge, zero or quoted `expires_in` → a typed error or a safe value, no crash."
        ),
        AttackCase("C07", "Two flows at once → each completes its own; the end of one leaves the other."),
        AttackCase("C08", "The user closes the sheet → `cancelled`, the state stays, the flow's secret is wiped."),
        AttackCase("C09", "A nonce missing or wrong in an ID token → refused."),
        AttackCase("C10", "`& = # +` and spaces in what is sent to a provider → encoded, nothing injected."),
        AttackCase("C11", "A confirmation called by another signed-in user → refused."),
        AttackCase("C12", "A flow's secrets → end with its life, at success, failure and sign-out."),
    ]

    /// Tokens: verification and issuers.
    public static let tokens = [
        AttackCase("D01", "`alg: none`, however spelt → refused."),
        AttackCase("D02", "HS256 with the public RSA key as secret → refused."),
        AttackCase(
            "D03",
            "An unknown `kid` → the keys are read once more, then refused; a flood of them → one request in thirty seconds."),
        AttackCase("D04", "Paths, SQL and URLs in `kid`, and `jku`, `x5u`, an embedded `jwk` → ignored, never fetched."),
        AttackCase("D05", "`exp` past, `nbf` or `iat` ahead, inside and outside the leeway → accepted only inside."),
        AttackCase("D06", "Another audience, `azp` or project; a refresh or ID token as an access token → refused."),
        AttackCase(
            "D07",
            "Duplicate keys, a megabyte of claims, deep nesting, bad UTF-8, 2 or 4 segments, padding, bytes behind → refused in bounded time."
        ),
        AttackCase("D08", "A good signature of another issuer, or the issuer with a slash or in another case → refused."),
        AttackCase(
            "D09", "The address in the claims changes or moves to another → the user is found by issuer and subject only."),
        AttackCase("D10", "Keys rotate → tokens of an old key that is still listed hold, of a withdrawn one they do not."),
        AttackCase("D11", "An emulator's token at a production configuration → refused."),
        AttackCase("D12", "Claims say verified or administrator and the server does not → claims are shown as unverified."),
        AttackCase("D13", "A policy of two parts → false unless both are true."),
        AttackCase(
            "D14", "The key endpoint gives HTML, 500, no keys, 10 MB → the last good keys serve for their time, within bounds."),
    ]

    /// The lifetime of a session, and concurrency.
    public static let sessions = [
        AttackCase("E01", "A hundred tasks on an expired token → one refresh."),
        AttackCase("E02", "A refresh is under way at sign-out → signed out."),
        AttackCase("E03", "A refresh is under way when another user signs in → the new user stays."),
        AttackCase("E04", "Two processes refresh together, a thousand times → no sign-out, no lost update."),
        AttackCase(
            "E05", "A server gets one refresh token twice at once → one success or the declared grace, never two families."),
        AttackCase("E06", "A stolen old refresh token after the grace → the family ends, and the client gets `refreshReuse`."),
        AttackCase("E07", "Within the grace the parent gives the same child; the grandparent → revoked."),
        AttackCase("E08", "kill -9 at each step of a refresh → signed in or a declared reason, nothing corrupt."),
        AttackCase("E09", "A refresh after a sign-out here, everywhere, of the others → refused."),
        AttackCase("E10", "An older session in an answer, or answers out of order → the older never replaces the newer."),
        AttackCase("E11", "One caller is cancelled → the refresh goes on for the others."),
        AttackCase("E12", "A listener calls back, fails, or never returns → no deadlock, the others are served."),
        AttackCase("E13", "A slow subscriber, ten thousand changes → bounded memory, and the last state arrives."),
        AttackCase("E14", "The clock jumps by an hour, a day, backwards, during a refresh → one refresh at most, no loop."),
        AttackCase(
            "E15", "The device sleeps for thirty days → the expired session is offered, then refreshed or ended with its reason."),
        AttackCase(
            "E16", "Disabled, deleted, another password, session revoked at the server → a typed reason at the next refresh."),
        AttackCase("E17", "A guest's upgrade conflicts and the app dies in the merge → the guest's session still works."),
        AttackCase("E18", "Session and tokens change with the rights → the old token dies as declared."),
        AttackCase("E19", "One account on two clients → every scope of a sign-out does what its page says."),
    ]
}
