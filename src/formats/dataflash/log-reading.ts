import type { JsonObject } from '#core';
import type { Finding, StreamRole, UnitOfMeasure } from '#core/episode';
import { decodeNumberAt, type NumberField } from '../shared/flight/decode-numbers.ts';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import {
  type GroupRule,
  groupByRules,
  RowBatch,
  type RowClock,
  type SignalGroup,
  SignalTable,
} from '../shared/flight/signal-table.ts';
import { LogEvents } from './log-events.ts';
import { buildMessageType, DeclaredUnits, formatType, type Message, type MessageType } from './messages.ts';

/** Rows of one message type, or of one sensor instance of it. */
interface Track {
  readonly batch: RowBatch;
  table: SignalTable | null;
}

/** Reading state of one message type. */
interface TypeState {
  readonly type: MessageType;
  readonly clock: RowClock | null;
  readonly isHandled: boolean;
  /** Column that holds the sensor instance; `null` if the type has none, `undefined` until the first row is read. */
  instance: NumberField | null | undefined;
  readonly tracks: Map<number, Track>;
}

const maxListed = 16;
const maxInstances = 64;
/** Messages that describe the log or are events, so they become no streams. */
const metadataTypes = new Set([
  'FMT',
  'FMTU',
  'UNIT',
  'MULT',
  'MSG',
  'PARM',
  'MODE',
  'EV',
  'ERR',
  'ARM',
  'VER',
]);
const handledTypes = new Set([...metadataTypes, 'DSF', 'GPS']);

/** Collects the streams, events and findings of one DataFlash log from its messages, binary or text. */
export class LogReading {
  readonly events: LogEvents;
  messages = 0;
  readonly #log: FlightLog;
  readonly #units = new DeclaredUnits();
  readonly #types: (TypeState | undefined)[] = [];
  readonly #problems = new Map<string, string>();
  readonly #adapt: (type: MessageType) => MessageType;

  /**
   * @param adapt converts a declared type to the layout of the rows that `take` receives; the type itself by default
   */
  constructor(log: FlightLog, adapt: (type: MessageType) => MessageType = (type) => type) {
    this.#log = log;
    this.#adapt = adapt;
    this.events = new LogEvents(log);
    this.#add(formatType);
  }

  /** Returns the message type with this number, or `undefined` if it has not been declared yet. */
  typeOf(id: number): MessageType | undefined {
    return this.#types[id]?.type;
  }

  /**
   * Takes one message of a declared type: handles declarations and events at once, and remembers its row for `flush`.
   * Its numbers start at `start` in `view`; the bytes must stay there until `flush`.
   * @param message returns the message with access to its columns by name
   */
  take(id: number, view: DataView, start: number, message: (type: MessageType) => Message): void {
    const state = this.#types[id]!;
    const { type, clock } = state;
    if (clock !== null)
      this.#log.observeTime(decodeNumberAt(view, start, type.numbers[clock.field]) * clock.unit_us);
    if (state.isHandled) this.#watch(type.name, message(type));
    if (metadataTypes.has(type.name)) return;
    this.messages++;
    if (state.instance === undefined) state.instance = this.#instanceField(type);
    const instance = state.instance === null ? 0 : decodeNumberAt(view, start, state.instance);
    let track = state.tracks.get(instance);
    if (track === undefined) {
      if (state.tracks.size >= maxInstances) {
        this.#rejectType(type.name, `only the first ${maxInstances} instances are read`);
        return;
      }
      track = { batch: new RowBatch(), table: null };
      state.tracks.set(instance, track);
    }
    track.batch.push(start);
  }

  /** Decodes the rows taken since the last `flush` into the signal tables of the log. */
  flush(view: DataView): void {
    for (const state of this.#types) {
      if (state === undefined) continue;
      for (const [instance, track] of state.tracks) {
        if (track.batch.count === 0) continue;
        track.table ??= this.#open(state, instance);
        this.#log.heldBytes += track.batch.flush(view, track.table);
      }
    }
  }

