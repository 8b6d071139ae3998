internal import Lockstep
internal import LockstepPrimitives

/// A place in the suite where a check states a condition.
package struct Statement: Sendable, Hashable, Comparable {
    /// The module and the name of the file.
    package let fileID: String
    /// The line in the file.
    package let line: Int

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - fileID: The module and the name of the file.
    package init(_ fileID: String, _ line: Int) {
        self.fileID = fileID
        self.line = line
    }

    /// Compares places by file and line.
    ///
    /// - Parameters:
    ///   - left: The first place.
    ///   - right: The second place.
    /// - Returns: Whether `left` comes first.
    package static func < (left: Statement, right: Statement) -> Bool {
        (left.fileID, left.line) < (right.fileID, right.line)
    }
}

/// The conditions that one run of a contract has stated.
package struct Expectations: Sendable {
    /// The places of all conditions that were stated.
    package var reached: Set<Statement> = []
    /// The places of the conditions that were false.
    package var broken: Set<Statement> = []
}
