import { describe, expect, it } from 'vitest';
import { judged, missing } from '#test/support/judge-recording';

async function verdictOf(path: string) {
  const { receipts } = await judged(`ulog/${path}`);
  const [{ decision, flags }] = receipts;
  return { decision, flags: flags.filter(({ severity }) => severity !== 'info').map(({ code }) => code) };
}

describe.skipIf(missing !== '')(`clean PX4 logs are accepted${missing}`, () => {
  it.each([
    ['whose magnetometer is published in pairs, and whose position begins with the first fix', 'px4_events'],
    ['whose logger takes now every reading and now every second one', 'logging_tagged_and_default_params'],
    ['whose control loop sends at two steps, beside one dropout that the logger admits', 'log_small'],
  ])('%s', async (_, name) => {
    expect(await verdictOf(`pyulog/test/sample_${name}.ulg`)).toEqual({ decision: 'accept', flags: [] });
  });
});

describe.skipIf(missing !== '')(`PX4 logs of real faults are not${missing}`, () => {
  it.each([
    ['battery_brownout', ['battery_low']],
    ['gps_interference', ['gnss_degraded', 'gnss_degraded']],
  ])('%s', async (name, flags) => {
    expect(await verdictOf(`flight-review/${name}.ulg`)).toEqual({ decision: 'review', flags });
  });
});
