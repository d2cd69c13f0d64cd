"""Recompute a receipt's content_hash with nothing of Assay: pip install rfc8785; python verify_receipt.py FILE..."""
import hashlib, json, sys
import rfc8785

for path in sys.argv[1:]:
    receipt = json.load(open(path, encoding="utf-8"))
    stated = receipt.pop("content_hash")
    computed = hashlib.sha256(rfc8785.dumps(receipt)).hexdigest()
    print("ok" if computed == stated else "DIFFERS", computed, path)
    if computed != stated:
        sys.exit(1)
