"""Verify a sealed bundle with nothing of Assay: pip install cryptography rfc8785
python verify_bundle.py BUNDLE.zip [--key PUBLIC.pem | --key KEYID] [--project prj_...]"""
import argparse, base64, hashlib, json, math, re, sys, zipfile
import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

sha256 = lambda data: hashlib.sha256(data).hexdigest()
keyid_of = lambda key: sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))
allowed = r"(report\.(json|html)|(policy|manifest|statement\.intoto)\.json|public-key\.pem|receipts/[0-9a-f]{64}\.json)"
parser = argparse.ArgumentParser()
for name in ("bundle", "--key", "--project"): parser.add_argument(name)
args = parser.parse_args()
problems = []

try: archive = zipfile.ZipFile(args.bundle)
except zipfile.BadZipFile: sys.exit("cannot read the zip archive: it is truncated, or data was appended")
names = [entry.filename for entry in archive.infolist()]
for before, name in zip(names, names[1:]):
    if name in names[: names.index(before) + 1]: sys.exit(f"{name} is listed twice")
    if name < before: sys.exit(f"its entries were reordered: {name} comes after {before}")
place = 0  # Nothing may lie before, between or behind the entries; entries are stored as they are.
for entry in archive.infolist():
    if re.search(r"(^|/)(\.\.?)?(/|$)|[\\:]", entry.filename): sys.exit(f"{json.dumps(entry.filename)} points outside the archive")
    if entry.compress_type != zipfile.ZIP_STORED: sys.exit(f"{entry.filename} is compressed")
    if entry.header_offset != place or entry.extra or entry.comment: sys.exit("data was inserted between its files")
    place += 30 + len(entry.filename.encode()) + entry.file_size
place += sum(46 + len(name.encode()) for name in names) + (98 if len(names) >= 65535 else 22)
if archive.fp.seek(0, 2) != place: sys.exit("it is truncated, or data was appended")


def read(name):
    archive.fp.seek(archive.getinfo(name).header_offset + 30 + len(name.encode()))
    return archive.fp.read(archive.getinfo(name).file_size)


hashes = {name: sha256(read(name)) for name in names}


def compare(sealed, by, unnamed):
    removed = {name: digest for name, digest in sealed.items() if name not in hashes}
    added = {hashes[name]: name for name in names if name not in sealed and name not in unnamed}
    for name, digest in removed.items():
        problems.append(f"{name} was renamed to {added.pop(digest)}" if digest in added else f"{name} was removed")
    for name in added.values():
        problems.append(f"{name} was added: it is not listed in {by}" if re.fullmatch(allowed, name) else f"{name} was added and is not allowed: bundles contain evidence, not media")
    for name, digest in sealed.items():
        if hashes.get(name, digest) != digest: problems.append(f"{name} was changed: its SHA-256 is {hashes[name]}, expected {digest} ({by})")


def signed_statement():
    if "statement.intoto.json" not in names: return problems.append("statement.intoto.json was removed: the bundle has no signature")
    try:
        envelope = json.loads(read("statement.intoto.json"))
        payload, kind, signature = base64.b64decode(envelope["payload"], validate=True), envelope["payloadType"], envelope["signatures"][0]
    except (ValueError, KeyError): return problems.append("statement.intoto.json was changed: it is not a DSSE envelope")
    by_file = args.key is not None and not re.fullmatch("[0-9a-f]{64}", args.key)
    try: key = load_pem_public_key(open(args.key, "rb").read() if by_file else read("public-key.pem"))
    except (KeyError, ValueError): return problems.append("public-key.pem was changed: no valid key to verify the signature")
    wanted = args.key if args.key and not by_file else keyid_of(key)
    if wanted != keyid_of(key) or args.key and signature["keyid"] != wanted:
        return problems.append(f"the bundle is signed with key {signature['keyid']}, not with the expected key {wanted}")
    if signature["keyid"] != keyid_of(key): return problems.append("public-key.pem was changed: it is not the key of the signature")
    try: key.verify(base64.b64decode(signature["sig"]), b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload))
    except (InvalidSignature, ValueError): return problems.append("the signature in statement.intoto.json is invalid: the signature or the signed content was changed")
    return json.loads(payload)


statement = signed_statement()
if statement: compare({s["name"]: s["digest"]["sha256"] for s in statement["subject"]}, "statement.intoto.json", ["statement.intoto.json"])
try: manifest = json.loads(read("manifest.json"))
except (KeyError, ValueError): manifest = {}
if not statement or not problems: compare({file["path"]: file["sha256"] for file in manifest.get("files", [])}, "manifest.json", ["manifest.json", "statement.intoto.json"])
if manifest.get("contains_training_data") is not False: problems.append("manifest.json does not declare contains_training_data: false")
if args.project and manifest.get("project_id") != args.project: problems.append(f"the bundle belongs to project {manifest.get('project_id')}, not to {args.project}")
for name in (name for name in names if name.startswith("receipts/")):
    try:
        receipt = json.loads(read(name))
        stated = receipt.pop("content_hash", None)
    except (ValueError, AttributeError): stated, receipt = None, None
    if stated != sha256(rfc8785.dumps(receipt)) or name != f"receipts/{stated}.json": problems.append(f"{name} does not match its content hash")


def judge(decision, bounds):  # The verdict of one episode for one metric.
    if decision["applicability"] != "applicable": return "not_assessable"
    if decision["confidence"] == "low": return "review_required"
    sign = 1 if bounds["direction"] == "lower_is_better" else -1
    beyond = lambda limit: sign * decision["observed"] > sign * limit
    return "not_ready" if beyond(bounds["review"]) else "review_required" if beyond(bounds["ideal"]) else "certified"


