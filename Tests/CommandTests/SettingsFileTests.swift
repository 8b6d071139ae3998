import Foundation
import LockstepSystem
import Testing

@Suite("lockstep serve --env")
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

    /// None of these makes the start wait, or is taken for settings.
    ///
    /// Cases: K03.
    @Test(arguments: ["firebase", "gotrue", "clerk"])
    func whatIsNoFileOfSettingsEndsTheStart(_ provider: String) async throws {
        try await inFolder { folder in
            let pipe = folder + "/pipe"
            #expect(try await ChildProcess.run("/usr/bin/mkfifo", [pipe]).status == 0)
            try await check(provider, pipe, "pipe")
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

    @Test func aLineThatCannotBeReadIsNamedByFileAndNumber() async throws {
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

    @Test func namesWorkWithAndWithoutTheirPrefixAndUnknownOnesAreTold() async throws {
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
