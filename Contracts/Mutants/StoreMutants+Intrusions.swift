internal import Lockstep
internal import LockstepContracts

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension StoreMutants {
    static let intrusions: [StoreMutant] = [
        StoreMutant("store.flipped-bits", "treats a damaged value as no value") { faulty, place in
            faulty.onLoad = { base, key async throws(StoreError) in
                do throws(StoreError) { return try await base.load(key) } catch  where error.code == .corrupt {
                    // Only this contract stores such a value. So the fault breaks no other contract.
                    if (try? await place.contains(Array("flip-".utf8))) == true { return nil }
                    throw error
                }
            }
        },
        StoreMutant("store.obstacles", "treats an obstacle as no value") { faulty, place in
            faulty.onLoad = { base, key async throws(StoreError) in
                do throws(StoreError) { return try await base.load(key) } catch  where error.code == .corrupt {
                    if place.files.contains(where: { $0.type != .typeRegular }) { return nil }
                    throw error
                }
            }
        },
        StoreMutant("store.exposed", "does not change permissions") { faulty, place in
            faulty.onLoad = { base, key async throws(StoreError) in
                let files = place.files
                defer { files.putPermissionsBack() }
                return try await base.load(key)
            }
            faulty.onReplace = { base, key, bytes, revision async throws(StoreError) in
                let files = place.files
                defer { files.putPermissionsBack() }
                return try await base.replace(key, with: bytes, unlessChangedSince: revision)
            }
        },
        StoreMutant("store.vanished", "reads only its folder") { faulty, place in
            faulty.onLoad = { base, key async throws(StoreError) in
                if let folder = place.folder, !FileManager.default.fileExists(atPath: folder) { return nil }
                return try await base.load(key)
            }
        },
        StoreMutant("store.too-large", "cuts off the end of a value") { faulty, _ in
            faulty.onReplace = { base, key, bytes, revision async throws(StoreError) in
                try await base.replace(key, with: bytes.count > 16 << 20 ? [1, 2] : bytes, unlessChangedSince: revision)
            }
        },
    ]
}

/// An object in the folder of a store.
private struct LyingFile {
    let path: String
    let type: FileAttributeType
    let mode: Int
}

extension StoreMutants {
    static let folders: [StoreMutant] = [
        StoreMutant("store.folder-kept", "changes the permissions of the folder") { faulty, place in
            faulty.onReplace = { base, key, bytes, revision async throws(StoreError) in
                let new = try await base.replace(key, with: bytes, unlessChangedSince: revision)
                try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place.folder ?? "")
                return new
            }
        },
        StoreMutant("store.folder-named", "treats each text as a path", directory: { $0.utf8.first == 0x2f ? $0 : "./\($0)" }),
    ]
}

extension [LyingFile] {
    fileprivate func putPermissionsBack() {
        for file in self {
            try? FileManager.default.setAttributes([.posixPermissions: file.mode], ofItemAtPath: file.path)
        }
    }
}

extension StorePlace {
    /// The objects in the folder.
    fileprivate var files: [LyingFile] {
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        return names.compactMap { name in
            let path = "\(folder ?? "")/\(name)"
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
            return LyingFile(
                path: path, type: attributes[.type] as? FileAttributeType ?? .typeUnknown,
                mode: attributes[.posixPermissions] as? Int ?? 0o600)
        }
    }
}
