/** `vehicle_status.arming_state` of an armed vehicle, the same in every version of PX4. */
export const armedState = 2;

const modes: Readonly<Record<number, string>> = {
  0: 'Manual',
  1: 'Altitude',
  2: 'Position',
  3: 'Mission',
  4: 'Hold',
  5: 'Return',
  10: 'Acro',
  12: 'Descend',
  13: 'Termination',
  14: 'Offboard',
  15: 'Stabilized',
  17: 'Takeoff',
  18: 'Land',
  19: 'Follow Target',
  20: 'Precision Land',
  21: 'Orbit',
};

/** A flight mode by the name that ground stations show; the number where PX4 gave it none that held. */
export function modeName(nav_state: number): string {
  return modes[nav_state] ?? `nav_state ${nav_state}`;
}

const levels = ['EMERGENCY', 'ALERT', 'CRITICAL', 'ERROR', 'WARNING', 'NOTICE', 'INFO', 'DEBUG'];

/** The name of a syslog level as logged, `0` to `7`; null for anything else. */
export function levelName(character: number): string | null {
  return levels[character - 0x30] ?? null;
}
