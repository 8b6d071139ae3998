/// The files that pages load.
enum Assets {
    /// All files, each with its path and its type.
    static let all = [
        (path: "/style.css", type: "text/css; charset=utf-8", text: style),
        (path: "/script.js", type: "text/javascript; charset=utf-8", text: script),
        (path: "/icon.svg", type: "image/svg+xml", text: icon),
    ]

    private static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#6c47ff"/>\
        <path d="M0 4a4 4 0 0 1 4-4h5L8 8 0 12z" fill="#f5820d"/><path d="M9 0h3a4 4 0 0 1 4 4v9L8 8z" fill="#3ecf8e"/></svg>
        """
}
