internal import CLockstepSystem

/// A failed call of the operating system.
public struct SystemError: Error, Sendable, Hashable {
    /// The system's error number (`errno`).
    public let code: Int32
    /// The attempted operation, for example "open /var/lib/app/session".
    public let operation: String
    /// The reason why the object at the path was rejected; `nil` if a system call failed.
    public let refusal: FileRefusal?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The system's error number.
    ///   - operation: The attempted operation.
    ///   - refusal: The reason why the object at the path was rejected.
    public init(_ code: Int32, _ operation: String, refusal: FileRefusal? = nil) {
        self.code = code
        self.operation = operation
        self.refusal = refusal
    }

    /// What the last call of this thread failed with.
    static func last(_ operation: String) -> SystemError {
        SystemError(lockstep_errno(), operation)
    }
}

extension SystemError {
    /// There is no such file or folder.
    public static let noSuchFile = ENOENT
    /// The permissions do not allow it.
    public static let notPermitted = EACCES
    /// The port or address is in use.
    public static let addressInUse = EADDRINUSE
    /// The path is a folder, where a file was expected.
    public static let isAFolder = EISDIR
    /// A line is longer than the limit.
    public static let lineTooLong = E2BIG
    /// The time limit was exceeded.
    public static let timedOut = ETIMEDOUT

    /// Whether the disk is full, or this user's quota.
    public var isFull: Bool { code == ENOSPC || code == EDQUOT }
}

extension SystemError: CustomStringConvertible {
    /// The attempted operation, and the reason for the failure.
    public var description: String { "\(operation): \(refusal?.rawValue ?? reason)" }

    /// The system's message for the error number.
    public var reason: String {
        var buffer = [CChar](repeating: 0, count: 256)
        // The pointer is valid for the call, and the function writes at most `count` bytes, the last of them 0.
        unsafe buffer.withUnsafeMutableBufferPointer { unsafe lockstep_describe_error(code, $0.baseAddress, $0.count) }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
