import LockstepComparison
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives

extension Command {
    /// The group `lockstep token`.
    static let token = group(
        "token", summary: "read and check a token, or open a session for a user",
        about: """
            Reads a token and checks it, or signs a user in on a running emulator and prints the token. Without a verb, it \
            runs lockstep token check.
            """,
        examples: [
            Example(line: "lockstep token < token.txt", meaning: "show the claims of a token, and whether it is valid"),
            Example(
                line: "TOKEN=$(lockstep token new gotrue --user ada@example.com)", meaning: "a token for a test of your server"),
        ],
        verbs: [checkToken, newToken], standardVerb: "check")

    /// The command `lockstep token new`.
    private static let newToken = Command(
        name: "token new",
        summary: "sign a user in, and print the access token",
        about: """
            Signs a user in on a running emulator, and prints the access token. It does not need a password or a code. With --format \
            json, it prints everything that a test needs: the tokens, and the values that the vendor's SDK stores in a browser. \
            The command finds the server in the same way as lockstep status. If several servers of a provider are running, it uses the \
            newest.
            """,
        operands: Operands(
            placeholder: "PROVIDER", summary: "the provider (default: the running one)",
            choices: Providers.names, option: "provider"),
        options: [
            Option("user", .text("ID"), "the user: an id, an e-mail address or a phone number"),
            Option("second-factor", .none, "open the session as if the user had passed a second factor"),
            Option("format", .choice(["text", "json"]), "\"text\" prints only the access token", standard: "text"),
            .readyFile("use the emulators that this file lists"),
        ],
        examples: [
            Example(
                line: "TOKEN=$(lockstep token new gotrue --user ada@example.com)", meaning: "a token for a test of your server"),
            Example(line: "lockstep token new clerk --user ada@example.com --format json", meaning: "with a sign-in ticket"),
        ],
        failure: "no emulator is running, or the user does not exist on the emulator"
    ) { invocation, terminal in
        guard let name = invocation["user"] else {
            throw UsageError("\"lockstep token new\" needs a user. Add --user with an id, an e-mail address or a phone number.")
        }
        let server = try ControlClient(for: invocation)
        let user = try await server.user(named: name)
        let body: JSON = invocation.has("second-factor") ? ["secondFactor": true] : [:]
        let session = try await server.send(.post, "/users/\(Percent.encode(user))/sign-in", body)
        if invocation["format"] == "json" {
            try terminal.print(session.text(.indented))
        } else {
            guard let token = session["accessToken"]?.string else {
                throw CommandFailure("\(server.title) returned no access token. Use --format json to see what it returned.")
            }
            try terminal.print(token)
        }
        return .success
    }
}
