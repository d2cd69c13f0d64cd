import { AssayError } from '#core';
import type { CameraEvidence } from '#core/episode';
import { type ChildEnd, type ChildLimits, GuardedChild } from '#io/processes';
import type { Film, FilmFacts, FilmRequest } from './film.ts';
import { type Decoder, keepIdleDecoder, takeIdleDecoder } from './idle-decoders.ts';
import type {
  CameraRequest,
  DecodeRequest,
  FrameOutcome,
  FramesRequest,
  MediaOptions,
  MediaService,
  NoPicture,
  PartsRequest,
  Picture,
  WantedParts,
} from './media-port.ts';
import { type MediaTask, mainFile, stopped, unfinished } from './media-task.ts';
import { noEvidence } from './no-evidence.ts';
import type { Batch, BatchRequest, FilmAnswer, FromChild, ToChild } from './protocol.ts';

const usualProgram = new URL('./child/main.ts', import.meta.url);

/** Requests given to a child ahead, so that it never waits for the next one. */
const pipelined = 3;
/** Tasks looked at for one on the file that a child has open already. */
const lookahead = 32;
/** Between looks at whether a child is heard of. Looks are counted and not the clock: this process may have slept. */
const look_ms = 1000;
/** Children in a row that may end before they are ready to work. */
const startsTried = 3;

interface Slot {
  child: Decoder | null;
  ready: boolean;
  file: string;
  readonly tasks: MediaTask[];
  timer: NodeJS.Timeout | null;
  silent_ms: number;
}

/**
 * Starts no process until something is asked. A request is tried once more where its child was ended by something that
 * may have come from outside or from an earlier file. `program`: another child, for tests.
 */
export function createMediaService(options: MediaOptions = {}, program?: URL): MediaService {
  return new Media(options, program);
}

class Media implements MediaService {
  readonly #limits: ChildLimits;
  readonly #silentLimit_s: number;
  readonly #onAlive: () => void;
  readonly #program: URL;
  readonly #keepIdle: boolean;
  readonly #slots: Slot[];
  readonly #queue: MediaTask[] = [];
  #nextId = 1;
  #failedStarts = 0;
  #closed = false;

