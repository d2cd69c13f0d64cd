import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lerobotContract } from '../lerobot/rules/contract.ts';
import { peers } from './peers.ts';

const source = join(import.meta.dirname, '../..');

function codesInSource(): Set<string> {
  const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.parentPath !== import.meta.dirname,
  );
  const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/'([a-z_]+)'/g)].map(([, code]) => code)));
}

describe('rules of peers', () => {
  const rows = peers.flatMap(({ rules }) => rules);

  it('are each answered by one of ours, or are no fault for a reason', () => {
    expect(rows.filter(({ ours, not_a_fault }) => ours.length === 0 && not_a_fault === undefined)).toEqual(
      [],
    );
  });

  it('name codes that the program can say', () => {
    const known = codesInSource();
    expect(rows.flatMap(({ ours }) => ours).filter((code) => !known.has(code))).toEqual([]);
  });

  it('are those that contract rules name as their peers', () => {
    const known = new Set(peers.flatMap(({ tool, rules }) => rules.map(({ rule }) => `${tool} ${rule}`)));
    const named = lerobotContract.rules.flatMap((rule) => rule.peers ?? []);
    const checks = [...known].flatMap((name) => (name.startsWith('lerobot-doctor ') ? [name.slice(8)] : []));
    const unknown = named.filter(
      (name) =>
        !known.has(name) &&
        !(name.startsWith('doctor ') && checks.some((check) => check.includes(name.slice(7)))),
    );
    expect(unknown).toEqual([]);
  });
});
