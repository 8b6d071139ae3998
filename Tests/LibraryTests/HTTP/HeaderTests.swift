import LockstepHTTP
import Testing

@Suite struct HeaderTests {
    @Test func namesIgnoreCaseAndRepeatsAreKept() {
        var headers: HTTPHeaders = ["Set-Cookie": "a=1", "X-Other": "x", "set-cookie": "b=2"]
        #expect(headers["SET-COOKIE"] == "a=1")
        #expect(headers.values(of: "Set-cookie") == ["a=1", "b=2"])
        #expect(headers["Missing"] == nil)
        headers["set-COOKIE"] = "c=3"
        #expect(headers.map(\.value) == ["c=3", "x"])
        headers["X-Other"] = nil
        headers.append("Last", "l")
        #expect(headers == ["SET-cookie": "c=3", "last": "l"])
        #expect(headers.count == 2)
    }

    @Test func parsedHeadersEqualWrittenHeaders() {
        let text = "Content-Type:application/json\nX-Empty:\nx-empty:a:b\n"
        var headers = HTTPHeaders(HTTPHeaderBlock(Array(text.utf8), count: 3))
        #expect(headers == ["content-type": "application/json", "X-Empty": "", "X-Empty": "a:b"])
        #expect(headers["CONTENT-type"] == "application/json")
        #expect(headers["x-EMPTY"] == "")
        #expect(headers["empty"] == nil)
        #expect(headers["Content-Typf"] == nil)
        #expect(headers.values(of: "x-empty") == ["", "a:b"])
        headers["X-Empty"] = "full"
        #expect(headers == ["content-type": "application/json", "X-Empty": "full"])
        #expect(HTTPHeaders(HTTPHeaderBlock([], count: 0)).isEmpty)
    }
}
