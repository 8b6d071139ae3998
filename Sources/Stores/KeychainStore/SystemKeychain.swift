#if canImport(Security)
internal import Security

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The system's data protection Keychain, also on macOS.
public struct SystemKeychain: Keychain {
    /// Creates a value for the Keychain of the system.
    public init() {}

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - place: The service and the access group of the item.
    ///   - accessibility: The accessibility of the item.
    /// - Returns: The status.
    public func add(_ item: KeychainItem, _ place: KeychainPlace, _ accessibility: KeychainAccessibility) -> KeychainStatus {
        var attributes = Self.attributes(KeychainQuery(place)).merging(Self.values(item)) { $1 }
        attributes[kSecAttrAccessible as String] = Self.name(accessibility)
        return KeychainStatus(rawValue: unsafe SecItemAdd(attributes as CFDictionary, nil))
    }

    /// Reads the items that match a query.
    ///
    /// - Parameter query: The query.
    /// - Returns: The status and the items.
    public func copy(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        var attributes = Self.attributes(query)
        attributes[kSecMatchLimit as String] = kSecMatchLimitAll
        attributes[kSecReturnAttributes as String] = true
        attributes[kSecReturnData as String] = true
        var found: CFTypeRef?
        // The pointer is valid during the call, which stores an object with its own reference there.
        let status = unsafe SecItemCopyMatching(attributes as CFDictionary, &found)
        let items = (found as? [[String: Any]] ?? []).compactMap { item -> KeychainItem? in
            guard let account = item[kSecAttrAccount as String] as? String else { return nil }
            let mark = item[kSecAttrGeneric as String] as? Data ?? Data()
            return KeychainItem(
                account: account, mark: Array(mark), data: Array(item[kSecValueData as String] as? Data ?? Data()))
        }
        return (KeychainStatus(rawValue: status), items)
    }

    /// Changes the items that match a query, in one step.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - item: The new values of the items.
    /// - Returns: The status.
    public func update(_ query: KeychainQuery, to item: KeychainItem) -> KeychainStatus {
        KeychainStatus(rawValue: SecItemUpdate(Self.attributes(query) as CFDictionary, Self.values(item) as CFDictionary))
    }

    /// Removes the items that match a query.
    ///
    /// - Parameter query: The query.
    /// - Returns: The status.
    public func delete(_ query: KeychainQuery) -> KeychainStatus {
        KeychainStatus(rawValue: SecItemDelete(Self.attributes(query) as CFDictionary))
    }

    private static func attributes(_ query: KeychainQuery) -> [String: Any] {
        var attributes: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecUseDataProtectionKeychain as String: true,
            kSecAttrService as String: query.place.service,
        ]
        if let group = query.place.accessGroup { attributes[kSecAttrAccessGroup as String] = group }
        if let account = query.account { attributes[kSecAttrAccount as String] = account }
        if let mark = query.mark { attributes[kSecAttrGeneric as String] = Data(mark) }
        return attributes
    }

    private static func values(_ item: KeychainItem) -> [String: Any] {
        [
            kSecAttrAccount as String: item.account, kSecAttrGeneric as String: Data(item.mark),
            kSecValueData as String: Data(item.data),
        ]
    }

    private static func name(_ accessibility: KeychainAccessibility) -> CFString {
        switch accessibility {
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
        case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        }
    }
}
#endif
