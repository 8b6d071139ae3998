import LockstepEmulation

/// The release of this command, and the commit that it was built from.
enum Release {
    /// The release in VERSION.
    static let version = Build.version

    /// The commit; `nil` if the build does not know it.
    static let commit: String? = Build.commit.isEmpty ? nil : Build.commit

    /// `lockstep 0.1.0 (commit 0123456789ab)`.
    static var line: String { "lockstep \(version)" + (commit.map { " (commit \($0.prefix(12)))" } ?? "") }
}

extension ReadyLine {
    /// Returns the line with this command's release.
    ///
    /// - Parameter dashboard: A link to the dashboard, or `nil`.
    func stamped(dashboard: Secret?) -> ReadyLine {
        var line = self
        line.dashboard = dashboard
        line.release = Release.version
        line.commit = Release.commit
        return line
    }
}
