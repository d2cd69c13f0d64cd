import type { Episode, Kind, Stream, StreamRole } from '#core/episode';

/** Kind of an episode with its evidence. */
export interface DerivedKind {
  readonly kind: Kind;
  /** Observations that led to the kind, strongest first. */
  readonly evidence: readonly string[];
}

const autopilotPattern =
  /px4|ardupilot|arducopter|mavros|mavlink|quadrotor|multirotor|\buav\b|drone|vehicle_attitude|vehicle_local_position/i;
const velocityPattern = /vel|twist|drive|ackermann/i;
const wornCameraPattern = /ego|head|wrist_?worn|glasses|aria|gopro|chest|helmet|first.?person|fpv/i;

/**
 * Derives the kind of an episode from its streams, robot name and path, with the evidence for it; always returns one.
 * A dataset's kind is the majority of its episodes' kinds.
 */
export function deriveKind(episode: Episode): DerivedKind {
  const { streams } = episode;
  const cameras = streams.filter((stream) => stream.role === 'camera' || stream.role === 'depth');
  const aerial = aerialEvidence(episode);
  if (cameras.length > 0 && hasPicturesOnly(streams))
    return {
      kind: 'vision-asset',
      evidence: [`${formatStreamIds(cameras)}: images without timestamps, and no signals`],
    };
  if (aerial !== null) return { kind: 'aerial-flight', evidence: aerial };
  if (cameras.length === 0)
    return { kind: 'state-only', evidence: [`no camera among ${streams.length} streams`] };
  const drive = isCameraAlone(episode) ? null : (driveEvidence(streams) ?? mobileBaseEvidence(streams));
  if (drive !== null) return { kind: 'drive-log', evidence: [drive, `camera ${formatStreamIds(cameras)}`] };
  const commanded = streams.filter((stream) => stream.role === 'action' || stream.role === 'state');
  if (commanded.length > 0)
    return {
      kind: 'teleop',
      evidence: [`camera ${formatStreamIds(cameras)}`, `action or state ${formatStreamIds(commanded)}`],
    };
  return { kind: 'egocentric', evidence: egocentricEvidence(episode, cameras) };
}

function hasPicturesOnly(streams: readonly Stream[]): boolean {
  return streams.every((stream) =>
    stream.role === 'camera' || stream.role === 'depth'
      ? stream.clock === null
      : stream.role === 'annotation',
  );
}

/** True if the signals come from a camera with sensors of its own, which say nothing about what carries it. */
function isCameraAlone({ locator }: Episode): boolean {
  return locator.format === 'videos';
}

function aerialEvidence(episode: Episode): string[] | null {
  const { robot, streams } = episode;
  if (isCameraAlone(episode)) return null;
  if (robot !== null && autopilotPattern.test(robot))
    return [`robot type ${robot} is an aircraft or autopilot`];
  const autopilot = streams.find((stream) => autopilotPattern.test(stream.id));
  if (autopilot !== undefined) return [`stream ${autopilot.id} comes from an autopilot`];
  const attitude = findByRole(streams, 'attitude');
  const gnss = findByRole(streams, 'gnss');
  if (attitude === undefined || gnss === undefined || findByRole(streams, 'vehicle') !== undefined)
    return null;
  const climb_m = altitudeRange(gnss);
  return climb_m !== null && climb_m >= 3
    ? [`attitude ${attitude.id} with position ${gnss.id}`, `altitude changes by ${climb_m.toFixed(1)} m`]
    : null;
}

function driveEvidence(streams: readonly Stream[]): string | null {
  const vehicle = findByRole(streams, 'vehicle');
  if (vehicle !== undefined) return `vehicle signals ${vehicle.id}`;
  const lidar = findByRole(streams, 'lidar');
  if (lidar !== undefined && findByRole(streams, 'action') === undefined) return `lidar ${lidar.id}`;
  const gnss = findByRole(streams, 'gnss');
  return gnss === undefined ? null : `position ${gnss.id} on the ground`;
}

/**
 * Returns evidence of a mobile base: all actions are event-driven velocity commands, and odometry or lidar
 * shows its motion. `null` otherwise.
 */
function mobileBaseEvidence(streams: readonly Stream[]): string | null {
  const commands = streams.filter(({ role }) => role === 'action');
  const feedback = findByRole(streams, 'odometry') ?? findByRole(streams, 'lidar');
  const steered = commands.find(
    ({ event_driven, id }) => event_driven !== undefined && velocityPattern.test(id),
  );
  if (steered === undefined || feedback === undefined) return null;
  if (commands.some(({ event_driven }) => event_driven === undefined)) return null;
  return `velocity commands ${steered.id} with ${feedback.role} ${feedback.id}`;
}

function egocentricEvidence(episode: Episode, cameras: readonly Stream[]): string[] {
  const worn = cameras.find((camera) => wornCameraPattern.test(camera.id)) ?? null;
  const wornEvidence =
    worn !== null ? worn.id : wornCameraPattern.test(episode.locator.path) ? episode.locator.path : null;
  return [
    `camera ${formatStreamIds(cameras)} without action or state streams`,
    wornEvidence === null ? 'camera mount unknown' : `${wornEvidence} suggests a body-worn camera`,
  ];
}

/**
 * Returns highest minus lowest altitude in metres. Uses the dimension named as altitude, or the third of
 * three; `null` if there is neither.
 */
function altitudeRange(gnss: Stream): number | null {
  if (gnss.series === undefined) return null;
  const { values, dims } = gnss.series;
  const byName = gnss.names?.findIndex((name) => /^(alt|altitude|z|height|alt_m)/i.test(name)) ?? -1;
  const dimension = byName >= 0 ? byName : dims === 3 ? 2 : -1;
  if (dimension < 0) return null;
  let low = Infinity;
  let high = -Infinity;
  for (let i = dimension; i < values.length; i += dims) {
    const value = values[i];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high >= low ? high - low : null;
}

function findByRole(streams: readonly Stream[], role: StreamRole): Stream | undefined {
  return streams.find((stream) => stream.role === role);
}

function formatStreamIds(streams: readonly Stream[]): string {
  const ids = streams.slice(0, 3).map((stream) => stream.id);
  return ids.join(', ') + (streams.length > 3 ? ` and ${streams.length - 3} more` : '');
}
