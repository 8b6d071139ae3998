import Foundation
import Testing

/// Each program that a test or a script starts, beside those of a bare Debian, is installed or optional.
///
/// A bare Debian has its smallest set of packages, Git, make and the Swift toolchain. `make fresh-test` runs the tests there.
@Suite("Programs")
struct ProgramTests {
    /// The programs of a bare Debian that tests and scripts start.
    private static let bare = Set(
        """
        apt-cache apt-get awk basename bash cat chmod chroot comm cp cut date dirname dpkg dpkg-deb du env expand find getent grep gzip head id \
        install ipcrm ldd ln ls mkdir mkfifo mktemp mount mv nohup nproc readlink rm rmdir script sed seq setpriv setsid sh sha256sum sleep \
        sort stty tail tar tee timeout touch tr true umount uname unshare wc xargs
        """.split(separator: " ").map(String.init))
    /// The programs that a developer has, and those of the toolchain.
    private static let given: Set = ["git", "lockstep", "make", "swift", "swiftc", "swift-symbolgraph-extract", "clang", "docc"]
    /// The programs that `.ci/setup` installs, and Debian's package of each.
    private static let installed = [
        "curl": "curl", "openssl": "openssl", "pkg-config": "pkg-config", "nm": "binutils", "objdump": "binutils",
        "strip": "binutils",
        "readelf": "binutils", "cc": "g++", "initdb": "postgresql", "psql": "postgresql",
    ]
    /// The programs whose users go on, skip or say what to install if they are missing.
    private static let optional = [
        "mandoc": "Tests/CommandTests/CompletionTests.swift", "man": "Tests/CommandTests/CompletionTests.swift",
        "actionlint": ".ci/workflows", "python3": ".ci/workflows", "debootstrap": ".ci/bare-root", "ip": ".ci/bare-root",
        "dpkg-shlibdeps": ".ci/dist", "sudo": ".ci/setup", "xcodebuild": ".ci/apple", "xcrun": ".ci/apple",
        "npm": "Tests/Clients/environment.py", "brew": ".ci/action", "go": "Tests/Clients/examples_python/journeys.py",
        "wrk": "Tests/Lab/Benchmarks/Emulators/run", "runuser": "Contracts/PostgresServer/PostgresServer+Script.swift",
        "flock": "Contracts/PostgresServer/PostgresServer+Script.swift",
    ]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: House.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The programs by their names, each with a file that starts it.
    private static func started() throws -> [String: String] {
        var found: [String: String] = [:]
        func add(_ names: some Sequence<String>, _ path: String) { for name in names { found[name] = path } }
        add(ShellScanner.programs(in: try ci().map(text)), ".ci")
        let recipes = try text("Makefile").split(separator: "\n").filter { $0.hasPrefix("\t") }.map { line in
            String(line.drop { "\t@-".contains($0) }).replacing("$$", with: "$").replacing("$(ARGS)", with: "")
        }
        add(ShellScanner.programs(in: recipes), "Makefile")
        let call = /(?:ChildProcess|ChildProcess\.run|WorkerProcess|Program|subprocess\.\w+|which|Command|spawn)\(\s*\[?"([^"]+)"/
        for path in try sources() {
            let source = try text(path)
            add(source.matches(of: call).map { String($0.1.split(separator: "/").last ?? "") }.filter(isName), path)
            guard path.hasSuffix(".swift"), source.contains("\"-c\"") || source.contains("bash -c") else { continue }
            add(ShellScanner.programs(in: scripts(in: source)), path)
        }
        return found
    }

    private static func ci() throws -> [String] {
        let folder = House.root.appendingPathComponent(".ci").path
        return try FileManager.default.contentsOfDirectory(atPath: folder).map { ".ci/" + $0 }
    }

    private static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z][a-z0-9+-]*/) != nil && !text.hasPrefix("no-such")
    }

    private static func sources() throws -> [String] {
        try ["Tests", "Contracts", "Examples"].flatMap { folder in
            let names = try FileManager.default.subpathsOfDirectory(atPath: House.root.appendingPathComponent(folder).path)
            return names.map { "\(folder)/\($0)" }
                .filter { $0.firstMatch(of: /\.(swift|py|mjs|go)$|\/run$/) != nil && !$0.hasPrefix("Tests/HouseTests/Programs/") }
        }
    }

    /// The literals of a Swift source that look like scripts.
    private static func scripts(in source: String) -> [String] {
        let long = source.matches(of: /(#?)"""\n((?s).*?)\n *"""/).map { (isRaw: !$0.1.isEmpty, text: String($0.2)) }
        let short = source.replacing(/"""\n(?s).*?\n *"""/, with: "").matches(of: /(#?)"((?:[^"\\\n]|\\.)*)"/)
            .map { (isRaw: !$0.1.isEmpty, text: String($0.2)) }
        return (long + short).map { literal in
            guard !literal.isRaw else { return literal.text }
            return literal.text.replacing(/\\\(.*?\)/, with: "X").replacing("\\\n", with: "").replacing("\\n", with: "\n")
                .replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
        }
        .filter { $0.firstMatch(of: /\$[A-Za-z0-9@{(?!#*]|\| |&& |; |2>|>\/dev\/null/) != nil }
    }

    @Test func eachStartedProgramIsInstalledOrOptional() throws {
        let started = try Self.started()
        let known = Self.bare.union(Self.given).union(Self.installed.keys).union(Self.optional.keys)
        for (name, path) in started.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
            Issue.record("\(path) starts \(name). Let .ci/setup install it, or skip without it, and add it here.")
        }
        #expect(known.subtracting(started.keys).isEmpty, "no file starts these")
        let setup = try Self.text(".ci/setup")
        for package in Set(Self.installed.values) { #expect(setup.contains("need \(package)\n"), "\(package)") }
        for (name, path) in Self.optional { #expect(try Self.text(path).contains(name), "\(path) does not name \(name)") }
    }

    @Test func scannerFindsTheProgramsOfAScript() {
        let script = #"""
            one -x | two && NAME=value three "$(four 'five' "$(six)")" <<END; if seven; then eight; fi 2>/dev/null >file
            nine
            END
            ten() { eleven; } # twelve
            case $1 in thirteen | fourteen) fifteen ;; sixteen) exec seventeen "a (b)" ;; esac
            for name in eighteen nineteen; do xargs -0 -n 20 twenty <(twenty-one); ten; done
            [ -x twenty-two ] || words=(twenty-three) && "$words"
            """#
        #expect(
            ShellScanner.programs(in: [script]) == [
                "one", "two", "three", "four", "six", "seven", "eight", "eleven", "fifteen", "seventeen", "xargs", "twenty",
                "twenty-one",
            ])
    }

    /// A compiler writes files into the temporary folder, which may belong to another user.
    @Test func scriptsBuildWithATemporaryFolderOfTheirOwn() throws {
        let programs = try Self.sources().filter {
            $0.hasPrefix("Tests/Lab/Benchmarks/") || $0.hasPrefix("Tests/HouseTests/Consumer/")
        }
        for path in try ["Makefile"] + Self.ci() + programs where path != ".ci/swift" {
            for line in try Self.text(path).split(separator: "\n") where line.firstMatch(of: /^ *(#|\/\/)/) == nil {
                let builds =
                    line.firstMatch(
                        of:
                            /(^|[^.\/\w])swift (build|run|package (dump-symbol|diagnose)|test (?!--skip-build))|"swift", "?(build|run)/
                    )
                #expect(builds == nil, "\(path): use .ci/swift: \(line)")
            }
        }
    }
}
