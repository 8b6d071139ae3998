import Foundation
import LockstepSystem
import Testing

/// `.ci/setup` on systems that lack something, with programs that replace the system's.
@Suite("make setup")
struct SetupTests {
    /// Runs the script with these programs before those of the system.
    private func setup(_ programs: [String: String]) async throws -> (status: Int32, words: String) {
        let folder = try Folder.makeTemporary(prefix: "lockstep-setup")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Another process writes the file. If this process opened it for writing, each child that it starts meanwhile would
        // inherit the descriptor for a moment, and the system does not start a program that is open for writing ("text file
        // busy").
        for (name, script) in programs {
            let arguments = ["-c", #"printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod 755 "$1""#, "sh", "\(folder)/\(name)", script]
            #expect(try await ChildProcess.run("/bin/sh", arguments).status == 0)
        }
        let outcome = try await ChildProcess.run(
            "/bin/bash", [House.root.appendingPathComponent(".ci/setup").path],
            environment: ["PATH": "\(folder):/usr/bin:/bin", "FOLDER": folder])
        return (outcome.status, String(decoding: outcome.output + outcome.errors, as: UTF8.self))
    }

    private static let works = "echo 'Swift version 6.3 (swift-6.3-RELEASE)'"
    private static let unstartable = "echo 'swift: error while loading shared libraries: libncurses.so.6' >&2; exit 127"
    private static let lacking = #"""
        case $1 in *swift-driver) echo "	libncurses.so.6 => not found"; echo "	libc.so.6 => /lib/libc.so.6 (0x0)" ;;
        *) echo "	libxml2.so.2 => not found"; echo "	libedit.so.2 => not found"; echo "	libpython3.11.so.1.0 => not found" ;; esac
        """#
    private static let ordinary = ["id": "echo 1000", "sudo": "exit 1"]

    /// On macOS the script names the packages, and the workflow installs them.
    @Test func homebrewHasEachSystemLibrary() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: House.root.appendingPathComponent(path), encoding: .utf8)
        }
        let libraries = Set(try text("Package.swift").matches(of: /brew: "([^"]+)"/).map { String($0.1) })
        #expect(libraries.count > 5)
        for path in [".ci/setup", ".github/workflows/apple.yml"] {
            let line = try #require(try text(path).firstMatch(of: /brew install ([^"\n]+)/), "\(path)")
            let named = Set(line.1.split(separator: " ").map(String.init))
            #expect(libraries.isSubset(of: named), "\(path) lacks \(libraries.subtracting(named))")
        }
    }

    @Test func setupWithoutRootNamesMissingTools() async throws {
        var programs = Self.ordinary
        programs["swift"] = Self.unstartable
        programs["swift-driver"] = ":"
        programs["swift-build"] = ":"
        programs["ldd"] = Self.lacking
        let said = try await setup(programs)
        #expect(said.status == 2)
        #expect(said.words.contains("libncurses.so.6"))
        let advice = said.words.split(separator: "\n").first { $0.contains("sudo apt-get install") }?.split(separator: " ")
        for package in ["libncurses6", "libxml2", "libedit2", "libpython3.11"] {
            #expect(advice?.contains(Substring(package)) == true, "\(said.words)")
        }
    }

    @Test func setupAsRootInstallsMissingTools() async throws {
        let said = try await setup([
            // It starts when the packages are installed.
            "swift": "[ -e $FOLDER/installed ] && \(Self.works) || exit 127", "swift-driver": ":", "ldd": Self.lacking,
            "id": "echo 0", "mkdir": ":", "tee": "cat >/dev/null",
            "apt-get": "case $1 in install) echo \"$@\"; : >$FOLDER/installed ;; esac",
        ])
        #expect(said.status == 0, "\(said.words)")
        #expect(said.words.contains("libncurses6"))
    }

    @Test func aToolchainForAnotherSystemIsReported() async throws {
        var programs = Self.ordinary
        programs["swift"] = "echo 'libc.so.6: version GLIBC_2.99 not found' >&2; exit 1"
        programs["ldd"] = ":"
        let said = try await setup(programs)
        #expect(said.status == 2)
        #expect(said.words.contains("GLIBC_2.99"))
        #expect(said.words.contains("swift.org/install"))
    }

    @Test func anOldToolchainIsReported() async throws {
        let said = try await setup(["swift": "echo 'Swift version 5.10.1'", "ldd": ":", "id": "echo 1000"])
        #expect(said.status == 2)
        #expect(said.words.contains("5.10.1"))
    }
}
