internal import LockstepDirectory
internal import LockstepPrimitives

/// A limit of the target for the size of a value, or for the sum of several values.
public struct MoveLimit: Sendable, Hashable {
    /// A value with a limit.
    ///
    /// If a sum is too large, values are left out in this order. The claims come last, because rights depend on them.
    public enum Value: String, Sendable, CaseIterable {
        case userData, photo, name, firstName, lastName, privateData, claims
    }

    /// A unit of a size.
    public enum Unit: Sendable, Hashable {
        /// Bytes of the text, or of the JSON.
        case bytes
        /// UTF-16 code units of the text, or of the JSON.
        case characters
    }

    /// The values, whose sum the target limits.
    public var values: [Value]
    /// The largest sum.
    public var most: Int
    /// The unit of the sum.
    public var unit: Unit

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - values: The values, whose sum the target limits.
    ///   - most: The largest sum.
    ///   - unit: The unit of the sum.
    public init(_ values: [Value], _ most: Int, _ unit: Unit) {
        self.values = values
        self.most = most
        self.unit = unit
    }
}

extension Mapping {
    /// Leaves out values that exceed a limit of the target, each as a whole.
    ///
    /// First a value that exceeds the limit alone, then others until the sum fits. The caller rejects the user unless there is a
    /// side file.
    func limitData(_ draft: inout MappingDraft) {
        for limit in target.limits {
            func size(_ value: MoveLimit.Value) -> Int { draft.new.limited(value)?.size(in: limit.unit) ?? 0 }
            let values = MoveLimit.Value.allCases.filter(limit.values.contains)
            for value in values where size(value) > limit.most { draft.leaveOut(value) }
            for value in values where limit.values.reduce(0, { $0 + size($1) }) > limit.most && size(value) > 0 {
                draft.leaveOut(value)
            }
        }
    }
}

extension MappingDraft {
    fileprivate mutating func leaveOut(_ value: MoveLimit.Value) {
        guard let data = new.limited(value) else { return }
        leaveOut(value.field, value.rawValue, data, .overLimit)
        new.leaveOut(value)
    }
}

extension MoveLimit.Value {
    fileprivate var field: MoveField {
        switch self {
        case .userData: .userData
        case .photo: .photo
        case .name: .name
        case .firstName, .lastName: .personNames
        case .privateData: .privateData
        case .claims: .claims
        }
    }
}

extension NewDirectoryUser {
    /// The value of the user; `nil` if it is empty.
    fileprivate func limited(_ value: MoveLimit.Value) -> JSON? {
        func object(_ object: JSONObject) -> JSON? { object.isEmpty ? nil : .object(object) }
        return switch value {
        case .userData: object(self.userMetadata)
        case .photo: self.photoURL.map(JSON.string)
        case .name: self.displayName.map(JSON.string)
        case .firstName: self.firstName.map(JSON.string)
        case .lastName: self.lastName.map(JSON.string)
        case .privateData: object(self.privateMetadata)
        case .claims: object(self.appMetadata)
        }
    }

    fileprivate mutating func leaveOut(_ value: MoveLimit.Value) {
        switch value {
        case .userData: self.userMetadata = [:]
        case .photo: self.photoURL = nil
        // A display name must match both names.
        case .name, .firstName, .lastName: (self.displayName, self.firstName, self.lastName) = (nil, nil, nil)
        case .privateData: self.privateMetadata = [:]
        case .claims: self.appMetadata = [:]
        }
    }
}

extension JSON {
    fileprivate func size(in unit: MoveLimit.Unit) -> Int {
        switch unit {
        case .bytes: string.map(\.utf8.count) ?? bytes().count
        case .characters: (string ?? text()).utf16.count
        }
    }
}
