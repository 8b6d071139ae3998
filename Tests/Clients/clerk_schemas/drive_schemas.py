"""drive_schemas.py LOCKSTEP FIXTURES COUNTS WORDS: holds the answers of `lockstep serve clerk` to Clerk's documents.

Each operation gets ten requests that its document allows and ten that it does not, in an instance that is made anew for it: with the secret key, or from a
device that is signed in. A 5xx is a failure, and so are a 2xx or 3xx that the document does not have for the operation, a body that misses its schema or has another content
type, and an operation that was never asked. Which refusals an operation may have is not held to its document: those lists are not complete. Operations that
`lockstep-lab operations` lists as refused are asked, too: each answer must be 501 with `lockstep_operation_not_built`. An operation that answers with refusals alone
must stand in `SILENT`, and no other does.
"""
import collections, json, pathlib, subprocess

import hypothesis, schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from server import Server, run
from world import PICTURE, SETTINGS, World

EXAMPLES = 10
# Operations that need what chance does not find: a right code or credential, a role that may be taken away, a provider, a production instance.
SILENT = {
    "backend": """
        AttemptEmailAddressVerification AttemptPhoneNumberVerification ChangeProductionInstanceDomain CreateBulkInvitations CreateEnterpriseConnectionTestRun
        CreateOrganizationInvitationBulk CreateOrganizationMembership CreateOrganizationPermission CreateOrganizationRole CreateRoleSet CreateUser
        DeleteDomain DeleteExternalAccount DeleteOrganizationLogo DeleteOrganizationMembership DeleteOrganizationPermission DeleteOrganizationRole
        DeleteSvixApp DeleteUserProfileImage GenerateSvixAuthURL GetOAuthAccessToken RefreshSession RemovePermissionFromOrganizationRole ReplaceRoleInRoleSet
        ReplaceRoleSet UpdateDomain UpdateOrganizationMembership UpdateOrganizationPermission UpdateProductionInstanceDomain UserPasskeyDelete VerifyClient
        VerifyDomainProxy VerifyTOTP
    """.split(),
    "frontend": """
        CreateOrganizationMembership DeleteEmailAddress UpdateOrganizationMembership acceptOrganizationInvitation acceptOrganizationMembershipRequest
        acceptOrganizationSuggestion acceptTicket attemptOrganizationDomainOwnershipVerification attemptOrganizationDomainVerification
        attemptPasskeyVerification attemptSessionReverificationFirstFactor attemptSessionReverificationSecondFactor attemptSignInFactorOne
        attemptSignInFactorTwo attemptSignUpsVerification changePassword createBackupCodes createMeEnterpriseConnectionTestRun
        createOrganizationEnterpriseConnectionTestRun deleteExternalAccount deleteOrganizationLogo deleteOrganizationMemberships deleteProfileImage
        getEnterpriseConnectionTestRunResult getOauthCallback handshakeClient initEnterpriseConnectionTestRun joinWaitlist postOAuthAccounts postOauthCallback
        prepareOrganizationDomainOwnershipVerification prepareOrganizationDomainVerification prepareSessionReverificationFirstFactor
        prepareSessionReverificationSecondFactor prepareSignInFactorTwo reauthorizeExternalAccount redirectToUrl rejectOrganizationMembershipRequest
        removeOrganizationMember removePassword resetPassword revokeExternalAccountTokens revokeSession sendVerificationEmail sendVerificationSMS
        verify verifyEmailAddress verifyPhoneNumber verifyTOTP
    """.split(),
}
# The document names no success of these operations: what the emulator answers in its place.
UNDOCUMENTED = {
    "UpdateInstance": "204", "createDevBrowser": "200", "postDevBrowserInitSetCookie": "200", "getDevBrowserInit": "200", "clearSiteData": "200",
}
CHECKS = [not_a_server_error, response_schema_conformance, content_type_conformance]


