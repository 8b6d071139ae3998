import Foundation
import Testing

@Suite("Code for Apple systems only")
struct AppleCodeTests {
    /// docs/apple.md lists all Apple code, and `make apple-code` prints that list.
    @Test func pageListsAllAppleCode() throws {
        let page = House.root.appendingPathComponent("docs/apple.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let parts = text.components(separatedBy: "<!-- apple code -->\n")
        try #require(parts.count == 3)
        let table = "\n" + (try AppleCode.table()) + "\n"
        if ProcessInfo.processInfo.environment["LOCKSTEP_WRITE_PAGES"] != nil {
            try Data([parts[0], table, parts[2]].joined(separator: "<!-- apple code -->\n").utf8).write(to: page)
        } else {
            #expect(parts[1] == table, "LOCKSTEP_WRITE_PAGES=1 swift test --filter AppleCodeTests writes it")
        }
    }

    /// Every file with such code has an entry about its check elsewhere, and no other file has one.
    @Test func everyAppleFileNamesItsCheck() throws {
        let files = Set(try AppleCode.all().map(\.path))
        #expect(files.count > 5)
        for path in files.subtracting(AppleCode.checks.keys).sorted() {
            Issue.record("\(path) has code for Apple systems only. Give it a double, and add it to AppleCode.checks.")
        }
        for path in Set(AppleCode.checks.keys).subtracting(files).sorted() {
            Issue.record("\(path) has no code for Apple systems any more. Remove it from AppleCode.checks.")
        }
    }

    @Test func appleBranchesAreFound() {
        let text = """
            #if canImport(Darwin)
            import Darwin
            #else
            import Glibc
            #endif
            #if os(Linux)
            let a = 1
            #else
            let b = 2
            // A comment.
            let c = 3
            #endif
            #if os(iOS) || os(tvOS)
            let d = 4
            #if canImport(Security)
            let e = 5
            #endif
            #elseif canImport(CryptoKit)
            let f = 6
            #endif
            #if !os(watchOS)
            let g = 7
            #endif
            """
        let found = AppleCode.branches(of: text, path: "a.swift")
        #expect(found.map(\.line) == [9, 14, 19] && found.map(\.count) == [2, 4, 1], "\(found)")
        #expect(found.map(\.condition) == ["#else of #if os(Linux)", "#if os(iOS) || os(tvOS)", "#elseif canImport(CryptoKit)"])
    }
}
