#!/usr/bin/env python3
"""What Clerk's OpenAPI documents say of requests and answers, and no more: operations and schemas without a word of prose.

    Tests/Fixtures/Clerk/documents.py FAPI.yml BAPI.yml      writes frontend.json and backend.json beside this file, and the
    emulator's lists of operations (needs PyYAML)

An operation is [method, path, id, {status: schema}, [[place, name, isRequired, schema]…], {content type: schema}, [status of a refusal…]]; parts that the
emulator leaves out for good have no schemas.
"""
import json, pathlib, sys
import yaml
import operations

KEPT = {"type", "nullable", "enum", "properties", "required", "items", "additionalProperties", "allOf", "oneOf", "anyOf", "$ref",
        "format", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}
METHODS = ("get", "post", "put", "patch", "delete", "head")
WITHOUT = ("/billing/", "/scim", "/directories", "/machines", "/m2m", "/saml", "/api_keys", "/agents", "/oauth_applications", "/oauth/", "/trusted_devices",
           "/web3_wallets", "/templates", "/admin_portal")


def stripped(schema):
    if isinstance(schema, list):
        return [stripped(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for name, value in schema.items():
        if name == "properties":
            kept[name] = {key: stripped(member) for key, member in value.items()}
        elif name == "enum":
            kept[name] = value
        elif name == "$ref":
            kept[name] = value.split("/")[-1]
        elif name in KEPT:
            kept[name] = stripped(value)
    return kept


def references(schema):
    if isinstance(schema, list):
        for element in schema:
            yield from references(element)
    elif isinstance(schema, dict):
        for name, value in schema.items():
            if name == "$ref":
                yield value
            else:
                yield from references(value)


def reduced(path):
    document = yaml.load(open(path), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    components, operations, needed = document["components"], [], {}
    schemas = {name: stripped(schema) for name, schema in components["schemas"].items()}

    def whole(part, kind):
        return components[kind][part["$ref"].split("/")[-1]] if "$ref" in part else part

    for path, methods in document["paths"].items():
        for method, call in methods.items():
            if method not in METHODS:
                continue
            if any(word in path for word in WITHOUT):
                operations.append([method.upper(), path, call.get("operationId"), {}, [], {}, []])
                continue
            answers, refusals = {}, []
            for status, answer in call["responses"].items():
                schema = (whole(answer, "responses").get("content", {}).get("application/json") or {}).get("schema")
                if str(status).startswith("2") and schema:
                    answers[str(status)] = stripped(schema)
                elif str(status).startswith("4") and schema == {"$ref": "#/components/schemas/ClerkErrors"}:
                    refusals.append(int(status))
            parameters = [whole(each, "parameters") for each in methods.get("parameters", []) + (call.get("parameters") or [])]
            parameters = [[each["in"], each["name"], each.get("required", False), stripped(each.get("schema", {}))] for each in parameters]
            bodies = {kind: stripped(each.get("schema", {})) for kind, each in call.get("requestBody", {}).get("content", {}).items()}
            operations.append([method.upper(), path, call.get("operationId"), answers, parameters, bodies, refusals])
    waiting = list(references([operation[3:6] for operation in operations])) + ["ClerkErrors"]
    while waiting:
        name = waiting.pop()
        if name not in needed and name in schemas:
            needed[name] = schemas[name]
            waiting += references(schemas[name])
    return {"operations": operations, "schemas": dict(sorted(needed.items()))}


def lines(document):
    rows = lambda items: ",\n".join(items)
    text = lambda value: json.dumps(value, separators=(",", ":"))
    return '{"operations":[\n%s\n],"schemas":{\n%s\n}}\n' % (
        rows(map(text, document["operations"])),
        rows("%s:%s" % (text(name), text(schema)) for name, schema in document["schemas"].items()))


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    for source, name in zip(sys.argv[1:], ("frontend", "backend")):
        (here / f"{name}.json").write_text(lines(reduced(source)))
        operations.update(name)
