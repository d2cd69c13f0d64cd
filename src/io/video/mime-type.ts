import type { CodecParameters } from 'node-av';
import { AV_CODEC_ID_AV1, AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9 } from 'node-av/constants';

type Coding = Pick<CodecParameters, 'codecId' | 'profile' | 'level' | 'extradata'>;

/**
 * Returns the media type of an MP4 with this codec, as accepted by `canPlayType`; `null` for codecs that no browser
 * plays. The text follows RFC 6381, for AV1 and VP9 their ISO BMFF bindings.
 */
export function mimeType(coding: Coding): string | null {
  const codecs = codecsParameter(coding);
  return codecs === null ? null : `video/mp4; codecs="${codecs}"`;
}

function codecsParameter({ codecId, profile, level, extradata }: Coding): string | null {
  switch (codecId) {
    case AV_CODEC_ID_H264:
      return `avc1.${avcProfile(extradata) ?? hex(profile & 0xff) + hex(0) + hex(level & 0xff)}`;
    case AV_CODEC_ID_HEVC:
      return `hvc1.${Math.max(1, profile)}.${profile === 2 ? '4' : '6'}.L${Math.max(30, level)}.B0`;
    case AV_CODEC_ID_AV1:
      return av1Codecs(extradata, profile, level);
    case AV_CODEC_ID_VP9:
      return `vp09.${twoDigits(Math.max(0, profile))}.${twoDigits(level > 0 ? level : 10)}.${profile >= 2 ? '10' : '08'}`;
    default:
      return null;
  }
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * Returns profile, constraints and level as hex from the sequence parameter set in an avcC box or behind a start code;
 * null if there is none.
 */
function avcProfile(extradata: Buffer | null): string | null {
  if (extradata === null || extradata.length < 8) return null;
  if (extradata[0] === 1) return [...extradata.subarray(1, 4)].map(hex).join('');
  for (let at = 0; at + 6 < extradata.length; at++) {
    const isStart = extradata[at] === 0 && extradata[at + 1] === 0 && extradata[at + 2] === 1;
    if (isStart && (extradata[at + 3] & 31) === 7)
      return [...extradata.subarray(at + 4, at + 7)].map(hex).join('');
  }
  return null;
}

/**
 * Returns the AV1 codecs parameter from the av1C box if there is one: profile and level in its second byte, tier and
 * depth in its third.
 */
function av1Codecs(extradata: Buffer | null, profile: number, level: number): string {
  const hasBox = extradata !== null && extradata.length >= 4 && extradata[0] === 0x81;
  const [second, third] = hasBox ? [extradata[1], extradata[2]] : [0, 0];
  const ownProfile = hasBox ? second >> 5 : Math.max(0, profile);
  const ownLevel = hasBox ? second & 31 : Math.max(0, level);
  const depth = (third & 0x40) === 0 ? '08' : (third & 0x20) === 0 ? '10' : '12';
  return `av01.${ownProfile}.${twoDigits(ownLevel)}${(third & 0x80) === 0 ? 'M' : 'H'}.${depth}`;
}
