import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import { RowBatch, SignalTable } from '../shared/flight/signal-table.ts';
import type { LogRecord } from './frames.ts';
import type { MessageDefinition } from './messages.ts';
import { buildLayout, type RowLayout } from './stream-groups.ts';
import { isVehicleHeartbeat, type MessageValues, VehicleEvents } from './vehicle-events.ts';

/** Messages that become events, not streams. */
const eventMessages = new Set(['HEARTBEAT', 'STATUSTEXT', 'PARAM_VALUE', 'COMMAND_LONG']);
/** Messages that ground stations send, too. */
const sharedMessages = /^(COMMAND_LONG|MANUAL_CONTROL|RC_CHANNELS_OVERRIDE|SYSTEM_TIME|STATUSTEXT)$/;
const autopilotComponent = 1;
const maxTables = 1024;
const maxListed = 16;
const maxPayloadBytes = 255;
const stagingBytes = 256 * 1024;

/** Rows of one message of one system and component. */
interface Track {
  readonly name: string;
  readonly layout: RowLayout;
  readonly batch: RowBatch;
  table: SignalTable | null;
}

/** Collects the streams, events and findings of one telemetry log from its records. */
export class LogReading {
  readonly events: VehicleEvents;
  messages = 0;
  readonly #log: FlightLog;
  readonly #tracks = new Map<string, Track | null>();
  readonly #unread = new Map<number, number>();
  readonly #staged = new DataView(new ArrayBuffer(stagingBytes));
  readonly #payload = new Uint8Array(maxPayloadBytes);
  readonly #values = new PayloadValues(new DataView(this.#payload.buffer));
  #used = 0;
  #mainSystem: number | null = null;
  #leftOut = 0;

  constructor(log: FlightLog) {
    this.#log = log;
    this.events = new VehicleEvents(log);
  }

  /** System whose streams have no suffix: the first vehicle; `null` before it sent anything. */
  get mainSystem(): number | null {
    return this.#mainSystem;
  }

