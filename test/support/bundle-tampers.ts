import { bundleNames } from '#quality/certification/bundle';
import { type Entries, zipEntries, zipPaths } from './test-bundle.ts';

/** A way to tamper with a bundle, and a word that only the refusal of this one says. */
interface Tamper {
  readonly what: string;
  readonly spoil: (entries: Entries) => Buffer;
  readonly says: RegExp;
}

const receiptOf = (entries: Entries): string =>
  [...entries.keys()].find((path) => path.startsWith('receipts/')) ?? 'no receipt';

/** One bit of one byte in the middle of a file. */
const flipped = (what: string, nameOf: (entries: Entries) => string, says: RegExp): Tamper => ({
  what: `one byte of the ${what}`,
  spoil: (entries) => {
    const name = nameOf(entries);
    const content = Buffer.from(entries.get(name)!);
    content[content.length >> 1] ^= 1;
    return zipEntries(new Map([...entries, [name, content]]));
  },
  says,
});

const signed = (entries: Entries): Buffer => {
  const envelope = JSON.parse(entries.get(bundleNames.statement)!.toString());
  const raw = Buffer.from(envelope.signatures[0].sig, 'base64');
  raw[0] ^= 1;
  envelope.signatures[0].sig = raw.toString('base64');
  return zipEntries(new Map([...entries, [bundleNames.statement, Buffer.from(JSON.stringify(envelope))]]));
};

const without = (entries: Entries, name: string): Entries => {
  const rest = new Map(entries);
  rest.delete(name);
  return rest;
};

const renamed = (entries: Entries): Buffer => {
  const name = receiptOf(entries);
  const rest = without(entries, name);
  rest.set(`receipts/${'ab'.repeat(32)}.json`, entries.get(name)!);
  return zipEntries(rest);
};

/** Each must be refused in words of its own, by `assay verify` and by `docs/verify_bundle.py`. */
export const tampers: readonly Tamper[] = [
  flipped('report', () => bundleNames.report, /^report\.json was changed: /m),
  flipped('page', () => bundleNames.page, /^report\.html was changed: /m),
  flipped('manifest', () => bundleNames.manifest, /^manifest\.json was changed: /m),
  flipped('policy', () => bundleNames.policy, /^policy\.json was changed: /m),
  flipped('receipt', receiptOf, /^receipts\/[0-9a-f]+\.json was changed: /m),
  flipped('key', () => bundleNames.key, /^public-key\.pem was changed: /m),
  {
    what: 'one byte of the signature',
    spoil: signed,
    says: /^the signature in statement\.intoto\.json is invalid/m,
  },
  {
    what: 'a file removed',
    spoil: (entries) => zipEntries(without(entries, receiptOf(entries))),
    says: /^receipts\/[0-9a-f]+\.json was removed/m,
  },
  {
    what: 'the statement removed',
    spoil: (entries) => zipEntries(without(entries, bundleNames.statement)),
    says: /^statement\.intoto\.json was removed/m,
  },
  {
    what: 'a receipt added',
    spoil: (entries) =>
      zipEntries(new Map([...entries, [`receipts/${'cd'.repeat(32)}.json`, Buffer.from('{}')]])),
    says: /^receipts\/(cd){32}\.json was added: /m,
  },
  {
    what: 'a video added',
    spoil: (entries) => zipEntries(new Map([...entries, ['videos/camera.mp4', Buffer.from('ftyp')]])),
    says: /^videos\/camera\.mp4 was added and is not allowed/m,
  },
  { what: 'a file renamed', spoil: renamed, says: /was renamed to receipts\/(ab){32}\.json/m },
  {
    what: 'entries reordered',
    spoil: (entries) => zipPaths(entries, [...entries.keys()].sort().reverse()),
    says: /entries were reordered: /m,
  },
  {
    what: 'an entry listed twice',
    spoil: (entries) => zipPaths(entries, [...entries.keys(), bundleNames.report].sort()),
    says: /report\.json is listed twice/m,
  },
  {
    what: 'a path that leads out',
    spoil: (entries) => zipEntries(new Map([...entries, ['../outside.json', Buffer.from('{}')]])),
    says: /"\.\.\/outside\.json" points outside the archive/m,
  },
  {
    what: 'bytes put before the archive',
    spoil: (entries) => Buffer.concat([Buffer.from('#!/bin/sh\n'), zipEntries(entries)]),
    says: /data was inserted|headers near byte|directory is corrupt/m,
  },
  {
    what: 'bytes put behind the archive',
    spoil: (entries) => Buffer.concat([zipEntries(entries), Buffer.from('more')]),
    says: /truncated, or data was appended/m,
  },
];
