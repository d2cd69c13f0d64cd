import type { Finding } from '#core/episode';
import { FindingList } from '../shared/finding-lists.ts';
import type { StatisticsRecord } from './records.ts';

/** Counters and checksum results of one file, collected while it is read and turned into findings at the end. */
export class Integrity extends FindingList {
  messages = 0;
  chunks = 0;
  chunkIndexes = 0;
  messageIndexes = 0;
  attachments = 0;
  metadata = 0;
  unknownRecords = 0;
  crcPresent = 0;
  crcAbsent = 0;
  crcWrong = 0;
  summaryCrc: 'present' | 'absent' | 'wrong' | 'unseen' = 'unseen';
  dataCrc: 'present' | 'absent' | 'wrong' | 'unseen' = 'unseen';
  statistics: StatisticsRecord | null = null;
  hasFooter = false;
  readonly schemas = new Set<number>();
  readonly channels = new Set<number>();

  /**
   * Returns all findings of the file, including the comparison with its statistics and the checksum result; call once
   * it is read.
   */
  findings(): Finding[] {
    const all = this.all();
    if (this.statistics === null) {
      if (this.hasFooter) all.push(this.#statisticsAbsent());
    } else all.push(...this.#compareStatistics(this.statistics));
    if (this.unknownRecords > 0) {
      all.push({
        code: 'records_unknown',
        severity: 'info',
        path: this.path,
        message: `${this.unknownRecords} records of application-specific types were skipped`,
        advice: 'nothing to do',
      });
    }
    all.push(this.#checksums());
    return all;
  }

  #statisticsAbsent(): Finding {
    return {
      code: 'statistics_absent',
      severity: 'info',
      path: this.path,
      message: `the file has no statistics record, so the ${this.messages} messages found cannot be compared with a declared count`,
      advice: 'nothing to do; messages were counted by reading the whole file',
    };
  }

  #compareStatistics(statistics: StatisticsRecord): Finding[] {
    const rows: readonly (readonly [string, number, number])[] = [
      ['messages', statistics.messages, this.messages],
      ['channels', statistics.channels, this.channels.size],
      ['schemas', statistics.schemas, this.schemas.size],
      ['chunks', statistics.chunks, this.chunks],
      ['attachments', statistics.attachments, this.attachments],
      ['metadata records', statistics.metadata, this.metadata],
    ];
    const wrong = rows.filter(([, declared, counted]) => declared !== counted);
    if (wrong.length === 0) return [];
    const words = wrong.map(([what, declared, counted]) => `${declared} ${what} declared, ${counted} found`);
    return [
      {
        code: 'statistics_mismatch',
        severity: statistics.messages === this.messages ? 'info' : 'error',
        path: this.path,
        message: `the statistics record does not match the file: ${words.join('; ')}`,
        advice: 'find out where messages were lost, or rewrite the summary (mcap recover)',
        evidence: Object.fromEntries(wrong.map(([what, declared, counted]) => [what, { declared, counted }])),
      },
    ];
  }

  /**
   * Summarises the checksum results as one finding. A CRC of zero means that none was computed, and counts as absent.
   */
  #checksums(): Finding {
    const evidence = {
      chunks: { present: this.crcPresent, absent: this.crcAbsent, wrong: this.crcWrong },
      summary: this.summaryCrc,
      data_section: this.dataCrc,
    };
    const wrong = this.crcWrong > 0 || this.summaryCrc === 'wrong' || this.dataCrc === 'wrong';
    if (wrong) {
      return {
        code: 'crc_wrong',
        severity: 'error',
        path: this.path,
        message: `checksum mismatch: ${this.crcWrong} of ${this.crcPresent} chunks, data section ${this.dataCrc}, summary ${this.summaryCrc}`,
        advice: 'copy the file again; chunks with a wrong checksum were skipped',
        evidence,
      };
    }
    const covered = this.dataCrc === 'present' || (this.crcPresent > 0 && this.crcAbsent === 0);
    if (covered) {
      return {
        code: 'crc_checked',
        severity: 'info',
        path: this.path,
        message: `checksums match: ${this.crcPresent} chunks, data section ${this.dataCrc}, summary ${this.summaryCrc}`,
        advice: 'nothing to do',
        evidence,
      };
    }
    return {
      code: 'crc_absent',
      severity: 'info',
      path: this.path,
      message:
        this.chunks === 0
          ? 'the file has no checksums over its messages, so corruption cannot be detected'
          : `${this.crcAbsent} of ${this.chunks} chunks have no checksum, so corruption cannot be detected`,
      advice: 'record with checksums (rosbag2: storage preset zstd_small, or noChunkCRC false)',
      evidence,
    };
  }
}
