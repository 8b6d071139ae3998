extension QRCode {
    /// Returns the code as an image inside a page.
    func picture(named name: String) -> Markup {
        var path = ""
        for y in 0..<size { for x in 0..<size where self[x, y] { path += "M\(x + 4),\(y + 4)h1v1h-1z" } }
        return """
            <svg class="qr" role="img" aria-label="\(name)" viewBox="0 0 \(size + 8) \(size + 8)" shape-rendering="crispEdges">\
            <path d="\(path, upTo: .max)"/></svg>
            """
    }
}