def recorded(schemas):
    """Real answers of Clerk have what its documents have not (`KnownDifference` in the tests of the emulator): those win."""
    for name in ("Client.SignIn", "Client.SignIn-2"):
        properties = schemas[name]["properties"]
        properties["locale"] = {"type": "string", "nullable": True}
        properties["supported_identifiers"]["items"]["enum"].append("password")
    schemas["UserSettings.PasskeySettings"]["required"].remove("satisfies_second_factor")
    schemas["UserSettings.SignIn"]["properties"]["second_factor"]["properties"]["enabled"] = {"type": "boolean"}
    schemas["UserSettings.SignUp"]["properties"]["mfa"] = {}
    schemas["Client.AuthConfig"]["required"].remove("native_settings")
    schemas["OrganizationSettings.DomainsSettings"]["properties"]["default_role"]["nullable"] = True
    schemas["Client.OrganizationSettings"]["properties"]["force_organization_selection"] = {"type": "boolean"}
    schemas["Client.CommerceSettings"] = {"type": "object"}
    schemas["UserSettings.Socials"]["additionalProperties"] = True


def document(rows, api):
    """One reduced document as OpenAPI again."""
    if api == "frontend":
        recorded(rows["schemas"])

    def place(schema):
        if isinstance(schema, list):
            return [place(each) for each in schema]
        if not isinstance(schema, dict):
            return schema
        return {name: "#/components/schemas/" + value if name == "$ref" and isinstance(value, str) else place(value) for name, value in schema.items()}

    paths = collections.defaultdict(dict)
    for method, path, id, answers, parameters, bodies, refusals in rows["operations"]:
        # The documents' own parameter `paginated` asks for an object, which their schemas of answers leave out.
        if any(name == "paginated" for _, name, *_ in parameters) and answers.get("200", {}).get("type") == "array":
            page = {"type": "object", "required": ["data", "total_count"], "properties": {"data": answers["200"], "total_count": {"type": "integer"}}}
            answers = {**answers, "200": {"oneOf": [answers["200"], page]}}
        answers = {**answers, **{str(status): {"$ref": "ClerkErrors"} for status in refusals}}
        responses = {status: {"description": "", "content": {"application/json": {"schema": place(schema)}}} for status, schema in answers.items()}
        call = {"operationId": id, "responses": responses or {"default": {"description": ""}}}
        call["parameters"] = [{"in": where, "name": name, "required": required or where == "path", "schema": place(schema)} for where, name, required, schema in parameters]
        if bodies:
            call["requestBody"] = {"content": {kind: {"schema": place(schema)} for kind, schema in bodies.items()}}
        paths[path if api == "frontend" else "/v1" + path][method.lower()] = call
    return {"openapi": "3.0.3", "info": {"title": api, "version": "2026-05-12"}, "paths": paths, "components": {"schemas": {name: place(schema) for name, schema in rows["schemas"].items()}}}


