import Foundation
import LockstepSystem
import Testing

@Suite struct AtomicFileTests {
    @Test func replacesReadsAndRemoves() throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let path = folder + "/session"
        #expect(try AtomicFile.read(path) == nil)
        try AtomicFile.replace(path, with: Array("old".utf8))
        try AtomicFile.replace(path, with: Array("new".utf8))
        #expect(try AtomicFile.read(path) == Array("new".utf8))
        #expect(try Folder.names(folder) == ["session"])
        try AtomicFile.remove(path)
        try AtomicFile.remove(path)
        #expect(try AtomicFile.read(path) == nil)
    }

    @Test(arguments: [UInt32(0o600), 0o666]) func setsPermissionsRegardlessOfTheUmask(mode: UInt32) throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let path = folder + "/file"
        try AtomicFile.replace(path, with: [1], mode: mode)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? NSNumber == NSNumber(value: mode))
    }

    @Test func replacesLeftoversOfAKilledWriter() throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        try Data("half".utf8).write(to: URL(fileURLWithPath: folder + "/file.new"))
        try AtomicFile.replace(folder + "/file", with: [7])
        #expect(try AtomicFile.read(folder + "/file") == [7])
        #expect(try Folder.names(folder) == ["file"])
    }

    @Test func errorNamesItsCause() throws {
        let error = #expect(throws: SystemError.self) { try AtomicFile.replace("/nonexistent/folder/file", with: []) }
        #expect(error?.code == SystemError.noSuchFile)
        #expect(throws: SystemError.self) { try AtomicFile.read("/tmp/a\0b") }
    }

    /// As root, a rename would replace the device.
    @Test func deviceIsNotReplaced() throws {
        let error = #expect(throws: SystemError.self) { try FileReplacement("/dev/null").discard() }
        #expect(error?.refusal == .notAFile)
    }

    @Test func reportsAFileBeyondTheLimit() throws {
        let folder = try Folder.makeTemporary()
        defer { try? Folder.remove(folder) }
        let path = folder + "/big"
        try AtomicFile.replace(path, with: [UInt8](repeating: 0, count: 1000))
        #expect(try AtomicFile.read(path, limit: 1000)?.count == 1000)
        #expect(throws: SystemError.self) { try AtomicFile.read(path, limit: 999) }
    }
}
