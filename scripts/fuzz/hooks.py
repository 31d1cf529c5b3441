"""Schemathesis hooks: real ids where an operation names a record, a fresh proof of person, and the time that operations take."""

import atexit
import json
import os
import random
import re
import sys
import uuid
from collections import Counter

import schemathesis

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ground import noun, noun_of_parameter, prepare  # noqa: E402

REAL = 0.75
"""How often an id is a real one; otherwise it is what the generator made."""
HOSTILE = ("\x00", "a" * 4000, "..%2f", "%00", "__proto__", "constructor", "\u202e\u0000", "\U0001f4a5", "-1", "0", "1e309", "9" * 400, "null", "[object Object]")
ENDS = re.compile(r"^(auth\.users\.update|problem-sets\.members\..*|identity\.dids\.deactivate)$")
"""Beside every DELETE: what may take away the ground that the fuzzer stands on."""

CREDENTIALS = ("authorization", "x-api-key", "cookie")
"""Headers in which the generator would name somebody of its own."""

ground = prepare(os.environ["FUZZ_URL"], os.environ["FUZZ_EMAIL"], os.environ["FUZZ_PASSWORD"], os.environ["FUZZ_ROLE"])
choice = random.Random(9)
slowest = {}
answered = {}
tally = Counter()


def real(name, value, expendable, under=()):
    """A real id or the generator's own, which knows ids from answers too: what the ground stands on is kept from either."""
    found = ground.pick(name, choice, expendable=expendable, under=under) if choice.random() < REAL else None
    chosen = value if found is None else found
    return str(uuid.UUID(int=choice.getrandbits(128))) if expendable and isinstance(chosen, str) and chosen in ground.kept else chosen


def filled(node, expendable, depth=0):
    """A body with real ids in its fields that name records."""
    if isinstance(node, list):
        return [filled(each, expendable, depth + 1) for each in node] if depth < 4 else node
    if not isinstance(node, dict):
        return node
    out = {}
    for name, value in node.items():
        if isinstance(value, str) and re.search(r"(Id|[dD]id|^code)$", name):
            out[name] = real(name, value, expendable)
        elif isinstance(value, list) and re.search(r"(Ids|[dD]ids|^compartments)$", name):
            out[name] = [real(name, each, expendable) if isinstance(each, str) else each for each in value]
        else:
            out[name] = filled(value, expendable, depth + 1) if depth < 4 else value
    return out


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId", "")
    expendable = case.method == "DELETE" or (case.method != "GET" and bool(ENDS.search(operation)))
    above = {}
    names = [name for name in re.findall(r"\{(\w+)\}", case.path) if name in (case.path_parameters or {})]
    sorts = {name: noun_of_parameter(case.path, name) for name in names}
    for name in reversed(names):
        sort = sorts[name]
        value = choice.choice(HOSTILE) if choice.random() < 0.05 else above.get(sort) or real(sort, case.path_parameters[name], expendable and name == names[-1], [sorts[each] for each in names if each != name])
        above = above or ground.above.get(str(value), {})
        case.path_parameters[name] = value
    for name in list(case.query or {}):
        if name.endswith("Id") and isinstance(case.query[name], str):
            case.query[name] = real(name, case.query[name], False)
    if isinstance(case.body, (dict, list)):
        case.body = filled(case.body, expendable)
    given = {name: value for name, value in (case.headers or {}).items() if name.lower() != "if-match" or choice.random() > REAL}
    case.headers = {**{name: value for name, value in given.items() if name.lower() not in CREDENTIALS}, **ground.credential()}


@schemathesis.hook
def after_call(context, case, response):
    label = case.operation.label
    slowest[label] = max(slowest.get(label, 0), response.elapsed)
    answered.setdefault(label, Counter())[str(response.status_code) if case.method.upper() == case.operation.method.upper() else f"{case.method} {response.status_code}"] += 1
    tally["requests"] += 1
    if response.status_code >= 500:
        tally["faults" if is_fault(response) else "unconfigured"] += 1
    if response.status_code == 401:
        ground.doubt()
    if 200 <= response.status_code < 300 and "json" in ",".join(response.headers.get("content-type", [])):
        try:
            ground.harvest(re.sub(r"\{(\w+)\}", lambda match: str(case.path_parameters[match[1]]), case.path), response.json())
        except ValueError:
            return


def is_fault(response):
    return response.status_code >= 500 and not (response.status_code == 503 and b'"NOT_CONFIGURED"' in response.content)


@schemathesis.check
def no_server_error(context, response, case):
    """No 5xx, but the documented 503 of what this installation has not configured (that it is documented, another check sees to)."""
    if is_fault(response):
        raise AssertionError(f"{response.status_code}: {response.content[:500]!r}")


@atexit.register
def tell():
    """One line on what ran, and a report: statuses by operation, and the operations slower than a second."""
    slow = sorted(((seconds, label) for label, seconds in slowest.items() if seconds > 1), reverse=True)
    through = sum(any(status[0] in "23" for status in statuses) for statuses in answered.values())
    line = (f"as {os.environ['FUZZ_ROLE']}: {len(answered)} operations, {tally['requests']} requests, {through} operations succeeded at least once, "
            f"{tally['faults']} answers 5xx beside {tally['unconfigured']} NOT_CONFIGURED, slower than 1 s: {len(slow)}")
    with open(os.environ["FUZZ_REPORT"], "w", encoding="utf-8") as report:
        json.dump({"sum": line, "slow": [f"{label} {seconds:.1f} s" for seconds, label in slow], "statuses": answered}, report, indent=1)
