/// The picture of a key for authenticator apps.
enum QRImage {
    static func svg(of text: String) -> String {
        """
        <?xml version="1.0"?>
        <!-- The address as text: \(text.replacing("--", with: "- -")) -->
        <svg width="320" height="320" xmlns="http://www.w3.org/2000/svg"></svg>
        """
    }
}
