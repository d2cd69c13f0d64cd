import { type JsonObject, significant } from '#core';
import { PointFlow, pointFlowSettings } from '#labels/models';
import type { Detection } from '../../detection/boxes.ts';
import { type Detector, openDetector } from '../../detection/open-detector.ts';
import { type Lane, type LaneContext, type LaneFrame, mainPart } from '../../lane.ts';
import { CameraNotes } from '../../pictures/camera-notes.ts';
import { byteTrackSettings } from './byte-track.ts';
import { CameraTracks, type TrackKnobs } from './camera-tracks.ts';
import { knownBoxes, millisecond } from './known-boxes.ts';
import { tracked_hz } from './tracked-rate.ts';

/** Objects by ByteTrack, over boxes of `object_labels` where they are dense enough, else over boxes of its own. */
export const lane: Lane = {
  version: 1,
  requires: ['tracking', 'detection'],
  run: async (_, context) => {
    const { config } = context;
    const known = knownBoxes(await context.output('object_labels'));
    const knobs: TrackKnobs = {
      min_track_s: Number(config.min_track_s),
      max_gap_s: Number(config.max_gap_s),
      rate_hz: Math.min(tracked_hz, known?.rate_hz ?? tracked_hz),
    };
    const detector = known === null ? await openDetector(context) : null;
    const boxesOf = async (frame: LaneFrame): Promise<readonly Detection[] | null> =>
      known === null
        ? detector!.detect(frame, byteTrackSettings.unsure)
        : (known.cameras.get(frame.camera)?.get(millisecond(frame.time_s)) ?? null);
    const notes = new CameraNotes();
    using flow = await PointFlow.create();
    const cameras = await followAll(context, { notes, boxesOf, begin: () => new CameraTracks(knobs, flow) });
    notes.demandFrames();
    return outputOf(cameras, notes, detector);
  },
};

interface Following {
  readonly notes: CameraNotes;
  /** Null: nobody looked at that frame. */
  readonly boxesOf: (frame: LaneFrame) => Promise<readonly Detection[] | null>;
  readonly begin: () => CameraTracks;
}

async function followAll(
  context: LaneContext,
  { notes, boxesOf, begin }: Following,
): Promise<ReadonlyMap<string, CameraTracks>> {
  const cameras = new Map<string, CameraTracks>();
  for await (const batch of context.frames()) {
    notes.add(batch);
    const own = cameras.get(batch.camera) ?? begin();
    cameras.set(batch.camera, own);
    const gone = batch.missing.map(({ row, time_s }) => ({ row, time_s }));
    const all = [...batch.frames, ...gone].sort((a, b) => a.row - b.row);
    for (const frame of all) {
      context.signal.throwIfAborted();
      context.progress();
      const found = 'rgb' in frame ? await boxesOf(frame) : null;
      if ('rgb' in frame && found !== null) own.add(frame, found);
      else if (!('rgb' in frame)) own.miss(frame);
    }
  }
  return cameras;
}

function outputOf(
  cameras: ReadonlyMap<string, CameraTracks>,
  notes: CameraNotes,
  detector: Detector | null,
): Awaited<ReturnType<Lane['run']>> {
  const told = new Map([...cameras].map(([camera, own]) => [camera, own.tell()]));
  const all = [...told.values()];
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0);
  const [tracks, time_s] = [sum((one) => one.tracks), sum((one) => one.time_s)];
  const json: JsonObject = {
    boxes_of: detector === null ? 'object_labels' : detector.model,
    cameras: notes.json().map((note) => ({ ...note, ...told.get(String(note.camera))?.json })),
    method: {
      objects: { id: 'ifzhang/bytetrack', settings: byteTrackSettings },
      points: { id: 'opencv/pyramidal-lucas-kanade', settings: pointFlowSettings as unknown as JsonObject },
    },
    schema: 'assay/tracks/v1',
  };
  return {
    parts: [{ name: mainPart, media_type: 'application/json', json }],
    counts: { cameras: cameras.size, tracks },
    quality: time_s > 0 ? significant(sum((one) => one.unbroken_s) / time_s, 4) : null,
    quality_reason: time_s > 0 ? null : 'nothing could be followed for long enough',
  };
}
