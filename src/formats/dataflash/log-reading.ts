import type { JsonObject } from '#core';
import type { Finding, StreamRole, UnitOfMeasure } from '#core/episode';
import { numberAt } from '../shared/flight/decode-numbers.ts';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import { type GroupRule, groupByRules } from '../shared/flight/group-rules.ts';
import type { NumberField } from '../shared/flight/number-row.ts';
import { RowBatch } from '../shared/flight/row-batch.ts';
import { type RowClock, type SignalGroup, SignalTable } from '../shared/flight/signal-table.ts';
import { LogEvents } from './log-events.ts';
import type { Message } from './message.ts';
import { declareType, formatType, type MessageType } from './message-type.ts';
import { DeclaredUnits } from './units.ts';

/** Rows of a type, or of one instance of it. */
interface Track {
  readonly batch: RowBatch;
  table: SignalTable | null;
}

/** A message type while it is read. */
interface Reading {
  readonly type: MessageType;
  readonly clock: RowClock | null;
  readonly isWatched: boolean;
  /** Column of the instance; null until the first row decides it. */
  instance: NumberField | null | undefined;
  readonly tracks: Map<number, Track>;
}

const mostNamed = 16;
const maxInstances = 64;
/** Messages that describe the log or are events: no signals. */
const describing = new Set(['FMT', 'FMTU', 'UNIT', 'MULT', 'MSG', 'PARM', 'MODE', 'EV', 'ERR', 'ARM', 'VER']);
const watched = new Set([...describing, 'DSF', 'GPS']);

/** Takes the messages of one DataFlash log as they come, binary or text, and gathers what they say. */
export class LogReading {
  readonly events: LogEvents;
  messages = 0;
  readonly #log: FlightLog;
  readonly #units = new DeclaredUnits();
  readonly #types: (Reading | undefined)[] = [];
  readonly #problems = new Map<string, string>();
  readonly #adapt: (type: MessageType) => MessageType;

  /** `adapt`: how a declared type lies in the rows that will come. */
  constructor(log: FlightLog, adapt: (type: MessageType) => MessageType = (type) => type) {
    this.#log = log;
    this.#adapt = adapt;
    this.events = new LogEvents(log);
    this.#add(formatType);
  }

  /** The declared type of a number; undefined while the log has not said. */
  typeOf(id: number): MessageType | undefined {
    return this.#types[id]?.type;
  }

  /** A row lies in `view` from `start` on, and stays there until `flush`. */
  take(id: number, view: DataView, start: number, message: (type: MessageType) => Message): void {
    const reading = this.#types[id]!;
    const { type, clock } = reading;
    if (clock !== null) this.#log.saw(numberAt(view, start, type.numbers[clock.field]) * clock.us);
    if (reading.isWatched) this.#watch(type.name, message(type));
    if (describing.has(type.name)) return;
    this.messages++;
    if (reading.instance === undefined) reading.instance = this.#instanceOf(type);
    const instance = reading.instance === null ? 0 : numberAt(view, start, reading.instance);
    let track = reading.tracks.get(instance);
    if (track === undefined) {
      if (reading.tracks.size >= maxInstances) {
        this.#refuse(type.name, `only its first ${maxInstances} instances are read`);
        return;
      }
      track = { batch: new RowBatch(), table: null };
      reading.tracks.set(instance, track);
    }
    track.batch.push(start);
  }

  /** Decodes the rows taken since the last time. */
  flush(view: DataView): void {
    for (const reading of this.#types) {
      if (reading === undefined) continue;
      for (const [instance, track] of reading.tracks) {
        if (track.batch.count === 0) continue;
        track.table ??= this.#open(reading, instance);
        this.#log.heldBytes += track.batch.flush(view, track.table);
      }
    }
  }

  restart(): void {
    for (const reading of this.#types) for (const track of reading?.tracks.values() ?? []) track.table = null;
  }

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
      const changed = [...changedParameters].slice(0, mostNamed);
      const during =
        changed.length === 0 ? 'none changed' : `${changedParameters.size} changed during the log`;
      add('log_parameters', 'info', `${parameters.size} parameters, ${during}`, {
        parameters: parameters.size,
        changed,
      });
    }
    for (const [name, why] of this.#problems) {
      const message = `messages of type ${name} were left out: ${why}`;
      findings.push({
        code: 'topic_unreadable',
        severity: 'warning',
        path,
        message,
        advice: 'fetch the log again; its other messages are read',
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
    else this.events.take(name, message);
  }

  #declare(message: Message): void {
    const [id, length, name] = [message.number('Type'), message.number('Length'), message.text('Name')];
    const type = declareType(id, length, name, message.text('Format'), message.text('Columns'));
    if (typeof type !== 'string') {
      // Logs that were opened anew say it again; the first word counts, since rows were taken by it.
      if (this.#types[id] === undefined) this.#add(this.#adapt(type));
    } else if (id !== formatType.id) this.#refuse(name, type);
  }

  #refuse(name: string, why: string): void {
    if (this.#problems.size < mostNamed) this.#problems.set(name, why);
  }

  #add(type: MessageType): void {
    const clock = clockOf(type);
    this.#types[type.id] = {
      type,
      clock,
      isWatched: watched.has(type.name),
      instance: undefined,
      tracks: new Map(),
    };
  }

  #instanceOf(type: MessageType): NumberField | null {
    const column = this.#units.instanceColumn(type);
    const field = type.numbers.find(({ name }) => name === type.columns[column]);
    return field ?? null;
  }

  #open({ type, clock, instance: field }: Reading, instance: number): SignalTable {
    const clocks = clock === null ? [] : [clock];
    const taken = new Set(clocks.map(({ field }) => field));
    if (field !== null && field !== undefined) taken.add(type.numbers.indexOf(field));
    const groups = groupsOf(type.name, type.numbers, taken, (names) => this.#units.sharedUnit(type, names));
    const id = instance === 0 ? type.name : `${type.name}[${instance}]`;
    const table = new SignalTable(id, type.numbers, clocks, groups);
    this.#log.hold(table);
    return table;
  }
}

/** `TimeUS`, or what older logs have: `TimeMS`; their GPS messages carry the time of the week there and their own in T. */
function clockOf({ columns, numbers }: MessageType): RowClock | null {
  const at = (name: string) => numbers.findIndex((field) => field.name === name);
  if (at('TimeUS') >= 0) return { name: 'TimeUS', field: at('TimeUS'), us: 1 };
  if (columns.includes('Week') && at('T') >= 0) return { name: 'T', field: at('T'), us: 1000 };
  return at('TimeMS') < 0 ? null : { name: 'TimeMS', field: at('TimeMS'), us: 1000 };
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

/** Messages that a flight engineer looks at first, by ArduPilot's own descriptions. All other columns are kept beside. */
const messages: Readonly<Record<string, readonly GroupRule[]>> = {
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

/** Takes a message type's numbers apart into streams; `taken` are those that are clocks or tell instances apart. */
function groupsOf(
  message: string,
  fields: readonly NumberField[],
  taken: ReadonlySet<number>,
  unitOf: (names: readonly string[]) => UnitOfMeasure,
): SignalGroup[] {
  // Older logs number their sensors by name: IMU2, GPS2, BAT2.
  const plain = message.replace(/(?<=^[A-Z]{2,3})[2-9]$/, '');
  const known = messages[message] ?? messages[plain] ?? [];
  return groupByRules(known, fields, taken, (_, own) => unitOf(own.map((at) => fields[at].name)));
}
