/// The files that pages load.
enum Assets {
    /// All files, each with its path and its type.
    static let all = [
        (path: "/style.css", type: "text/css; charset=utf-8", text: style),
        (path: "/script.js", type: "text/javascript; charset=utf-8", text: script),
        (path: "/icon.svg", type: "image/svg+xml", text: icon),
    ]

    private static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0b57d0"/>\
        <path d="M5 7V5a3 3 0 0 1 6 0v2h1v6H4V7zm1.5 0h3V5a1.5 1.5 0 0 0-3 0z" fill="#fff"/></svg>
        """
}
