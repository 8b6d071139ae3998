import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep serve --env", .limitedConcurrency)
struct SettingsFileTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func check(_ provider: String, _ path: String, _ reason: String) async throws {
        let run = try await Lockstep.run("serve", "--port", "0", provider, "--env", path)
        #expect(run.status == 2, "\(provider) \(path): \(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(path) && run.errors.contains(reason), "\(provider): \(run.errors)")
    }

    @Test(arguments: ["firebase", "gotrue", "clerk"])
    func unusableSettingsFileEndsTheStart(_ provider: String) async throws {
        try await inFolder { folder in
            try await check(provider, folder, "folder")
            try await check(provider, "/dev/zero", "device")
            try await check(provider, "/etc/passwd", "ine 1 ")
            let long = folder + "/long"
            #expect(FileManager.default.createFile(atPath: long, contents: Data(repeating: 10, count: 2 << 20)))
            try await check(provider, long, "long")
            let binary = folder + "/binary"
            #expect(FileManager.default.createFile(atPath: binary, contents: Data([0x41, 0x3d, 0x00, 0xff, 0x0a])))
            try await check(provider, binary, "UTF-8")
        }
    }

    @Test func malformedLineIsNamedByFileAndNumber() async throws {
        try await inFolder { folder in
            for (index, line) in ["nonsense", "A B=c", "=x", "1A=x", "GOTRUE_SITE_URL=\"open", "GOTRUE_SITE_URL=\"a\" b"]
                .enumerated()
            {
                let file = "\(folder)/\(index).env"
                try "# comment\n\nGOTRUE_JWT_EXP=60\n\(line)\nexport GOTRUE_DISABLE_SIGNUP=true\n".write(
                    toFile: file, atomically: true, encoding: .utf8)
                try await check("gotrue", file, "line 4 ")
            }
            let value = folder + "/value.env"
            try "JWT_EXP=soon\n".write(toFile: value, atomically: true, encoding: .utf8)
            try await check("gotrue", value, "JWT_EXP must be")
        }
    }

    /// A missing file, an empty file and the printed file give the same settings.
    ///
    /// The ready line names features that the real server does not have.
    @Test func missingEmptyAndPrintedSettingsAreEqual() async throws {
        let script = """
            serve() { "$0" exec gotrue "$@" -- sh -c 'cat "$LOCKSTEP_READY"; curl -s -H "apikey: $SUPABASE_ANON_KEY" \\
            -H "Content-Type: application/json" -d "{\\"email\\": \\"ada@example.com\\", \\"password\\": \\"Correct-Horse-1\\"}" \\
            "$SUPABASE_URL/auth/v1/signup" >/dev/null; curl -s "$SUPABASE_URL/__lockstep/messages"; echo'; }
            serve; serve --env <(:); serve --env <(echo); serve --env <("$0" serve gotrue --print-env)
            """
        let outcome = try await ChildProcess.run("bash", ["-c", script, Lockstep.executable])
        let lines = try outcome.text.split(separator: "\n").map { try JSON.parse(String($0)) }
        #expect(outcome.status == 0 && lines.count == 8, "\(String(decoding: outcome.errors, as: UTF8.self))")
        let settings = stride(from: 0, to: lines.count, by: 2).map { lines[$0]["settings"] }
        #expect(settings.allSatisfy { $0 == settings[0] && $0 != nil })
        #expect(settings.first??.object?.names.sorted().first == "GOTRUE_MAILER_SUBJECTS_CONFIRMATION", "\(settings)")
        #expect(settings.first??["LOCKSTEP_PASSWORD_COST"] == "least")
        let mails = stride(from: 1, to: lines.count, by: 2).map { lines[$0]["messages"]?[0] }
        #expect(
            mails.allSatisfy {
                $0?["subject"]?.string == $0?["code"]?.string.map { "Confirm your address: \($0)" } && $0?["code"]?.string != nil
            })
    }

    /// The callback on the pages works with a fresh emulator.
    ///
    /// If the list contains only the site, links redirect to the real server's default.
    @Test(arguments: [
        ("", "myapp://auth/callback"), ("--env <(echo GOTRUE_URI_ALLOW_LIST=http://localhost:3000)", "http://localhost:3000"),
    ])
    func linkRedirectsToTheDocumentedCallback(_ options: String, _ target: String) async throws {
        let script = """
            "$0" exec gotrue \(options) -- sh -c 'curl -s -H "apikey: $SUPABASE_ANON_KEY" -H "Content-Type: application/json" \
            -d "{\\"email\\": \\"ada@example.com\\", \\"password\\": \\"Correct-Horse-1\\"}" \
            "$SUPABASE_URL/auth/v1/signup?redirect_to=myapp%3A%2F%2Fauth%2Fcallback" >/dev/null
            curl -s "$SUPABASE_URL/__lockstep/messages"'
            """
        let outcome = try await ChildProcess.run("bash", ["-c", script, Lockstep.executable])
        let link = try JSON.parse(outcome.text)["messages"]?[0]?["link"]?.string
        #expect(link?.hasSuffix("redirect_to=\(target)") == true, "\(outcome.text)")
    }

    @Test func shortSecretIsRejectedAndNotShown() async throws {
        try await inFolder { folder in
            for line in ["GOTRUE_JWT_SECRET=short", "JWT_SECRET='short'"] {
                let file = folder + "/auth.env"
                try (line + "\n").write(toFile: file, atomically: true, encoding: .utf8)
                try await check("gotrue", file, "JWT_SECRET must be a string of at least 32 characters")
            }
        }
    }

    @Test(arguments: [
        ("GOTRUE_EXTERNAL_GOGLE_ENABLED", "GOTRUE_EXTERNAL_GOOGLE_ENABLED"), ("GOTRUE_JWT_EXPP", "GOTRUE_JWT_EXP"),
        ("GOTRUE_SECURITY_MANUAL_LINKNG_ENABLED", "GOTRUE_SECURITY_MANUAL_LINKING_ENABLED"),
        ("GOTRUE_SMTP_ADMIN_EMIAL", "GOTRUE_SMTP_ADMIN_EMAIL"), ("SITE_ULR", "GOTRUE_SITE_URL"),
        ("GOTRUE_HOOK_SEND_SMS_ENABLE", "GOTRUE_HOOK_SEND_SMS_ENABLED"),
    ])
    func misspelledGoTrueNameGetsASuggestion(_ written: String, _ meant: String) async throws {
        try await inFolder { folder in
            try "\(written)=x\n".write(toFile: folder + "/auth.env", atomically: true, encoding: .utf8)
            let errors = try await ServerProcess.errors(of: ["gotrue", "--env", folder + "/auth.env"])
            #expect(errors == "gotrue: \(written) is unknown and has no effect. Did you mean \(meant)?\n", "\(errors)")
        }
    }

    @Test(arguments: [
        ("firebase", "passwordPolicy.minimumLenght=8", "passwordPolicy.minimumLength"),
        ("firebase", #"{"limits": {"failedSignIn": 5}}"#, "limits.failedSignIns"),
        ("clerk", "PASSWORD_MIN_LENGHT=8", "PASSWORD_MIN_LENGTH"),
        ("clerk", #"{"CLERK_SIGNUP_MODE": "public"}"#, "SIGN_UP_MODE"),
    ])
    func misspelledNameEndsTheStartWithASuggestion(_ provider: String, _ text: String, _ meant: String) async throws {
        try await inFolder { folder in
            try (text + "\n").write(toFile: folder + "/settings", atomically: true, encoding: .utf8)
            try await check(provider, folder + "/settings", meant)
        }
    }

    /// A feature that only the real server has is not a misspelling.
    @Test func unsupportedSettingIsNotCalledMisspelled() async throws {
        try await inFolder { folder in
            let text =
                "GOTRUE_SAML_ENABLED=true\nGOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED=true\nGOTRUE_SMTP_HOST=x\nGOTRUE_DB_DRIVER=x\n"
            try text.write(toFile: folder + "/auth.env", atomically: true, encoding: .utf8)
            let errors = try await ServerProcess.errors(of: ["gotrue", "--env", folder + "/auth.env"])
            #expect(!errors.contains("Did you mean") && errors.split(separator: "\n").count == 2, "\(errors)")
        }
    }

    @Test func namesWorkWithAndWithoutTheirPrefixAndUnknownOnesAreReported() async throws {
        try await inFolder { folder in
            let file = folder + "/auth.env"
            let text = "SITE_URL=http://localhost:3001\nGOTRUE_JWT_EXP='60' # a minute\nSITE_ULR=x\nGOTRUE_NONSENSE=y\nDB_MAX=1\n"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let errors = try await ServerProcess.errors(of: ["gotrue", "--env", file])
            let lines = errors.split(separator: "\n")
            #expect(lines.count == 2, "\(errors)")
            #expect(lines.contains { $0.contains("SITE_ULR is unknown") && !$0.contains("GOTRUE_SITE_ULR") }, "\(errors)")
            #expect(lines.contains { $0.contains("GOTRUE_NONSENSE is unknown") }, "\(errors)")
        }
    }
}
