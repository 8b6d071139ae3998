import LockstepEmulation
import LockstepPrimitives
import LockstepSystem

/// A reader of the users in a file of any format, one user at a time.
struct UserReader {
    private let format: ExportFormat?
    private let read: @Sendable (JSONObject) throws -> SeedUser
    private var form: Form

    private enum Form {
        case neutral(UserFileReader)
        case list(JSONElements)
        case table(Records, columns: [String])
        case ended
    }

    /// Reads a file in the neutral format.
    init(_ reader: UserFileReader) {
        format = nil
        form = .neutral(reader)
        read = { _ in SeedUser() }
    }

    /// Reads a file that a provider's own tool has written.
    ///
    /// - Parameters:
    ///   - file: The file, at its start.
    ///   - read: Reads a record of the format.
    /// - Throws: ``UsageError`` or `SeedProblem` for a file that cannot be used; `SystemError` if it cannot be read.
    init(_ file: FileReader, _ format: ExportFormat, _ read: @escaping @Sendable (JSONObject) throws -> SeedUser) throws {
        self.format = format
        self.read = read
        switch format.syntax {
        case .list: form = .list(try JSONElements(file))
        case .lines: form = .list(try JSONElements(file, isLines: true))
        case .table(let columns):
            var records = Records(file)
            let names = try columns ?? records.next() ?? []
            if columns == nil { try Self.requireDistinct(names) }
            form = .table(records, columns: names)
        }
    }

    /// The place after the last user.
    var place: UserFileReader.Place {
        switch form {
        case .neutral(let reader): reader.place
        case .list(let elements): elements.place
        case .table(let records, _): .init(offset: records.offset, line: records.line)
        case .ended: .init(offset: 0, line: 0)
        }
    }

    /// Continues at a place that an earlier reader of the same file has reached.
    mutating func seek(to place: UserFileReader.Place) throws(SystemError) {
        switch form {
        case .neutral(var reader):
            try reader.seek(to: place)
            form = .neutral(reader)
        case .list(var elements):
            try elements.seek(to: place)
            form = .list(elements)
        case .table(var records, let columns):
            try records.seek(to: place)
            form = .table(records, columns: columns)
        case .ended: break
        }
    }

    /// Returns the next user, and the line on which the user begins; `nil` at the end.
    ///
    /// - Throws: ``UsageError`` or `SeedProblem` with the line of the user.
    mutating func next() throws -> (user: SeedUser, line: Int)? {
        if case .neutral(var reader) = form {
            form = .ended
            defer { form = .neutral(reader) }
            let line = reader.place.line + 1
            return try reader.next().map { ($0, line) }
        }
        do {
            guard let (record, line) = try nextUser() else { return nil }
            do { return (try read(record), line) } catch { throw UsageError("line \(line): \(error)") }
        } catch let error as SystemError {
            throw error
        } catch {
            throw UsageError(["\(error)", format?.remedy].compactMap(\.self).joined(separator: " "))
        }
    }

    /// Skips the next user.
    ///
    /// - Returns: Whether there was one.
    mutating func skip() throws -> Bool {
        switch form {
        case .neutral(var reader):
            form = .ended
            defer { form = .neutral(reader) }
            return try reader.skip()
        case .list(var elements):
            form = .ended
            defer { form = .list(elements) }
            return try elements.skip()
        case .table: return try nextUser() != nil
        case .ended: return false
        }
    }

    private mutating func nextUser() throws -> (object: JSONObject, line: Int)? {
        while let next = try nextRecord() {
            if format?.includes(next.object) ?? true { return next }
        }
        return nil
    }

    /// Returns the next record as the file has it; `nil` at the end.
    mutating func nextRecord() throws -> (object: JSONObject, line: Int)? {
        // No other variable keeps the bytes, so they are not copied.
        switch form {
        case .list(var elements):
            form = .ended
            defer { form = .list(elements) }
            return try elements.next()
        case .table(var records, let columns):
            form = .ended
            defer { form = .table(records, columns: columns) }
            let line = records.line + 1
            let isNamed = if case .table(columns: nil)? = format?.syntax { true } else { false }
            return try records.next().map { (try Self.object($0, columns, line, isNamed: isNamed), line) }
        case .neutral, .ended: return nil
        }
    }

    /// Checks that no two columns of a file have the same name; spreadsheets write columns without one at the end.
    static func requireDistinct(_ names: [String]) throws(UsageError) {
        var places: [ExactString: Int] = [:]
        for (index, name) in names.enumerated() where !name.isEmpty {
            guard let former = places.updateValue(index, forKey: name.exact) else { continue }
            throw UsageError(
                "line 1: columns \(former + 1) and \(index + 1) have the same name \"\(String(name.prefix(100)).visible)\". "
                    + "Rename one of them, or remove it.")
        }
    }

    private static func object(
        _ values: [String], _ columns: [String], _ line: Int, isNamed: Bool
    ) throws(UsageError) -> JSONObject {
        // A tool may write a comma after the last value, and an older one fewer values than the list of its columns.
        guard !isNamed || values.count >= columns.count,
            values.count <= columns.count || values[columns.count...].allSatisfy(\.isEmpty)
        else {
            throw UsageError("line \(line): The record has \(values.count) values for \(columns.count) columns.")
        }
        return JSONObject(zip(columns, values).filter { !$0.1.isEmpty }.map { ($0.0, JSON.string($0.1)) })
    }
}
