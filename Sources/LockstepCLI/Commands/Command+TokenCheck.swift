import LockstepCurl
import LockstepPrimitives
import LockstepSystem
import LockstepVerifier

extension Command {
    /// The command `lockstep token check`.
    static let checkToken = Command(
        name: "token check",
        summary: "show the claims of a token, and check it",
        about: """
            Reads an access token from standard input or a file. Never write a token on the command line, because other programs \
            can read it. The command shows the header and the claims. It checks the token in the same way as LockstepVerifier \
            on a server. It prints neither the token nor its signature. Without options, it uses the keys and the clocks of the running \
            emulators. The variable SUPABASE_JWT_SECRET sets the legacy secret of a Supabase project.
            """,
        operands: Operands(placeholder: "FILE", summary: "the file with the token (default: standard input)", choices: []),
        options: [
            .readyFile("check the token with the emulators that this file lists"),
            Option("provider", .choice(Providers.names), "check the token with the rules of this provider"),
            Option("project", .text("ID"), "with firebase: the project's id"),
            Option("tenant", .text("ID"), "with firebase: the tenant's id"),
            Option("url", .text("URL"), "with gotrue: the URL of the auth API; with clerk: the URL of the front-end API"),
            Option("party", .text("ORIGIN"), "with clerk: accept tokens for this origin; repeat the option for several origins"),
            Option("jwks", .text("URL"), "check the token with the keys at this URL"),
            Option("issuer", .text("TEXT"), "with --jwks or gotrue: the expected \"iss\" claim"),
            Option("audience", .text("TEXT"), "with --jwks or gotrue: the expected \"aud\" claim"),
        ],
        examples: [
            Example(line: "lockstep token check < token.txt", meaning: "check a token with the running emulators"),
            Example(
                line: "lockstep token check token.txt --provider gotrue --url https://abc.supabase.co/auth/v1",
                meaning: "check a token with the keys of a project"),
            Example(
                line:
                    "lockstep token check --jwks https://issuer.example/jwks.json --issuer https://issuer.example --audience api",
                meaning: "check a token with the keys of another issuer"),
        ],
        failure: "the token is not valid, or could not be checked"
    ) { invocation, terminal in
        let transport = WatchedTransport(CurlTransport())
        // What cannot be used is said before a token is asked for.
        let authority = try await TokenAuthority(for: invocation, transport)
        let token = try await TokenInput.read(invocation, terminal)
        let read = try? UnverifiedToken(token.reveal())
        let clock = authority?.clock(for: read) ?? SystemClock()
        let page = TokenPage(now: clock.now, paint: terminal.paint)
        if let read { try terminal.print(page.contents(of: read)) }
        guard let authority else {
            throw UsageError(
                "the token was not checked, because no emulator is running. Add --ready-file, --provider with its options, or --jwks."
            )
        }
        let checks = await authority.checks(of: token)
        try terminal.print(
            page.verdicts(
                checks, by: authority.name(for: read), isUnsigned: authority.isUnsigned(read), failure: transport.failure))
        return checks.allSatisfy { $0.verdict == .passed } ? .success : .failure
    }
}

/// The text of the token that `lockstep token check` reads.
enum TokenInput {
    /// Reads the token from the file of the command line, or from standard input.
    ///
    /// - Throws: ``UsageError`` if there is no token, or if the token is on the command line.
    static func read(_ invocation: Invocation, _ terminal: Terminal) async throws -> Secret {
        guard invocation.operands.count <= 1 else { throw UsageError("\"lockstep token check\" accepts only one file.") }
        guard let path = invocation.operands.first, path != "-" else { return try await typed(terminal) }
        // The text stays out of the sentence: it may be a token.
        guard !path.hasPrefix("eyJ"), path.split(separator: "." as Character).count != 3 || path.utf8.count < 64 else {
            throw UsageError(
                "the token must not be on the command line, because other programs can read it. Use standard input or a file.")
        }
        let bytes = try NamedFile(path, as: NamedFile.Use("token", limit: 4)).bytes
        return try token(in: bytes, from: "\"\(path)\"")
    }

    private static func typed(_ terminal: Terminal) async throws -> Secret {
        let lines = InputLines()
        if StandardStream.input.isTerminal {
            terminal.writeToErrors("Paste the token and press Enter (it is not shown): ")
            lines.hide()
        }
        defer { lines.show() }
        do {
            while let line = try await BlockingThread.run({ try lines.next() }) {
                if line.contains(where: { $0 > 0x20 }) { return try token(in: line, from: "standard input") }
            }
        } catch let error as SystemError {
            // A line that is too long for a token is one for the checks, which say so.
            guard error.code != SystemError.lineTooLong else {
                return Secret(String(repeating: "x", count: UnverifiedToken.sizeLimit + 1))
            }
            throw UsageError("cannot read standard input: \(error.reason).")
        }
        throw UsageError("standard input has no token. Write the token to it, or name a file.")
    }

    /// Returns the only word of a text, without `Bearer`.
    private static func token(in bytes: [UInt8], from place: String) throws(UsageError) -> Secret {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError("\(place) is not UTF-8 text. Choose a file with a token.")
        }
        var words = text.split(whereSeparator: \.isWhitespace)
        if words.first?.lowercased() == "bearer" || words.first?.lowercased() == "authorization:" { words.removeFirst() }
        if words.first?.lowercased() == "bearer" { words.removeFirst() }
        guard words.count == 1, let word = words.first else {
            throw UsageError("\(place) has \(words.count) words. Expected a token, which is one word.")
        }
        return Secret(String(word))
    }
}
