import type { Finding } from '#core/episode';
import { FindingList } from '../../shared/finding-list.ts';
import type { BagIndex } from './bag-index.ts';
import type { BagStart } from './bag-start.ts';
import type { Connection } from './connections.ts';
import type { BagHeader } from './records.ts';

/** What was seen of one bag while it was walked: counts and checks, findings in the end. */
export class Integrity extends FindingList {
  messages = 0;
  chunks = 0;
  unknownRecords = 0;
  #isCut = false;
  /** null: the bag has none that could be read. */
  index: BagIndex | null = null;

  /** The file ends before the bag does. */
  sawCut(size: number, why: string, { index, chunks }: BagHeader): void {
    const promised =
      index >= size
        ? `; its header promises ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'} and an index at byte ${index}`
        : '';
    this.#isCut = true;
    this.report(
      'file_truncated',
      'error',
      `the file ends early, at byte ${size}: ${why}${promised}`,
      'what lies before is read; the recorder was stopped hard, or the copy broke off',
    );
  }

  sawCorrupt(place: number, why: string, outcome: string): void {
    const message = `byte ${place} should start a record: ${why}; ${outcome}`;
    this.report('file_corrupt', 'error', message, 'fetch the file again, or record again');
  }

  /** Between the chunks that the index knows; whether messages were lost there is for its counts to say. */
  sawGap(place: number, why: string, length: number): void {
    this.report(
      'file_corrupt',
      'warning',
      `byte ${place} should start a record: ${why}; the ${length} bytes up to what the index knows were passed over`,
      'nothing to do where the counts of the index fit',
    );
  }

  leftOut(code: string, message: string): void {
    this.report(code, 'error', message, 'fetch the file again, or record again');
  }

  /** What a bag of `size` bytes lacks at its end, or has behind it. */
  sawEnd(size: number, { header, index }: BagStart): void {
    if (index !== null) {
      if (index.end < size) this.#sawMore(size, index.end);
    } else if (header.index === 0) {
      this.report(
        'bag_unindexed',
        'warning',
        'the bag was never closed: it has no index, and its header counts nothing',
        'its records were read one by one; if it is still being recorded, wait for the end',
      );
    } else if (header.index < size) {
      this.report(
        'index_unreadable',
        'warning',
        `the index at byte ${header.index} is not whole: ${header.connections} connections and ${header.chunks} chunks should be in it`,
        'its records were read one by one; build the index again (rosbag reindex)',
      );
    } else if (!this.#isCut) this.sawCut(size, 'its last record is whole', header);
  }

  #sawMore(size: number, end: number): void {
    this.report(
      'bytes_after_end',
      'warning',
      `${size - end} bytes lie behind the end of the bag at byte ${end}`,
      'nothing to do where rosbag reindex left them; if two bags were joined, take them apart',
    );
  }

  findings(used: readonly Connection[]): Finding[] {
    if (this.index !== null) this.#against(this.index, used);
    if (this.unknownRecords > 0) {
      this.report(
        'records_unknown',
        'info',
        `${this.unknownRecords} records of kinds that the format does not have were passed over`,
        'nothing to do',
      );
    }
    this.report(
      'crc_absent',
      'info',
      'the format carries no checksum over messages: beyond what compression checks, whether they are as written cannot be verified',
      'nothing to do; keep checksums of the files beside them',
    );
    return this.all();
  }

  /** Holds what the index says against what was found. */
  #against(index: BagIndex, used: readonly Connection[]): void {
    const counted = new Map(used.map((connection) => [connection.record.id, connection]));
    const declared = index.messages.values().reduce((sum, count) => sum + count, 0);
    const wrong = [...index.messages].filter(([id, count]) => count !== (counted.get(id)?.messages ?? 0));
    if (wrong.length === 0 && declared === this.messages && index.chunks.length === this.chunks) return;
    const topics = wrong.slice(0, 16).map(([id, count]) => {
      const topic = index.connections.find((one) => one.id === id)?.topic ?? `connection ${id}`;
      return [topic, { declared: count, counted: counted.get(id)?.messages ?? 0 }] as const;
    });
    this.report(
      'index_mismatch',
      declared === this.messages ? 'info' : 'error',
      `the index does not fit what is in the bag: ${declared} messages in ${index.chunks.length} chunks declared, ${this.messages} in ${this.chunks} found`,
      'find out where messages were lost, or build the index again (rosbag reindex)',
      { topics: Object.fromEntries(topics) },
    );
  }
}
