import LockstepEmulation
import LockstepPrimitives
internal import LockstepSQLite

/// `/v1/redirect_urls`: the URLs to which native apps may be redirected.
///
/// If there are any, no other URLs are allowed.
struct AdminRedirectURLRoutes {
    let context: RequestContext

    func list() throws -> Answer {
        let (rows, total) = try context.page(of: InstanceAddressRecord.self, where: "kind = 'redirect'")
        return .resource(context.list(rows.map(json), total: total))
    }

    func create() throws -> Answer {
        let url = try context.fields.required("url")
        try Redirects.check(url, parameter: "url")
        let known = try context.db.count(InstanceAddressRecord.self, "kind = 'redirect' AND text = \(url)")
        if known > 0 { throw ClerkError.duplicateIdentifier(url) }
        let row = InstanceAddressRecord(
            id: context.id(.redirectURL), kind: .redirect, text: url, createdAt: context.now, updatedAt: context.now)
        try context.db.save(row)
        return .resource(json(row))
    }

    func get() throws -> Answer { .resource(json(try row())) }

    func delete() throws -> Answer {
        let row = try row()
        try context.db.run("DELETE FROM instance_addresses WHERE id = \(row.id)")
        return .resource(["object": "redirect_url", "id": .string(row.id), "deleted": true])
    }

    private func row() throws -> InstanceAddressRecord {
        try context.named("id") { try context.db.find(InstanceAddressRecord.self, "id = \($0) AND kind = 'redirect'") }
    }

    private func json(_ row: InstanceAddressRecord) -> JSON {
        [
            "object": "redirect_url", "id": .string(row.id), "url": .string(row.text), "created_at": .time(row.createdAt),
            "updated_at": .time(row.updatedAt),
        ]
    }
}

/// `/v1/domains`: the instance's own host, and satellites.
struct AdminInstanceDomainRoutes {
    let context: RequestContext

    private static let primary = "dmn_lockstep"

    func list() throws -> Answer {
        let rows = try context.db.all(InstanceAddressRecord.self, "kind = 'domain' ORDER BY created_at, rowid")
        let own = json(id: Self.primary, name: host, isSatellite: false, proxyURL: nil)
        return .resource(.page([own] + rows.map(json), total: rows.count + 1))
    }

    func create() throws -> Answer {
        let name = try context.fields.required("name").lowercased()
        guard try context.fields.flag("is_satellite") == true else { throw ClerkError.primaryDomainExists }
        try check(name)
        let row = InstanceAddressRecord(
            id: context.id(.domain), kind: .domain, text: name, proxyURL: try proxy(), createdAt: context.now,
            updatedAt: context.now)
        try context.db.save(row)
        return .resource(json(row))
    }

    func update() throws -> Answer {
        var row = try satellite(otherwise: .productionDomains)
        if let name = try context.fields.text("name")?.lowercased(), name != row.text {
            try check(name)
            row.text = name
        }
        if context.fields.has("proxy_url") { row.proxyURL = try proxy() }
        row.updatedAt = context.now
        try context.db.save(row)
        return .resource(json(row))
    }

    func delete() throws -> Answer {
        let row = try satellite(otherwise: .primaryDomain)
        try context.db.run("DELETE FROM instance_addresses WHERE id = \(row.id)")
        return .resource(["object": "domain", "id": .string(row.id), "deleted": true])
    }

    /// Requests the emulator's own health through a proxy on this machine.
    func checkProxy() throws -> Answer {
        guard let url = try proxy() else { throw ClerkError.missing("proxy_url") }
        let domain = try context.fields.text("domain_id") ?? Self.primary
        if domain != Self.primary, try context.db.count(InstanceAddressRecord.self, "id = \(domain)") == 0 {
            throw ClerkError.notFound(domain)
        }
        let address = url + (url.hasSuffix("/") ? "" : "/") + "v1/proxy-health?domain_id=" + Percent.encode(domain)
        let result = try context.result(of: OutgoingRequest("GET", address))
        let answer = try? result.get()
        let isHealthy = answer.flatMap { try? JSON.parse($0.body) }?["status"] == "healthy"
        let id = context.nextID(of: "proxy") { "proxchk_" + $0.text(27) }
        return .resource([
            "object": "proxy_check", "id": .string(id), "domain_id": .string(domain), "last_run_at": .time(context.now),
            "proxy_url": .string(url), "successful": .bool(isHealthy), "created_at": .time(context.now),
            "updated_at": .time(context.now),
        ])
    }

    private var host: String { context.state.base.pieces(at: "/").last.map(String.init) ?? "" }

    private func satellite(otherwise refusal: ClerkError) throws -> InstanceAddressRecord {
        let id = context.piece("domain_id")
        if id.exact == Self.primary.exact { throw refusal }
        guard let row = try context.db.find(InstanceAddressRecord.self, "id = \(id) AND kind = 'domain'") else {
            throw ClerkError.notFound(id)
        }
        return row
    }

    private func check(_ name: String) throws {
        let bare = name.pieces(at: ":").first.map(String.init) ?? ""
        guard bare == "localhost" || EmailAddress("a@" + bare) != nil else {
            throw ClerkError.malformed("name", "name must be a domain name.")
        }
        if try context.db.count(InstanceAddressRecord.self, "kind = 'domain' AND text = \(name)") > 0 {
            throw ClerkError.exists("name")
        }
    }

    private func proxy() throws -> String? {
        guard let url = try context.fields.text("proxy_url"), !url.isEmpty else { return nil }
        try Redirects.check(url, parameter: "proxy_url")
        return url
    }

    private func json(_ row: InstanceAddressRecord) -> JSON {
        json(id: row.id, name: row.text, isSatellite: true, proxyURL: row.proxyURL)
    }

    private func json(id: String, name: String, isSatellite: Bool, proxyURL: String?) -> JSON {
        [
            "object": "domain", "id": .string(id), "name": .string(name), "is_satellite": .bool(isSatellite),
            "frontend_api_url": .string(context.state.base), "accounts_portal_url": nil, "proxy_url": .text(proxyURL),
            "development_origin": "", "cname_targets": nil,
        ]
    }
}