  constructor(options: MediaOptions, program: URL | undefined) {
    this.#limits = {
      memory_mb: options.memory_limit_mb ?? 1024,
      cpu_s: options.cpu_limit_s ?? 300,
      idle_s: options.idle_limit_s ?? 900,
    };
    this.#silentLimit_s = options.silent_limit_s ?? 900;
    this.#onAlive = options.onAlive ?? (() => {});
    this.#program = program ?? usualProgram;
    this.#keepIdle = options.keep_idle ?? true;
    this.#slots = Array.from({ length: Math.max(1, options.children ?? 2) }, () => ({
      child: null,
      ready: false,
      file: '',
      tasks: [],
      timer: null,
      silent_ms: 0,
    }));
  }

  examine(request: CameraRequest): Promise<CameraEvidence> {
    return new Promise((resolve, reject) => {
      this.#add({
        message: { id: this.#nextId++, kind: 'examine', request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => resolve(answer as CameraEvidence),
        fault: (reason) => resolve(noEvidence('not_measured', reason)),
        fail: reject,
      });
    });
  }

  examineParts(request: PartsRequest): Promise<CameraEvidence | WantedParts> {
    return new Promise((resolve, reject) => {
      this.#add({
        message: { id: this.#nextId++, kind: 'parts', request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => resolve(answer as CameraEvidence | WantedParts),
        // What a decoder makes of zeros says nothing of the file.
        fault: () => resolve({ wants: null }),
        fail: reject,
      });
    });
  }

  framesAt(request: FramesRequest): Promise<readonly (Picture | NoPicture)[]> {
    return new Promise((resolve) => {
      const none = (reason: string) => resolve(request.times_s.map(() => ({ jpeg: null, reason })));
      this.#add({
        message: { id: this.#nextId++, kind: 'frames', request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => resolve(answer as readonly (Picture | NoPicture)[]),
        fault: none,
        fail: ({ message }) => none(message),
      });
    });
  }

  film(request: FilmRequest): Promise<Film> {
    return this.#tellFilm<Film>('film', request);
  }

  filmFacts(request: FilmRequest): Promise<FilmFacts> {
    return this.#tellFilm<FilmFacts>('film-facts', request);
  }

  #tellFilm<Told extends Film | FilmFacts>(kind: 'film' | 'film-facts', request: FilmRequest): Promise<Told> {
    return new Promise((resolve, reject) => {
      this.#add({
        message: { id: this.#nextId++, kind, request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => {
          const told = answer as FilmAnswer<Told>;
          if ('unshown' in told) reject(undecodable(told.unshown));
          else resolve(told);
        },
        fault: (reason) => reject(undecodable(reason)),
        fail: reject,
      });
    });
  }

  async *decode(request: DecodeRequest, signal?: AbortSignal): AsyncGenerator<readonly FrameOutcome[]> {
    const stream = this.#nextId++;
    let next = this.#batch({ ...request, stream, from: 0 });
    for (let from = 0; ; ) {
      signal?.throwIfAborted();
      const { frames, done, reason } = await next;
      if (reason !== null) throw undecodable(reason);
      from += frames.length;
      if (!done) next = this.#batch({ ...request, stream, from });
      if (frames.length > 0) yield frames;
      if (done) return;
    }
  }

  #batch(request: BatchRequest): Promise<Batch> {
    const batch = new Promise<Batch>((resolve, reject) => {
      this.#add({
        message: { id: this.#nextId++, kind: 'decode', request },
        file: mainFile(request),
        deaths: 0,
        answer: (answer) => resolve(answer as Batch),
        fault: (reason) => resolve({ frames: [], done: true, reason }),
        fail: reject,
      });
    });
    // Thrown where it is waited for; nobody does where the frames are not wanted any more.
    batch.catch(() => {});
    return batch;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#queue.splice(0)) task.fail(stopped());
    await Promise.all(this.#slots.map((slot) => this.#leave(slot)));
  }

  async #leave(slot: Slot): Promise<void> {
    const { child } = slot;
    if (child === null) return;
    if (this.#keepIdle && slot.ready && slot.tasks.length === 0) {
      slot.child = null;
      keepIdleDecoder(child, this.#kind);
      return;
    }
    child.hold(true);
    child.kill('decoding was stopped');
    await child.gone;
  }

  /** Decoders of the same program and limits are interchangeable. */
  get #kind(): string {
    return JSON.stringify([this.#program.href, this.#limits]);
  }

  prepare(): void {
    const [slot] = this.#slots;
    if (!this.#closed) slot.child ??= this.#start(slot);
  }

  #add(task: MediaTask): void {
    if (this.#closed) {
      task.fail(stopped());
      return;
    }
    this.#queue.push(task);
    this.#hand();
  }

  /** Gives queued tasks to children, the least busy first; starts a child where a slot has none. */
  #hand(): void {
    while (this.#queue.length > 0) {
      const slot = this.#slots.reduce((a, b) => (b.tasks.length < a.tasks.length ? b : a));
      if (slot.tasks.length >= pipelined) return;
      const task = this.#take(slot);
      slot.child ??= this.#start(slot);
      slot.tasks.push(task);
      slot.file = task.file;
      slot.child.hold(true);
      slot.child.send(task.message);
      if (slot.tasks.length === 1) this.#watch(slot);
    }
  }

  #take(slot: Slot): MediaTask {
    const end = Math.min(lookahead, this.#queue.length);
    for (let i = 0; i < end; i++) {
      if (this.#queue[i].file === slot.file) return this.#queue.splice(i, 1)[0];
    }
    return this.#queue.shift()!;
  }

  #start(slot: Slot): Decoder {
    const events = {
      onMessage: (message: FromChild) => this.#receive(slot, message),
      onAlive: () => {
        slot.silent_ms = 0;
        this.#onAlive();
      },
      onGone: (end: ChildEnd) => this.#lost(slot, child, end),
    };
    const idle = takeIdleDecoder(this.#kind);
    idle?.listen(events);
    slot.ready = idle !== null;
    const child = idle ?? new GuardedChild<ToChild, FromChild>(this.#program, this.#limits, events);
    return child;
  }

  /** A child guards itself while it runs; one that is stopped does not. */
  #watch(slot: Slot): void {
    if (slot.timer !== null) clearInterval(slot.timer);
    slot.timer = null;
    slot.silent_ms = 0;
    const { child } = slot;
    if (slot.tasks.length === 0) {
      child?.hold(false);
      return;
    }
    slot.timer = setInterval(() => {
      slot.silent_ms += look_ms;
      if (slot.silent_ms > this.#silentLimit_s * 1000) {
        child?.kill(`gave no sign of life for ${this.#silentLimit_s} s`);
      }
    }, look_ms);
  }

  #receive(slot: Slot, message: FromChild): void {
    if (message.kind === 'ready') {
      slot.ready = true;
      this.#failedStarts = 0;
      this.#watch(slot);
      return;
    }
    const task = slot.tasks[0];
    if (task?.message.id !== message.id) return;
    slot.tasks.shift();
    this.#watch(slot);
    if (message.kind === 'answer') task.answer(message.answer);
    else if (message.here) task.fail(unfinished(task, message.reason));
    else task.fault(message.reason);
    this.#hand();
  }

  #lost(slot: Slot, child: Decoder, { why, again }: ChildEnd): void {
    if (slot.child !== child) return;
    const wasReady = slot.ready;
    slot.child = null;
    slot.ready = false;
    slot.file = '';
    const tasks = slot.tasks.splice(0);
    this.#watch(slot);
    if (this.#closed) {
      for (const task of tasks) task.fail(stopped());
      return;
    }
    if (wasReady && tasks.length > 0) {
      const head = tasks[0];
      head.deaths++;
      if (head.deaths > 1 || !again) {
        tasks.shift()!.fail(unfinished(head, `the decoder process ${why}`));
      }
    } else if (!wasReady && ++this.#failedStarts >= startsTried) {
      for (const task of [...tasks, ...this.#queue.splice(0)]) {
        task.fail(unfinished(task, `the decoder process could not be started: ${why}`));
      }
      return;
    }
    this.#queue.unshift(...tasks);
    this.#hand();
  }
}

const undecodable = (reason: string): AssayError =>
  new AssayError('media_failed', `no frame can be decoded: ${reason}`, {
    advice: 'look at the flags and findings of the episode; the file may be damaged',
  });
