"""drive_schemas.py LOCKSTEP FIXTURES COUNTS WORDS: holds the answers of `lockstep serve clerk` to Clerk's documents.

Each operation gets ten requests that its document allows and ten that it does not, in an instance that is made anew for it: with the secret key, or from a
device that is signed in. A 5xx is a failure, and so is a body that misses its schema or has another content type. Only operations that are not built are
left out, which their own answer says: 501 with `lockstep_operation_not_built`.
"""
import collections, json, pathlib, signal, sys

import hypothesis, schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from server import Server
from world import SETTINGS, World

EXAMPLES = 10
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
            answers = {"200": {"oneOf": [answers["200"], page]}}
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
        headers, query = {"Authorization": "Bearer " + self.server.vars["secret_key"]}, {}
        if self.api == "frontend":
            headers, query = {"Authorization": self.world.token}, {"_is_native": "1"}
        # Redirects lead to apps and providers, which are not on this machine.
        answer = case.call(base_url=self.server.base, headers=headers, params=query, allow_redirects=False)
        self.statuses[answer.status_code // 100] += 1
        return answer

    def is_built(self, answer):
        return answer.status_code != 501 or "lockstep_operation_not_built" not in answer.text

    def operation(self, operation):
        """`None` where the operation is not built, otherwise its faults by their texts."""
        self.world.renew()
        self.ids = dict(self.world.ids)
        faults, seen, built = {}, set(), True
        for name in [name for name in self.ids if name in ("invitation_id", "id", "identifier_id")]:
            del self.ids[name]
        own = {"/invitations/": "instance_invitation_id", "/redirect_urls/": "redirect_url_id", "/allowlist": "allowed_id", "/blocklist": "blocked_id"}
        self.ids["id"] = self.ids["sign_up_id"]
        for part, which in own.items():
            if operation.path.startswith("/v1" + part):
                self.ids |= dict.fromkeys(("id", "identifier_id", "invitation_id"), self.ids[which])
        if "/organizations/" in operation.path:
            self.ids["invitation_id"] = self.world.ids["invitation_id"]
        for mode in GenerationMode:
            count = 0

            def each(case):
                nonlocal count, built
                count += 1
                if not built or count > EXAMPLES:
                    return
                answer = self.request(case, count)
                if not self.is_built(answer):
                    built = False
                    return
                seen.add(answer.status_code)
                try:
                    case.validate_response(answer, checks=CHECKS)
                except FailureGroup as group:
                    for failure in group.exceptions:
                        self.fault(faults, failure, case, answer)
                except Failure as failure:
                    self.fault(faults, failure, case, answer)

            try:
                strategy = operation.as_strategy(generation_mode=mode)
                run = hypothesis.given(strategy)(each)
                settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None, phases=[Phase.generate],
                         suppress_health_check=list(HealthCheck))(run)()
            except (hypothesis.errors.Unsatisfiable, hypothesis.errors.InvalidArgument):
                pass  # an operation without parameters cannot be asked wrongly
        return (faults, seen) if built else None

    def fault(self, faults, failure, case, answer):
        text = f"{type(failure).__name__}: {' '.join(str(failure).split())[:400]}"
        faults.setdefault(text, f"{answer.status_code} {case.as_curl_command()[:600]}")


def main(command, fixtures, counts, words):
    server = Server("clerk", command, "clerk", settings=SETTINGS)
    passed = failed = refused = 0
    statuses, silent = collections.Counter(), []
    for api in ("backend", "frontend"):
        schema = schemathesis.openapi.from_dict(document(json.loads((pathlib.Path(fixtures) / f"{api}.json").read_text()), api))
        drive = Drive(server, api, statuses)
        for result in schema.get_all_operations():
            operation = result.ok()
            id = operation.definition.raw["operationId"]
            name = f"{api} {operation.method.upper()} {operation.path} {id}"
            if words not in name:
                continue
            outcome = drive.operation(operation)
            if outcome is None:
                refused += 1
                continue
            faults, seen = outcome
            if not any(status < 400 for status in seen):
                silent.append(name)
            if not faults:
                passed += 1
                continue
            failed += 1
            print(f"FAILED  {name}", flush=True)
            for text, example in faults.items():
                print(f"    {text}\n        {example}", flush=True)
    print(f"\nanswers: {', '.join(f'{count} of {status}xx' for status, count in sorted(statuses.items()))}; {refused} operations are not built")
    if silent:
        print(f"refused whatever was sent ({len(silent)}):", *sorted(silent), sep="\n    ")
    pathlib.Path(counts).write_text(json.dumps({"passed": passed, "failed": failed}))


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
try:
    main(*sys.argv[1:])
except KeyboardInterrupt:
    sys.exit(130)
finally:
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, signal.SIG_IGN)
    for server in Server.running:
        server.process.terminate()
    for server in Server.running:
        server.stop()
