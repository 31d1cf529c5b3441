"""The ground that a fuzzing role stands on: accounts, a problem set that it belongs to, a record of each noun, and their ids by noun."""

import http.client
import json
import os
import random
import re
import secrets
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

SET_ROLES = {"reader": "observer", "analyst": "commander", "admin": "deputy"}
ID_LIMIT = 40
LITERAL = re.compile(r"[a-z][a-z-]*")
TOKEN_SECONDS = 200
"""Below the five minutes after which a proof of person grows old."""
SIGN_INS = 5
"""How often to try again when sign-ins come too fast."""
HOME = "127.1.0.1"
"""Where the ground signs in from: what the fuzzer guesses wrong locks the address that it guesses from."""

ALIASES = {"sub": "subscription", "c": "compartment", "rule": "escalationrule", "m": "did", "memberdid": "did", "account": "did",
           "superior": "unit", "subordinate": "unit", "parent": "problemset", "inheritance": "problemset", "workflow": "mission", "content": "article", "identityuser": "user"}


def noun(name):
    """`missionId`, `missions` and `mission` are one noun."""
    name = re.sub(r"-", "", re.sub(r"(Ids?|s)$", "", name)).lower()
    name = re.sub(r"ie$", "y", name)
    return ALIASES.get(name, name)


def noun_of_parameter(template, parameter):
    """`{id}` is called after the segment before it; any other parameter has its own name."""
    if parameter != "id":
        return noun(parameter)
    before = template.split("{id}")[0].rstrip("/").split("/")[-1]
    return noun(before)


class Refused(RuntimeError):
    """The server's answer when it refuses."""

    def __init__(self, words, status, retry_after):
        super().__init__(words)
        self.status, self.retry_after = status, retry_after


class Ground:
    """Speaks to the node as one account, and remembers the ids that answers hold."""

    def __init__(self, url, email, password):
        self.url, self.email, self.password = url, email, password
        self.ids, self.above, self.kept, self.proved_at, self.token = {}, {}, set(), 0.0, None
        self.heir = None
        """Makes another account for one that has nothing to lose and lost it; answers its address."""

    def bearer(self):
        """A token whose proof of person is fresh."""
        if time.monotonic() - self.proved_at > TOKEN_SECONDS:
            try:
                self.token = self.sign_in()
            except Refused as refused:
                if refused.status != 401 or not self.heir:
                    raise
                self.email = self.heir()
                self.token = self.sign_in()
            self.proved_at = time.monotonic()
        return f"Bearer {self.token}"

    def credential(self):
        """The headers that say who asks."""
        return {"authorization": self.bearer()}

    def sign_in(self):
        for left in range(SIGN_INS, -1, -1):
            try:
                return self.knock()
            except Refused as refused:
                if refused.status != 429 or not left:
                    raise
                time.sleep(int(refused.retry_after or 1))

    def knock(self):
        """Signs in once; answers the token."""
        node = urllib.parse.urlsplit(self.url)
        kind = http.client.HTTPSConnection if node.scheme == "https" else http.client.HTTPConnection
        line = kind(node.hostname, node.port, timeout=30, source_address=(HOME, 0) if node.hostname == "127.0.0.1" else None)
        try:
            line.request("POST", "/api/auth/login", json.dumps({"email": self.email, "password": self.password}), {"content-type": "application/json"})
            answer = line.getresponse()
            text = answer.read().decode()
        finally:
            line.close()
        if answer.status != 200:
            raise Refused(f"POST /api/auth/login: {answer.status} {text[:500]}", answer.status, answer.headers.get("retry-after"))
        return json.loads(text)["data"]["token"]

    def doubt(self):
        """Forgets the token if it is dead: many a 401 speaks of something else that was sent."""
        try:
            self.send("GET", "/api/auth/me")
        except Refused as refused:
            if refused.status == 401:
                self.proved_at = 0.0

    def send(self, method, path, body=None, type="application/json"):
        """Answers the parsed body; throws with the server's words when it refuses."""
        given = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        headers = {"content-type": type} if given is not None else {}
        if self.token:
            headers.update(self.credential())
        try:
            with urllib.request.urlopen(urllib.request.Request(self.url + path, given, headers, method=method), timeout=30) as answer:
                text = answer.read()
        except urllib.error.HTTPError as refused:
            raise Refused(f"{method} {path}: {refused.code} {refused.read().decode()[:500]}", refused.code, refused.headers.get("retry-after")) from None
        parsed = json.loads(text) if text else {}
        self.harvest(path, parsed)
        return parsed

    def make(self, path, body=None, method="POST"):
        return self.send(method, path, body).get("data", {})

    def remember(self, name, value):
        known = self.ids.setdefault(noun(name), [])
        if value not in known:
            known.append(value)
            if len(known) > ID_LIMIT:
                del known[ID_LIMIT // 2]

    def harvest(self, path, body):
        """Remembers `id`s under the last literal segment of the path, and every field `somethingId`, `did` and `code` under its own name."""
        parts = path.split("?")[0].split("/")
        segments = [part for part in parts if LITERAL.fullmatch(part)]
        above = {noun(before): part for before, part in zip(parts, parts[1:]) if LITERAL.fullmatch(before) and not LITERAL.fullmatch(part)}
        found = body.get("data") if isinstance(body, dict) else None
        if segments:
            for record in (found if isinstance(found, list) else [found])[:10]:
                if isinstance(record, dict) and isinstance(record.get("id"), (str, int)):
                    self.remember(segments[-1], record["id"])
                    self.above.setdefault(str(record["id"]), above)
        self.harvest_fields(found)

    def harvest_fields(self, node, depth=0):
        if depth > 4:
            return
        if isinstance(node, list):
            for each in node[:10]:
                self.harvest_fields(each, depth + 1)
        elif isinstance(node, dict):
            for name, value in node.items():
                if isinstance(value, str) and 0 < len(value) <= 300 and re.search(r"(Id|[dD]id|^code)$", name):
                    self.remember(name, value)
                else:
                    self.harvest_fields(value, depth + 1)

    def pick(self, name, choice: random.Random, *, expendable=False, under=()):
        """An id of that noun, or None, by preference one found below records of the nouns `under`; an expendable one is none that the ground itself stands on."""
        known = [each for each in self.ids.get(noun(name), []) if not (expendable and each in self.kept)]
        placed = [each for each in known if self.above.get(str(each), {}).keys() >= set(under)]
        return choice.choice(placed or known) if known else None


class Stranger(Ground):
    """Has no credential, and is nobody."""

    user = None

    def credential(self):
        return {}

    def doubt(self):
        """There is nothing to doubt."""


class Unconfirmed(Ground):
    """An account that registered with a passkey, as anybody may, and did not follow the link to its mailbox."""

    def credential(self):
        if not self.token:
            script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "register.ts")
            came = subprocess.run(["node", script, self.url, f"fuzz-{secrets.token_hex(4)}@example.org", *([HOME] if "//127.0.0.1" in self.url else [])], capture_output=True, text=True, timeout=60)
            if came.returncode:
                raise RuntimeError(came.stderr)
            self.token = came.stdout.strip()
            self.kept.add(self.make("/api/auth/session", method="GET")["session"]["id"])
        return {"cookie": self.token, "sec-fetch-site": "none"}

    def doubt(self):
        """Its session is kept from the fuzzer: nothing ends it."""


