import type { BagDatabase, BagTableScan } from '../bag-database.ts';
import type { BagFile, BagTopic } from './bag-file.ts';

const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Counts what is whole in a database: what is damaged stands in its problems. Throws `unreadable_input`. */
export async function countDatabase(database: BagDatabase, path: string): Promise<BagFile> {
  const topics = await readTopics(database);
  const times = new Times();
  let messages = 0;
  let framed = 0;
  const scan = database.scan('messages', ['topic_id', 'timestamp', 'data']);
  while (await scan.more()) {
    while (scan.next()) {
      const topic = isMessage(scan) ? topics.get(scan.row.number(0)) : undefined;
      if (topic === undefined) continue;
      topic.messages++;
      messages++;
      times.saw(scan);
      const start = scan.row.start(2);
      if (zstd.equals(scan.row.bytes.subarray(start, Math.min(start + 4, scan.row.end(2))))) framed++;
    }
  }
  return {
    ...{ path, storage: 'sqlite3', messages, topics: [...topics.values()] },
    ...{ first_ns: times.first_ns, last_ns: times.last_ns, compressed: messages > 0 && framed === messages },
  };
}

/** Whether a row of `topic_id, timestamp, data` can be a message. */
function isMessage({ row }: BagTableScan): boolean {
  return row.isInteger(0) && row.isInteger(1) && row.isBytes(2);
}

export function integerOf({ row }: BagTableScan, slot: number): bigint {
  return (BigInt(row.high(slot)) << 32n) + BigInt(row.low(slot));
}

async function readTopics(database: BagDatabase): Promise<Map<number, BagTopic>> {
  const columns = [
    'id',
    'name',
    'type',
    'serialization_format',
    'offered_qos_profiles',
    'type_description_hash',
  ];
  const scan = database.scan('topics', columns);
  const topics = new Map<number, BagTopic>();
  while (await scan.more()) {
    while (scan.next()) {
      const [name, type, serialization_format, offered_qos_profiles, type_description_hash] = [
        1, 2, 3, 4, 5,
      ].map((slot) => database.text(scan, slot) ?? '');
      const id = scan.row.isNull(0) ? scan.rowid : scan.row.number(0);
      topics.set(id, {
        ...{ name, type, serialization_format, offered_qos_profiles, type_description_hash, messages: 0 },
      });
    }
  }
  return topics;
}

/** First and last time of the rows seen, to the nanosecond. */
class Times {
  first_ns: bigint | null = null;
  last_ns: bigint | null = null;
  #nearestFirst = Number.POSITIVE_INFINITY;
  #nearestLast = Number.NEGATIVE_INFINITY;

  saw(scan: BagTableScan): void {
    const nearest = scan.row.number(1);
    if (nearest > this.#nearestFirst && nearest < this.#nearestLast) return;
    const time_ns = integerOf(scan, 1);
    if (this.first_ns === null || time_ns < this.first_ns) this.first_ns = time_ns;
    if (this.last_ns === null || time_ns > this.last_ns) this.last_ns = time_ns;
    this.#nearestFirst = Math.min(this.#nearestFirst, nearest);
    this.#nearestLast = Math.max(this.#nearestLast, nearest);
  }
}