class Drive:
    def __init__(self, server, api, count):
        self.world, self.api, self.server = World(server), api, server
        self.statuses, self.findings = count, {}

    def request(self, case, index):
        """Sends one case; in two of three the ids of the world stand where such are asked for, in one of them good values, too."""
        if index % 3:
            for place in (case.path_parameters, case.query, case.body if isinstance(case.body, dict) else None):
                for name in place or {}:
                    known = self.ids.get(name) or (self.world.value(name, index) if index % 3 == 1 else None)
                    if known and isinstance(place[name], str):
                        place[name] = known
                    elif known and isinstance(place[name], list):
                        place[name] = [known]
            if index % 3 == 1 and case.media_type == "multipart/form-data":
                case.body = {"file": PICTURE}
        headers, query = {"Authorization": "Bearer " + self.server.vars["secret_key"]}, {}
        if self.api == "frontend":
            headers, query = {"Authorization": self.world.token}, {"_is_native": "1"}
        # Redirects lead to apps and providers, which are not on this machine.
        answer = case.call(base_url=self.server.base, headers=headers, params=query, allow_redirects=False)
        self.statuses[answer.status_code // 100] += 1
        return answer

    def operation(self, operation, is_built):
        """The faults of the answers by their texts, and the statuses."""
        self.world.renew()
        self.ids = dict(self.world.ids)
        faults, seen = {}, set()
        documented = {status for status in operation.definition.raw["responses"] if status[0] in "23"}
        documented |= {UNDOCUMENTED.get(operation.definition.raw["operationId"])} - {None}
        for name in [name for name in self.ids if name in ("invitation_id", "id", "identifier_id")]:
            del self.ids[name]
        own = {"/invitations/": "instance_invitation_id", "/redirect_urls/": "redirect_url_id", "/allowlist": "allowed_id", "/blocklist": "blocked_id"}
        self.ids["id"] = self.ids["sign_up_id"]
        for part, which in own.items():
            if operation.path.startswith("/v1" + part):
                self.ids |= dict.fromkeys(("id", "identifier_id", "invitation_id"), self.ids[which])
        if "/organizations/" in operation.path:
            self.ids["invitation_id"] = self.world.ids["invitation_id"]
        for mode in GenerationMode if is_built else [GenerationMode.POSITIVE]:
            count = 0

            def each(case):
                nonlocal count
                count += 1
                if count > EXAMPLES:
                    return
                answer = self.request(case, count)
                seen.add(answer.status_code)
                if not is_built:
                    if answer.status_code != 501 or "lockstep_operation_not_built" not in answer.text:
                        self.fault(faults, "Built: it is listed as refused", case, answer)
                    return
                if answer.status_code // 100 in (2, 3) and str(answer.status_code) not in documented:
                    self.fault(faults, f"Undocumented status: {answer.status_code}", case, answer)
                try:
                    case.validate_response(answer, checks=CHECKS)
                except FailureGroup as group:
                    for failure in group.exceptions:
                        self.fault(faults, self.text(failure), case, answer)
                except Failure as failure:
                    self.fault(faults, self.text(failure), case, answer)

            try:
                strategy = operation.as_strategy(generation_mode=mode)
                # A seed of its own: `derandomize` takes one from the source of `each`.
                run = hypothesis.seed(0)(hypothesis.given(strategy)(each))
                settings(max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
                         suppress_health_check=list(HealthCheck))(run)()
            except (hypothesis.errors.Unsatisfiable, hypothesis.errors.InvalidArgument):
                # An operation without parameters cannot be asked wrongly.
                if mode == GenerationMode.POSITIVE:
                    raise
        if not seen:
            faults["Never asked"] = "no request was made"
        return faults, seen

    def text(self, failure):
        return f"{type(failure).__name__}: {' '.join(str(failure).split())[:400]}"

    def fault(self, faults, text, case, answer):
        faults.setdefault(text, f"{answer.status_code} {case.as_curl_command()[:600]}")


def refused(command):
    """The ids of the operations that the emulator's own table lists as refused, by API."""
    table = subprocess.run([pathlib.Path(command).with_name("lockstep-lab"), "operations"], capture_output=True, text=True, check=True).stdout
    ids, api = collections.defaultdict(set), ""
    for line in table.splitlines():
        words = line.split()
        if words and words[0] in ("frontend:", "backend:"):
            api = words[0].rstrip(":")
        elif words and words[0] == "refused":
            ids[api].add(words[3])
    return ids


def main(command, fixtures, counts, words):
    left_out = refused(command)
    server = Server("clerk", command, "clerk", settings=SETTINGS)
    passed = failed = 0
    statuses, silent = collections.Counter(), set()
    for api in ("backend", "frontend"):
        schema = schemathesis.openapi.from_dict(document(json.loads((pathlib.Path(fixtures) / f"{api}.json").read_text()), api))
        drive = Drive(server, api, statuses)
        for result in schema.get_all_operations():
            operation = result.ok()
            id = operation.definition.raw["operationId"]
            name = f"{api} {operation.method.upper()} {operation.path} {id}"
            if words not in name:
                continue
            is_built = id not in left_out[api]
            faults, seen = drive.operation(operation, is_built)
            if is_built and not any(status < 400 for status in seen):
                silent.add(name)
                if id not in SILENT[api]:
                    faults["Refused whatever was sent"] = f"{sorted(seen)}: give the world what it needs, or name it in SILENT"
            elif id in SILENT[api]:
                faults["Answered"] = f"{sorted(seen)}: take it out of SILENT"
            if not faults:
                passed += 1
                continue
            failed += 1
            print(f"FAILED  {name}", flush=True)
            for text, example in faults.items():
                print(f"    {text}\n        {example}", flush=True)
    print(f"\nanswers: {', '.join(f'{count} of {status}xx' for status, count in sorted(statuses.items()))}")
    print(f"{sum(map(len, left_out.values()))} operations are not built; {len(silent)} were refused whatever was sent")
    pathlib.Path(counts).write_text(json.dumps({"passed": passed, "failed": failed}))


run(main)
