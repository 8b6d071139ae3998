import LockstepEmulation
import LockstepPrimitives
import LockstepSystem
import Synchronization

/// The records of a file of comma-separated values, by the value of a column.
///
/// Only the places of the records are in memory.
final class IndexedTable: Sendable {
    let path: String
    private let columns: [String]
    private let column: Int
    /// The places of the records, in the order of their keys.
    private let places: [IndexedPlace]
    private let records: Mutex<Records>
    /// Whether a record was found, for each place.
    private let seen: Mutex<[Bool]>

    /// Reads the file once, to find its records.
    ///
    /// - Parameters:
    ///   - column: The column with the values by which records are found.
    ///   - required: The columns without which the file is another one.
    ///   - remedy: What to do with a file that cannot be used.
    /// - Throws: ``UsageError`` with the line.
    init(_ path: String, by column: String, requiring required: [String], remedy: String) throws(UsageError) {
        (columns, self.column, places) = try UserFilePlace.reading(path) { file in
            var reader = Records(file)
            guard let names = try reader.next() else { throw UsageError("the file is empty. \(remedy)") }
            guard let index = names.firstIndex(of: column), required.allSatisfy(names.contains) else {
                let all = ([column] + required).joined(separator: ", ")
                throw UsageError("line 1: the columns \(all) are required. \(remedy)")
            }
            try UserReader.requireDistinct(names)
            var places: [IndexedPlace] = []
            while true {
                let start = UserFileReader.Place(offset: reader.offset, line: reader.line)
                guard let values = try reader.next() else { break }
                guard values.count == names.count else {
                    throw UsageError("line \(start.line + 1): \(values.count) values for \(names.count) columns. \(remedy)")
                }
                guard !values[index].isEmpty else {
                    throw UsageError("line \(start.line + 1): \"\(column)\" is empty. \(remedy)")
                }
                places.append(IndexedPlace(key: values[index].exact.hashValue, start: start))
            }
            places.sort { ($0.key, $0.start.offset) < ($1.key, $1.start.offset) }
            return (names, index, places)
        }
        self.path = path
        seen = Mutex([Bool](repeating: false, count: places.count))
        records = Mutex(try UserFilePlace.reading(path) { Records($0, piece: 1 << 12) })
    }

    var count: Int { places.count }

    /// Returns the records with a value, in the order of the file; a value that a spreadsheet calls nothing is absent.
    ///
    /// - Throws: ``UsageError`` if the file has changed since it was opened.
    func records(of key: String) throws(UsageError) -> [JSONObject] {
        try UserFilePlace.naming(path) {
            try places.range(of: key.exact.hashValue).compactMap { place in
                let values = try values(at: places[place])
                guard values[column].exact == key.exact else { return nil }
                seen.withLock { $0[place] = true }
                return JSONObject(zip(columns, values).filter { !$0.1.isEmpty }.map { ($0.0, JSON.string($0.1)) })
            }
        }
    }

    /// Returns the keys of the records that were never found, in the order of the file.
    func unseen() throws(UsageError) -> [String] {
        let open = seen.withLock { seen in seen.indices.filter { !seen[$0] } }.map { places[$0] }
        return try UserFilePlace.naming(path) {
            try open.sorted { $0.start.offset < $1.start.offset }.map { try values(at: $0)[column] }
        }
    }

    /// Checks that no two records have the same key.
    ///
    /// - Throws: ``UsageError`` with both lines.
    func requireDistinctKeys() throws(UsageError) {
        try UserFilePlace.naming(path) {
            for (former, place) in zip(places, places.dropFirst()) where former.key == place.key {
                guard try values(at: former)[column].exact == values(at: place)[column].exact else { continue }
                throw UsageError(
                    "line \(place.start.line + 1): the user of line \(former.start.line + 1) appears again. Export the users again."
                )
            }
        }
    }

    private func values(at place: IndexedPlace) throws -> [String] {
        let values = try records.withLock { records in
            try records.seek(to: place.start)
            return try records.next() ?? []
        }
        guard values.count == columns.count, values[column].exact.hashValue == place.key else {
            throw UsageError("the file has changed while it was in use. Run the command again.")
        }
        return values
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
