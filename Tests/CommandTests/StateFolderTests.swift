import Foundation
import LockstepCurl
import LockstepHTTP
import LockstepPrimitives
import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("lockstep serve --data", .limitedConcurrency)
struct StateFolderTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Folder.makeTemporary()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test(arguments: ["firebase", "gotrue", "clerk"])
    func processesStartedTogetherOnANewFolderAllServe(_ provider: String) async throws {
        try await inFolder { folder in
            for round in 0..<3 {
                let data = "\(folder)/\(round)"
                let servers = try await withThrowingTaskGroup(of: ServerProcess.self) { group in
                    for _ in 0..<6 {
                        group.addTask {
                            try await BlockingThread.run { try ServerProcess([provider, "--data", data], lines: 1) }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(servers.allSatisfy { $0.lines.count == 1 })
                // A value that the instance generates once is the same for all of them.
                let keys = Set(servers.compactMap { $0.lines.first?["vars"]?["secret_key"]?.string })
                #expect(keys.count == (provider == "clerk" ? 1 : 0))
                for server in servers {
                    #expect(try await BlockingThread.run { try server.interrupt() } == 0)
                }
            }
        }
    }

    /// Firebase's hashes do not contain their cost, and a server on the same folder can use another cost.
    @Test func usersSignInAfterTheHashCostChanges() async throws {
        let transport = CurlTransport()
        try await inFolder { folder in
            for (number, cost) in ["real", "least", "real"].enumerated() {
                _ = try await ServerProcess.serving(["firebase", "--data", folder, "--hashing", cost], lines: 1) {
                    lines async throws in
                    func status(_ method: String, _ user: Int) async throws -> Int {
                        let place = "\(lines.first?["base"]?.string ?? "")/identitytoolkit.googleapis.com/v1/accounts:\(method)"
                        let body: JSON = ["email": .string("user\(user)@example.com"), "password": .string("horse-\(user)")]
                        let key = lines.first?["vars"]?["api_key"]?.string ?? ""
                        return try await transport.send(
                            HTTPRequest(.post, place, headers: ["X-Goog-Api-Key": key], body: .json(body))
                        ).status
                    }
                    #expect(try await status("signUp", number) == 200)
                    for user in 0...number { #expect(try await status("signInWithPassword", user) == 200, "\(cost) \(user)") }
                }
            }
        }
    }

    @Test func onlyTheOwnerCanReadTheFiles() async throws {
        try await inFolder { folder in
            let data = folder + "/new/state"
            // An earlier file, which everyone can read.
            let former = folder + "/former"
            try FileManager.default.createDirectory(atPath: former, withIntermediateDirectories: false)
            for name in ["gotrue.sqlite", "gotrue.sqlite-wal"] {
                #expect(FileManager.default.createFile(atPath: "\(former)/\(name)", contents: Data()))
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(former)/\(name)")
            }
            for place in [data, former] {
                _ = try await ServerProcess.serving(["gotrue", "--data", place], lines: 1) { lines in
                    #expect(lines.count == 1)
                    let names = try Folder.names(place)
                    #expect(names.contains("gotrue.sqlite"))
                    for name in names {
                        let status = try #require(try FileStatus(of: "\(place)/\(name)"))
                        #expect(status.mode == 0o600 && status.kind == .plainFile && status.links == 1, "\(name)")
                    }
                }
            }
            #expect(try FileStatus(of: data)?.mode == 0o700)
            #expect(try FileStatus(of: folder + "/new")?.mode == 0o700)
        }
    }

    /// With a link another user could choose the file, and a pipe would block the start.
    @Test func linkPipeOrFolderInPlaceOfAFileEndsTheStart() async throws {
        try await inFolder { folder in
            let elsewhere = folder + "/elsewhere"
            #expect(FileManager.default.createFile(atPath: elsewhere, contents: Data()))
            for (number, name) in ["gotrue.sqlite", "gotrue.sqlite-wal", "gotrue.sqlite-shm", "start.lock"].enumerated() {
                for kind in ["link", "hard", "pipe", "folder"] {
                    let data = "\(folder)/\(number)\(kind)"
                    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
                    let path = "\(data)/\(name)"
                    switch kind {
                    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
                    case "hard": try FileManager.default.linkItem(atPath: elsewhere, toPath: path)
                    case "pipe": #expect(try await ChildProcess.run("/usr/bin/mkfifo", [path]).status == 0)
                    default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                    }
                    let run = try await Lockstep.run("serve", "--port", "0", "gotrue", "--data", data)
                    #expect(run.status == 2 && run.output.isEmpty, "\(kind) \(name): \(run.errors)")
                    #expect(run.errors.contains(path), "\(run.errors)")
                }
            }
            #expect(FileManager.default.contents(atPath: elsewhere)?.isEmpty == true)
            let link = folder + "/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
            let open = folder + "/open"
            try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
            for place in [link, open, elsewhere, "/dev/null"] {
                let run = try await Lockstep.run("serve", "--port", "0", "gotrue", "--data", place)
                #expect(run.status == 2, "\(place): \(run.errors)")
            }
        }
    }
}