def account(admin, role, name, password):
    """Makes an account when it is first needed, and signs in to it."""
    email = f"fuzz-{name}@example.org"
    try:
        admin.send("POST", "/api/auth/users", {"email": email, "role": role, "password": password})
    except Refused as refused:
        if refused.status != 409:
            raise
    person = Ground(admin.url, email, password)
    person.bearer()
    return person


def admit(commander, person, problem_set, role):
    """Lets somebody into a problem set by an invitation's code."""
    code = commander.make(f"/api/problem-sets/{problem_set}/invite", {"role": role})["code"]
    person.make("/api/problem-sets/invite/accept-by-code", {"code": code})


def eventually(ask, seconds=20):
    """Asks until there is something, for what is worked out in the background."""
    for _ in range(seconds * 4):
        if found := ask():
            return found
        time.sleep(0.25)
    raise RuntimeError("what was planted does not show")


def prepare(url, email, password, role):
    """Plants a ground for `reader`, `analyst`, `admin` or those outside and answers it, its ids known; a `leaver` has none."""
    admin = Ground(url, email, password)
    admin.bearer()
    if role == "leaver":
        leaver = account(admin, "analyst", f"leaver-{secrets.token_hex(4)}", password)
        leaver.heir = lambda: account(admin, "analyst", f"leaver-{secrets.token_hex(4)}", password).email
        return leaver
    commander, reader = (account(admin, name, name, password) for name in ("analyst", "reader"))
    outside = {"stranger": Stranger, "unconfirmed": Unconfirmed}.get(role)
    fuzzer = outside(url, None, None) if outside else {"admin": admin, "analyst": commander, "reader": reader}[role]
    fuzzer.credential()
    bystander = account(admin, "analyst", f"bystander-{secrets.token_hex(4)}", password)
    for person in (admin, commander, reader, bystander, *((fuzzer,) if role == "unconfirmed" else ())):
        person.user = person.make("/api/auth/session", method="GET")["user"]["id"]
    parent = commander.make("/api/problem-sets", {"name": "Above"})["id"]
    place = commander.make("/api/problem-sets", {"name": "Fuzzed", "parentId": parent})["id"]
    for one in (parent, place):
        if fuzzer is not commander and not outside:
            admit(commander, fuzzer, one, SET_ROLES[role])
        admit(commander, bystander, one, "deputy")
    members = commander.make(f"/api/problem-sets/{place}/members?limit=100", method="GET")
    plant(commander, bystander, {member["did"] for member in members if member["userId"] in (commander.user, fuzzer.user)}, place, parent)
    plant_records(commander if outside else fuzzer)
    for name, ids in commander.ids.items():
        for each in ids:
            fuzzer.remember(name, each)
    fuzzer.above.update(commander.above)
    fuzzer.ids["did"] = [member["did"] for member in members]
    fuzzer.ids["user"] = [each.user for each in (commander if role == "stranger" else fuzzer, bystander)]
    # The other roles stand on their accounts at the same time.
    fuzzer.kept |= {parent, place, admin.user, commander.user, reader.user, *fuzzer.ids["user"][:1], *(member["did"] for member in members if member["userId"] != bystander.user)}
    return fuzzer


