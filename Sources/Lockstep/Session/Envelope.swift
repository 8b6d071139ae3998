internal import LockstepPrimitives

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The form in which everything is stored, one for all stores: a version, then the value.
struct Envelope<Value: Codable & Sendable>: Codable, Sendable {
    var version = 1
    var value: Value

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
    /// - Throws: `corrupt` where they cannot be understood; nothing is removed.
    static func value(of bytes: [UInt8]) throws(StoreError) -> Value {
        do {
            return try JSONDecoder().decode(Envelope.self, from: Data(bytes)).value
        } catch {
            throw StoreError(
                .corrupt, "The stored value cannot be understood (\(type(of: error))). It is kept; move it away to start afresh.")
        }
    }
}
