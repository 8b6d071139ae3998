internal import LockstepWire

/// The values of a keyed archive that a caller asks for: a binary property list, written by NSKeyedArchiver.
///
/// NSKeyedUnarchiver would create objects of the classes that a file names. This reader creates no objects. It follows one
/// reference at a time, and reads nothing that nobody asks for. So a file with a loop or with a million objects costs no
/// more than any other file, and every number in the file is checked before it is used.
struct KeyedArchive {
    /// The number of a value in the property list.
    struct Node { fileprivate let number: Int }

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let table: Int
    private var objects = Node(number: 0)
    /// The archived object.
    private(set) var root = Node(number: 0)

    /// The limit for the members of a dictionary and the elements of a list.
    private static let longestList = 4096

    /// Opens an archive.
    ///
    /// - Throws: `damaged` if the bytes are no keyed archive; `laterForm` if it has an unknown version; `incomplete` if it
    ///   contains no object.
    init(_ bytes: [UInt8]) throws(VendorRefusal) {
        guard bytes.starts(with: Array("bplist0".utf8)), bytes.count >= 40 else { throw .damaged }
        let trailer = bytes.count - 32
        guard let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
            let table = Self.number(bytes, trailer + 24, 8)
        else { throw .damaged }
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), (1...bytes.count).contains(count),
            table >= 8, table <= trailer, count <= (trailer - table) / offsetSize, top < count
        else { throw .damaged }
        (self.bytes, self.count, self.table) = (bytes, count, table)
        (self.offsetSize, self.referenceSize) = (offsetSize, referenceSize)
        let list = Node(number: top)
        guard let archiver = member("$archiver", of: list).flatMap({ text($0) }), archiver == "NSKeyedArchiver" else {
            throw .damaged
        }
        guard let version = member("$version", of: list).flatMap({ number($0) }), version == 100_000 else { throw .laterForm }
        guard let objects = member("$objects", of: list), let tops = member("$top", of: list) else { throw .damaged }
        self.objects = objects
        guard let only = references(of: tops, in: 1)?.first, let root = target(of: only) else { throw .incomplete }
        self.root = root
    }

    // MARK: Archived objects

    /// Returns the text of a member.
    func text(_ name: String, of object: Node) -> String? {
        self.object(name, of: object).flatMap({ text($0) })
    }

    /// Returns the Boolean value of a member.
    func flag(_ name: String, of object: Node) -> Bool? {
        guard let value = member(name, of: object), let start = offset(of: value) else { return nil }
        return bytes[start] == 0x09 ? true : bytes[start] == 0x08 ? false : nil
    }

    /// Returns the object of a member; `nil` if there is none.
    func object(_ name: String, of object: Node) -> Node? {
        member(name, of: object).flatMap { target(of: $0) }
    }

    /// Returns the values of an archived dictionary or list.
    func elements(_ name: String, of object: Node) -> [Node] {
        guard let list = self.object(name, of: object), let values = member("NS.objects", of: list) else { return [] }
        return (references(of: values, in: 0) ?? []).compactMap { target(of: $0) }
    }

    /// Returns the object to which a reference of the archive leads; the first object stands for `nil`.
    private func target(of reference: Node) -> Node? {
        guard let start = offset(of: reference), bytes[start] >> 4 == 0x8,
            let index = Self.number(bytes, start + 1, Int(bytes[start] & 0xF) + 1), index > 0
        else { return nil }
        guard let (first, length) = list(objects, 0xA), index < length else { return nil }
        return node(at: first + index * referenceSize)
    }

    // MARK: Values of the property list

    /// Returns the value of a dictionary's member.
    private func member(_ name: String, of dictionary: Node) -> Node? {
        guard let (first, length) = list(dictionary, 0xD), length <= Self.longestList else { return nil }
        for index in 0..<length {
            guard let key = node(at: first + index * referenceSize), let found = text(key) else { return nil }
            if found.utf8.elementsEqual(name.utf8) { return node(at: first + (length + index) * referenceSize) }
        }
        return nil
    }

    /// Returns the elements of a list (`part` 0), or the values of a dictionary (`part` 1).
    private func references(of value: Node, in part: Int) -> [Node]? {
        guard let (first, length) = list(value, part == 0 ? 0xA : 0xD), length <= Self.longestList else { return nil }
        return (0..<length).compactMap { node(at: first + (part * length + $0) * referenceSize) }
    }

    /// Returns the place of the first reference in a list or dictionary, and their number.
    private func list(_ value: Node, _ kind: UInt8) -> (first: Int, length: Int)? {
        guard let (start, length) = content(of: value, kind), length <= bytes.count / referenceSize else { return nil }
        return (start, length)
    }

    private func text(_ value: Node) -> String? {
        if let (start, length) = content(of: value, 0x5) {
            guard length <= bytes.count - start else { return nil }
            return String(validating: bytes[start..<start + length], as: UTF8.self)
        }
        guard let (start, length) = content(of: value, 0x6), length <= (bytes.count - start) / 2 else { return nil }
        let units = (0..<length).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
        return String(validating: units, as: UTF16.self)
    }

    private func number(_ value: Node) -> Int? {
        guard let start = offset(of: value), bytes[start] >> 4 == 0x1 else { return nil }
        return Self.number(bytes, start + 1, 1 << Int(bytes[start] & 0xF))
    }

    /// Returns the start and the length of a value whose marker has this kind.
    private func content(of value: Node, _ kind: UInt8) -> (start: Int, length: Int)? {
        guard let start = offset(of: value), bytes[start] >> 4 == kind else { return nil }
        let short = Int(bytes[start] & 0xF)
        guard short == 0xF else { return (start + 1, short) }
        guard start + 1 < bytes.count, bytes[start + 1] >> 4 == 0x1, bytes[start + 1] & 0xF <= 3 else { return nil }
        let size = 1 << Int(bytes[start + 1] & 0xF)
        return Self.number(bytes, start + 2, size).map { (start + 2 + size, $0) }
    }

    private func node(at place: Int) -> Node? {
        guard let number = Self.number(bytes, place, referenceSize), number < count else { return nil }
        return Node(number: number)
    }

    private func offset(of value: Node) -> Int? {
        Self.number(bytes, table + value.number * offsetSize, offsetSize).flatMap { (8..<table).contains($0) ? $0 : nil }
    }

    /// Reads an unsigned number; `nil` if it is outside the bytes or does not fit.
    private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
        guard (1...8).contains(size), start >= 0, start <= bytes.count - size, size < 8 || bytes[start] < 0x80 else { return nil }
        return bytes[start..<start + size].reduce(0) { $0 << 8 | Int($1) }
    }
}