def plant(by, deputy, read_in, place, parent):
    """A record of each noun of the workspace, one of them behind a compartment."""
    base = f"/api/problem-sets/{place}"
    compartment = by.make(f"{base}/compartments", {"name": "Planted"})["id"]
    for did in read_in:  # nobody reads themself in
        deputy.make(f"{base}/compartments/{compartment}/members", {"did": did})
    inside = {"problemSetId": place, "compartments": [compartment]}
    mission = by.make("/api/missions", {"problemSetId": place, "name": "Planted"})["id"]
    by.make("/api/missions", {**inside, "name": "Planted behind a barrier"})
    by.make(f"/api/missions/{mission}/invites", {})
    by.make(f"/api/missions/{mission}/participants", method="GET")
    by.make(f"/api/missions/{mission}/activate")
    for compartments in ([], [compartment]):
        dao = by.make("/api/dao", {"problemSetId": place, "compartments": compartments, "name": "Planted", "config": {"periodSeconds": 3600}})["id"]
        part = by.make(f"/api/dao/{dao}/roles", {"name": "Planted"})["id"]
        by.make(f"/api/dao/{dao}/members/{by.user}", {}, "PUT")
        by.make(f"/api/dao/{dao}/members/{by.user}/roles", {"roleId": part})
        by.make(f"/api/dao/{dao}/proposals", {"title": "Planted"})
    for _ in range(4):
        gate = by.make("/api/gates", {"problemSetId": place, "tab": "orders", "name": "Planted"})["id"]
    by.make(f"/api/gates/{gate}/submit", {"note": "Planted"})
    superior, subordinate = (by.make("/api/command/units", {"problemSetId": place, "name": name})["id"] for name in ("Above", "Below"))
    by.make("/api/command/relationships", {"problemSetId": place, "superiorId": superior, "subordinateId": subordinate, "kind": "opcon"})
    by.make("/api/mdmp/workflows", {"missionId": mission})
    by.make(f"/api/mdmp/workflows/{mission}/assumptions", {"statement": "Planted"})
    by.make(f"/api/mdmp/workflows/{mission}", method="GET")
    by.make("/api/inheritance/directions", {"problemSetId": parent, "kind": "intent", "title": "Planted", "text": "Planted"})
    item = eventually(lambda: by.make(f"/api/inheritance/{place}/inherited-context", method="GET")["items"])[0]["id"]
    by.make(f"/api/inheritance/{place}/annotations", {"itemId": item, "text": "Planted"})
    rfi = by.make(f"/api/inheritance/{place}/rfis", {"title": "Planted", "question": "Planted?"})["id"]
    by.make(f"/api/inheritance/{place}/rfis/{rfi}/messages", {"text": "Planted"})
    for compartments in ([], [compartment]):
        channel = {"problemSetId": place, "compartments": compartments}
        by.make("/api/messages/channels/planted/subscribe", {**channel, "from": "first"})
        by.make("/api/messages", {**channel, "channel": "planted", "type": "planted.message.sent", "correlationId": "planted", "payload": {"text": "Planted"}})
        by.make("/api/messages/channels/planted/next", channel)
    for title in ("Planted", "Planted beside"):
        by.make(f"{base}/positions", {"title": title})
    by.make(f"{base}/invite", {"role": "observer"})
    by.make(f"{base}/escalation-rules", {"name": "Planted", "condition": {"about": "gate", "state": "open"}, "delayMinutes": 1, "target": {"role": "deputy"}})
    by.make(f"{base}/escalate", {"reason": "Planted", "target": {"role": "deputy"}})
    by.make(f"{base}/subscriptions", {"kinds": ["*"]})


def plant_records(by):
    """What everybody may have of their own, and what a role's permits allow: a refusal is no failure here."""
    for path, body in (
        ("/api/identity/did/create", {"method": "key"}), ("/api/accounts/create", {}), ("/api/encryption/keys", {"name": f"key-{secrets.token_hex(4)}"}), ("/api/keys", {"name": "Planted"}),
        ("/api/user-profile", {"displayName": "Fuzzer"}), ("/api/credentials/issue/user-profile", {"subject": "did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2", "displayName": "Planted"}),
        ("/api/sources", {"name": "Planted", "url": f"https://{secrets.token_hex(4)}.example/feed.xml", "domain": "energy"}), ("/api/sources/lists", {"name": f"Planted {secrets.token_hex(4)}", "sourceIds": []}),
        ("/api/briefings/generate", {}),
    ):
        try:
            by.make(path, body)
        except Refused as refused:
            if refused.status not in (403, 409):
                raise