  /** Takes one record, whose payload is in `bytes`. */
  take(record: LogRecord, bytes: Uint8Array): void {
    const { definition, id, system, component, time_us, payloadFrom, payloadBytes } = record;
    this.#log.observeTime(time_us);
    if (definition === null) {
      this.#unread.set(id, (this.#unread.get(id) ?? 0) + 1);
      return;
    }
    // MAVLink 2 cuts zeros off the end of a payload.
    this.#payload.fill(0);
    this.#payload.set(bytes.subarray(payloadFrom, payloadFrom + payloadBytes));
    this.#values.definition = definition;
    if (isFromVehicle(definition.name, this.#values)) this.#mainSystem ??= system;
    const suffix = this.#suffix(system, component);
    if (eventMessages.has(definition.name))
      this.events.handle(definition.name, time_us, system, suffix === '' ? '' : ` (${suffix})`, this.#values);
    else this.#stage(definition, suffix, time_us);
  }

  /** Returns '' for the autopilot of the main system; else `system 2`, `system 2 component 100`. */
  #suffix(system: number, component: number): string {
    const own = component === autopilotComponent ? '' : ` component ${component}`;
    return system === this.mainSystem && own === '' ? '' : `system ${system}${own}`;
  }

  #stage(definition: MessageDefinition, suffix: string, time_us: number): void {
    const name = suffix === '' ? definition.name : `${definition.name} (${suffix})`;
    let track = this.#tracks.get(name);
    if (track === undefined) {
      track = this.#tracks.size >= maxTables ? null : this.#openTrack(name, definition);
      if (track !== null) this.#tracks.set(name, track);
    }
    if (track === null) {
      this.#leftOut++;
      return;
    }
    this.messages++;
    if (this.#used + track.layout.rowBytes > stagingBytes) this.flush();
    const start = this.#used;
    this.#staged.setFloat64(start, time_us, true);
    for (let i = 0; i < definition.numbers.length; i++)
      this.#staged.setFloat64(start + 8 * (i + 1), this.#values.at(i), true);
    this.#used += track.layout.rowBytes;
    track.batch.push(start);
  }

  #openTrack(name: string, definition: MessageDefinition): Track {
    return { name, layout: buildLayout(definition), batch: new RowBatch(), table: null };
  }

  /** Decodes the rows taken since the last `flush`. */
  flush(): void {
    for (const track of this.#tracks.values()) {
      if (track === null || track.batch.count === 0) continue;
      if (track.table === null) {
        const { fields, clocks, groups } = track.layout;
        track.table = new SignalTable(track.name, fields, clocks, groups);
        this.#log.addTable(track.table);
      }
      this.#log.heldBytes += track.batch.flush(this.#staged, track.table);
    }
    this.#used = 0;
  }

  /** Starts new signal tables with the next `flush`, for the next part of the log. */
  restart(): void {
    for (const track of this.#tracks.values()) if (track !== null) track.table = null;
  }

  /** Returns findings about parameters and messages that are not read. */
  findings(path: string): Finding[] {
    const findings: Finding[] = [];
    const { parameters, changedParameters, systems } = this.events;
    const info = (code: string, message: string, evidence: JsonObject): void => {
      findings.push({ code, severity: 'info', path, message, advice: 'nothing to do', evidence });
    };
    if (systems.length > 0)
      info(
        'log_information',
        `vehicles: ${systems.map((id) => `system ${id} ${this.events.robot(id)}`).join(', ')}`,
        {
          systems: [...systems],
        },
      );
    if (parameters.size > 0) {
      const changed = [...changedParameters].slice(0, maxListed);
      const during =
        changed.length === 0 ? 'none changed' : `${changedParameters.size} changed during the log`;
      info('log_parameters', `${parameters.size} parameters, ${during}`, {
        parameters: parameters.size,
        changed,
      });
    }
    if (this.#unread.size > 0) {
      const ids = [...this.#unread.keys()].sort((a, b) => a - b);
      const count = [...this.#unread.values()].reduce((sum, one) => sum + one, 0);
      info(
        'messages_not_read',
        `${count} messages of other kinds are not read: ids ${ids.slice(0, maxListed).join(', ')}${ids.length > maxListed ? ` and ${ids.length - maxListed} more` : ''}`,
        {
          messages: count,
          ids: ids.slice(0, 4 * maxListed),
        },
      );
    }
    if (this.#leftOut > 0)
      info(
        'messages_not_read',
        `${this.#leftOut} messages beyond the first ${maxTables} kinds and systems are not read`,
        {
          messages: this.#leftOut,
        },
      );
    return findings;
  }
}

/** True if only a vehicle sends such a message. */
const isFromVehicle = (name: string, values: MessageValues): boolean =>
  name === 'HEARTBEAT' ? isVehicleHeartbeat(values) : !sharedMessages.test(name);

const utf8 = new TextDecoder('utf-8');

/** Values of the message whose payload is in a buffer. */
class PayloadValues implements MessageValues {
  definition: MessageDefinition | null = null;
  readonly #view: DataView;

  constructor(view: DataView) {
    this.#view = view;
  }

  /** Returns the number of a field by its index; NaN if it is marked as unknown. */
  at(index: number): number {
    const { at, read, divisor, unknown } = this.definition!.numbers[index];
    const stored = read(this.#view, at);
    return stored === unknown ? Number.NaN : stored / divisor;
  }

  number(name: string): number {
    const index = this.definition?.numbers.findIndex((field) => field.name === name) ?? -1;
    return index < 0 ? Number.NaN : this.at(index);
  }

  text(name: string): string {
    const field = this.definition?.texts.find((candidate) => candidate.name === name);
    if (field === undefined) return '';
    const bytes = new Uint8Array(this.#view.buffer, field.at, field.bytes);
    const end = bytes.indexOf(0);
    return utf8.decode(end < 0 ? bytes : bytes.subarray(0, end)).trim();
  }
}
