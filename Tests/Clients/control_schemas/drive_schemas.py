"""drive_schemas.py LOCKSTEP DOCUMENT COUNTS WORDS: holds the control API of each emulator to docs/control.openapi.json.

Each operation gets requests that the document allows and requests that it does not, on an emulator that is reset for it and has one of everything. A failure is: a 5xx, a status that
the document does not have for the operation, a body or a content type that misses its schema, a request that the document does not allow and that is accepted, an operation that was never asked, and
one that was refused whatever was sent.
"""
import http.server, json, pathlib, threading

import hypothesis, schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance, negative_data_rejection, response_headers_conformance, response_schema_conformance, status_code_conformance)

from server import Server, run

EXAMPLES = 15
PASSWORD = "Correct-Horse-1"
CHECKS = [
    not_a_server_error, status_code_conformance, response_schema_conformance, content_type_conformance, response_headers_conformance, negative_data_rejection,
]
# Bodies that chance does not find.
GOOD = {"addFactor": {"kind": "phone", "phone": "+15552345678"}, "setSeed": {"version": 1, "users": [{"email": "ada@example.com"}]}}

# Tests in Swift have them: the first ends the server, and no emulator has a message here, because a hook sends them.
LEFT_OUT = ("stop", "showStanding")


class Listener(http.server.BaseHTTPRequestHandler):
    """Another server, which webhooks and hooks are sent to."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def options(provider, listener):
    """The settings of an emulator that keeps everything, and calls the listener."""
    address = f"http://127.0.0.1:{listener.server_port}"
    return {
        "firebase": f"mode=strict\nfunctionsEmulator={address}\n",
        "gotrue": f"""
GOTRUE_MFA_PHONE_VERIFY_ENABLED=true
GOTRUE_HOOK_SEND_EMAIL_ENABLED=true
GOTRUE_HOOK_SEND_EMAIL_URI={address}
GOTRUE_HOOK_SEND_EMAIL_SECRETS=v1,whsec_c2VjcmV0LW9mLXRoZS1ob29rcw==
""",
        "clerk": f"WEBHOOK_URL={address}\n",
    }[provider]


class Drive:
    def __init__(self, server, provider):
        self.server, self.provider = server, provider

    def call(self, method, path, body=None):
        status, _, data = self.server.send(method, self.server.base + "/__lockstep" + path, body and json.dumps(body), self.server.ready["control"])
        assert status < 300, (method, path, status, data)
        return json.loads(data) if data else None

    def renew(self):
        """Resets the emulator, and makes one of everything."""
        self.call("POST", "/reset?seed=false")
        user = self.call("POST", "/users", {"email": "ada@example.com", "emailConfirmed": True, "password": PASSWORD})["id"]
        factor = self.call("POST", f"/users/{user}/factors", {"kind": "totp"})["id"]
        self.call("POST", f"/users/{user}/sign-in")
        session = self.call("GET", f"/users/{user}/sessions")["sessions"][0]["id"]
        fault = self.call("POST", "/faults", {"effect": "empty", "path": "/none"})["id"]
        if self.provider == "gotrue":
            key = {"apikey": self.server.vars["anon"], "Content-Type": "application/json"}
            self.server.send("POST", self.server.base + "/recover", json.dumps({"email": "ada@example.com"}), key)
        delivery = self.call("GET", "/deliveries?wait=20")["deliveries"][0]["number"]
        self.ids = {"users": user, "factor": factor, "sessions": session, "faults": fault, "number": str(delivery)}

    def request(self, case, index, mode):
        """Sends one case; in two of three, the ids of the world stand in its path."""
        if index % 3:
            for name in case.path_parameters or {}:
                place = case.path.split("/")[2] if name == "id" else name
                case.path_parameters[name] = self.ids[place]
        if mode == GenerationMode.POSITIVE and index % 3 == 1 and case.operation.definition.raw["operationId"] in GOOD:
            case.body = GOOD[case.operation.definition.raw["operationId"]]
        if case.query and str(case.query.get("wait", "")).isdigit():
            case.query["wait"] = min(int(case.query["wait"]), 300) and 1  # nothing happens meanwhile
        return case.call(base_url=self.server.base, headers=self.server.ready["control"])

    def operation(self, operation):
        """The faults of the answers by their texts, and the statuses."""
        faults, seen = {}, set()
        for mode in GenerationMode:
            self.renew()
            count = 0

            def each(case):
                nonlocal count
                count += 1
                if count > EXAMPLES:
                    return
                # What one request has deleted or spent, the next one needs.
                if operation.method.upper() == "DELETE" or operation.path.endswith("/reset"):
                    self.renew()
                answer = self.request(case, count, mode)
                seen.add(answer.status_code)
                try:
                    case.validate_response(answer, checks=CHECKS)
                except FailureGroup as group:
                    for failure in group.exceptions:
                        self.fault(faults, failure, case, answer)
                except Failure as failure:
                    self.fault(faults, failure, case, answer)

            try:
                # A seed of its own: `derandomize` takes one from the source of `each`.
                run = hypothesis.seed(0)(hypothesis.given(operation.as_strategy(generation_mode=mode))(each))
                settings(max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))(run)()
            except (hypothesis.errors.Unsatisfiable, hypothesis.errors.InvalidArgument):
                # An operation without parameters cannot be asked wrongly.
                if mode == GenerationMode.POSITIVE:
                    raise
        return faults, seen

    def fault(self, faults, failure, case, answer):
        text = f"{type(failure).__name__}: {' '.join(str(failure).split())[:400]}"
        faults.setdefault(text, f"{answer.status_code} {answer.text[:200]} {case.as_curl_command()[:600]}")


def main(command, document, counts, words):
    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    document = json.loads(pathlib.Path(document).read_text())
    passed = failed = 0
    for provider in ("firebase", "gotrue", "clerk"):
        schema = schemathesis.openapi.from_dict(document)
        operations = [result.ok() for result in schema.get_all_operations()]
        names = {id(each): f"control {provider} {each.method.upper()} {each.path} {each.definition.raw['operationId']}" for each in operations}
        operations = [each for each in operations if words in names[id(each)] and each.definition.raw["operationId"] not in LEFT_OUT]
        if not operations:
            continue
        drive = Drive(Server(provider, command, provider, settings=options(provider, listener)), provider)
        for operation in operations:
            faults, seen = drive.operation(operation)
            if not seen:
                faults["Never asked"] = "no request was made"
            elif all(status >= 400 for status in seen):
                faults["Refused whatever was sent"] = f"{sorted(seen)}: give the world what it needs"
            passed, failed = passed + (not faults), failed + bool(faults)
            if faults:
                print(f"FAILED  {names[id(operation)]}", flush=True)
            for text, example in faults.items():
                print(f"    {text}\n        {example}", flush=True)
    pathlib.Path(counts).write_text(json.dumps({"passed": passed, "failed": failed}))


run(main)
