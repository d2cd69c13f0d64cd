import { createHash } from 'node:crypto';
import { Codec, CodecContext, Decoder, Demuxer, Frame, Packet } from 'node-av';
import type { AVCodecID } from 'node-av/constants';

export interface DecodedFrame {
  readonly time_s: number;
  /** SHA-256 of its pixels. */
  readonly hash: string;
}

const hashOf = (frame: Frame) => createHash('sha256').update(frame.toBuffer()).digest('hex');

/** Every frame of a file, in the order in which they are shown. */
export async function decodedVideo(path: string): Promise<DecodedFrame[]> {
  await using input = await Demuxer.open(path);
  const stream = input.video()!;
  using decoder = await Decoder.create(stream);
  const { num, den } = stream.timeBase;
  const shown: DecodedFrame[] = [];
  for await (const picture of decoder.frames(input.packets(stream.index))) {
    if (picture === null) continue;
    shown.push({ time_s: (Number(picture.pts) * num) / den, hash: hashOf(picture) });
    picture.free();
  }
  return shown;
}

/** For each unit the hashes of the frames that a decoder without look-ahead gives once it has it. */
export function decodedUnits(codec_id: AVCodecID, units: readonly Uint8Array[]): string[][] {
  const decoder = new CodecContext();
  const codec = Codec.findDecoder(codec_id)!;
  decoder.allocContext3(codec);
  decoder.threadCount = 1;
  decoder.open2Sync(codec, null);
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  const receive = () => {
    const own: string[] = [];
    while (decoder.receiveFrameSync(frame) >= 0) own.push(hashOf(frame));
    return own;
  };
  const all = units.map((unit) => {
    packet.data = Buffer.from(unit);
    if (decoder.sendPacketSync(packet) < 0) throw new Error('the decoder refuses a unit');
    packet.unref();
    return receive();
  });
  decoder.sendPacketSync(null);
  all.push(receive());
  frame.free();
  packet.free();
  decoder.freeContext();
  return all;
}
