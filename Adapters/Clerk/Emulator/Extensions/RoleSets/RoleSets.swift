import LockstepEmulation
import LockstepPrimitives

extension Extension {
    /// Role sets: the roles that the members of an organization can have
    /// (https://clerk.com/docs/guides/organizations/control-access).
    static let roleSets = Extension(backend: roleSetRoutes)

    private static var roleSetRoutes: [Endpoint] {
        let set = "/role_sets/{role_set_key_or_id}"
        return [
            .get("/role_sets", .server, .writes) { try AdminRoleSetRoutes(context: $0).list() },
            .post("/role_sets", .server, body: AdminRoleSetRoutes.createBody) { try AdminRoleSetRoutes(context: $0).create() },
            .get(set, .server, .writes) { try AdminRoleSetRoutes(context: $0).get() },
            .patch(set, .server, body: AdminRoleSetRoutes.updateBody) { try AdminRoleSetRoutes(context: $0).update() },
            .post(set + "/replace", .server, body: ["dest_role_set_key": .text, "reassignment_mappings": .object]) {
                try AdminRoleSetRoutes(context: $0).replace()
            },
            .post(set + "/roles", .server, body: AdminRoleSetRoutes.addRolesBody) {
                try AdminRoleSetRoutes(context: $0).addRoles()
            },
            .post(set + "/roles/replace", .server, body: ["role_key": .text, "to_role_key": .text]) {
                try AdminRoleSetRoutes(context: $0).replaceRole()
            },
        ]
    }
}
