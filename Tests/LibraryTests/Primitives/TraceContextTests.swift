import LockstepPrimitives
import Testing

@Suite("Trace contexts")
struct TraceContextTests {
    private static let example = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    @Test func traceparentIsReadAndWrittenUnchanged() throws {
        let context = try TraceContext(traceparent: Self.example)
        #expect(context.traceparent == Self.example)
        #expect(context.traceID == "0af7651916cd43dd8448eb211c80319c")
        #expect(context.parentID == "b7ad6b7169203331")
        #expect(context.isSampled)
        #expect(try !TraceContext(traceparent: String(Self.example.dropLast()) + "2").isSampled)
    }

    @Test func laterVersionIsReadByItsKnownFields() throws {
        let later = "cc" + Self.example.dropFirst(2).dropLast(2)
        #expect(try TraceContext(traceparent: later + "ff-more-to-come").traceparent == Self.example)
        #expect(try TraceContext(traceparent: later + "02").traceparent == String(Self.example.dropLast(2)) + "00")
    }

    @Test(
        arguments: [
            ("", .fields(1)), ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", .fields(3)), (example + "-00", .fields(5)),
            (example.uppercased(), .digits(32)), ("00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01", .digits(32)),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333g-01", .digits(16)), (example + "0", .digits(2)),
            (example + "\r\nx: y", .digits(2)), ("0" + example.dropFirst(2), .digits(2)), ("ff" + example.dropFirst(2), .version),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", .zeros),
            ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", .zeros),
        ] as [(String, TraceContextError)])
    func malformedTraceparentIsRejected(_ text: String, _ error: TraceContextError) {
        #expect(throws: error) { try TraceContext(traceparent: text) }
    }
}
