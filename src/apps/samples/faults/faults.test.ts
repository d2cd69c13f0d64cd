import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import type { StreamRole } from '#core/episode';
import { idsInFiles } from '#test/support/ids-in-files';
import { flightEpisode } from '../flight-set.ts';
import { sampledNumbers } from '../logged-episode.ts';
import { gridEpisode } from '../teleop/lerobot-set.ts';
import { loggedTake } from '../teleop/mcap-set.ts';
import { recordTake } from '../teleop/take.ts';
import { blackFrame, type EpisodeFault, faultSizes } from './fault.ts';
import { faults } from './registry.ts';

const takes = Array.from({ length: 9 }, (_, index) => recordTake(3, index));
const grid = takes.map((take, index) => gridEpisode(take, 3, index));
const logged = takes.map((take, index) => loggedTake(take, 3, index));
const flights = takes.map((_, index) => flight(index));

describe('faults', () => {
  it('are all registered', () => {
    expect(idsInFiles(import.meta.dirname)).toEqual([...faults.ids].sort());
  });

  it.each(faultSizes)(
    'change the episode they are planted into and leave the original alone (%s)',
    (size) => {
      for (const peers of [grid, logged, flights]) {
        const before = JSON.stringify(peers[6], withArrays);
        for (const fault of episodeFaults()) {
          if ((fault.flies === true) !== (peers === flights) || fault.several_cameras === true) continue;
          const planted = fault.plant(peers[6], size, seededRandom(1), peers);
          expect(planted, fault.id).not.toBeNull();
          expect(JSON.stringify(planted?.episode, withArrays), fault.id).not.toBe(before);
          expect(planted?.episode.id).toBe(peers[6].id);
        }
        expect(JSON.stringify(peers[6], withArrays)).toBe(before);
      }
    },
  );

  it('exchange cameras where there are two, and nothing where there is one', () => {
    const [{ streams }] = grid;
    const front = streams.find(({ frames }) => frames !== undefined)!;
    const fault = faults.get('swapped_cameras') as EpisodeFault;
    expect(fault.plant(grid[0], 'small', seededRandom(1), grid)).toBeNull();
    const both = { ...grid[0], streams: [...streams, { ...front, id: 'side', sample_count: 7 }] };
    const planted = fault.plant(both, 'small', seededRandom(1), grid)?.episode.streams ?? [];
    expect(planted.map(({ id }) => id)).toEqual(both.streams.map(({ id }) => id));
    expect(planted.at(-1)?.sample_count).toBe(front.sample_count);
    expect(planted.find(({ id }) => id === front.id)?.sample_count).toBe(7);
  });

  it('plant the same for the same seed', () => {
    for (const fault of episodeFaults()) {
      const peers = fault.flies === true ? flights : logged;
      const once = fault.plant(peers[5], 'medium', seededRandom(9), peers);
      const again = fault.plant(peers[5], 'medium', seededRandom(9), peers);
      expect(JSON.stringify(once, withArrays), fault.id).toBe(JSON.stringify(again, withArrays));
    }
  });

  it('mark a place inside the episode', () => {
    for (const fault of episodeFaults()) {
      const peers = fault.flies === true ? flights : grid;
      for (const mark of fault.plant(peers[4], 'small', seededRandom(2), peers)?.marks ?? []) {
        expect(mark.from_s, fault.id).toBeGreaterThanOrEqual(0);
        expect(mark.to_s, fault.id).toBeLessThanOrEqual(peers[4].duration_s);
        expect(mark.to_s, fault.id).toBeGreaterThanOrEqual(mark.from_s);
      }
    }
  });

  it('of pixels say which source frame every written frame shows', () => {
    for (const fault of faults) {
      if (fault.plants !== 'video') continue;
      const plan = fault.plan(200, 30, 'medium', seededRandom(4));
      const shown = [...plan.source];
      expect(
        shown.every((frame) => frame === blackFrame || (frame >= 0 && frame < 200)),
        fault.id,
      ).toBe(true);
      const same = shown.length === 200 && shown.every((frame, i) => frame === i) && plan.rate_hz === 30;
      expect(same, fault.id).toBe(false);
    }
  });
});

/** A flight of the samples with a receiver that speaks of its fix. */
function flight(index: number) {
  const random = seededRandom(index);
  const episode = flightEpisode(random, index);
  const at = (id: string, role: StreamRole, rate_hz: number) => ({
    ...{ id, role, rate_hz, random },
    until_s: episode.duration_s,
  });
  const motors = ['control[0]', 'control[1]', 'control[2]', 'control[3]'];
  return {
    ...episode,
    events: [{ time_s: 1, label: 'armed', source: 'vehicle_status.arming_state' }],
    streams: [
      ...episode.streams,
      sampledNumbers(at('gps.quality', 'gnss', 5), ['fix_type', 'eph', 'epv', 'satellites_used'], () => [
        3, 0.8, 1.2, 14,
      ]),
      sampledNumbers(at('vehicle_status', 'other', 5), ['failure_detector_status', 'vehicle_type'], () => [
        0, 1,
      ]),
      sampledNumbers(
        at('vehicle_local_position.other', 'other', 5),
        ['xy_reset_counter', 'delta_xy[0]', 'delta_xy[1]'],
        () => [1, 0, 0],
      ),
      sampledNumbers(at('actuator_motors.control', 'action', 50), motors, (t) =>
        motors.map((_, d) => 0.5 + 0.1 * Math.sin(t * (d + 1))),
      ),
    ],
  };
}

function episodeFaults(): EpisodeFault[] {
  return faults.rows.filter((fault): fault is EpisodeFault => fault.plants === 'episode');
}

/** Typed arrays as lists, so that episodes can be compared as text; NaN kept apart from null. */
function withArrays(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value) && 'length' in value) return Array.from(value as Float64Array, String);
  return value;
}
