/// A settings file that the user names.
struct SettingsFile: Sendable {
    let path: String
    let text: String

    /// Settings that no file contains.
    init(name: String, text: String) {
        (path, self.text) = (name, text)
    }

    /// The purpose, with a small size limit.
    private static let use = NamedFile.Use("settings file", limit: 1)

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - acceptsPipes: Whether a pipe is read.
    /// - Throws: ``UsageError`` with the path and the remedy.
    init(_ path: String, acceptsPipes: Bool = true) throws(UsageError) {
        self.path = path
        text = try NamedFile(path, as: Self.use, acceptsPipes: acceptsPipes).text()
    }
}
