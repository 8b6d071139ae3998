import Foundation
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

/// The files that `make install` installs, and the steps of `action.yml` in a job.
@Suite("Packaging", .limitedConcurrency)
struct PackagingTests {
    private static let program = EmulatorProcess.command

    private func run(_ script: String, _ arguments: [String] = [], _ environment: [String: String]) async throws -> (
        status: Int32, output: String, errors: String
    ) {
        let variables = environment.merging(["PATH": "/usr/bin:/bin", "HOME": "/tmp"]) { own, _ in own }
        let outcome = try await ChildProcess.run(
            "/bin/bash", [House.root.appendingPathComponent(script).path] + arguments, environment: variables)
        return (outcome.status, String(decoding: outcome.output, as: UTF8.self), String(decoding: outcome.errors, as: UTF8.self))
    }

    private func files(below folder: String) -> Set<String> {
        let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return Set(
            found.filter {
                let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)")
                return attributes?[.type] as? FileAttributeType == .typeRegular
            })
    }

    @Test func uninstallRemovesInstalledFiles() async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-install")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = ["DESTDIR": folder, "PREFIX": "/opt/lockstep"]
        let installed = try await run(".ci/install", ["install", Self.program], place)
        #expect(installed.status == 0, "\(installed.errors)")
        let files = files(below: folder)
        for path in [
            "bin/lockstep", "share/man/man1/lockstep.1", "share/bash-completion/completions/lockstep",
            "share/zsh/site-functions/_lockstep", "share/fish/vendor_completions.d/lockstep.fish",
            "share/lockstep/seed.schema.json", "share/lockstep/lockstep.schema.json", "share/lockstep/control.openapi.json",
        ] {
            #expect(files.contains("opt/lockstep/\(path)"), "\(path) is missing")
        }
        let version = try await ChildProcess.run("\(folder)/opt/lockstep/bin/lockstep", ["--version"])
        let release = try String(contentsOf: House.root.appendingPathComponent("VERSION"), encoding: .utf8)
        let words = String(decoding: version.output, as: UTF8.self).split(separator: " ")
        #expect(words.dropFirst().first.map(String.init) == release.trimmingCharacters(in: .whitespacesAndNewlines))
        let removed = try await run(".ci/install", ["uninstall"], place)
        #expect(removed.status == 0 && self.files(below: folder).isEmpty, "\(removed.errors)")
    }

    @Test func aRelativePrefixIsRejected() async throws {
        let outcome = try await run(".ci/install", ["uninstall"], ["PREFIX": "opt"])
        #expect(outcome.status == 2)
    }

    /// A rule with the placeholder is a comment, because GitHub ignores a rule with an unknown owner.
    @Test func codeOwnersNamePathsThatExist() throws {
        let text = try String(contentsOf: House.root.appendingPathComponent(".github/CODEOWNERS"), encoding: .utf8)
        let rules = text.matches(of: /(?m)^(# )?(\*|\/\S*) +@(\S+)$/)
        #expect(rules.count == 4)
        for rule in rules {
            #expect((rule.1 != nil) == rule.3.contains("OWNER"), "\(rule.0)")
            let path = House.root.appendingPathComponent(String(rule.2.drop { $0 == "*" })).path
            #expect(FileManager.default.fileExists(atPath: path), "\(rule.0)")
        }
    }

    /// The runner's files, and the values that a script in a job writes into them.
    private func job(_ inputs: [String: String]) async throws -> (
        status: Int32, errors: String, variables: String, output: String, summary: String
    ) {
        let folder = try Folder.makeTemporary(prefix: "lockstep-action")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var environment = ["GITHUB_ENV": "\(folder)/env", "GITHUB_OUTPUT": "\(folder)/output", "GITHUB_PATH": "\(folder)/path"]
        environment["RUNNER_TEMP"] = folder
        environment["GITHUB_STEP_SUMMARY"] = "\(folder)/summary"
        environment["XDG_RUNTIME_DIR"] = folder
        let outcome = try await run(".ci/action", [], environment.merging(inputs) { $1 })
        let read = { (name: String) in (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? "" }
        let output = read("output")
        if let pid = output.firstMatch(of: /pid=(\d+)/)?.1 {
            _ = try await ChildProcess.run("/bin/sh", ["-c", "kill \(pid); while kill -0 \(pid) 2>/dev/null; do :; done"])
        }
        return (outcome.status, outcome.errors, read("env"), output, read("summary"))
    }

    @Test func theActionSetsTheVariablesOfTheEmulators() async throws {
        let job = try await job(["PROGRAM": Self.program, "PROVIDERS": "gotrue clerk"])
        #expect(job.status == 0, "\(job.errors)")
        for name in ["SUPABASE_URL=http://127.0.0.1:", "CLERK_SECRET_KEY=sk_test_", "LOCKSTEP_READY=/"] {
            #expect(job.variables.contains(name), "\(job.variables)")
        }
        #expect(!job.variables.contains("FIREBASE"))
        #expect(job.summary.contains(/gotrue.*http:\/\/127\.0\.0\.1:/) && !job.summary.contains("sk_test_"), "\(job.summary)")
    }

    @Test func theActionPassesModeAndSettings() async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-action-settings")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let secret = String(repeating: "k", count: 40)
        try "GOTRUE_JWT_SECRET=\(secret)\n".write(toFile: "\(folder)/auth.env", atomically: true, encoding: .utf8)
        let given = ["PROGRAM": Self.program, "PROVIDERS": "gotrue", "SETTINGS": "gotrue=\(folder)/auth.env"]
        let good = try await job(given)
        #expect(good.status == 0 && good.variables.contains("SUPABASE_JWT_SECRET=\(secret)"), "\(good.errors)")
        let bad = try await job(given.merging(["MODE": "loose"]) { $1 })
        #expect(bad.status == 1 && bad.errors.contains("--mode"), "\(bad.errors)")
    }

    @Test func actionReportsWhyTheEmulatorsDoNotStart() async throws {
        let job = try await job(["PROGRAM": Self.program, "PROVIDERS": "gotrue", "SEED": "/nowhere/seed.json"])
        #expect(job.status == 1)
        #expect(job.errors.contains("::error::") && job.errors.contains("/nowhere/seed.json"), "\(job.errors)")
    }

    @Test func actionRejectsAProgramWithAnotherChecksum() async throws {
        let folder = try Folder.makeTemporary(prefix: "lockstep-release")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let machine = String(decoding: try await ChildProcess.run("/bin/uname", ["-m"]).output, as: UTF8.self).dropLast()
        let name = "lockstep-9.9.9-linux-\(machine)"
        let release = "\(folder)/o/r/releases/download/9.9.9"
        let script = #"""
            mkdir -p "$1" "$2/$3/bin" && cp "$4" "$2/$3/bin/lockstep" &&
            tar -C "$2" -I "gzip -1" -cf "$1/$3.tar.gz" "$3" && cd "$1" && sha256sum "$3.tar.gz" >SHA256SUMS
            """#
        let made = try await ChildProcess.run("/bin/sh", ["-c", script, "sh", release, folder, name, Self.program])
        #expect(made.status == 0)
        let source = [
            "VERSION": "9.9.9", "GITHUB_SERVER_URL": "file://\(folder)", "GITHUB_ACTION_REPOSITORY": "o/r", "PROVIDERS": "clerk",
        ]
        let good = try await job(source)
        #expect(good.status == 0 && good.variables.contains("CLERK_PUBLISHABLE_KEY="), "\(good.errors)")
        let sums = "\(release)/SHA256SUMS"
        try String(repeating: "0", count: 64).appending("  \(name).tar.gz\n").write(
            toFile: sums, atomically: true, encoding: .utf8)
        let bad = try await job(source)
        #expect(bad.status == 1 && bad.errors.contains("sum") && bad.output.isEmpty, "\(bad.errors)")
    }
}
