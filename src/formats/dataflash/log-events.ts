import { armedLabel, disarmedLabel } from '#core/episode';
import { arduPilotModeName } from '../shared/flight/ardupilot-modes.ts';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import { gpsEpoch_s, gpsWeek_s, leapSecondsAt } from '../shared/gps-time.ts';
import type { Message } from './messages.ts';

const maxParameters = 16_384;
/** Minimum GPS status for a 3D fix. */
const minFixStatus = 3;

/**
 * Collects the events of a log: texts, arming, modes, errors, parameter changes, dropped blocks, and the UTC offset.
 */
export class LogEvents {
  /** Firmware and version by the log's first texts, `ArduCopter V4.5.7 (2a3dc4b7)`; `null` until they were read. */
  firmware: string | null = null;
  readonly parameters = new Map<string, number>();
  readonly changedParameters = new Set<string>();
  readonly #log: FlightLog;
  #armed: boolean | null = null;
  #mode = Number.NaN;
  #dropped = 0;

  constructor(log: FlightLog) {
    this.#log = log;
  }

  /** Firmware name without version: `ArduCopter`. `null` if unknown. */
  get vehicle(): string | null {
    return this.firmware?.split(/\s/, 1)[0] ?? null;
  }

  /**
   * Adds the events of one message to the log, by the name of its type, and remembers firmware and parameters; types
   * that are no events are ignored.
   */
  handle(name: string, message: Message): void {
    const time_us = messageTime(message, this.#log.last_us);
    if (name === 'MSG') this.#text(time_us, message.text('Message'));
    else if (name === 'PARM') this.#parameter(time_us, message);
    else if (name === 'MODE') this.#changeMode(time_us, message);
    else if (name === 'ARM') this.#arm(time_us, message.number('ArmState') === 1, 'ARM');
    else if (name === 'EV') this.#event(time_us, message.number('Id'));
    else if (name === 'ERR')
      this.#log.addEvent(
        time_us,
        `error ${message.number('ECode')} of subsystem ${message.number('Subsys')}`,
        'ERR',
      );
    else if (name === 'DSF') this.#drop(time_us, message.number('Dp'));
    else if (name === 'GPS') this.#utc(time_us, message);
  }

  #text(time_us: number, text: string): void {
    if (this.firmware === null && /^(Ardu\w+|APM\w*|Blimp|AntennaTracker|Rover) V?\d/.test(text))
      this.firmware = text;
    this.#log.addEvent(time_us, text, 'MSG');
  }

  #parameter(time_us: number, message: Message): void {
    const [name, value] = [message.text('Name'), message.number('Value')];
    const previous = this.parameters.get(name);
    if (previous === value || (previous === undefined && this.parameters.size >= maxParameters)) return;
    this.parameters.set(name, value);
    if (previous === undefined) return;
    this.changedParameters.add(name);
    this.#log.addEvent(time_us, `parameter ${name} = ${value}`, 'PARM');
  }

  #changeMode(time_us: number, message: Message): void {
    const modeNumber = message.number('ModeNum');
    const mode = Number.isNaN(modeNumber) ? message.number('Mode') : modeNumber;
    if (mode === this.#mode) return;
    this.#mode = mode;
    const name = Number.isNaN(mode) ? message.text('Mode') : arduPilotModeName(this.vehicle, mode);
    this.#log.addEvent(time_us, `flight mode ${name}`, 'MODE');
  }

  #event(time_us: number, id: number): void {
    if (id === armedEvent || id === disarmedEvent) this.#arm(time_us, id === armedEvent, 'EV');
    else this.#log.addEvent(time_us, `event ${id}`, 'EV');
  }

  /** Adds an event if the armed state changed. Newer logs report it twice, by EV and by ARM. */
  #arm(time_us: number, armed: boolean, source: string): void {
    if (armed === this.#armed) return;
    this.#armed = armed;
    this.#log.addEvent(time_us, armed ? armedLabel : disarmedLabel, source);
  }

  /** Adds a dropout if the logger's counter of blocks it could not write has increased. */
  #drop(time_us: number, dropped: number): void {
    if (dropped > this.#dropped) this.#log.addDropout(time_us, null, dropped - this.#dropped);
    if (dropped >= 0) this.#dropped = dropped;
  }

  #utc(time_us: number, message: Message): void {
    if (message.number('Status') < minFixStatus) return;
    const isNew = !Number.isNaN(message.number('GWk'));
    const [week, ms] = isNew
      ? [message.number('GWk'), message.number('GMS')]
      : [message.number('Week'), message.number('TimeMS')];
    if (week > 0)
      this.#log.addUtcFix(
        time_us,
        gpsToUtc_us(week, ms),
        isNew ? 'GWk and GMS of GPS' : 'Week and TimeMS of GPS',
      );
  }
}

function messageTime(message: Message, last_us: number): number {
  const time_us = message.number('TimeUS');
  if (time_us >= 0) return time_us;
  const time_ms = message.type.name === 'GPS' ? message.number('T') : message.number('TimeMS');
  return time_ms >= 0 ? time_ms * 1e3 : last_us;
}

/**
 * Converts GPS week and milliseconds of the week to microseconds since the UNIX epoch. NaN for invalid numbers and for
 * times before 2006.
 */
function gpsToUtc_us(week: number, week_ms: number): number {
  const gps_s = week * gpsWeek_s + week_ms / 1e3;
  const leap_s = leapSecondsAt(gps_s);
  return leap_s === null ? Number.NaN : Math.round((gpsEpoch_s + gps_s - leap_s) * 1e6);
}

/** Ids of EV messages for arming and disarming, the same in every version. */
const armedEvent = 10;
const disarmedEvent = 11;
