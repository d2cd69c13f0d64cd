"""Accepts a bundle's statement by two libraries of their own, or prints canonical JSON of documents.
seals.py envelope STATEMENT PUBLIC.pem | seals.py canonical FILE (a JSON document a line)"""
import json, sys

if sys.argv[1] == "envelope":
    from google.protobuf import json_format
    from in_toto_attestation.v1.statement import Statement
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from securesystemslib.dsse import Envelope
    from securesystemslib.signer import SSlibKey

    envelope = Envelope.from_dict(json.load(open(sys.argv[2])))
    keyid = next(iter(envelope.signatures))
    key = SSlibKey.from_crypto(load_pem_public_key(open(sys.argv[3], "rb").read()), keyid)
    verified = envelope.verify([key], 1)
    document = json.loads(envelope.payload)
    statement = Statement("", "", {})
    json_format.ParseDict(document, statement.pb)
    statement.validate()
    print(json.dumps({
        "signed_by": sorted(verified),
        "payload_type": envelope.payload_type,
        "subjects": {subject.name: subject.digest["sha256"] for subject in statement.pb.subject},
    }))
else:
    import rfc8785

    for line in open(sys.argv[2], encoding="utf-8"):
        # Numbers of JSON are doubles, as I-JSON says; Python would read some as integers that no double holds.
        sys.stdout.buffer.write(rfc8785.dumps(json.loads(line, parse_int=float)) + b"\n")
