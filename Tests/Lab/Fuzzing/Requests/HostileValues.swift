internal import LockstepPrimitives

/// Values that no field expects.
enum HostileValues {
    static let json: [JSON] = [
        .null, true, false, 0, -1, 1.5, .double(1e300), .int(.max), .int(.min), "", " ", "x", "\u{0}", "\u{202e}x", "🧨", "null",
        "0",
        .string(String(repeating: "é", count: 300)), .string(String(repeating: "a", count: 5000)), [], [1, "a", nil, [[]]], [:],
        ["a": ["b": [1, ["c": nil]]]], ["captcha_token": 7], ["": ""], "11111111-1111-4111-8111-111111111111", "a.b.c",
        "' OR 1=1 --", "%s%n%00", "../../etc/passwd", "<script>alert(1)</script>", "http://[::1", "javascript:alert(1)",
        "\r\nSet-Cookie: a=b",
        "$2a$10$abc", "$argon2id$v=19$m=4294967295,t=9,p=1$c2FsdA$aGFzaA", "$fbscrypt$v=1,n=63,r=8,p=1,ss=a,sk=b$c$d", "-1h",
        "99999999h",
        "2026-13-45T99:99:99Z", "ada@example.com", "ADA@EXAMPLE.COM", "a@b", "@", "a@b@c.d", "+15551234567", "+0", "١٢٣٤٥٦",
    ]

    static let texts = json.compactMap(\.string)

    static let headers: [(name: String, value: String)] = [
        ("X-Supabase-Api-Version", "2024-01-01"), ("X-Supabase-Api-Version", "yesterday"), ("X-JWT-AUD", "elsewhere"),
        ("Origin", "http://localhost:3000"),
        ("Origin", "null"), ("Referer", "%%%"), ("Referer", "http://localhost:3000/a"),
        ("redirect_to", "http://evil.example.com"), ("X-Forwarded-For", "1.2.3.4, ::1"),
        ("X-Forwarded-For", "not an address"), ("X-Forwarded-Host", "evil.example.com"), ("Accept", "text/html"),
        ("Accept-Encoding", "br;q=nan"),
        ("Content-Encoding", "gzip"), ("Cookie", "a=b; __client=x; =;;"), ("Range", "bytes=0-"), ("If-None-Match", "*"),
        ("Authorization", "Basic YTpi"), ("X-HTTP-Method-Override", "DELETE"), ("X-Client-Info", "fuzz/1"), ("Expect", "nothing"),
    ]

    static let mediaTypes = [
        "application/json", "application/json; charset=utf-16", "text/plain", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data", "application/xml", "", ";;;", "application/JSON",
    ]

    static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get"]
}
