internal import Lockstep
internal import LockstepContracts

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension StoreMutant {
    static let intrusions: [StoreMutant] = [
        StoreMutant("store.flipped-bits", "takes a damaged value for none") { faulty, place in
            faulty.onLoad = { base, key async throws(StoreError) in
                do throws(StoreError) { return try await base.load(key) } catch  where error.code == .corrupt {
                    // Only this contract stores such a value. So the fault breaks no other contract.
                    if (try? await place.contains(Array("flip-".utf8))) == true { return nil }
                    throw error
                }
            }
        },
        StoreMutant("store.obstacles", "takes what is no file for none") { faulty, place in
            faulty.onLoad = { base, key async throws(StoreError) in
                do throws(StoreError) { return try await base.load(key) } catch  where error.code == .corrupt {
                    if place.files.contains(where: { $0.type != .typeRegular }) { return nil }
                    throw error
                }
            }
        },
        StoreMutant("store.exposed", "leaves permissions as they are") { faulty, place in
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
        StoreMutant("store.vanished", "knows only what is in its folder") { faulty, place in
            faulty.onLoad = { base, key async throws(StoreError) in
                if let folder = place.folder, !FileManager.default.fileExists(atPath: folder) { return nil }
                return try await base.load(key)
            }
        },
        StoreMutant("store.too-large", "cuts the end off") { faulty, _ in
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

extension StoreMutant {
    static let folders: [StoreMutant] = [
        StoreMutant("store.folder-kept", "takes the folder for itself") { faulty, place in
            faulty.onReplace = { base, key, bytes, revision async throws(StoreError) in
                let new = try await base.replace(key, with: bytes, unlessChangedSince: revision)
                try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place.folder ?? "")
                return new
            }
        },
        StoreMutant("store.folder-named", "takes each text for a path", directory: { $0.utf8.first == 0x2f ? $0 : "./\($0)" }),
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
