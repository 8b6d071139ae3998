#!/usr/bin/env python3
"""What a fuzzer must know of an OpenAPI description, and no more: methods, paths, names and types.

    Tests/Fixtures/routes.py DESCRIPTION.yaml > Tests/Fixtures/GoTrue/routes.json      (YAML needs PyYAML)

Each route has "query" (names, with the words allowed where they are listed) and "body" (names with "string", "integer", "number",
"boolean", "array", "object", a list of words, or an object of further names).
"""
import json, sys

with open(sys.argv[1]) as file:
    if sys.argv[1].endswith(".json"):
        spec = json.load(file)
    else:
        import yaml
        spec = yaml.safe_load(file)


def resolve(value):
    while isinstance(value, dict) and "$ref" in value:
        target = spec
        for part in value["$ref"].lstrip("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        value = target
    return value or {}


def fields(schema, depth=0):
    """The members of an object, alternatives laid over each other."""
    schema, found = resolve(schema), {}
    for part in [*schema.get("allOf", []), *schema.get("oneOf", []), *schema.get("anyOf", [])]:
        found.update(fields(part, depth))
    for name, value in (schema.get("properties") or {}).items():
        found[name] = kind(value, depth)
    return found


def kind(schema, depth):
    schema = resolve(schema)
    if schema.get("enum"):
        return [word for word in schema["enum"] if isinstance(word, str)]
    inner = fields(schema, depth + 1) if depth < 2 else {}
    if inner:
        return inner
    named = schema.get("type") or "string"
    return next((x for x in named if x != "null"), "string") if isinstance(named, list) else named


routes = []
for path, methods in spec["paths"].items():
    for method, call in methods.items():
        if method not in ("get", "post", "put", "patch", "delete"):
            continue
        query = {}
        for parameter in map(resolve, [*methods.get("parameters", []), *call.get("parameters", [])]):
            if parameter.get("in") == "query":
                query[parameter["name"]] = kind(parameter.get("schema"), 2)
        body = {}
        for media in (resolve(call.get("requestBody")).get("content") or {}).values():
            body.update(fields(media.get("schema")))
        route = {"method": method.upper(), "path": path}
        if query:
            route["query"] = query
        if body:
            route["body"] = body
        routes.append(route)
print("[\n" + ",\n".join(json.dumps(route) for route in routes) + "\n]")
