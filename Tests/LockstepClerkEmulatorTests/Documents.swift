import Foundation
import LockstepClerkEmulator
import LockstepPrimitives

/// Clerk's OpenAPI documents, reduced to their operations and the schemas of responses (Tests/Fixtures/Clerk/documents.py).
struct Documents: Sendable {
    struct Operation: Sendable {
        let api: ClerkOperation.API
        let method: String
        /// The path from the server's root.
        let path: String
        let id: String
        /// The schemas of successful responses, by status.
        let answers: JSONObject
    }

    let operations: [Operation]
    let frontend: Schemas
    let backend: Schemas
    /// Every code of Clerk's catalog with its status.
    let codes: [String: Int]

    /// Read once for all tests.
    ///
    /// Empty if a fixture is missing, which ``OperationTests`` reports.
    static let shared = Documents()

    private init() {
        let front = Self.read("frontend")
        let back = Self.read("backend")
        frontend = Schemas(named: front["schemas"]?.object ?? [:])
        backend = Schemas(named: back["schemas"]?.object ?? [:])
        operations = Self.operations(front, .frontend) + Self.operations(back, .backend)
        codes = Dictionary(
            uniqueKeysWithValues: (Self.read("error-codes").object ?? [:]).compactMap { name, value in
                value.int.map { (name, Int($0)) }
            })
    }

    /// The schemas of an operation's responses by their statuses; empty if the document has none.
    func answers(_ method: String, _ path: String, _ api: ClerkOperation.API) -> JSONObject {
        let pieces = path.split(separator: "/")
        let found = operations.filter { $0.api == api && $0.method == method && Self.matches($0.path, pieces) }
        // A word in the document's path is more specific than a placeholder.
        return found.min { $0.path.count { $0 == "{" } < $1.path.count { $0 == "{" } }?.answers ?? [:]
    }

    private static func matches(_ path: String, _ pieces: [Substring]) -> Bool {
        let wanted = path.split(separator: "/")
        return wanted.count == pieces.count
            && zip(wanted, pieces).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }

    private static func operations(_ document: JSON, _ api: ClerkOperation.API) -> [Operation] {
        (document["operations"]?.array ?? []).compactMap { row in
            guard let method = row[0]?.string, let path = row[1]?.string, let id = row[2]?.string else { return nil }
            return Operation(
                api: api, method: method, path: api == .backend ? "/v1" + path : path, id: id, answers: row[3]?.object ?? [:])
        }
    }

    private static func read(_ name: String) -> JSON {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Clerk/\(name).json")
        return (try? Data(contentsOf: file)).flatMap { try? JSON.parse(Array($0)) } ?? .null
    }
}

/// The schemas of one document, and the check of a value against them: the part of OpenAPI 3.0 that the documents use.
struct Schemas: Sendable {
    let named: JSONObject

    /// The places where `value` does not match `schema`; empty if it matches.
    func faults(of value: JSON, _ schema: JSON, at path: String = "$") -> [String] {
        if value.isNull, isNullable(schema) { return [] }
        if let name = schema["$ref"]?.string {
            guard let target = named[name] else { return ["\(path): no schema \(name)"] }
            return faults(of: value, target, at: path)
        }
        var faults = (schema["allOf"]?.array ?? []).flatMap { self.faults(of: value, $0, at: path) }
        for (word, takesSeveral) in [("oneOf", false), ("anyOf", true)] {
            guard let options = schema[word]?.array else { continue }
            let misses = options.map { self.faults(of: value, $0, at: path) }
            let fits = misses.count { $0.isEmpty }
            if fits == 0 {
                faults.append("\(path): fits none of \(options.count), nearest: \(misses.min { $0.count < $1.count } ?? [])")
            } else if fits > 1, !takesSeveral {
                faults.append("\(path): fits \(fits) of \(word)")
            }
        }
        if let words = schema["enum"]?.array, !words.contains(value) {
            faults.append("\(path): \(value.text().prefix(60)) is none of \(words.map { $0.text() })")
        }
        return faults + ofType(value, schema, at: path)
    }

    private func ofType(_ value: JSON, _ schema: JSON, at path: String) -> [String] {
        guard let type = schema["type"]?.string ?? (schema["properties"] == nil ? nil : "object") else { return [] }
        guard Self.isOf(type, value) else { return ["\(path): \(value.text().prefix(60)) is no \(type)"] }
        if let elements = value.array, let items = schema["items"] {
            return elements.enumerated().flatMap { self.faults(of: $1, items, at: "\(path)[\($0)]") }
        }
        guard let members = value.object else { return [] }
        let properties = schema["properties"]?.object ?? [:]
        var faults: [String] = []
        for name in (schema["required"]?.array ?? []).compactMap(\.string) where members[name] == nil {
            faults.append("\(path).\(name) is missing")
        }
        for (name, member) in members {
            if let schema = properties[name] {
                faults += self.faults(of: member, schema, at: "\(path).\(name)")
            } else if schema["additionalProperties"] == false {
                faults.append("\(path).\(name) is not of the schema")
            } else if let other = schema["additionalProperties"], other.object != nil {
                faults += self.faults(of: member, other, at: "\(path).\(name)")
            }
        }
        return faults
    }

    private func isNullable(_ schema: JSON) -> Bool {
        if schema["nullable"] == true { return true }
        guard let name = schema["$ref"]?.string, let target = named[name] else { return false }
        return isNullable(target)
    }

    private static func isOf(_ type: String, _ value: JSON) -> Bool {
        switch type {
        case "object": value.object != nil
        case "array": value.array != nil
        case "string": value.string != nil
        case "boolean": value.bool != nil
        case "integer": value.int != nil
        case "number": value.int != nil || value.double != nil
        default: false
        }
    }
}
