package import Testing

/// The requirements of moves that a test covers.
///
/// `make cases` reads this trait in the sources.
package struct Covers: TestTrait {}

extension Trait where Self == Covers {
    /// Names the requirements that a test covers, as `make cases` lists them.
    package static func covers(_ ids: String...) -> Self { Covers() }
}
