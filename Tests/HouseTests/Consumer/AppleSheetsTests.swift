import LockstepSystem
import LockstepTestConcurrency
import Testing

@Suite("Apple sheets on test doubles")
struct AppleSheetsTests {
    /// `AppleSheets` compiles with the names of AuthenticationServices, and behaves like its double.
    @Test(.thorough, .timeLimit(.minutes(20))) func sheetsBehaveLikeTheirDouble() async throws {
        let package = try await ConsumerPackage.built()
        try #require(package.failure == nil, "the package does not compile")
        let outcome = try await ChildProcess.run(package.program("AppleSheetsProgram"), [], within: .seconds(60))
        #expect(outcome.status == 0 && outcome.text == "ok", "\(outcome.text)")
    }
}
