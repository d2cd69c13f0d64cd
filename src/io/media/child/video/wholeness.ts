import { AV_CODEC_ID_AV1, AV_CODEC_ID_H264, AV_CODEC_ID_HEVC } from 'node-av/constants';
import type { CodecParameters } from 'node-av/lib';

/**
 * Whether a packet's parts add up to its size, for codecs that write the lengths of their parts: cheap enough to ask
 * of every packet, and enough to find overwritten or zeroed ranges of a file without decoding it. Codecs that write
 * no lengths count as whole.
 */
export function wholenessOf(parameters: CodecParameters): (data: Buffer | null) => boolean {
  const extra = parameters.extradata;
  const configured = extra !== null && extra.length > 0 && extra[0] === 1;
  if (parameters.codecId === AV_CODEC_ID_H264 && configured) return nalUnits((extra[4] & 3) + 1);
  if (parameters.codecId === AV_CODEC_ID_HEVC && configured && extra.length > 21)
    return nalUnits((extra[21] & 3) + 1);
  return parameters.codecId === AV_CODEC_ID_AV1 ? isWholeAv1 : () => true;
}

/** ISO/IEC 14496-15: each unit behind its length, in as many bytes as the configuration says. */
const nalUnits = (lengthBytes: number) => (data: Buffer | null) => {
  if (data === null) return true;
  let at = 0;
  while (at + lengthBytes < data.length) {
    const size = data.readUIntBE(at, lengthBytes);
    if (size === 0) return false;
    at += lengthBytes + size;
  }
  return at === data.length;
};

/** AV1 specification 5.3: units with a type that exists, each but the last behind a header with its size. */
function isWholeAv1(data: Buffer | null): boolean {
  if (data === null) return true;
  let at = 0;
  while (at < data.length) {
    const header = data[at++];
    const type = (header >> 3) & 15;
    if ((header & 0x80) !== 0 || type === 0 || (type > 8 && type < 15)) return false;
    if ((header & 4) !== 0) at++;
    if ((header & 2) === 0) return true;
    let size = 0;
    for (let shift = 0; shift < 56; shift += 7) {
      const byte = data[at++];
      size += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    at += size;
  }
  return at === data.length;
}
