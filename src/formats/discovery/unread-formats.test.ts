import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { companionCode } from '#core/episode';
import { encodeVideo, x264 } from '#test/support/encode-video';
import { temporaryFolder } from '#test/support/lerobot-set';
import { movingPicture } from '#test/support/moving-picture';
import { npyBytes } from '#test/support/npy-file';
import { discover } from './discover.ts';
import { unreadFormatCode } from './unread-formats.ts';

type Files = Readonly<Record<string, Uint8Array>>;

async function folderWith(files: Files, video: string | null = null): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  if (video !== null) {
    await mkdir(dirname(join(folder, video)), { recursive: true });
    await encodeVideo(join(folder, video), 64, 48, movingPicture(64, 48, 12), x264);
  }
  return folder;
}

/** Finding on formats that are not read, and whether the videos beside them are sent to review. */
async function findBeside(files: Files, video: string) {
  const { datasets, findings } = await discover(await folderWith(files, video));
  const items = [];
  for (const { dataset } of datasets)
    for (const unit of dataset.units) for await (const item of dataset.read(unit, {})) items.push(item);
  const isReviewed = items.some(
    (item) =>
      !('unreadable' in item) &&
      item.findings.some(({ code, severity }) => code === companionCode && severity === 'error'),
  );
  return { finding: findings.find(({ code }) => code === unreadFormatCode), isReviewed };
}

const vrs = Buffer.alloc(256);
vrs.write('VisionRe', 0, 'latin1');
vrs.write('cord', 72, 'latin1');

/** A Cap'n Proto message of one segment: a root struct of two words and one pointer. */
const capnProto = Buffer.alloc(8 + 4 * 8);
capnProto.writeUInt32LE(4, 4);
capnProto.writeUInt16LE(2, 12);
capnProto.writeUInt16LE(1, 14);

/** A NumPy array of Python objects, as `np.save` writes a dictionary. */
const header = "{'descr': '|O', 'fortran_order': False, 'shape': (), }".padEnd(117).concat('\n');
const objects = Buffer.concat([
  Buffer.from('\x93NUMPY\x01\x00\x76\x00', 'latin1'),
  Buffer.from(header),
  Buffer.from('\x80\x04}.', 'latin1'),
]);

describe('formats that are recognised and not read', () => {
  it('are refused with the way to convert them', async () => {
    await expect(discover(await folderWith({ 'recording.vrs': vrs }))).rejects.toMatchObject({
      code: 'not_recognised',
      message: expect.stringContaining(
        'VRS recordings (Project Aria) are recognised, but cannot be read: recording.vrs',
      ),
      advice: expect.stringContaining('vrs_to_mp4'),
    });
  });

  it('are not recognised by their names alone', async () => {
    const other = Buffer.from('text '.repeat(60));
    for (const name of ['a.vrs', 'rlog', 'rlog.zst', 'transformed/tcp.npy'])
      await expect(discover(await folderWith({ [name]: other }))).rejects.not.toMatchObject({
        message: expect.stringContaining('cannot be read'),
      });
  });

  it('of comma are named, plain and compressed, and send the camera beside them to review', async () => {
    for (const [name, bytes] of [
      ['rlog', capnProto],
      ['rlog.zst', zstdCompressSync(capnProto)],
      ['2023-01-01--10-00-00--3--qlog.bz2', Buffer.from('BZh91AY&SY')],
    ] as const) {
      const { finding, isReviewed } = await findBeside({ [name]: bytes }, 'qcamera.mp4');
      expect(finding?.message, name).toContain(name);
      expect(finding?.advice, name).toContain('LogReader');
      expect(isReviewed, name).toBe(true);
    }
  });

  it('of RH20T are named, and numeric arrays of the same name are not', async () => {
    const camera = 'cam_036422060909';
    const { finding, isReviewed } = await findBeside(
      { 'transformed/tcp.npy': objects, [`${camera}/timestamps.npy`]: objects },
      `${camera}/color.mp4`,
    );
    expect(finding?.message).toContain('RH20T scenes are recognised');
    expect(isReviewed).toBe(true);
    const numeric = npyBytes([12, 2], new Float64Array(24));
    expect((await findBeside({ 'transformed/tcp.npy': numeric }, 'a.mp4')).finding).toBeUndefined();
  });
});
