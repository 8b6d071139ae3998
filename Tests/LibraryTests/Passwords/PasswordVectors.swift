import Foundation
import LockstepPasswords
import LockstepPrimitives
import Testing

/// Hashes of other implementations: Tests/Fixtures/Passwords.
enum PasswordVectors {
    static func list(_ name: String) throws -> [JSON] {
        try #require(file("vectors.json")[name]?.array)
    }

    static func reference(_ name: String) throws -> JSON {
        try #require(file("references.json")[name])
    }

    private static func file(_ name: String) throws -> JSON {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Fixtures/Passwords")
        return try JSON.parse(Array(Data(contentsOf: folder.appendingPathComponent(name))))
    }
}

extension JSON {
    func text(_ name: String) throws -> String { try #require(self[name]?.string) }
    func secret(_ name: String) throws -> Secret { Secret(try text(name)) }
}

/// Whether `hash` matches `password` and no similar text, and stays the same when written and read.
func expectRight(_ hash: PasswordHash, _ password: Secret, _ comment: Comment, at location: SourceLocation = #_sourceLocation)
    throws
{
    let again = try PasswordHash(hash.text)
    #expect(again == hash, comment, sourceLocation: location)
    for hash in [hash, again] {
        #expect(try hash.verify(password), comment, sourceLocation: location)
        #expect(try !hash.verify(Secret(password.reveal() + "x")), comment, sourceLocation: location)
        #expect(try !hash.verify("wrong"), comment, sourceLocation: location)
    }
}

/// The code of the error that `operation` throws; `nil` if it succeeds.
func passwordErrorCode<T>(_ operation: () throws -> T) -> PasswordError.Code? {
    do {
        _ = try operation()
        return nil
    } catch {
        return (error as? PasswordError)?.code
    }
}
