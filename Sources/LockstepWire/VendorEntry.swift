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

/// The place of an entry of a vendor's SDK.
package struct VendorAccount: Sendable {
    package let name: String
    /// The service in the Keychain; `nil` for the one that the app names.
    package let service: String?

    package init(_ name: String, in service: String? = nil) {
        self.name = name
        self.service = service
    }
}

/// What an app knows about its SDK.
package struct VendorSetup: Sendable {
    /// The service in the Keychain that the app has passed to the SDK.
    package let service: String
    package let bundleIdentifier: String
    /// The name of the project by which the app knows the entries; `nil` if the entries must name it.
    package let project: String?

    package init(service: String = "", bundleIdentifier: String? = nil, project: String?) {
        self.service = service
        self.bundleIdentifier = bundleIdentifier ?? service
        self.project = project
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
    /// Another app of the same access group has taken the session over at the same time.
    case claimed
}

/// An adapter that can read the session of its provider's own SDK.
package protocol VendorSessionReading: AuthAdapter {
    /// Returns the accounts of the SDK's entries, the newest first.
    func vendorAccounts(of setup: VendorSetup) -> [VendorAccount]

    /// Returns the session in the SDK's entries, which needs a renewal.
    ///
    /// The entries have the order of the accounts. Throws the reason if they do not contain a session of this adapter's project.
    func session(in entries: [VendorEntry], of setup: VendorSetup) throws(VendorRefusal) -> Session
}

extension VendorEntry {
    /// The limit for one entry, as no SDK writes a larger one.
    package static let longest = 1 << 20
}
