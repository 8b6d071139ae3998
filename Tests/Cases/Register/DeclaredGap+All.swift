extension DeclaredGap {
    /// Every gap.
    public static let all: [DeclaredGap] = migration + parts + untried

    private static let migration: [DeclaredGap] = AttackCase.migration.map {
        .untried($0.id, "Moving users is not built yet; its own work brings it with its trials.")
    }

    private static let parts: [DeclaredGap] = [
        .partly(
            "A10", "Ten thousand random URLs at the readers of the core, 1,500 calls at each adapter's; a million take minutes."),
        .partly(
            "B03",
            "Firebase's page is looked at by GET and HEAD; no script follows a link, and the others' pages are not visited."),
        .partly("B05", "The link is refused elsewhere; that its code works there only with the flow's handle is not asserted."),
        .partly("B06", "Clerk's challenge is locked; GoTrue's and Firebase's, and other users meanwhile, are not looked at."),
        .partly("B08", "A link of another address signs nobody in; a code for another purpose is not tried."),
        .partly(
            "C12",
            "A flow's secrets go at success, cancellation and sign-out; an abandoned one is kept until then: the client sets no end to a flow."
        ),
        .partly(
            "D06",
            "Audience and issuer are refused; `azp`, and refresh and ID tokens in the place of access tokens are not tried."),
        .partly("D10", "Tokens of a withdrawn key are refused; an old key that is still listed is not tried."),
        .partly("D14", "HTML, nothing and no keys leave the keys of before; ten megabytes are not answered."),
        .partly(
            "E07",
            "A grandparent's token in time gets a child of its own, as the original server does; the same child is not asserted."),
        .partly(
            "E09", "The refresh token is dead after a sign-out here; after one everywhere and of the others it is not tried."),
        .partly("E12", "A handler that calls back does not deadlock; one that never returns is not tried."),
        .partly("F04", "HTML, nothing, truncated JSON and wrong types are refused; a BOM and duplicate keys are not sent."),
        .partly("F06", "Five minutes of 429 stay within ten requests; ninety minutes of 5xx are not driven."),
        .partly("F07", "Bodies and headers over the limit are cut off; a compression bomb is not sent."),
        .partly("F10", "GoTrue's addresses and paths are refused; Clerk's and Firebase's are not tried in the same forms."),
        .partly("F13", "A request that is not safe is sent once; that a safe one is repeated once at most is not asserted."),
    ]

    private static let untried: [DeclaredGap] = [
        .untried("B07", "The attempts of codes over parallel connections are not counted by a test yet."),
        .untried("B13", "Unicode domains and their punycode are not compared by a test yet."),
        .untried(
            "B16", "Both halves of a change of address are driven by journeys; the notice to the old address is not asserted yet."
        ),
        .untried("C01", "A state that is missing or another is not sent to the adapters by a test yet."),
        .untried("C03", "A code that is used twice is not exchanged again by a test yet."),
        .untried("C04", "An answer of another issuer is not delivered to a flow by a test yet."),
        .untried("C11", "A confirmation by another signed-in user is not called by a test yet."),
        .untried("D11", "An emulator's token is not shown to a production configuration by a test yet."),
        .untried("D12", "That unverified claims are named so is not asserted beside a server that says otherwise yet."),
        .untried("D13", "A session can be required verified; a requirement of two parts is not asserted yet."),
        .untried(
            "E05",
            "One refresh token sent twice at once is driven by the races of clients; a server's families are not counted yet."),
        .untried("E13", "Ten thousand changes for a slow subscriber wait for the bound on what states keeps."),
        .untried("E17", "A guest's conflict is tried at the adapters; the death of an app within the merge is not yet."),
        .untried(
            "E19", "Clerk's other sessions end; the scopes of a sign-out on two clients are not asserted on every adapter yet."),
        .untried("F12", "A proxy that answers 407 is not set up by a test yet."),
        .untried("F15", "A certificate that changes while a session lives is not served by a test yet."),
        .untried(
            "G06",
            "A session's file that is deleted while the app runs reads as the sign-out of another process: the user is signed out. What "
                + "tells them apart (no reason was written) is not looked at yet."),
        .untried("H06", "The folders of the URL session are not searched after an answer by a test yet."),
        .untried("H07", "There is no server's helper yet that writes a session into an answer: it comes with its own work."),
        .untried("K08", "The order of the suite's promises is not shuffled by a seed yet."),
    ]
}
