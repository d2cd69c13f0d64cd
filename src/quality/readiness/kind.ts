import type { Episode, Kind, Stream, StreamRole } from '#core/episode';

export interface DerivedKind {
  readonly kind: Kind;
  /** What the kind was taken from, most telling first. */
  readonly evidence: readonly string[];
}

const autopilotWords =
  /px4|ardupilot|arducopter|mavros|mavlink|quadrotor|multirotor|\buav\b|drone|vehicle_attitude|vehicle_local_position/i;
const velocity = /vel|twist|drive|ackermann/i;
const wornWords = /ego|head|wrist_?worn|glasses|aria|gopro|chest|helmet|first.?person|fpv/i;

/** Derives the kind of an episode from its streams; a dataset's kind is the majority of its episodes'. */
export function deriveKind(episode: Episode): DerivedKind {
  const { streams } = episode;
  const cameras = streams.filter((stream) => stream.role === 'camera' || stream.role === 'depth');
  const aerial = aerialEvidence(episode);
  if (cameras.length > 0 && picturesOnly(streams))
    return { kind: 'vision-asset', evidence: [`${named(cameras)}: pictures without time, and no signals`] };
  if (aerial !== null) return { kind: 'aerial-flight', evidence: aerial };
  if (cameras.length === 0)
    return { kind: 'state-only', evidence: [`no camera among ${streams.length} streams`] };
  const drive = driveEvidence(streams) ?? baseEvidence(streams);
  if (drive !== null) return { kind: 'drive-log', evidence: [drive, `camera ${named(cameras)}`] };
  const commanded = streams.filter((stream) => stream.role === 'action' || stream.role === 'state');
  if (commanded.length > 0)
    return {
      kind: 'teleop',
      evidence: [`camera ${named(cameras)}`, `action or joint states ${named(commanded)}`],
    };
  return { kind: 'egocentric', evidence: egocentricEvidence(episode, cameras) };
}

function picturesOnly(streams: readonly Stream[]): boolean {
  return streams.every((stream) =>
    stream.role === 'camera' || stream.role === 'depth'
      ? stream.clock === null
      : stream.role === 'annotation',
  );
}

function aerialEvidence({ robot, streams }: Episode): string[] | null {
  if (robot !== null && autopilotWords.test(robot)) return [`robot ${robot} is an aircraft or autopilot`];
  const autopilot = streams.find((stream) => autopilotWords.test(stream.id));
  if (autopilot !== undefined) return [`stream ${autopilot.id} comes from an autopilot`];
  const attitude = withRole(streams, 'attitude');
  const gnss = withRole(streams, 'gnss');
  if (attitude === undefined || gnss === undefined || withRole(streams, 'vehicle') !== undefined) return null;
  const climb_m = altitudeRange(gnss);
  return climb_m !== null && climb_m >= 3
    ? [`attitude ${attitude.id} with position ${gnss.id}`, `altitude changes by ${climb_m.toFixed(1)} m`]
    : null;
}

function driveEvidence(streams: readonly Stream[]): string | null {
  const vehicle = withRole(streams, 'vehicle');
  if (vehicle !== undefined) return `vehicle signals ${vehicle.id}`;
  const lidar = withRole(streams, 'lidar');
  if (lidar !== undefined && withRole(streams, 'action') === undefined) return `lidar ${lidar.id}`;
  const gnss = withRole(streams, 'gnss');
  return gnss === undefined ? null : `position ${gnss.id} along the ground`;
}

/** A mobile base: nothing but velocities is commanded, and the base or its laser says where it went. */
function baseEvidence(streams: readonly Stream[]): string | null {
  const commands = streams.filter(({ role }) => role === 'action');
  const seen = withRole(streams, 'odometry') ?? withRole(streams, 'lidar');
  const steered = commands.find(({ event_driven, id }) => event_driven !== undefined && velocity.test(id));
  if (steered === undefined || seen === undefined) return null;
  if (commands.some(({ event_driven }) => event_driven === undefined)) return null;
  return `velocity commands ${steered.id} with ${seen.role} ${seen.id}`;
}

function egocentricEvidence(episode: Episode, cameras: readonly Stream[]): string[] {
  const worn = cameras.find((camera) => wornWords.test(camera.id)) ?? null;
  const said = worn !== null ? worn.id : wornWords.test(episode.locator.path) ? episode.locator.path : null;
  return [
    `camera ${named(cameras)} without any action or joint stream`,
    said === null ? 'nothing says how the camera was carried' : `${said} names a worn camera`,
  ];
}

/** Highest minus lowest altitude in metres, where the stream names it or has it third. */
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

function withRole(streams: readonly Stream[], role: StreamRole): Stream | undefined {
  return streams.find((stream) => stream.role === role);
}

function named(streams: readonly Stream[]): string {
  const ids = streams.slice(0, 3).map((stream) => stream.id);
  return ids.join(', ') + (streams.length > 3 ? ` and ${streams.length - 3} more` : '');
}
