import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '#core';
import { certify, defaultPolicy, renderCroissant } from '#quality/certification';
import { bundleNames } from '#quality/certification/bundle';
import { flaggedSubject, sealedReceipt } from '../../src/quality/readiness/test-receipt.ts';
import { tampers } from '../support/bundle-tampers.ts';
import { type Faults, generatedReceipt } from '../support/certified-evidence.ts';
import { temporaryFolder } from '../support/lerobot-set.ts';
import { onPeers, peersPython } from '../support/peers.ts';
import {
  forgedReport,
  testEntries,
  testProject,
  testReport,
  testSigner,
  zipEntries,
} from '../support/test-bundle.ts';
import { rounds } from '../support/tiers.ts';
import { askScript, runScript } from './python-worker.ts';

const signer = testSigner();
const { json } = sealedReceipt(flaggedSubject());
const report = testReport([json]);
const entries = await testEntries([json], { signer });

/** Runs `docs/verify_bundle.py` on some bytes and returns its output and exit code. */
async function verified(bytes: Buffer, ...args: string[]) {
  const file = join(await temporaryFolder(), 'bundle.zip');
  writeFileSync(file, bytes);
  const { status, stdout, stderr } = spawnSync(
    peersPython ?? '',
    [resolve('docs/verify_bundle.py'), file, ...args],
    { encoding: 'utf8' },
  );
  return { status, said: `${stdout}${stderr}` };
}

describe.skipIf(!peersPython)(onPeers('a bundle in Python'), () => {
  it('verifies by a script with nothing of Assay', async () => {
    const { public_key } = signer;
    const pem = join(await temporaryFolder(), 'key.pem');
    writeFileSync(pem, public_key.pem);
    for (const key of [[], ['--key', pem], ['--key', public_key.keyid]]) {
      const project = ['--project', testProject];
      const outcome = await verified(zipEntries(entries), ...key, ...project);
      expect(outcome).toMatchObject({
        status: 0,
        said: expect.stringMatching(`^ok: 7 files, origin service`),
      });
    }
  });

  it.each(tampers)('is refused there with $what', async ({ spoil, says }) => {
    const { status, said } = await verified(spoil(entries));
    expect(said).toMatch(says);
    expect(status).toBe(1);
  });

  it('is refused there for another key and another project', async () => {
    const other = zipEntries(await testEntries([json]));
    const pem = join(await temporaryFolder(), 'key.pem');
    writeFileSync(pem, signer.public_key.pem);
    expect(await verified(other)).toMatchObject({ status: 0 });
    for (const key of [pem, signer.public_key.keyid])
      expect(await verified(other, '--key', key)).toMatchObject({
        status: 1,
        said: expect.stringMatching(/^the bundle is signed with key .*, not with the expected key /),
      });
    expect(await verified(other, '--project', 'prj_01k5w3p9x4f6zv2h7c8d0aqrsv')).toMatchObject({
      status: 1,
      said: expect.stringMatching(/^the bundle belongs to project prj_\w+, not to /),
    });
  });

  it('is refused there where its report does not follow from its decisions', async () => {
    for (const [change, says] of [
      [{ verdict: 'certified' }, /: verdict is "certified", but the decisions and the policy give /],
      [{ coverage: { decisions: 1, of: 1, share: 1 } }, /: coverage is \{/],
      [{ metrics: report.metrics.slice(1) }, /: metrics is \[/],
    ] as const) {
      const sealed = await testEntries([json], { signer, report: forgedReport(report, change) });
      const outcome = await verified(zipEntries(sealed));
      expect(outcome).toMatchObject({ status: 1, said: expect.stringMatching(says) });
    }
  });

  it('says there that a report was imported, and takes no receipts beside it', async () => {
    const origin = 'local_report_import';
    const made = await testEntries([], { signer, report, origin });
    expect(await verified(zipEntries(made))).toMatchObject({
      status: 0,
      said: expect.stringMatching(
        /^ok: 6 files, origin local_report_import \(IMPORTED REPORT, without receipts/,
      ),
    });
    const more = await testEntries([json], { signer, report, origin });
    expect(await verified(zipEntries(more))).toMatchObject({ status: 1 });
  });

  it('agrees there with the verdicts of sets with every fault', async () => {
    const kinds: readonly Faults[] = [{}, { nan: true }, { noText: true }, { noCamera: true, blurred: true }];
    const receipts = kinds.flatMap((faults, i) =>
      [generatedReceipt(2 * i, faults), generatedReceipt(2 * i + 1, faults)].map((receipt) =>
        canonicalJson(receipt),
      ),
    );
    for (const some of [receipts, receipts.slice(0, 2), receipts.slice(4)])
      expect(await verified(zipEntries(await testEntries(some, { signer })))).toMatchObject({ status: 0 });
  });

  it('has a statement that securesystemslib and in-toto-attestation accept', async () => {
    const folder = await temporaryFolder();
    const [statement, key] = [join(folder, 'statement.json'), join(folder, 'key.pem')];
    writeFileSync(statement, entries.get(bundleNames.statement)!);
    writeFileSync(key, signer.public_key.pem);
    const said = await askScript('peers', 'seals.py', 'envelope', statement, key);
    const files = [...entries].filter(([path]) => path !== bundleNames.statement);
    expect(said).toEqual({
      signed_by: [signer.public_key.keyid],
      payload_type: 'application/vnd.in-toto+json',
      subjects: Object.fromEntries(files.map(([path, content]) => [path, sha256(content)])),
    });
  });
});

describe.skipIf(!peersPython)(onPeers('the card of a certified set'), () => {
  it('is Croissant that mlcroissant validates without an error', async () => {
    const report = certify(defaultPolicy('vla'), [
      { receipt: JSON.parse(json), loads: null, annotations: null },
    ]);
    const bundle = { sha256: sha256('bundle'), bytes: 6, keyid: signer.public_key.keyid };
    const file = join(await temporaryFolder(), 'croissant.json');
    writeFileSync(file, renderCroissant({ report, title: 'pick and place', bundle }));
    const validate = ['-m', 'mlcroissant.scripts.validate', '--jsonld', file];
    const { status, stderr } = spawnSync(peersPython ?? '', validate, { encoding: 'utf8' });
    expect(stderr).not.toMatch(/error\(s\)|@context` is not standard/);
    expect(status, stderr).toBe(0);
  });
});

describe.skipIf(!peersPython)(onPeers('canonical JSON'), () => {
  it('has the bytes of the Python package rfc8785 for random documents', async () => {
    const count = rounds(2_000, 10_000);
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.constantFrom(-0, 1e21, 1e-7, 5e-324, 2 ** 53, 1.7976931348623157e308),
    );
    const { document } = fc.letrec((tie) => ({
      document: fc.oneof(
        { maxDepth: 4, depthSize: 'medium' },
        fc.oneof(number, text, fc.boolean(), fc.constant(null)),
        fc.array(tie('document'), { maxLength: 6 }),
        fc.dictionary(text, tie('document'), { maxKeys: 8 }),
      ),
    }));
    const documents = fc.sample(document, { numRuns: count, seed: 8785 });
    const file = join(await temporaryFolder(), 'documents.jsonl');
    writeFileSync(file, documents.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const theirs = (await runScript('peers', 'seals.py', 'canonical', file)).trimEnd().split('\n');
    expect(theirs).toHaveLength(count);
    const differing = documents.findIndex((one, place) => canonicalJson(one) !== theirs[place]);
    expect(differing === -1 ? null : [documents[differing], theirs[differing]]).toBeNull();
  });
});