  /** Starts new signal tables with the next `flush`, for the next part of the log. */
  restart(): void {
    for (const state of this.#types) for (const track of state?.tracks.values() ?? []) track.table = null;
  }

  /** Returns findings about firmware, parameters and message types that were left out. */
  findings(path: string): Finding[] {
    const findings: Finding[] = [];
    const { firmware, parameters, changedParameters } = this.events;
    const add = (
      code: string,
      severity: Finding['severity'],
      message: string,
      evidence: JsonObject,
    ): void => {
      findings.push({ code, severity, path, message, advice: 'nothing to do', evidence });
    };
    if (firmware !== null) add('log_information', 'info', `written by ${firmware}`, { firmware });
    if (parameters.size > 0) {
      const changed = [...changedParameters].slice(0, maxListed);
      const during =
        changed.length === 0 ? 'none changed' : `${changedParameters.size} changed during the log`;
      add('log_parameters', 'info', `${parameters.size} parameters, ${during}`, {
        parameters: parameters.size,
        changed,
      });
    }
    for (const [name, why] of this.#problems) {
      const message = `messages of type ${name} were skipped: ${why}`;
      findings.push({
        code: 'topic_unreadable',
        severity: 'warning',
        path,
        message,
        advice: 'download the log again; all other messages are read',
      });
    }
    return findings;
  }

  #watch(name: string, message: Message): void {
    if (name === 'FMT') this.#declare(message);
    else if (name === 'FMTU')
      this.#units.addColumns(message.number('FmtType'), message.text('UnitIds'), message.text('MultIds'));
    else if (name === 'UNIT')
      this.#units.addUnit(String.fromCharCode(message.number('Id')), message.text('Label'));
    else if (name === 'MULT')
      this.#units.addMultiplier(String.fromCharCode(message.number('Id')), message.number('Mult'));
    else this.events.handle(name, message);
  }

  #declare(message: Message): void {
    const [id, length, name] = [message.number('Type'), message.number('Length'), message.text('Name')];
    const type = buildMessageType(id, length, name, message.text('Format'), message.text('Columns'));
    if (typeof type !== 'string') {
      // Reopened logs declare their types again; the first declaration counts, since rows were read by it.
      if (this.#types[id] === undefined) this.#add(this.#adapt(type));
    } else if (id !== formatType.id) this.#rejectType(name, type);
  }

  #rejectType(name: string, why: string): void {
    if (this.#problems.size < maxListed) this.#problems.set(name, why);
  }

  #add(type: MessageType): void {
    const clock = chooseClock(type);
    this.#types[type.id] = {
      type,
      clock,
      isHandled: handledTypes.has(type.name),
      instance: undefined,
      tracks: new Map(),
    };
  }

  #instanceField(type: MessageType): NumberField | null {
    const column = this.#units.instanceColumn(type);
    const field = type.numbers.find(({ name }) => name === type.columns[column]);
    return field ?? null;
  }

  #open({ type, clock, instance: field }: TypeState, instance: number): SignalTable {
    const clocks = clock === null ? [] : [clock];
    const excluded = new Set(clocks.map(({ field }) => field));
    if (field !== null && field !== undefined) excluded.add(type.numbers.indexOf(field));
    const groups = groupSignals(type.name, type.numbers, excluded, (names) =>
      this.#units.sharedUnit(type, names),
    );
    const id = instance === 0 ? type.name : `${type.name}[${instance}]`;
    const table = new SignalTable(id, type.numbers, clocks, groups);
    this.#log.addTable(table);
    return table;
  }
}

/**
 * Returns the clock of a message type: `TimeUS`, else `TimeMS`. GPS messages of older logs have the time of the week in
 * `TimeMS` and the time since boot in `T`. `null` if there is none.
 */
function chooseClock({ columns, numbers }: MessageType): RowClock | null {
  const at = (name: string) => numbers.findIndex((field) => field.name === name);
  if (at('TimeUS') >= 0) return { name: 'TimeUS', field: at('TimeUS'), unit_us: 1 };
  if (columns.includes('Week') && at('T') >= 0) return { name: 'T', field: at('T'), unit_us: 1000 };
  return at('TimeMS') < 0 ? null : { name: 'TimeMS', field: at('TimeMS'), unit_us: 1000 };
}

