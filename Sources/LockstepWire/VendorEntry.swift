package import Lockstep

/// An entry that a vendor's own SDK has stored on the device.
///
/// Another program may have written its bytes.
package struct VendorEntry: Sendable {
    package let account: String
    package let bytes: [UInt8]

    package init(account: String, bytes: [UInt8]) {
        self.account = account
        self.bytes = bytes
    }
}

/// The reason why a client cannot use a stored session of a vendor's SDK, as the event shows it.
package enum VendorRefusal: String, Error {
    /// The bytes are not in the SDK's format, for example because they are damaged or encrypted.
    case damaged
    /// A later version of the SDK wrote the entry.
    case laterForm
    /// A part of the session is missing.
    case incomplete
    /// The entry belongs to another project, or nothing in it names the project.
    case otherProject
    /// The session has already ended.
    case ended
}

/// An adapter that can read the session of its provider's own SDK.
package protocol VendorSessionReading: AuthAdapter {
    /// The accounts of the SDK's entries, its present one first.
    var vendorAccounts: [String] { get }

    /// Returns the session in the SDK's entries, which needs a renewal.
    ///
    /// - `project`: The name of the project by which the app knows the entries; `nil` if the entries must name it.
    ///
    /// Throws the reason if the entries do not contain a session of this adapter's project.
    func session(in entries: [VendorEntry], of project: String?) throws(VendorRefusal) -> Session
}

extension VendorEntry {
    /// The limit for one entry, as no SDK writes a larger one.
    package static let longest = 1 << 20
}
