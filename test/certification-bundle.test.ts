import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { canonicalJson, canonicalParts, sha256, sha256OfParts } from '#core';
import {
  bundleNames,
  describeKey,
  receiptName,
  sealBundle,
  verifyBundle,
} from '#quality/certification/bundle';
import { flaggedSubject, sealedReceipt } from '../src/quality/readiness/test-receipt.ts';
import { tampers } from './support/bundle-tampers.ts';
import {
  factsOf,
  forgedReport,
  inMemory,
  sealEntries,
  testEntries,
  testProject,
  testReport,
  testSigner,
  zipEntries,
} from './support/test-bundle.ts';

const { json } = sealedReceipt(flaggedSubject());
const signer = testSigner();
const report = testReport([json]);
const facts = factsOf(report);
const entries = await testEntries([json], { signer });

/** Verifies a bundle and returns its problems, or the thrown error, as one text. */
async function saidOf(bytes: Buffer, options = {}): Promise<string> {
  try {
    return (await verifyBundle(inMemory(bytes), options)).problems.join('\n');
  } catch (thrown) {
    return String(thrown);
  }
}

describe('a sealed bundle', () => {
  it('verifies, with its key or by the id of its key', async () => {
    const zip = inMemory(zipEntries(entries));
    const { public_key } = signer;
    for (const trusted of [undefined, { key: public_key }, { keyid: public_key.keyid }])
      expect(await verifyBundle(zip, { ...(trusted && { trusted }), project_id: testProject })).toMatchObject(
        {
          ok: true,
          problems: [],
          keyid: public_key.keyid,
          entries: 7,
          receipts: 1,
          manifest: {
            contains_training_data: false,
            origin: 'service',
            payload_oxum: expect.stringMatching(/\.5$/),
          },
        },
      );
  });

  it('has the same bytes for the same files, facts and key', async () => {
    expect(zipEntries(await testEntries([json], { signer })).equals(zipEntries(entries))).toBe(true);
  });

  it.each(tampers)('is refused with $what, in words of its own', async ({ spoil, says }) => {
    const said = await saidOf(spoil(entries));
    expect(said).toMatch(says);
    for (const other of tampers)
      if (String(other.says) !== String(says) && !/changed|put between/.test(String(says)))
        expect(said, other.what).not.toMatch(other.says);
  });

  it('is refused by a single bit anywhere in the archive', async () => {
    const whole = zipEntries(entries);
    for (let at = 0; at < whole.length; at += 97) {
      const copy = Buffer.from(whole);
      copy[at] ^= 1 << (at % 8);
      expect(await saidOf(copy), `byte ${at}`).not.toBe('');
    }
  });

  it('is refused where it is signed by another key, even one that fits', async () => {
    const other = await testEntries([json]);
    const { public_key } = signer;
    expect(await saidOf(zipEntries(other))).toBe('');
    for (const trusted of [{ key: public_key }, { keyid: public_key.keyid }])
      expect(await saidOf(zipEntries(other), { trusted })).toMatch(
        /^the bundle is signed with key .*, not with the expected key /,
      );
  });

  it('is refused for another project', async () => {
    const project_id = 'prj_01k5w3p9x4f6zv2h7c8d0aqrsv';
    expect(await saidOf(zipEntries(entries), { project_id })).toMatch(
      /^the bundle belongs to project prj_\w+, not to /,
    );
  });

  it('is refused where a receipt was forged and everything sealed anew', async () => {
    const forged = new Map(
      [...entries].filter(([path]) => !path.startsWith('receipts/') && !added.has(path)),
    );
    forged.set(`receipts/${'0'.repeat(64)}.json`, Buffer.from(json.replace('"decision":"', '"decision":"x')));
    expect(await saidOf(zipEntries(await sealEntries(forged, signer, facts)))).toMatch(
      /^receipts\/0+\.json: not a receipt/,
    );
  });

  it('is refused where a page carries pictures', async () => {
    const page = Buffer.from(`${' '.repeat(5e6)}<img src="data:image/jpeg;base64,/9j/">`);
    const files = new Map([...entries].filter(([path]) => !added.has(path)));
    const sealed = await sealEntries(files.set(bundleNames.page, page), signer, facts);
    expect(await saidOf(zipEntries(sealed))).toMatch(/report\.html contains media \(data:image\/jpeg/);
  });

  it('is refused where an entry is compressed, before anything is unpacked', async () => {
    expect(await saidOf(bomb())).toMatch(/report\.json is compressed/);
  });

  it.each([
    ['verdict', { verdict: 'certified' }, '/verdict is "certified", but'],
    ['coverage', { coverage: { decisions: 1, of: 1, share: 1 } }, '/coverage is '],
    ['list of episodes', { episodes: [] }, '/dataset/episodes is 1, but'],
  ] as const)(
    'is refused where its report states another %s, sealed by its owner',
    async (_, change, says) => {
      const sealed = await testEntries([json], { signer, report: forgedReport(report, change) });
      expect(await saidOf(zipEntries(sealed), { trusted: { key: signer.public_key } })).toContain(
        `report.json does not follow from its own decisions: ${says}`,
      );
    },
  );

  it('is refused where manifest, policy or receipts are not those of the report', async () => {
    const files = new Map([...entries].filter(([path]) => !added.has(path)));
    const sealed = (more: Iterable<[string, Buffer]>, other = facts) =>
      sealEntries(new Map([...files, ...more]), signer, other).then((made) => saidOf(zipEntries(made)));
    const certified = { ...facts, report: { verdict: 'certified', coverage: 1 } } as const;
    expect(await sealed([], certified)).toMatch(
      /^manifest\.json states the verdict certified, but report\.json/,
    );
    const policy = Buffer.from(String(files.get(bundleNames.policy)).replace('"ideal":0,', '"ideal":9,'));
    expect(await sealed([[bundleNames.policy, policy]])).toMatch(/policy\.json states the hash/);
    const other = sealedReceipt(flaggedSubject('egocentric'));
    expect(await sealed([[receiptName(other.receipt.content_hash), Buffer.from(other.json)]])).toMatch(
      /^receipts\/[0-9a-f]+\.json is not named by report\.json$/,
    );
    const receipts = [...files.keys()].filter((path) => path.startsWith('receipts/'));
    for (const path of receipts) files.delete(path);
    expect(await sealed([])).toMatch(/^receipts\/[0-9a-f]+\.json is missing: report\.json names it$/);
  });

  it('is refused where its report holds text that has no canonical JSON', async () => {
    const files = new Map([...entries].filter(([path]) => !added.has(path)));
    files.set(bundleNames.report, Buffer.from(JSON.stringify({ ...report, reason: 'half \ud800 a pair' })));
    expect(await saidOf(zipEntries(await sealEntries(files, signer, facts)))).toMatch(
      /^report\.json cannot be recomputed: .*lone surrogate/,
    );
  });

  it('of an imported report has no receipts', async () => {
    const origin = 'local_report_import';
    const made = await testEntries([], { signer, report, origin });
    expect(await verifyBundle(inMemory(zipEntries(made)))).toMatchObject({ ok: true, receipts: 0 });
    const more = await testEntries([json], { signer, report, origin });
    expect(await saidOf(zipEntries(more))).toMatch(
      /^receipts\/\w+\.json: an imported report has no receipts$/,
    );
  });

  it('of version 1, whose coverage counted all metrics but advisory ones, still verifies', async () => {
    const { evidence, ...rest } = report;
    const { content_hash: _, ...body } = { ...rest, coverage: { ...evidence, share: evidence.share ?? 0 } };
    const old = { ...body, schema: 'assay/certification-report/v1' };
    const files = new Map([...entries].filter(([path]) => !added.has(path)));
    files.set(
      bundleNames.report,
      Buffer.from(canonicalJson({ ...old, content_hash: sha256(canonicalJson(old)) })),
    );
    const stated = { ...facts, report: { ...facts.report, coverage: evidence.share } };
    expect(await saidOf(zipEntries(await sealEntries(files, signer, stated)))).toBe('');
  });

  it('verifies with a report that is larger than what is parsed as a whole', async () => {
    const padding = Array(Math.ceil(2 ** 18 / report.metrics.length)).fill('x'.repeat(1024));
    const metrics = report.metrics.map((metric) => ({
      ...metric,
      decisions: metric.decisions.map((one) => ({ ...one, padding })),
    }));
    const { content_hash: _, ...body } = { ...report, metrics };
    const files = new Map([...entries].filter(([path]) => !added.has(path)));
    const content_hash = sha256OfParts(canonicalParts(body));
    const parts = [...canonicalParts({ ...body, content_hash })].map((part) => Buffer.from(part));
    files.set(bundleNames.report, Buffer.concat(parts));
    expect(await saidOf(zipEntries(await sealEntries(files, signer, facts)))).toBe('');
  }, 60_000);

  it('is not made of media', async () => {
    const file = { path: 'videos/a.mp4', bytes: 1, sha256: sha256('a') };
    await expect(sealBundle([file], facts, signer)).rejects.toThrow(
      'videos/a.mp4 is not allowed in a bundle',
    );
  });
});

const added: ReadonlySet<string> = new Set([bundleNames.manifest, bundleNames.key, bundleNames.statement]);

/** A gigabyte of zeros in a megabyte, as far as its directory says. */
function bomb(): Buffer {
  const packed = deflateRawSync(Buffer.alloc(1 << 20));
  const zip = zipEntries(new Map([[bundleNames.report, packed]]));
  const directory = zip.indexOf(Buffer.from('PK\x01\x02'));
  zip.writeUInt16LE(8, directory + 10);
  zip.writeUInt32LE(1 << 30, directory + 24);
  return zip;
}

describe('the id of a key', () => {
  it('is what openssl and sha256sum say', () => {
    const { key, keyid } = describeKey(signer.public_key.key);
    expect(keyid).toBe(sha256(key.export({ type: 'spki', format: 'der' })));
  });
});
