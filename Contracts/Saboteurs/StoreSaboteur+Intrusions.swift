internal import Lockstep
internal import LockstepContracts

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension StoreSaboteur {
    static let intrusions: [StoreSaboteur] = [
        StoreSaboteur("store.flipped-bits", "takes a damaged value for none") { impostor, place in
            impostor.onLoad = { base, key async throws(StoreError) in
                do throws(StoreError) { return try await base.load(key) } catch  where error.code == .corrupt {
                    // The value of this promise alone, so that no other one is broken.
                    if (try? await place.contains(Array("flip-".utf8))) == true { return nil }
                    throw error
                }
            }
        },
        StoreSaboteur("store.obstacles", "takes what is no file for none") { impostor, place in
            impostor.onLoad = { base, key async throws(StoreError) in
                do throws(StoreError) { return try await base.load(key) } catch  where error.code == .corrupt {
                    if place.files.contains(where: { $0.type != .typeRegular }) { return nil }
                    throw error
                }
            }
        },
        StoreSaboteur("store.exposed", "leaves permissions as they are") { impostor, place in
            impostor.onLoad = { base, key async throws(StoreError) in
                let modes = place.files.map { ($0.path, $0.mode) }
                defer {
                    for (path, mode) in modes {
                        try? FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                    }
                }
                return try await base.load(key)
            }
        },
        StoreSaboteur("store.too-large", "cuts the end off") { impostor, _ in
            impostor.onReplace = { base, key, bytes, revision async throws(StoreError) in
                try await base.replace(key, with: bytes.count > 16 << 20 ? [1, 2] : bytes, unlessChangedSince: revision)
            }
        },
    ]
}

extension StorePlace {
    /// What lies in the folder.
    fileprivate var files: [(path: String, type: FileAttributeType, mode: Int)] {
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        return names.compactMap { name in
            let path = "\(folder ?? "")/\(name)"
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
            return (
                path, attributes[.type] as? FileAttributeType ?? .typeUnknown, attributes[.posixPermissions] as? Int ?? 0o600
            )
        }
    }
}
