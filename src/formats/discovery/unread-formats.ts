import { listText } from '#core';
import type { Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';

/** A format of recordings that is recognised by content and refused with advice. */
interface UnreadFormat {
  readonly title: string;
  /** True for names that are worth looking at; the content decides. */
  readonly isCandidate: (path: string) => boolean;
  readonly matches: (head: Buffer) => boolean;
  /** Which files are meant, and why they are not read; for the documentation. */
  readonly about: string;
  readonly advice: string;
}

const npyMagic = '\x93NUMPY';
const zstdMagic = 0xfd2fb528;

/** True for the start of a Cap'n Proto message of one segment, whose root is a struct with data and pointers. */
function startsAsCapnProto(head: Buffer): boolean {
  if (head.length < 16 || head.readUInt32LE(0) !== 0) return false;
  const words = head.readUInt32LE(4);
  const [offsetAndKind, dataWords, pointers] = [
    head.readInt32LE(8),
    head.readUInt16LE(12),
    head.readUInt16LE(14),
  ];
  return (
    (offsetAndKind & 3) === 0 && offsetAndKind >> 2 === 0 && pointers > 0 && 1 + dataWords + pointers <= words
  );
}

/** Formats that are recognised and not read, in order of precedence. */
export const unreadFormats: readonly UnreadFormat[] = [
  {
    title: 'VRS recordings (Project Aria)',
    isCandidate: (path) => /\.vrs$|^[^.]*$/i.test(path.slice(path.lastIndexOf('/') + 1)),
    matches: (head) =>
      head.toString('latin1', 0, 8) === 'VisionRe' && head.toString('latin1', 72, 76) === 'cord',
    about:
      'Files that begin with the header of VRS. The only maintained reader is a C++ library (with Python bindings in `projectaria-tools`).',
    advice:
      'export with projectaria-tools: `vrs_to_mp4 --vrs FILE --output_video FILE.mp4` for a camera, and the IMU and poses by its VrsDataProvider to CSV next to it; then run `assay map init FOLDER`',
  },
  {
    title: 'comma openpilot logs (rlog, qlog)',
    isCandidate: (path) => /(^|\/|--)[rq]log(\.(bz2|zst))?$/.test(path),
    matches: (head) =>
      startsAsCapnProto(head) ||
      head.toString('latin1', 0, 3) === 'BZh' ||
      (head.length >= 4 && head.readUInt32LE(0) === zstdMagic),
    about:
      'Files named rlog or qlog that hold Cap’n Proto messages, plain or compressed (bz2, zst). Their schema belongs to the version of openpilot that wrote them. Segments of the comma2k19 dataset, which hold arrays, are read.',
    advice:
      'read the log with LogReader of openpilot (tools/lib/logreader.py), save its signals as CSV with their logMonoTime, and copy the camera into a container (`ffmpeg -framerate 20 -i fcamera.hevc -c copy fcamera.mp4`); then run `assay map init FOLDER`',
  },
  {
    title: 'RH20T scenes',
    isCandidate: (path) =>
      /(^|\/)(transformed\/(tcp|joint|gripper|force_torque|high_freq_data)(_base)?|cam_[^/]+\/timestamps)\.npy$/.test(
        path,
      ),
    matches: (head) => {
      const text = head.toString('latin1', 0, 128);
      return text.startsWith(npyMagic) && /'descr': '\|O'/.test(text);
    },
    about:
      'NPY files of Python objects (`transformed/tcp.npy`, `cam_…/timestamps.npy`), which hold dictionaries by camera serial. Videos of such scenes are sent to review.',
    advice:
      'load the scene with RH20TScene of rh20t_api and save tcp, joint, force and gripper with their timestamps as CSV or NPZ next to the camera videos; then run `assay map init FOLDER`',
  },
];

const headBytes = 128;
/** Maximum number of files that are looked at. */
const maxChecked = 500;

/** Files of formats that are recognised and not read, with the finding about each format. */
export async function findUnreadFormats(
  tree: SourceTree,
  files: readonly FileEntry[],
): Promise<{ readonly paths: ReadonlySet<string>; readonly findings: readonly Finding[] }> {
  const paths = new Set<string>();
  const findings: Finding[] = [];
  for (const { title, isCandidate, matches, advice } of unreadFormats) {
    const found: string[] = [];
    for (const { path } of files
      .filter(({ path, bytes }) => bytes > 0 && isCandidate(path))
      .slice(0, maxChecked)) {
      const head = await tree.head(path, headBytes).catch(() => new Uint8Array());
      if (!paths.has(path) && matches(Buffer.from(head))) found.push(path);
    }
    if (found.length === 0) continue;
    for (const path of found) paths.add(path);
    findings.push({
      code: unreadFormatCode,
      severity: 'warning',
      path: null,
      message: `${title} are recognised, but cannot be read: ${listText(found, 5)}`,
      advice,
    });
  }
  return { paths, findings };
}

/** Code of findings on formats that are recognised and not read; their advice says how to convert them. */
export const unreadFormatCode = 'format_recognised_not_read';
