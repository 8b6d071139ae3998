import Foundation
import Testing

/// The program of the article "Getting started".
enum FirstApp {
    static let name = "FirstApp"
    static let page = "Sources/Lockstep/Lockstep.docc/GettingStarted.md"
    static let products = ["LockstepPlatform", "LockstepGoTrue"]

    /// The article's program for a server whose address is the first argument.
    static func main() throws -> String {
        let program = try #require(Snippet.all().first { $0.page == page })
        let (shown, address) = ("\"http://127.0.0.1:4602/auth/v1\"", "CommandLine.arguments[1] + \"/auth/v1\"")
        let text = program.code.joined(separator: "\n")
        try #require(text.contains(shown), "\(page) does not use the address of lockstep serve")
        return """
            \(program.imports.joined(separator: "\n"))
            #sourceLocation(file: "\(House.root.path)/\(page)", line: \(program.line))
            \(text.replacing(shown, with: address))
            #sourceLocation()

            """
    }
}