const rule = (suffix: string, fields: RegExp, role: StreamRole): GroupRule => ({ suffix, fields, role });

const quaternion = rule('q', /^Q[1-4]$/, 'attitude');
const gyro = rule('gyro', /^Gyr[XYZ]$/, 'imu');
const accelerometer = rule('accelerometer', /^Acc[XYZ]$/, 'imu');
const power = rule('power', /^(Volt|VoltR|Curr|CurrTot|EnrgTot|Res|RemPct)$/, 'other');
const kalman: readonly GroupRule[] = [
  rule('attitude', /^(Roll|Pitch|Yaw)$/, 'attitude'),
  rule('velocity', /^V[NED]$/, 'odometry'),
  rule('position', /^P[NED]$/, 'odometry'),
];
const positionControl: readonly GroupRule[] = [
  rule('target', /^[DT](P|V|A)[NED]?$|^[DT](P|V|A)[XYZ]$/, 'action'),
  rule('position', /^P[NEDXYZ]$/, 'odometry'),
  rule('velocity', /^V[NEDXYZ]$/, 'odometry'),
];

/**
 * Rules that group columns of well-known messages into streams, by ArduPilot's own descriptions. Other columns go into
 * streams beside them.
 */
const messageRules: Readonly<Record<string, readonly GroupRule[]>> = {
  ATT: [
    rule('desired', /^Des(Roll|Pitch|Yaw)$/, 'action'),
    rule('attitude', /^(Roll|Pitch|Yaw)$/, 'attitude'),
  ],
  AHR2: [
    rule('attitude', /^(Roll|Pitch|Yaw)$/, 'attitude'),
    quaternion,
    rule('position', /^(Lat|Lng|Alt)$/, 'odometry'),
  ],
  RATE: [
    rule('desired', /^(R|P|Y|A)Des$/, 'action'),
    rule('rates', /^(R|P|Y)$/, 'attitude'),
    rule('output', /^(R|P|Y|A)Out$/, 'action'),
  ],
  IMU: [gyro, accelerometer],
  GYR: [gyro],
  ACC: [accelerometer],
  MAG: [rule('field', /^Mag[XYZ]$/, 'imu')],
  GPS: [
    rule('position', /^(Lat|Lng|Alt)$/, 'gnss'),
    rule('velocity', /^(Spd|GCrs|VZ)$/, 'gnss'),
    rule('quality', /^(Status|NSats|HDop)$/, 'gnss'),
  ],
  GPA: [rule('quality', /^(VDop|HAcc|VAcc|SAcc|YAcc)$/, 'gnss')],
  POS: [rule('position', /^(Lat|Lng|Alt|RelHomeAlt|RelOriginAlt)$/, 'odometry')],
  XKF1: kalman,
  NKF1: kalman,
  XKQ: [quaternion],
  NKQ: [quaternion],
  PSCN: positionControl,
  PSCE: positionControl,
  PSCD: positionControl,
  PSC: positionControl,
  RCOU: [rule('output', /^C\d+$/, 'action')],
  RCIN: [rule('sticks', /^C\d+$/, 'action')],
  BAT: [power],
  CURR: [power],
};

/**
 * Groups the numbers of a message type into streams.
 * @param excluded indices of fields that are clocks or hold the sensor instance
 */
function groupSignals(
  message: string,
  fields: readonly NumberField[],
  excluded: ReadonlySet<number>,
  readUnit: (names: readonly string[]) => UnitOfMeasure,
): SignalGroup[] {
  // Older logs number their sensors by message name: IMU2, GPS2, BAT2.
  const baseName = message.replace(/(?<=^[A-Z]{2,3})[2-9]$/, '');
  const rules = messageRules[message] ?? messageRules[baseName] ?? [];
  return groupByRules(rules, fields, excluded, (_, indices) =>
    readUnit(indices.map((at) => fields[at].name)),
  );
}
