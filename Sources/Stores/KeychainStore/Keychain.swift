/// The four calls of Apple's Keychain, with values instead of dictionaries.
///
/// A call may wait for another process, so make the call on a separate thread.
public protocol Keychain: Sendable {
    /// Adds an item (`SecItemAdd`).
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - place: Where the item is stored.
    ///   - accessibility: When the item can be read.
    /// - Returns: The status; `duplicateItem` if the place already has an item with this account.
    func add(_ item: KeychainItem, _ place: KeychainPlace, _ accessibility: KeychainAccessibility) -> KeychainStatus

    /// Reads the items that match a query (`SecItemCopyMatching`).
    ///
    /// - Parameter query: The query.
    /// - Returns: The status and the items; `itemNotFound` if no item matches.
    func copy(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem])

    /// Changes the items that match a query, in one step (`SecItemUpdate`).
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - item: The new values of the items.
    /// - Returns: The status; `itemNotFound` if no item matches.
    func update(_ query: KeychainQuery, to item: KeychainItem) -> KeychainStatus

    /// Removes the items that match a query (`SecItemDelete`).
    ///
    /// - Parameter query: The query.
    /// - Returns: The status; `itemNotFound` if no item matches.
    func delete(_ query: KeychainQuery) -> KeychainStatus
}

/// An item of a Keychain, of the class "generic password".
public struct KeychainItem: Sendable, Hashable {
    /// The name of the item within the service (`kSecAttrAccount`).
    public var account: String
    /// Bytes that the app adds to the item, and that a query can match (`kSecAttrGeneric`).
    public var mark: [UInt8]
    /// The data of the item (`kSecValueData`).
    public var data: [UInt8]

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - account: The name of the item within the service.
    ///   - mark: Bytes that the app adds to the item, and that a query can match.
    ///   - data: The data of the item.
    public init(account: String, mark: [UInt8], data: [UInt8]) {
        self.account = account
        self.mark = mark
        self.data = data
    }
}

/// The service and the access group that one store uses in a Keychain.
public struct KeychainPlace: Sendable, Hashable {
    /// The name of the service (`kSecAttrService`).
    public var service: String
    /// The name of the access group (`kSecAttrAccessGroup`); `nil` for the group of the app.
    public var accessGroup: String?

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - service: The name of the service.
    ///   - accessGroup: The name of the access group; `nil` for the group of the app.
    public init(service: String, accessGroup: String?) {
        self.service = service
        self.accessGroup = accessGroup
    }
}

/// A query for items in a Keychain.
public struct KeychainQuery: Sendable, Hashable {
    /// The service and the access group of the items.
    public var place: KeychainPlace
    /// The name of the item; `nil` for any.
    public var account: String?
    /// The bytes that the app has added to the items; `nil` for any.
    public var mark: [UInt8]?

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - place: The service and the access group of the items.
    ///   - account: The name of the item; `nil` for any.
    ///   - mark: The bytes that the app has added to the items; `nil` for any.
    public init(_ place: KeychainPlace, account: String? = nil, mark: [UInt8]? = nil) {
        self.place = place
        self.account = account
        self.mark = mark
    }
}

/// The accessibility of an item, which determines when apps can read it, and whether another device can get it.
public enum KeychainAccessibility: Sendable, Hashable, CaseIterable {
    /// After the first unlock since the device started.
    ///
    /// The app can then also read the item in the background. An encrypted backup can copy the item to another device.
    case afterFirstUnlock
    /// After the first unlock since the device started.
    ///
    /// The app can then also read the item in the background. The item stays on this device.
    case afterFirstUnlockThisDeviceOnly
    /// Only while the device is unlocked.
    ///
    /// An app in the background may not be able to read the item. The item stays on this device.
    case whenUnlockedThisDeviceOnly
}

/// The status that a call of a Keychain returns (`OSStatus`).
public struct KeychainStatus: RawRepresentable, Sendable, Hashable {
    /// The number of the status.
    public let rawValue: Int32

    /// Creates a status.
    ///
    /// - Parameter rawValue: The number of the status.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The call succeeded (`errSecSuccess`).
    public static let success = KeychainStatus(rawValue: 0)
    /// There is no such item (`errSecItemNotFound`).
    public static let itemNotFound = KeychainStatus(rawValue: -25300)
    /// There is already such an item (`errSecDuplicateItem`).
    public static let duplicateItem = KeychainStatus(rawValue: -25299)
    /// The device is locked, so the item cannot be read (`errSecInteractionNotAllowed`).
    public static let interactionNotAllowed = KeychainStatus(rawValue: -25308)
    /// The app has no permission for the access group, or for any Keychain (`errSecMissingEntitlement`).
    public static let missingEntitlement = KeychainStatus(rawValue: -34018)
    /// The disk is full (`errSecDiskFull`).
    public static let diskFull = KeychainStatus(rawValue: -34)
}
