import LockstepEmulation
import LockstepPrimitives

extension Extension {
    /// Role sets: which roles the members of an organization can have (https://clerk.com/docs/guides/organizations/control-access).
    static let roleSets = Extension(backend: roleSetRoutes)

    private static var roleSetRoutes: [Endpoint] {
        let set = "/role_sets/{role_set_key_or_id}"
        return [
            .get("/role_sets", .server, .writes) { try BackendRoleSetRoutes(context: $0).list() },
            .post("/role_sets", .server, body: BackendRoleSetRoutes.createBody) {
                try BackendRoleSetRoutes(context: $0).create()
            },
            .get(set, .server, .writes) { try BackendRoleSetRoutes(context: $0).get() },
            .patch(set, .server, body: BackendRoleSetRoutes.updateBody) { try BackendRoleSetRoutes(context: $0).update() },
            .post(set + "/replace", .server, body: ["dest_role_set_key": .text, "reassignment_mappings": .object]) {
                try BackendRoleSetRoutes(context: $0).replace()
            },
            .post(set + "/roles", .server, body: BackendRoleSetRoutes.addRolesBody) {
                try BackendRoleSetRoutes(context: $0).addRoles()
            },
            .post(set + "/roles/replace", .server, body: ["role_key": .text, "to_role_key": .text]) {
                try BackendRoleSetRoutes(context: $0).replaceRole()
            },
        ]
    }
}
