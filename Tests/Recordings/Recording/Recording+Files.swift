internal import LockstepPrimitives
internal import LockstepSystem

extension Recording {
    /// Reads the file.
    ///
    /// - Throws: ``RecordingError``
    public init(file path: String) throws(RecordingError) {
        let bytes: [UInt8]?
        do {
            bytes = try AtomicFile.read(path)
        } catch {
            throw RecordingError(path, "cannot be read: \(error.reason)")
        }
        guard let bytes else { throw RecordingError(path, "there is no such file") }
        let document: JSON
        do {
            document = try JSON.parse(bytes)
        } catch {
            throw RecordingError(path, "is not JSON: \(error)")
        }
        try self.init(document, from: path)
    }

    /// The recordings in a folder, and in the folders of this format below it, in the order of their names.
    ///
    /// - Throws: ``RecordingError`` for a folder that cannot be listed or has no recordings.
    public static func files(in folder: String) throws(RecordingError) -> [String] {
        var found = try list(folder)
        if found.isEmpty { for provider in replayed { found += try list("\(folder)/\(provider)") } }
        guard !found.isEmpty else { throw RecordingError(folder, "holds no recordings (*.json)") }
        return found
    }

    /// The providers whose recordings have this format and can be repeated.
    public static let replayed = ["gotrue", "firebase"]

    private static func list(_ folder: String) throws(RecordingError) -> [String] {
        do {
            return try Folder.names(folder).filter { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
        } catch {
            throw RecordingError(folder, "cannot be listed: \(error.reason)")
        }
    }
}
