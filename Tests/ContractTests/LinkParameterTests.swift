import Testing

@testable import LockstepContracts

/// The harness declares which parameters of its backend's links are not secrets.
///
/// Every other value is a secret.
@Suite("Parameters of links")
struct LinkParameterTests {
    private static let link =
        "https://host.example/?token=s3cret-token-1&page_kind=s3cret-page-22&error_description=s3cret-words-3#code=s3cret-code-4"

    private static func secrets(_ publicParameters: Set<String>) -> [String] {
        let site = SourceSite(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
        let watch = Watch(unwatched: [], site: site, publicParameters: publicParameters)
        watch.keep(link: link)
        return ["s3cret-token-1", "s3cret-page-22", "s3cret-words-3", "s3cret-code-4"].filter { !watch.secrets(in: $0).isEmpty }
    }

    @Test func undeclaredValuesAreSecrets() {
        #expect(Self.secrets([]) == ["s3cret-token-1", "s3cret-page-22", "s3cret-code-4"])
    }

    @Test func declaredValuesAreNotSecrets() {
        #expect(Self.secrets(["page_kind", "lang"]) == ["s3cret-token-1", "s3cret-code-4"])
    }
}
