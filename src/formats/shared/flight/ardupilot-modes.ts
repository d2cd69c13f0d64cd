/** Flight modes of ArduPilot by number. */
const copterModes: Readonly<Record<number, string>> = {
  0: 'Stabilize',
  1: 'Acro',
  2: 'AltHold',
  3: 'Auto',
  4: 'Guided',
  5: 'Loiter',
  6: 'RTL',
  7: 'Circle',
  9: 'Land',
  11: 'Drift',
  13: 'Sport',
  14: 'Flip',
  15: 'AutoTune',
  16: 'PosHold',
  17: 'Brake',
  18: 'Throw',
  19: 'Avoid_ADSB',
  20: 'Guided_NoGPS',
  21: 'Smart_RTL',
  22: 'FlowHold',
  23: 'Follow',
  24: 'ZigZag',
};
const planeModes: Readonly<Record<number, string>> = {
  0: 'Manual',
  1: 'Circle',
  2: 'Stabilize',
  3: 'Training',
  4: 'Acro',
  5: 'FBWA',
  6: 'FBWB',
  7: 'Cruise',
  8: 'AutoTune',
  10: 'Auto',
  11: 'RTL',
  12: 'Loiter',
  13: 'Takeoff',
  15: 'Guided',
  17: 'QStabilize',
  18: 'QHover',
  19: 'QLoiter',
  20: 'QLand',
  21: 'QRTL',
};

/**
 * Returns the name of a flight mode as ground stations show it, or `number <mode>` if unknown. Mode numbers differ by
 * kind of vehicle.
 */
export function arduPilotModeName(vehicle: string | null, mode: number): string {
  const names =
    vehicle === null ? {} : /copter/i.test(vehicle) ? copterModes : /plane/i.test(vehicle) ? planeModes : {};
  return names[mode] ?? `number ${mode}`;
}
