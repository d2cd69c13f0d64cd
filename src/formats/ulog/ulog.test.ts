import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readEverything } from '#test/support/read-dataset';
import { stamped, UlogBytes } from '#test/support/ulog-bytes';

const folder = mkdtempSync(join(tmpdir(), 'assay-ulog-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
async function readBytes(bytes: Uint8Array, name = `log${files++}.ulg`) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const { sets } = await readEverything(path);
  return sets[0];
}

async function readOne(log: UlogBytes) {
  const { episodes } = await readBytes(log.bytes());
  const [episode] = episodes;
  const stream = (id: string) => {
    const found = episode.streams.find((candidate) => candidate.id === id);
    if (found === undefined) throw new Error(`no stream ${id} among ${episode.streams.map(({ id }) => id)}`);
    return found;
  };
  return {
    episode,
    stream,
    values: (id: string) => [...(stream(id).series?.values ?? [])],
    times: (id: string) => [...(stream(id).clocks[0]?.time_s ?? [])],
    finding: (code: string) => episode.findings.find((finding) => finding.code === code),
  };
}

/** A log with one topic of one float, subscribed as number 7. */
const simple = (start_us = 1_000_000n) =>
  new UlogBytes(start_us).flags().format('thing:uint64_t timestamp;float x;').subscribe('thing', 7);

describe('a ULog', () => {
  it('is recognised by its first bytes, whatever the file is called', async () => {
    expect((await readBytes(simple().bytes(), 'flight.dat')).format).toBe('ulog');
    await expect(readBytes(Buffer.from('a text that is no log'), 'text.ulg')).rejects.toMatchObject({
      code: 'not_recognised',
    });
  });

  it('becomes streams timed from its start, on the clock since boot', async () => {
    const log = await readOne(simple().data(7, stamped(1_500_000, 2.5)).data(7, stamped(3_000_000, -1)));
    expect(log.times('thing')).toEqual([0.5, 2]);
    expect(log.values('thing')).toEqual([2.5, -1]);
    expect(log.stream('thing').clocks[0]).toMatchObject({ name: 'timestamp', provenance: 'hardware' });
    expect(log.episode).toMatchObject({ start_ns: null, duration_s: 2, robot: 'PX4', dropouts: [] });
    expect(log.finding('clock_without_utc')?.evidence).toEqual({ start_us_since_boot: 1_000_000 });
  });

  it('reads every type of number exactly', async () => {
    const body = Buffer.alloc(8 + 39);
    body.writeBigUInt64LE(1_500_000n, 0);
    body.writeInt8(-5, 8);
    body.writeUInt8(200, 9);
    body.writeInt16LE(-30_000, 10);
    body.writeUInt16LE(60_000, 12);
    body.writeInt32LE(-2_000_000_000, 14);
    body.writeUInt32LE(4_000_000_000, 18);
    body.writeBigInt64LE(-9_007_199_254_740_991n, 22);
    body.writeBigUInt64LE(9_007_199_254_740_991n, 30);
    body.writeDoubleLE(Math.PI, 38);
    body[46] = 1;
    const declared =
      'all:uint64_t timestamp;int8_t a;uint8_t b;int16_t c;uint16_t d;int32_t e;uint32_t f;int64_t g;uint64_t h;double i;bool j;';
    const log = await readOne(new UlogBytes().flags().format(declared).subscribe('all', 1).data(1, body));
    const integers = [-5, 200, -30_000, 60_000, -2_000_000_000, 4_000_000_000];
    expect(log.values('all')).toEqual([
      ...integers,
      -9_007_199_254_740_991,
      9_007_199_254_740_991,
      Math.PI,
      1,
    ]);
    expect(log.stream('all').names).toEqual([...'abcdefghij']);
  });

  it('follows nested types and arrays, and leaves padding and texts out', async () => {
    const log = await readOne(
      new UlogBytes()
        .flags()
        .format('point:uint8_t kind;uint8_t[3] _padding0;float[2] at;')
        .format('path:uint64_t timestamp;char[4] label;point[2] points;uint8_t last;uint8_t[3] _padding0;')
        .subscribe('path', 3)
        // The padding at the end of the message is not written.
        .data(
          3,
          Buffer.concat([
            stamped(1_500_000),
            Buffer.from('name'),
            point(1, 2, 3),
            point(4, 5, 6),
            Buffer.from([9]),
          ]),
        ),
    );
    expect(log.stream('path').names).toEqual([
      ...['points[0].kind', 'points[0].at[0]', 'points[0].at[1]'],
      ...['points[1].kind', 'points[1].at[0]', 'points[1].at[1]', 'last'],
    ]);
    expect(log.values('path')).toEqual([1, 2, 3, 4, 5, 6, 9]);
  });

  it('keeps instances of a topic apart, and joins what is subscribed again', async () => {
    const log = await readOne(
      simple()
        .subscribe('thing', 8, 1)
        .data(7, stamped(1_100_000, 1))
        .data(8, stamped(1_100_000, 10))
        .message('R', Buffer.from([7, 0]))
        .subscribe('thing', 9)
        .data(9, stamped(1_200_000, 2)),
    );
    expect(log.values('thing')).toEqual([1, 2]);
    expect(log.values('thing[1]')).toEqual([10]);
  });

  const sampledLog = (rows: readonly (readonly [published_us: number, sampled_us: number])[]) => {
    const log = new UlogBytes()
      .flags()
      .format('imu:uint64_t timestamp;uint64_t timestamp_sample;float x;')
      .subscribe('imu', 1);
    for (const [published_us, sampled_us] of rows)
      log.data(1, Buffer.concat([stamped(published_us), stamped(sampled_us), Buffer.alloc(4)]));
    return readOne(log);
  };

  it('goes by the time of sampling where every row has one, and keeps the time of publishing', async () => {
    const log = await sampledLog([
      [2_000_000, 1_990_000],
      [2_132_000, 2_058_000],
    ]);
    const { clocks, clock } = log.stream('imu');
    expect(clocks.map(({ name, time_s }) => [name, ...time_s])).toEqual([
      ['timestamp', 1, 1.132],
      ['timestamp_sample', 0.99, 1.058],
    ]);
    expect(clock?.index).toBe(1);
    expect(clock?.reason).toContain('timestamp_sample is the measurement time of each row');
  });

  it.each([
    ['repeats', 1_990_000],
    ['was not set', 0],
    ['lies after the row was published', 2_140_000],
  ])('goes by the time of publishing where a time of sampling %s', async (_, second_us) => {
    const log = await sampledLog([
      [2_000_000, 1_990_000],
      [2_132_000, second_us],
    ]);
    expect(log.stream('imu').clock?.index).toBe(0);
  });

  it('refuses a log with an incompatible flag that nobody knows, and says which', async () => {
    const set = await readBytes(new UlogBytes().flags([0, 4]).bytes());
    expect(set.episodes).toEqual([]);
    expect(set.unreadable[0].finding).toMatchObject({ code: 'flags_unknown', severity: 'error' });
    expect(set.unreadable[0].finding.message).toContain('incompatible flag 10');
  });

  it('reads data appended behind a message that was cut off, and says what was cut', async () => {
    const head = simple().data(7, stamped(1_100_000, 1));
    const cut = Buffer.from([50, 0, 'D'.charCodeAt(0), 7, 0, 1, 2]);
    const offset = BigInt(head.length + cut.length);
    const log = await readOne(
      new UlogBytes()
        .flags([1], [offset])
        .format('thing:uint64_t timestamp;float x;')
        .subscribe('thing', 7)
        .data(7, stamped(1_100_000, 1))
        .raw(cut)
        .data(7, stamped(1_200_000, 2))
        .text(1_200_000n, 'hard fault', '2'),
    );
    expect(log.values('thing')).toEqual([1, 2]);
    expect(log.finding('file_truncated')?.evidence).toMatchObject({ bytes: cut.length });
    expect(log.episode.events.map(({ label }) => label)).toEqual(['CRITICAL: hard fault']);
  });

  it('reads on where an offset of appended data lies outside the file', async () => {
    const log = await readOne(
      new UlogBytes()
        .flags([1], [2n ** 60n])
        .format('thing:uint64_t timestamp;float x;')
        .subscribe('thing', 7)
        .data(7, stamped(1_100_000, 1)),
    );
    expect(log.values('thing')).toEqual([1]);
    expect(log.finding('appended_data_missing')).toBeDefined();
  });

  it('passes over damaged bytes to the next sync mark, and says how many', async () => {
    const garbage = Buffer.alloc(300, 0xee);
    const log = await readOne(
      simple().data(7, stamped(1_100_000, 1)).raw(garbage).sync().data(7, stamped(1_200_000, 2)),
    );
    expect(log.values('thing')).toEqual([1, 2]);
    expect(log.finding('file_corrupt')).toMatchObject({
      severity: 'warning',
      evidence: { bytes: 300, spans: 1 },
    });
  });

  it('finds a sync mark that lies across two reads of the file', async () => {
    const garbage = Buffer.alloc(1024 * 1024 + 500, 0);
    const log = await readOne(simple().raw(garbage).sync().data(7, stamped(1_200_000, 2)));
    expect(log.values('thing')).toEqual([2]);
    expect(log.finding('file_corrupt')?.evidence).toMatchObject({ bytes: garbage.length });
  });

  it('leaves out a single message that makes no sense, without losing those behind it', async () => {
    const log = await readOne(
      simple()
        .data(99, stamped(1_050_000, 0))
        .data(7, stamped(1_060_000))
        .data(7, stamped(1_100_000, 1))
        .data(7, stamped(1_200_000, 2)),
    );
    expect(log.values('thing')).toEqual([1, 2]);
    expect(log.finding('messages_undecodable')?.evidence).toEqual({ messages: 2 });
  });

  it('takes an end in the middle of a message for a power cut', async () => {
    const bytes = simple().data(7, stamped(1_100_000, 1)).data(7, stamped(1_200_000, 2)).bytes();
    const { episodes } = await readBytes(bytes.subarray(0, bytes.length - 5));
    expect(episodes[0].streams[0].sample_count).toBe(1);
    expect(episodes[0].findings.find(({ code }) => code === 'file_truncated')?.severity).toBe('info');
  });

  it('ends in a finding wherever it is cut off', async () => {
    const whole = simple().data(7, stamped(1_100_000, 1)).text(1_150_000n, 'hello').sync().dropout(5).bytes();
    for (let length = 16; length < whole.length; length++) {
      const { episodes, unreadable } = await readBytes(whole.subarray(0, length), 'cut.ulg');
      expect(episodes.length + unreadable.length).toBe(1);
    }
  });

  it('carries the recorder’s own dropouts as dropouts and as events, after the data before them', async () => {
    const log = await readOne(
      simple().data(7, stamped(1_500_000, 1)).dropout(62).data(7, stamped(1_600_000, 2)).dropout(300),
    );
    expect(log.episode.dropouts).toEqual([
      { time_s: 0.5, duration_s: 0.062, lost: null },
      { time_s: 0.6, duration_s: 0.3, lost: null },
    ]);
    expect(log.finding('recorder_dropouts')?.evidence).toEqual({ count: 2, total_ms: 362, longest_ms: 300 });
    expect(log.episode.events[0]).toMatchObject({ time_s: 0.5, label: 'recorder dropout 62 ms' });
  });

  it('makes events of logged texts, with level and tag, without colour codes', async () => {
    const log = await readOne(
      simple()
        .data(7, stamped(1_100_000, 1))
        .text(1_200_000n, '[commander] \x1b[32mReady\x1b[0m', '4')
        .text(1_300_000n, 'tagged', '3', 5),
    );
    expect(log.episode.events).toEqual([
      { time_s: 0.2, label: 'WARNING: [commander] Ready', source: 'logged text' },
      { time_s: 0.3, label: 'ERROR: tagged', source: 'logged text, tag 5' },
    ]);
  });

  it('makes events of arming, modes, failsafe and parameters changed in flight', async () => {
    const status = (time_us: number, arming: number, nav: number, failsafe: number) =>
      Buffer.concat([stamped(time_us), Buffer.from([arming, nav, failsafe])]);
    const integer = (value: number) => Buffer.from([value, 0, 0, 0]);
    const log = await readOne(
      new UlogBytes()
        .flags()
        .format('vehicle_status:uint64_t timestamp;uint8_t arming_state;uint8_t nav_state;bool failsafe;')
        .information('int32_t SYS_AUTOSTART', integer(1), 'P')
        .subscribe('vehicle_status', 1)
        .data(1, status(1_100_000, 1, 0, 0))
        .data(1, status(1_200_000, 2, 0, 0))
        .information('int32_t SYS_AUTOSTART', integer(2), 'P')
        .data(1, status(1_300_000, 2, 5, 1))
        .data(1, status(1_400_000, 1, 5, 0)),
    );
    expect(log.episode.events.map(({ time_s, label }) => [time_s, label])).toEqual([
      [0.1, 'disarmed'],
      [0.1, 'flight mode Manual'],
      [0.2, 'armed'],
      [0.2, 'parameter SYS_AUTOSTART = 2'],
      [0.3, 'flight mode Return'],
      [0.3, 'failsafe'],
      [0.4, 'disarmed'],
      [0.4, 'failsafe over'],
    ]);
    expect(log.finding('log_parameters')?.evidence).toEqual({ parameters: 1, changed: ['SYS_AUTOSTART'] });
  });

  it('takes its date from a satellite receiver', async () => {
    const fix = (time_us: number, utc_us: bigint) => {
      const utc = Buffer.alloc(8);
      utc.writeBigUInt64LE(utc_us);
      return Buffer.concat([stamped(time_us), utc]);
    };
    const log = await readOne(
      new UlogBytes()
        .flags()
        .format('sensor_gps:uint64_t timestamp;uint64_t time_utc_usec;')
        .subscribe('sensor_gps', 1)
        .data(1, fix(1_100_000, 0n))
        .data(1, fix(1_500_000, 1_700_000_000_500_000n)),
    );
    expect(log.episode.start_ns).toBe('1700000000000000000');
    expect(log.finding('clock_utc')?.evidence).toMatchObject({ fixes: 1, start_us_since_boot: 1_000_000 });
  });

  it('tells stamps since 1970 from stamps since boot', async () => {
    const start_us = 1_710_773_350_346_000;
    const log = await readOne(
      simple(BigInt(start_us))
        .data(7, stamped(start_us + 1000, 1))
        .data(7, stamped(0, 5)),
    );
    expect(log.episode.start_ns).toBe('1710773350346000000');
    expect(log.times('thing')).toEqual([0.001]);
    expect(log.finding('clock_unix_epoch')).toBeDefined();
    expect(log.finding('samples_without_time')?.evidence).toEqual({ left_out: 1, without_clock: [] });
  });

  it('does not let one stamp from another boot stretch the flight', async () => {
    const log = await readOne(
      simple()
        .subscribe('thing', 8, 1)
        .data(8, stamped(900_000_000, 4))
        .data(7, stamped(1_100_000, 1))
        .data(7, stamped(2_000_000, 1)),
    );
    expect(log.episode.duration_s).toBe(1);
    expect(log.times('thing[1]')).toEqual([899]);
  });

  it('keeps a topic that never carries a time, without a clock', async () => {
    const log = await readOne(
      simple().subscribe('thing', 8, 1).data(8, stamped(0, 4)).data(7, stamped(1_100_000, 1)),
    );
    expect(log.stream('thing[1]')).toMatchObject({ clock: null, clocks: [], sample_count: 1 });
    expect(log.values('thing[1]')).toEqual([4]);
    expect(log.episode.duration_s).toBeCloseTo(0.1);
  });

  it('leaves out topics whose type is declared nowhere, or without a timestamp, and says so', async () => {
    const log = await readOne(
      simple()
        .format('untimed:float x;')
        .subscribe('untimed', 20)
        .subscribe('ghost', 21)
        .data(20, Buffer.alloc(4))
        .data(21, Buffer.alloc(4))
        .data(7, stamped(1_100_000, 1)),
    );
    const said = log.episode.findings
      .filter(({ code }) => code === 'topic_unreadable')
      .map(({ message }) => message);
    expect(said.join()).toContain('untimed was skipped: it declares no timestamp');
    expect(said.join()).toContain('ghost was skipped: its type ghost is not declared');
    expect(log.finding('messages_undecodable')).toBeUndefined();
  });

  it('bounds types that contain themselves or multiply without holding anything', async () => {
    const nested = Array.from({ length: 8 }, (_, i) => `n${i}:n${i + 1}[60000] a;`);
    const log = simple().format('loop:uint64_t timestamp;loop[9] inner;').subscribe('loop', 1);
    for (const text of nested) log.format(text);
    const read = await readOne(log.format('n8:').subscribe('n0', 2).data(7, stamped(1_100_000, 1)));
    const said = read.episode.findings.filter(({ code }) => code === 'topic_unreadable');
    expect(said).toHaveLength(2);
  });
});

describe('a log too long to be held at once', () => {
  it('becomes several episodes that join without a gap or an overlap', async () => {
    // A byte becomes a number of four: 32 kB a row, 128 MiB in 4,200 of them.
    const [rows, width] = [4300, 8000];
    const log = new UlogBytes()
      .flags()
      .format(`wide:uint64_t timestamp;uint8_t[${width}] x;`)
      .subscribe('wide', 1);
    const body = Buffer.alloc(8 + width, 7);
    for (let row = 0; row < rows; row++) {
      stamped(1_000_000 + row * 1000).copy(body);
      log.data(1, Buffer.from(body));
    }
    const { episodes } = await readBytes(log.bytes());
    expect(episodes.map(({ id }) => id.replace(/^log\d+/, ''))).toEqual(['#0001', '#0002']);
    expect(episodes.map(({ locator }) => locator.span)).toEqual([
      { unit: 'record', from: 0, to: episodes[0].streams[0].sample_count },
      { unit: 'record', from: episodes[0].streams[0].sample_count, to: rows },
    ]);
    expect(episodes[1].streams[0].clocks[0].time_s[0]).toBe(0);
    const lengths_s = episodes.map(({ duration_s }) => duration_s);
    expect(lengths_s[0] + 0.001 + lengths_s[1]).toBeCloseTo((rows - 1) / 1000);
    for (const { findings } of episodes)
      expect(findings.map(({ code }) => code)).toContain('recording_split');
  });
});

function point(kind: number, x: number, y: number): Buffer {
  return Buffer.concat([Buffer.from([kind, 0, 0, 0]), stamped(0, x, y).subarray(8)]);
}
