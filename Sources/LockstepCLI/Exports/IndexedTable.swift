import LockstepEmulation
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// The records of a file of comma-separated values, by the value of a column.
///
/// Only the places of the records are in memory.
final class IndexedTable: Sendable {
    private let path: String
    private let columns: [String]
    private let column: Int
    /// The places of the records, in the order of their keys.
    private let places: [IndexedPlace]
    private let records: Mutex<Records>

    /// Reads the file once, to find its records.
    ///
    /// - Parameters:
    ///   - column: The column with the values by which records are found.
    ///   - required: The columns without which the file is another one.
    /// - Throws: ``UsageError``, `SeedProblem` or `SystemError` for a file that cannot be used.
    init(_ path: String, by column: String, requiring required: [String]) throws {
        let file = try FileReader(path)
        guard file.size != nil else {
            throw UsageError("\(path): it is a pipe. A move reads it more than once. Use a file instead.")
        }
        var reader = Records(file)
        let names = try reader.next() ?? []
        guard let index = names.firstIndex(of: column), required.allSatisfy(names.contains) else {
            throw UsageError("\(path): line 1: the columns \(([column] + required).joined(separator: ", ")) are required.")
        }
        var places: [IndexedPlace] = []
        while true {
            let start = UserFileReader.Place(offset: reader.offset, line: reader.line)
            guard let values = try reader.next() else { break }
            guard values.count == names.count else {
                throw UsageError(
                    "\(path): line \(start.line + 1): \(values.count) values for \(names.count) columns. Export the table again.")
            }
            places.append(IndexedPlace(key: values[index].exact.hashValue, start: start))
        }
        places.sort { ($0.key, $0.start.offset) < ($1.key, $1.start.offset) }
        (self.path, columns, self.column, self.places) = (path, names, index, places)
        records = Mutex(Records(try FileReader(path), piece: 1 << 12))
    }

    /// Returns the records with a value, in the order of the file; a value that a spreadsheet calls nothing is absent.
    ///
    /// - Throws: ``UsageError`` if the file has changed since it was opened.
    func records(of key: String) throws -> [JSONObject] {
        try places.range(of: key.exact.hashValue).compactMap { place in
            let values = try records.withLock { records in
                try records.seek(to: places[place].start)
                return try records.next() ?? []
            }
            guard values.count == columns.count else {
                throw UsageError("\(path): the file has changed while it was in use. Run the command again.")
            }
            guard values[column].exact == key.exact else { return nil }
            return JSONObject(zip(columns, values).filter { !$0.1.isEmpty }.map { ($0.0, JSON.string($0.1)) })
        }
    }
}

/// The place of a record in a file.
struct IndexedPlace: Sendable {
    /// The hash of the value by which the record is found; it is valid only in this process.
    let key: Int
    let start: UserFileReader.Place
}

extension [IndexedPlace] {
    /// Returns the places of a key in a list that is sorted by keys.
    func range(of key: Int) -> Range<Int> {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].key < key { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < count, self[end].key == key { end += 1 }
        return low..<end
    }
}
