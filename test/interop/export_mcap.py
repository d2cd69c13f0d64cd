"""Exported MCAP files as the libraries of Foxglove read them.

  export_mcap.py FILE                     prints {topic: {"schema", "count", "numbers": sha256, "data": sha256, "first_ns", "last_ns"}}
  export_mcap.py FILE TOPIC VIDEO FROM_S  prints the same, and for the topic "frames" and how many of them are "different"

Numbers are all fields but the time, hashed as float64; data the bytes of pictures. With a video, the messages of a topic
are decoded one by one and compared, pixel by pixel, with the frames of the file from that time on.
"""

import hashlib
import json
import sys

import av
import numpy as np
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory

CODECS = {"h264": "h264", "h265": "hevc", "av1": "libdav1d", "vp9": "vp9"}


def frames_of(packets, codec):
    context = av.CodecContext.create(CODECS[codec], "r")
    for data in packets:
        yield from context.decode(av.Packet(data))
    yield from context.decode(None)


def different(packets, codec, video, from_s):
    own = [frame.to_ndarray() for frame in frames_of(packets, codec)]
    with av.open(video) as container:
        rate = float(container.streams.video[0].average_rate)
        theirs = (frame.to_ndarray() for frame in container.decode(video=0) if frame.time > from_s - 0.5 / rate)
        wrong = sum(not np.array_equal(a, b) for a, b in zip(own, theirs))
    return {"frames": len(own), "different": wrong}


def main(path, topic=None, video=None, from_s="0"):
    found, packets, codec = {}, [], ""
    with open(path, "rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        for schema, channel, message, decoded in reader.iter_decoded_messages(log_time_order=False):
            own = found.setdefault(channel.topic, {"schema": schema.name, "count": 0, "first_ns": message.log_time,
                                                   "numbers": hashlib.sha256(), "data": hashlib.sha256()})
            own["count"] += 1
            own["last_ns"] = message.log_time
            fields = [field.name for field in decoded.DESCRIPTOR.fields if field.name != "timestamp"]
            if "format" in fields or "encoding" in fields:
                own["data"].update(decoded.data)
                if channel.topic == topic:
                    packets.append(bytes(decoded.data))
                    codec = decoded.format
            elif schema.name.startswith("assay."):
                own["numbers"].update(np.array([getattr(decoded, name) for name in fields], dtype="<f8").tobytes())
    for own in found.values():
        own["numbers"], own["data"] = own["numbers"].hexdigest(), own["data"].hexdigest()
    if topic is not None:
        found[topic] |= different(packets, codec, video, float(from_s))
    return found


print(json.dumps(main(*sys.argv[1:])))
