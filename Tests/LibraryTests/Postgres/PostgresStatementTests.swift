import LockstepPostgres
import LockstepPrimitives
import Testing

@Suite("PostgreSQL statements")
struct PostgresStatementTests {
    @Test func valuesOfNestedStatementsBecomeParameters() {
        let (name, number) = ("'; DROP TABLE users; --", PostgresValue.null)
        let inner: PostgresStatement = "UPDATE t SET a = \(name) WHERE b = \(number)"
        let outer: PostgresStatement = "WITH c AS (\(inner) RETURNING a) SELECT \(true) FROM c"
        #expect(outer.text == "WITH c AS (UPDATE t SET a = $1 WHERE b = $2 RETURNING a) SELECT $3 FROM c")
        #expect(outer.values == [.text(name), .null, .bool(true)])
    }

    @Test(arguments: ["no such key=1", "host=a,b port=1,2,3", "postgres://[", "host=a\0b", "password=hunter2 nonsense"])
    func malformedConnectionStringIsRejectedAndNotQuoted(_ text: String) {
        do throws(PostgresError) {
            _ = try PostgresAddress(Secret(text))
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.kind == .invalidAddress)
            #expect(!error.message.contains("hunter2"))
        }
    }
}
