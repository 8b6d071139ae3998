internal import LockstepPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The form in which everything is stored, one for all stores: a version, then the value.
struct Envelope<Value: Codable & Sendable>: Codable, Sendable {
    var version = Self.current
    var value: Value

    /// The version that is written; every one before it is read.
    static var current: Int { 1 }

    init(_ value: Value) { self.value = value }

    /// The bytes to store, secrets as they are.
    func bytes() throws(StoreError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.userInfo[.revealsSecrets] = true
        do {
            return Array(try encoder.encode(self))
        } catch {
            throw StoreError(.unwritable, "The value cannot be written as JSON: \(type(of: error)).")
        }
    }

    /// The value that bytes hold.
    ///
    /// - Throws: `corrupt` where they cannot be decoded; the client quarantines them. `newerForm` where a newer version of the
    ///   app has written them; the client leaves them as they are.
    static func value(of bytes: [UInt8]) throws(StoreError) -> Value {
        let version = (try? JSONDecoder().decode(Header.self, from: Data(bytes)))?.version
        if let version, version > current {
            throw StoreError(
                .newerForm,
                "The stored value has the form \(version) of a newer version of this app, which this one does not know. It is left as it is."
            )
        }
        do {
            return try JSONDecoder().decode(Envelope.self, from: Data(bytes)).value
        } catch {
            throw StoreError(.corrupt, "The stored value cannot be understood (\(type(of: error))).")
        }
    }

    private struct Header: Decodable { var version: Int }
}
