internal import LockstepPrimitives

/// The link of a mail.
struct ActionLink {
    let core: Core

    func text(type: String, hash: String, target: String, purpose: Letter.Purpose) -> String {
        let name = purpose == .magicLink ? "RECOVERY" : purpose.rawValue
        let path = core.settings.mail.paths[name] ?? "/verify"
        let place: String
        if path.hasPrefix("http://") || path.hasPrefix("https://") {
            place = path
        } else if var url = GoURL(core.base) {
            if path.hasPrefix("/") {
                url.path = path
            } else {
                url.path = String(url.path.reversed().drop { $0 != "/" }.reversed()) + path
            }
            url.query = nil
            place = url.text
        } else {
            place = core.base + path
        }
        let isPlain = !target.contains { "&=#".contains($0) }
        return "\(place)?token=\(hash)&type=\(type)&redirect_to=\(isPlain ? target : Percent.encode(target))"
    }
}
