import Foundation

/// A branch of a source file that only the compilers of Apple systems read.
struct AppleCode: Hashable {
    /// Relative to the project's folder.
    let path: String
    /// The first line of the branch.
    let line: Int
    /// The number of lines that only Apple systems compile.
    let count: Int
    /// The condition, as in the file.
    let condition: String

    /// The check of a file's Apple code on other systems.
    static let checks: [String: String] = [
        "Sources/Stores/KeychainStore/SystemKeychain.swift": "`Keychain`: the double of StoreTests has the same signatures",
        "Sources/Bindings/Crypto/Binding/Digests/HashFunction+Computing.swift": "tests of the same digests with libcrypto",
        "Sources/Bindings/System/Binding/Processes/ChildProcess+Spawning.swift": "none: a type in the system's headers",
        "Sources/Bindings/System/Binding/Processes/Machine.swift": "the same id, read from /proc",
        "Sources/Bindings/System/Binding/Processes/ProcessMark.swift": "the same mark, read from /proc",
        "Sources/Bindings/System/Binding/Threads/BlockingThread.swift": "none: `pthread_t` may be missing there",
        "Sources/Bindings/System/Library/program.h": "the same functions for Linux",
        "Sources/Bindings/System/Library/shim.h": "the same functions for Linux",
        "Sources/Lockstep/Stores/BackgroundActivities.swift": "`BackgroundActivities`: the double of the store tests",
        "Sources/Lockstep/Stores/StoredFile.swift": "none: it only excludes the file from backups",
        "Sources/LockstepAppleSheets/AppleSheets.swift":
            "`SystemSheets`: the double of LockstepModelsTests; compiled and run against Tests/Fixtures/AuthenticationServicesStandIn.swift",
        "Sources/LockstepCLI/Commands/Command+Open.swift": "the same code with the program's Linux name",
        "Sources/LockstepCLI/Serving/RuntimeFolder.swift": "the same folder from XDG_RUNTIME_DIR",
        "Sources/LockstepPlatform/PlatformStore.swift":
            "the same functions with a file store; the Keychain store with the double of StoreTests",
        "Sources/LockstepPlatform/PlatformTransport.swift": "the same type alias for libcurl",
        "Sources/LockstepPrimitives/Effects/LiveEffects.swift": "the same clock under its Linux name",
    ]

    /// The branches of all files, in the order of their paths.
    static func all() throws -> [AppleCode] {
        var found: [AppleCode] = []
        for folder in ["Adapters", "Sources"] {
            let root = House.root.appendingPathComponent(folder)
            let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            for path in paths.sorted() where [".swift", ".h", ".c"].contains(where: path.hasSuffix) {
                let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
                found += branches(of: text, path: "\(folder)/\(path)")
            }
        }
        return found
    }

    /// The table of docs/apple.md.
    static func table() throws -> String {
        var lines = ["| file | lines | condition | checked elsewhere by |", "| --- | --- | --- | --- |"]
        for (path, codes) in Dictionary(grouping: try all(), by: \.path).sorted(by: { $0.key < $1.key }) {
            let conditions = codes.map(\.condition).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            let text = conditions.map { "`\($0.replacingOccurrences(of: "|", with: "\\|"))`" }.joined(separator: ", ")
            lines.append("| \(path) | \(codes.map(\.count).reduce(0, +)) | \(text) | \(checks[path] ?? "?") |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The branches of one file, without those that contain only imports.
    static func branches(of text: String, path: String) -> [AppleCode] {
        var found: [AppleCode] = []
        /// The open conditions: the text of each branch, whether it is for Apple systems, and its first line.
        var open: [(condition: String, isApple: Bool, start: Int)] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
        func close(_ branch: (condition: String, isApple: Bool, start: Int), at end: Int) {
            let content = lines[branch.start..<end].filter { line in
                !line.isEmpty && !line.hasPrefix("//") && !line.contains(/^(public |internal |@_exported )*import\s/)
            }
            guard branch.isApple, !open.dropLast().contains(where: \.isApple), !content.isEmpty else { return }
            found.append(AppleCode(path: path, line: branch.start + 1, count: content.count, condition: branch.condition))
        }
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("#if") {
                open.append((line, isApple(line), index + 1))
            } else if line.hasPrefix("#elif") || line.hasPrefix("#elseif") || line.hasPrefix("#else"), let last = open.last {
                close(last, at: index)
                let isRest = line.hasPrefix("#else") && !line.hasPrefix("#elseif")
                let condition = isRest ? "#else of \(last.condition)" : line
                open[open.count - 1] = (condition, isRest ? isForOthers(last.condition) : isApple(line), index + 1)
            } else if line.hasPrefix("#endif"), let last = open.last {
                close(last, at: index)
                open.removeLast()
            }
        }
        return found
    }

    /// Whether a condition is true on Apple systems only.
    private static func isApple(_ condition: String) -> Bool {
        let marks = [
            "canImport(Darwin)", "canImport(Security)", "canImport(CryptoKit)", "canImport(AuthenticationServices)", "os(iOS)",
            "os(macOS)", "os(tvOS)", "os(watchOS)", "os(visionOS)", "defined(__APPLE__)",
        ]
        return marks.contains { condition.replacingOccurrences(of: "!" + $0, with: "").contains($0) }
    }

    /// Whether a condition is true on Linux only, so that its `#else` is for Apple systems.
    private static func isForOthers(_ condition: String) -> Bool {
        ["os(Linux)", "canImport(Glibc)", "defined(__linux__)"].contains { condition.hasSuffix($0) }
    }
}
