import { seededRandom } from '#core';
import { type Clock, type Episode, type Stream, unknownOutcome } from '#core/episode';
import { jointNames } from './arm.ts';
import { cameraSize } from './scene.ts';
import { sampleTake, type Take } from './take.ts';

export const gridRate_hz = 30;
export const cameraKey = 'observation.images.front';

/** A take as a table of rows: one grid, stamps computed from the row number, as in a LeRobot set. */
export function gridEpisode(take: Take, seed: number, index: number): Episode {
  const rows = Math.floor(take.duration_s * gridRate_hz);
  const time_s = Float64Array.from({ length: rows }, (_, row) => row / gridRate_hz);
  const { state, action } = sampleTake(take, time_s, seededRandom(seed * 31 + index));
  const clock: Clock = { name: 'timestamp', provenance: 'synthesised', time_s };
  const numeric = (id: string, role: 'state' | 'action', values: Float32Array): Stream => ({
    id,
    role,
    modality: 'numeric',
    shape: [jointNames.length],
    names: jointNames,
    unit: { unit: 'unknown', evidence: 'unknown', reason: 'the table does not say' },
    declared_rate_hz: gridRate_hz,
    sample_count: rows,
    clocks: [clock],
    clock: { index: 0, reason: 'the only clock of the table' },
    series: { values, dims: jointNames.length },
  });
  const camera: Stream = {
    id: cameraKey,
    role: 'camera',
    modality: 'video',
    shape: [cameraSize.height, cameraSize.width, 3],
    names: ['height', 'width', 'channels'],
    unit: { unit: 'unknown', evidence: 'unknown', reason: 'pictures' },
    declared_rate_hz: gridRate_hz,
    sample_count: rows,
    clocks: [clock],
    clock: { index: 0, reason: 'the only clock of the table' },
    frames: {
      locator: {
        type: 'video',
        path: `videos/${cameraKey}/chunk-000/file-000.mp4`,
        from_s: 0,
        to_s: rows / gridRate_hz,
        expected_frames: rows,
      },
      declared_size_px: [cameraSize.width, cameraSize.height],
      declared_codec: 'h264',
    },
  };
  const id = `episode_${String(index).padStart(6, '0')}`;
  return {
    id,
    index,
    locator: {
      format: 'lerobot-v3',
      path: 'data/chunk-000/file-000.parquet',
      span: { unit: 'row', from: 0, to: rows },
    },
    sources: [],
    start_ns: null,
    duration_s: rows / gridRate_hz,
    streams: [numeric('observation.state', 'state', state), numeric('action', 'action', action), camera],
    events: [],
    tasks: [{ text: take.plan.text, source: 'meta/tasks.parquet' }],
    outcome: unknownOutcome,
    robot: 'desk_arm',
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
  };
}
