import type { CameraEvidence } from '#episode';
import { MediaChild } from './media-child.ts';
import type {
  CameraRequest,
  FramesRequest,
  MediaOptions,
  MediaService,
  NoPicture,
  Picture,
} from './media-port.ts';
import { noEvidence } from './no-evidence.ts';
import type { Answer, FromChild, ToChild } from './protocol.ts';

/** Requests given to a child ahead, so that it never waits for the next one. */
const pipelined = 3;
/** Jobs looked at for one on the file that a child has open already. */
const lookahead = 32;
/** For a child to come up on a busy machine. */
const startLimit_s = 60;
/** Children in a row that may end before they are ready to work. */
const startsTried = 3;

interface Job {
  readonly message: ToChild;
  /** Main file, so that requests on one file meet the child that has it open. */
  readonly file: string;
  /** Children that ended over it. */
  deaths: number;
  readonly answer: (answer: Answer) => void;
  readonly fail: (decodable: 'no' | 'not_measured', reason: string) => void;
}

interface Slot {
  child: MediaChild | null;
  ready: boolean;
  file: string;
  readonly jobs: Job[];
  timer: NodeJS.Timeout | null;
}

/**
 * Starts no process until something is asked. A request is retried once when its child was ended by something other
 * than the time limit: what ended it may have come from outside or from an earlier file, and a file must not be
 * blamed for that. A second death is the file's own.
 */
export function createMediaService(options: MediaOptions = {}): MediaService {
  return new Media(options);
}

class Media implements MediaService {
  readonly #timeLimit_s: number;
  readonly #memoryLimitMb: number;
  readonly #slots: Slot[];
  readonly #queue: Job[] = [];
  #nextId = 1;
  #failedStarts = 0;
  #closed = false;

  constructor(options: MediaOptions) {
    this.#timeLimit_s = options.time_limit_s ?? 120;
    this.#memoryLimitMb = options.memory_limit_mb ?? 1024;
    this.#slots = Array.from({ length: Math.max(1, options.children ?? 2) }, () => ({
      child: null,
      ready: false,
      file: '',
      jobs: [],
      timer: null,
    }));
  }

  examine(request: CameraRequest): Promise<CameraEvidence> {
    return new Promise((resolve) => {
      this.#add({
        message: { id: this.#nextId++, kind: 'examine', request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => resolve(answer as CameraEvidence),
        fail: (decodable, reason) => resolve(noEvidence(decodable, reason)),
      });
    });
  }

  framesAt(request: FramesRequest): Promise<readonly (Picture | NoPicture)[]> {
    return new Promise((resolve) => {
      this.#add({
        message: { id: this.#nextId++, kind: 'frames', request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => resolve(answer as readonly (Picture | NoPicture)[]),
        fail: (_, reason) => resolve(request.times_s.map(() => ({ jpeg: null, reason }))),
      });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.fail('not_measured', 'decoding was stopped');
    const ended = this.#slots.map((slot) => slot.child?.gone);
    for (const slot of this.#slots) {
      slot.child?.hold(true);
      slot.child?.kill('decoding was stopped');
    }
    await Promise.all(ended);
  }

  #add(job: Job): void {
    if (this.#closed) {
      job.fail('not_measured', 'decoding was stopped');
      return;
    }
    this.#queue.push(job);
    this.#hand();
  }

  /** Gives queued jobs to children, the least busy first; starts a child where a slot has none. */
  #hand(): void {
    while (this.#queue.length > 0) {
      const slot = this.#slots.reduce((a, b) => (b.jobs.length < a.jobs.length ? b : a));
      if (slot.jobs.length >= pipelined) return;
      const job = this.#take(slot);
      slot.child ??= this.#start(slot);
      slot.jobs.push(job);
      slot.file = job.file;
      slot.child.hold(true);
      slot.child.send(job.message);
      if (slot.jobs.length === 1) this.#watch(slot);
    }
  }

  #take(slot: Slot): Job {
    const end = Math.min(lookahead, this.#queue.length);
    for (let i = 0; i < end; i++) {
      if (this.#queue[i].file === slot.file) return this.#queue.splice(i, 1)[0];
    }
    return this.#queue.shift()!;
  }

  #start(slot: Slot): MediaChild {
    const child: MediaChild = new MediaChild(this.#memoryLimitMb, {
      onMessage: (message) => this.#receive(slot, message),
      onGone: (why) => this.#lost(slot, child, why),
    });
    slot.ready = false;
    return child;
  }

  /** The time limit counts from when a request becomes the one being worked on; starting has a limit of its own. */
  #watch(slot: Slot): void {
    if (slot.timer !== null) clearTimeout(slot.timer);
    slot.timer = null;
    const { child } = slot;
    if (slot.jobs.length === 0) {
      child?.hold(false);
      return;
    }
    const head = slot.jobs[0];
    const limit_s = slot.ready ? this.#timeLimit_s : startLimit_s;
    slot.timer = setTimeout(() => {
      head.deaths = 1;
      child?.kill(`took longer than ${limit_s} s`);
    }, limit_s * 1000);
  }

  #receive(slot: Slot, message: FromChild): void {
    if (message.kind === 'ready') {
      slot.ready = true;
      this.#failedStarts = 0;
      this.#watch(slot);
      return;
    }
    const job = slot.jobs[0];
    if (job?.message.id !== message.id) return;
    slot.jobs.shift();
    this.#watch(slot);
    if (message.kind === 'answer') job.answer(message.answer);
    else job.fail('not_measured', message.reason);
    this.#hand();
  }

  #lost(slot: Slot, child: MediaChild, why: string): void {
    if (slot.child !== child) return;
    const wasReady = slot.ready;
    slot.child = null;
    slot.ready = false;
    slot.file = '';
    const jobs = slot.jobs.splice(0);
    this.#watch(slot);
    if (this.#closed) {
      for (const job of jobs) job.fail('not_measured', why);
      return;
    }
    if (wasReady && jobs.length > 0) {
      const head = jobs[0];
      head.deaths++;
      if (head.deaths > 1) jobs.shift()!.fail('no', `the decoder process ${why}`);
    } else if (!wasReady && ++this.#failedStarts >= startsTried) {
      for (const job of [...jobs, ...this.#queue.splice(0)]) {
        job.fail('not_measured', `the decoder process could not be started: ${why}`);
      }
      return;
    }
    this.#queue.unshift(...jobs);
    this.#hand();
  }
}

function mainFile(request: CameraRequest | FramesRequest): string {
  const { locator } = request.frames;
  return 'path' in locator ? `${request.root}/${locator.path}` : '';
}
