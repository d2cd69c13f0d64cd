import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodablePackets, type ListedPacket, packetRuns, placeRun } from './packet-runs.ts';

/** Groups of pictures as encoders write them: a key, then a frame ahead and those between, which lean on both. */
const coded = fc
  .array(fc.record({ groups: fc.integer({ min: 0, max: 4 }), between: fc.integer({ min: 0, max: 3 }) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((keys) => {
    const packets: (ListedPacket & { needs: number[] })[] = [];
    let shown = 0;
    const put = (pts: number, key: boolean, needs: number[]) => {
      packets.push({ pts: pts * 10, dts: packets.length * 10 - 20, duration: 10, key, needs });
      return packets.length - 1;
    };
    for (const { groups, between } of keys) {
      let before = put(shown++, true, []);
      for (let group = 0; group < groups; group++) {
        const ahead = put(shown + between, false, [before]);
        for (let frame = 0; frame < between; frame++) put(shown + frame, false, [before, ahead]);
        shown += between + 1;
        before = ahead;
      }
    }
    return packets;
  });

const spans = fc.array(
  fc.record({ from: fc.integer({ min: 0, max: 100 }), frames: fc.integer({ min: 1, max: 30 }) }),
  { minLength: 1, maxLength: 5 },
);

describe('packets that are copied', () => {
  it('hold every frame of the spans and all that these lean on', () => {
    fc.assert(
      fc.property(coded, spans, (packets, wanted) => {
        const ticks = wanted.map(({ from, frames }) => ({
          from: from * 10 - 5,
          until: (from + frames) * 10 - 5,
        }));
        const runs = packetRuns(packets, ticks);
        const kept = new Set(runs.flatMap((run) => decodablePackets(packets, run)));
        for (const [place, { pts }] of packets.entries()) {
          if (ticks.some(({ from, until }) => pts >= from && pts < until)) expect(kept).toContain(place);
        }
        for (const place of kept) for (const need of packets[place].needs) expect(kept).toContain(need);
        expect(runs.every(({ first, last }, at) => first <= last && first > (runs[at - 1]?.last ?? -1))).toBe(
          true,
        );
      }),
    );
  });

  it('are stamped one after the other, shown and decoded in rising order', () => {
    fc.assert(
      fc.property(coded, spans, (packets, wanted) => {
        const ticks = wanted.map(({ from, frames }) => ({
          from: from * 10 - 5,
          until: (from + frames) * 10 - 5,
        }));
        let before = null;
        const shown: number[] = [];
        const decoded: number[] = [];
        for (const run of packetRuns(packets, ticks)) {
          const kept = decodablePackets(packets, run);
          const placed = placeRun(packets, kept, before);
          expect(Math.abs(placed.shift % 10)).toBe(0);
          decoded.push(...kept.map((place) => packets[place].dts + placed.shift));
          shown.push(...kept.map((place) => packets[place].pts + placed.shift).sort((a, b) => a - b));
          before = placed;
        }
        for (const stamps of [shown, decoded])
          expect(stamps.every((stamp, at) => at === 0 || stamp > stamps[at - 1])).toBe(true);
      }),
    );
  });
});