def metric_verdict(verdicts, allowed_share):
    n, bad, unseen = len(verdicts), verdicts.count("not_ready"), verdicts.count("not_assessable")
    allowed = lambda episodes: math.floor(allowed_share * episodes + 1e-9)
    if unseen == n: return "not_assessable"
    if bad > allowed(n - unseen): return "not_ready"
    if bad + unseen > allowed(n): return "not_assessable"
    return "certified" if verdicts.count("certified") == n else "review_required"


def recompute(report, policy):  # Yields (place, stated, computed) for all that follows from the decisions and the policy.
    episodes, metrics, rows = report["episodes"], report["metrics"], policy["metrics"]
    yield "content_hash", report["content_hash"], sha256(rfc8785.dumps({k: v for k, v in report.items() if k != "content_hash"}))
    policy_hash = sha256(rfc8785.dumps({k: policy[k] for k in ("schema", "target", "metrics")}))
    for stated in (policy["policy_hash"], manifest["policy"]["hash"], report["policy"]["policy_hash"]): yield "policy_hash", stated, policy_hash
    yield "policy/target", report["policy"]["target"], policy["target"]
    yield "dataset/episodes", report["dataset"]["episodes"], len(episodes)
    yield "dataset/receipts_sha256", report["dataset"]["receipts_sha256"], sha256("".join(e["receipt"] + "\n" for e in episodes).encode())
    yield "metrics", [m["metric"] for m in metrics], [row["metric"] for row in rows]
    counted, shares = [], {"required": [], "counted": []}
    for metric, row in zip(metrics, rows):
        at, decisions = f"metrics/{metric['metric']}", metric["decisions"]
        for member in ("need", "unit", "direction", "ideal", "review", "allowed_share", "source"): yield f"{at}/{member}", metric[member], row[member]
        yield f"{at}/decisions", [d["episode"] for d in decisions], [e["id"] for e in episodes]
        for d in decisions: yield f"{at}/{d['episode']}/verdict", d["verdict"], judge(d, row)
        verdicts, values = [d["verdict"] for d in decisions], sorted(d["observed"] for d in decisions if d["applicability"] == "applicable")
        yield f"{at}/counts", metric["counts"], {v: verdicts.count(v) for v in ("certified", "review_required", "not_ready", "not_assessable")}
        yield f"{at}/observed", metric["observed"], {"minimum": values[0], "median": values[len(values) // 2], "maximum": values[-1]} if values else None
        yield f"{at}/verdict", metric["verdict"], metric_verdict(verdicts, row["allowed_share"])
        if row["need"] != "advisory": counted.append((row["need"], metric["verdict"], verdicts))
    for i, episode in enumerate(episodes):
        own = {verdicts[i] for _, _, verdicts in counted}
        yield f"episodes/{i}/verdict", episode["verdict"], next(v for v in ("not_ready", "review_required", "certified", "not_assessable") if v in own or v == "not_assessable")
    empty = lambda verdicts: all(v == "not_assessable" for v in verdicts)
    verdict = "certified"
    if any(v == "review_required" for _, v, _ in counted): verdict = "review_required"
    if any(v == "not_assessable" and (need == "required" or not empty(verdicts)) for need, v, verdicts in counted): verdict = "not_assessable"
    if all(empty(verdicts) for _, _, verdicts in counted): verdict = "not_assessable"
    if any(v == "not_ready" for _, v, _ in counted): verdict = "not_ready"
    yield "verdict", report["verdict"], verdict
    old = report["schema"] == "assay/certification-report/v1"  # Its coverage counted what `evidence` counts now.
    for name, needs in (("coverage", ("required", "if_present") if old else ("required",)), ("evidence", ("required", "if_present"))):
        if old and name == "evidence": continue
        seen = [v for need, _, verdicts in counted if need in needs for v in verdicts]
        assessed, stated = len(seen) - seen.count("not_assessable"), report[name]
        share = round(assessed / len(seen), 6) if seen else 0 if old else None
        if seen and abs(stated["share"] - share) < 2e-6: share = stated["share"]
        yield name, stated, {"decisions": assessed, "of": len(seen), "share": share}
    for name, stated, own in (("project_id", manifest["project_id"], report["project_id"]), ("verdict", manifest["report"]["verdict"], verdict), ("coverage", manifest["report"]["coverage"], report["coverage"]["share"])): yield f"{name} of manifest.json", stated, own
    named = set() if imported else {f"receipts/{e['receipt']}.json" for e in episodes}
    yield "the list of receipts in the bundle", sorted(name for name in names if name.startswith("receipts/")), sorted(named)


imported = manifest.get("origin") == "local_report_import"
if not problems:
    try:
        for at, stated, computed in recompute(json.loads(read("report.json")), json.loads(read("policy.json"))):
            if stated == computed: continue
            problems.append(f"report.json does not follow from its own decisions: {at} is {json.dumps(stated)[:300]}, but the decisions and the policy give {json.dumps(computed)[:300]}")
            break
    except (ValueError, KeyError, TypeError, AttributeError, IndexError): problems.append("report.json or policy.json cannot be recomputed")
note = " (IMPORTED REPORT, without receipts: the service that signed it did not measure these recordings)" if imported else ""
print("\n".join(problems) or f"ok: {len(names)} files, origin {manifest['origin']}{note}, verdict {manifest['report']['verdict']}, signed by {json.loads(read('statement.intoto.json'))['signatures'][0]['keyid']}")
sys.exit(1 if problems else 0)
