import { describe, expect, it } from 'vitest';
import { canonicalJson, seededRandom, sha256 } from '#core';
import { receiptSchema } from '#core/api';
import { rounds } from '#test/support/tiers';
import { flaggedSubject, sealedReceipt } from '../test-receipt.ts';
import { verifyReceipt } from './validate.ts';

const { json, receipt } = sealedReceipt(flaggedSubject());

/** Changes the content and seals it again, as a forger would. */
function forged(change: Change): string {
  const copy = JSON.parse(json);
  change(copy);
  const { content_hash: _, ...rest } = copy;
  return canonicalJson({ ...rest, content_hash: sha256(canonicalJson(rest)) });
}

describe('a sealed receipt', () => {
  it('is canonical, fits its schema, and carries the hash of everything else', () => {
    expect(canonicalJson(JSON.parse(json))).toBe(json);
    expect(receiptSchema.parse(JSON.parse(json))).toEqual(receipt);
    const { content_hash, ...rest } = JSON.parse(json);
    expect(content_hash).toBe(sha256(canonicalJson(rest)));
  });

  it('is the same for the same recording and settings', () => {
    expect(sealedReceipt(flaggedSubject()).json).toBe(json);
  });

  it('replaces half surrogate pairs, which no JSON can carry', () => {
    const subject = flaggedSubject();
    const tasks = [{ text: 'pick up the cup \ud800', source: 'x' }];
    const sealed = sealedReceipt({ ...subject, episode: { ...subject.episode, tasks } });
    expect(sealed.receipt.episode.tasks).toEqual(['pick up the cup \ufffd']);
    expect(verifyReceipt(sealed.json)).toMatchObject({ ok: true, problems: [] });
  });
});

describe('verifying', () => {
  it('accepts what was sealed, with or without a line end, as text or bytes', () => {
    for (const document of [json, `${json}\n`, Buffer.from(json)])
      expect(verifyReceipt(document)).toMatchObject({ ok: true, problems: [], notes: [] });
  });

  it('accepts another layout of the same content and says so', () => {
    const pretty = verifyReceipt(JSON.stringify(JSON.parse(json), null, 2));
    expect(pretty.ok).toBe(true);
    expect(pretty.notes).toHaveLength(1);
  });

  it('refuses each of 1,000 seeded single-byte changes that alter what the receipt says', () => {
    const random = seededRandom(1000);
    const bytes = Buffer.from(json);
    let altered = 0;
    while (altered < 1000) {
      const copy = Buffer.from(bytes);
      const at = random.integer(0, copy.length - 1);
      copy[at] = copy[at] ^ (1 << random.integer(0, 7));
      if (saysTheSame(copy)) continue;
      altered++;
      const { ok, problems } = verifyReceipt(copy);
      expect(ok, `byte ${at} from ${bytes[at]} to ${copy[at]}`).toBe(false);
      expect(problems.length).toBeGreaterThan(0);
    }
  });

  it('refuses bytes taken out or put in anywhere', () => {
    const random = seededRandom(5);
    for (let round = 0; round < rounds(60, 3000); round++) {
      const at = random.integer(0, json.length - 1);
      const shorter = json.slice(0, at) + json.slice(at + 1);
      const longer = json.slice(0, at) + String.fromCharCode(random.integer(33, 126)) + json.slice(at);
      for (const text of [shorter, longer]) {
        if (saysTheSame(Buffer.from(text))) continue;
        expect(verifyReceipt(text).ok, text.slice(at - 20, at + 20)).toBe(false);
      }
    }
  });

  it('accepts another description of the missing evidence, which versions word differently', () => {
    const text = forged((copy) => {
      copy.decision_reason = `${copy.decision_reason}; missing: an arm. No other topic could provide it`;
    });
    expect(verifyReceipt(text)).toMatchObject({ ok: true, problems: [] });
  });

  it('refuses a member that stands twice, whichever a parser would take', () => {
    const twice = json.replace('"decision":', '"decision":"accept","decision":');
    expect(verifyReceipt(twice).problems.join()).toContain('duplicate key');
  });

  it.each([
    ['an unknown member', set('note', 'fine')],
    ['a decision that its flags do not give', set('decision', 'accept')],
    ['a score that its checks do not give', set('score', 0.99)],
    ['another reason', set('decision_reason', 'because')],
    ['flags taken away', set('flags', [])],
    ['a check taken away', (r: Record<string, unknown>) => void (r.checks as unknown[]).pop()],
    ['settings that are not those of its checks', set('settings_hash', 'ab'.repeat(32))],
    ['a component score other than its inputs give', setScored('score', 1)],
    ['a threshold out of bounds', setScored('threshold', 0)],
    ['a weight out of bounds', setScored('weight', 1e6)],
    ['inputs that no check can judge', setScored('inputs', {})],
  ])('refuses %s even when it is sealed again', (_, change) => {
    expect(verifyReceipt(forged(change)).ok).toBe(false);
  });

  it('refuses a flag that is less severe than its check raises it, if no loader takes what it reports', () => {
    const lowered = forged((receipt) => {
      for (const flag of receipt.flags as { severity: string }[]) flag.severity = 'info';
    });
    expect(verifyReceipt(lowered).problems.join()).toContain('flags differ');
  });

  it('takes the word of another version about its checks, and says so', () => {
    const other = verifyReceipt(forged(set('engine', { name: 'assay', version: '9.9.9' })));
    expect(other).toMatchObject({ ok: true });
    expect(other.notes.join()).toContain('not re-evaluated');
  });

  it.each(['', '{}', 'null', '[]', '{"schema":"assay/receipt/v1"}', '\ufeff{}', '{"a":"\\ud800"}'])(
    'refuses %j without throwing',
    (text) => {
      expect(verifyReceipt(text)).toMatchObject({ ok: false, receipt: null });
    },
  );

  it('refuses invalid UTF-8', () => {
    expect(verifyReceipt(new Uint8Array([0x7b, 0xff, 0x7d])).problems).toEqual(['not UTF-8 text']);
  });
});

type Change = (receipt: Record<string, unknown>) => void;

function set(key: string, value: unknown): Change {
  return (receipt) => {
    receipt[key] = value;
  };
}

function setScored(key: string, value: unknown): Change {
  return (receipt) => set(key, value)(scoredOf(receipt));
}

function scoredOf(receipt: Record<string, unknown>): Record<string, unknown> {
  const components = receipt.checks as Record<string, unknown>[];
  return components.find((component) => component.id === 'image_integrity')!;
}

function saysTheSame(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return canonicalJson(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}
