"""An exported MCAP file as what shows it reads it.

  export_mcap_viewers.py FILE

Prints as JSON, of Foxglove's own schemas: topics whose definition or messages are not theirs, and by topic the events and
log lines; of Rerun's reader: by topic the columns with rows, the log lines and the metadata records.
"""

import importlib
import json
import sys

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.unknown_fields import UnknownFieldSet
from mcap.reader import make_reader
from rerun.chunk import McapReader


def official(schema):
    name = schema.removeprefix("foxglove.")
    return getattr(importlib.import_module(f"foxglove_schemas_protobuf.{name}_pb2"), name)


def fields(descriptor):
    return [(f.name, f.number, f.type, f.label, f.type_name) for f in descriptor.field]


def same_definition(schema, theirs):
    from google.protobuf.descriptor_pb2 import DescriptorProto
    own = FileDescriptorSet.FromString(schema.data).file[-1].message_type[0]
    want = DescriptorProto()
    theirs.DESCRIPTOR.CopyToProto(want)
    enums = lambda one: [(e.name, [(v.name, v.number) for v in e.value]) for e in one.enum_type]
    return fields(own) == fields(want) and enums(own) == enums(want)


def foxglove(path):
    seen, alien = {}, []
    with open(path, "rb") as file:
        for schema, channel, message in make_reader(file).iter_messages():
            if not schema.name.startswith("foxglove."):
                continue
            kind = official(schema.name)
            own = kind.FromString(message.data)
            if not same_definition(schema, kind) or len(UnknownFieldSet(own)) > 0:
                alien.append(channel.topic)
            if schema.name == "foxglove.Log":
                level = kind.Level.Name(own.level)
                seen.setdefault(channel.topic, []).append([own.timestamp.ToNanoseconds(), level, own.name, own.message])
            if schema.name == "foxglove.Event":
                about = {pair.key: pair.value for pair in own.metadata}
                span = [own.start_time.ToNanoseconds(), own.end_time.ToNanoseconds()]
                seen.setdefault(channel.topic, []).append([*span, about])
    return {"alien": sorted(set(alien)), "seen": seen}


def rerun(path):
    columns, logs, metadata = {}, {}, {}
    for chunk in McapReader(path).stream():
        batch = chunk.to_record_batch()
        for name, column in zip(batch.schema.names, batch.columns):
            if chunk.entity_path == "/__mcap_metadata":
                if name != "rerun.controls.RowId":
                    metadata[name] = {pair["first"]: pair["second"] for pair in column.to_pylist()[0][0]}
            elif ":" in name and not name.startswith(("Mcap", "RecordingInfo")):
                own = columns.setdefault(chunk.entity_path, {})
                own[name] = own.get(name, 0) + batch.num_rows
            if name == "TextLog:text":
                logs.setdefault(chunk.entity_path, []).extend(row[0] for row in column.to_pylist())
    return {"columns": columns, "logs": logs, "metadata": metadata}


print(json.dumps({"foxglove": foxglove(sys.argv[1]), "rerun": rerun(sys.argv[1])}))
