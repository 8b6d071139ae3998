internal import LockstepCrypto
internal import LockstepPrimitives

/// The content of a file, or of another place that holds one value: a line that names key and revision, then the bytes as they
/// were given.
///
/// The line ends with a digest of all the rest, so that a single flipped bit is found. Versions that know no digest read the line, too,
/// and a file without one, as they have written, is read as long as nothing else is in its line.
package struct StoredFile {
    static let suffix = ".lockstep"

    /// The most bytes that a file may have: a larger one is not a store's.
    package static let limit = 16 << 20

    package let key: StoreKey
    package let revision: Revision
    package let bytes: [UInt8]

    package init(key: StoreKey, revision: Revision, bytes: [UInt8]) {
        self.key = key
        self.revision = revision
        self.bytes = bytes
    }

    /// Reads a file; `nil` where it is not one.
    package init?(_ file: [UInt8]) {
        guard let end = file.firstIndex(of: UInt8(ascii: "\n")), let header = try? JSON.parse(Array(file[..<end])),
            header["lockstep"]?.int == 1, let provider = header["provider"]?.string, let backend = header["backend"]?.string,
            let slot = header["slot"]?.string.flatMap(StoreKey.Slot.init), let revision = header["revision"]?.string,
            header["bytes"]?.int == Int64(file.count - end - 1)
        else { return nil }
        key = StoreKey(provider: provider, backend: backend, slot: slot)
        self.revision = Revision(rawValue: revision)
        bytes = Array(file[(end + 1)...])
        guard header["sha256"] == nil else {
            let rest = Array(file[..<end].dropLast(Self.seal("").count + 64)) + Array("}".utf8) + file[end...]
            guard file[..<end].elementsEqual(Self.sealed(rest).prefix(end)) else { return nil }
            return
        }
        // A line without digest has what older versions put there and nothing else: no name that may once have been the digest's.
        guard case .object(let members) = header, members.count == 6 else { return nil }
    }

    /// The value that the store returns.
    package var value: StoredValue { StoredValue(bytes: bytes, revision: revision) }

    /// The file's content.
    package func encoded() -> [UInt8] {
        let header: JSON = [
            "lockstep": 1, "provider": .string(key.provider), "backend": .string(key.backend), "slot": .string(key.slot.rawValue),
            "revision": .string(revision.rawValue), "bytes": .int(Int64(bytes.count)),
        ]
        return Self.sealed(header.bytes() + [UInt8(ascii: "\n")] + bytes)
    }

    /// The content with the digest of it at the end of its first line, which closes an object.
    private static func sealed(_ content: [UInt8]) -> [UInt8] {
        let end = content.firstIndex(of: UInt8(ascii: "\n")) ?? content.endIndex
        return content[..<end].dropLast() + seal(Hex.encode(HashFunction.sha256.digest(content))) + content[end...]
    }

    private static func seal(_ digest: String) -> [UInt8] { Array(#","sha256":"\#(digest)"}"#.utf8) }
}
