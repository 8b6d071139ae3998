/// The four calls of a Keychain, as Apple's Security framework has them, on values instead of dictionaries.
///
/// Every call may wait for another process: make them on a thread of your own.
public protocol Keychain: Sendable {
    /// Adds an item (`SecItemAdd`); `duplicateItem` where one of its place is there.
    func add(_ item: KeychainItem, _ place: KeychainPlace, _ accessibility: KeychainAccessibility) -> KeychainStatus

    /// Reads the items that match (`SecItemCopyMatching`); `itemNotFound` where there are none.
    func copy(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem])

    /// Changes the items that match (`SecItemUpdate`) in one step; `itemNotFound` where there are none.
    func update(_ query: KeychainQuery, to item: KeychainItem) -> KeychainStatus

    /// Removes the items that match (`SecItemDelete`); `itemNotFound` where there are none.
    func delete(_ query: KeychainQuery) -> KeychainStatus
}

/// A generic password of a Keychain.
public struct KeychainItem: Sendable, Hashable {
    /// Its name within the service (`kSecAttrAccount`).
    public var account: String
    /// The application's mark on it (`kSecAttrGeneric`), which a query can match.
    public var mark: [UInt8]
    /// The data (`kSecValueData`).
    public var data: [UInt8]

    /// An item.
    public init(account: String, mark: [UInt8], data: [UInt8]) {
        self.account = account
        self.mark = mark
        self.data = data
    }
}

/// Where the items of one store are.
public struct KeychainPlace: Sendable, Hashable {
    /// The service (`kSecAttrService`).
    public var service: String
    /// The access group (`kSecAttrAccessGroup`); `nil` for the app's own.
    public var accessGroup: String?

    /// A place.
    public init(service: String, accessGroup: String?) {
        self.service = service
        self.accessGroup = accessGroup
    }
}

/// A query for items.
public struct KeychainQuery: Sendable, Hashable {
    /// Where they are.
    public var place: KeychainPlace
    /// Their account; `nil` for any.
    public var account: String?
    /// Their mark; `nil` for any.
    public var mark: [UInt8]?

    /// A query.
    public init(_ place: KeychainPlace, account: String? = nil, mark: [UInt8]? = nil) {
        self.place = place
        self.account = account
        self.mark = mark
    }
}

/// When an item can be read, and whether it leaves the device.
public enum KeychainAccessibility: Sendable, Hashable, CaseIterable {
    /// From the first unlock after a start on, also in the background; included in an encrypted backup to another device.
    case afterFirstUnlock
    /// From the first unlock after a start on, also in the background; on this device only.
    case afterFirstUnlockThisDeviceOnly
    /// While the device is unlocked; on this device only. What runs in the background finds it locked.
    case whenUnlockedThisDeviceOnly
}

/// A status of Security (`OSStatus`).
public struct KeychainStatus: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: Int32

    /// The status of that number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Done (`errSecSuccess`).
    public static let success = KeychainStatus(rawValue: 0)
    /// There is none (`errSecItemNotFound`).
    public static let itemNotFound = KeychainStatus(rawValue: -25300)
    /// There is one already (`errSecDuplicateItem`).
    public static let duplicateItem = KeychainStatus(rawValue: -25299)
    /// The device is locked (`errSecInteractionNotAllowed`).
    public static let interactionNotAllowed = KeychainStatus(rawValue: -25308)
    /// The app has no right to the access group, or to any (`errSecMissingEntitlement`).
    public static let missingEntitlement = KeychainStatus(rawValue: -34018)
    /// There is no room (`errSecDiskFull`).
    public static let diskFull = KeychainStatus(rawValue: -34)
}
