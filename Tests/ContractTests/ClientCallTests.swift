import Foundation
import LockstepContracts
import Testing

@Suite("The client's calls")
struct ClientCallTests {
    private static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Contracts/Suite/Client/PortableClient.swift")

    @Test("the list of calls matches the functions of the client's protocol")
    func callsMatchTheClientProtocol() throws {
        let text = try String(contentsOf: Self.source, encoding: .utf8)
        let start = try #require(text.range(of: "public protocol PortableClient"))
        let end = try #require(text.range(of: "\n}", range: start.upperBound..<text.endIndex))
        let functions = text[start.upperBound..<end.lowerBound].components(separatedBy: "\n    func ").dropFirst().map {
            String($0.prefix { $0.isLetter })
        }
        #expect(functions.sorted() == ClientCall.allCases.map(\.name).sorted())
    }
}
