import LockstepPrimitives
import Testing

struct InstantReadingTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1), ("2026-01-01T00:00:00Z", 1_767_225_600_000),
        ("2024-02-29T12:34:56.789123456Z", 1_709_210_096_789), ("2026-01-01T01:30:00.5+01:30", 1_767_225_600_500),
        ("2025-12-31T19:00:00-05:00", 1_767_225_600_000), ("2026-01-01T00:00:00.000001+00:00", 1_767_225_600_000),
    ])
    func readsTimestamps(_ text: String, _ milliseconds: Int64) {
        #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00.Z", "now",
        "2027-02-30T12:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z",
    ])
    func rejectsMalformedTimestamps(_ text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test func readsHTTPDates() {
        #expect(Instant(httpDate: "Sun, 06 Nov 1994 08:49:37 GMT")?.seconds == 784_111_777)
        #expect(Instant(httpDate: "Thu, 01 Jan 1970 00:00:00 GMT")?.seconds == 0)
        for text in ["", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 6 Nov 1994 08:49:37 GMT"] {
            #expect(Instant(httpDate: text) == nil)
        }
    }

    @Test func readsClaimsOfAnUnverifiedToken() {
        let token = "eyJhbGciOiJub25lIn0." + Base64.encode(#"{"sub":"1"}"#.utf8, .url) + "."
        #expect(CompactToken.unverifiedClaims(of: token) == ["sub": "1"])
        for text in ["", "a.b", "a.!.c", "a.\(Base64.encode("[]".utf8, .url)).c"] {
            #expect(CompactToken.unverifiedClaims(of: text) == nil)
        }
    }
}
